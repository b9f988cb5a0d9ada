"""The comparison of models in one picture: its options, and the pane of each model."""

from __future__ import annotations

from msgspec import Struct

from viewer.scene.choices import CompareMode, TimeTie

GAP = 2
"""The smallest width in pixels of the line between two models."""


class Comparison(Struct, frozen=True):
    """The options of a comparison. If `mode` is None, no models are compared.

    `split` is the start of the second model in the slider's picture, as a share of the width. `other` is the
    path of the compared document (empty: the next model). With `aligned`, the second model is moved onto the
    first model, provided that both are the same model for different engines. `tie` is how the times of the
    two sides belong together. With `itself`, the document in view is compared with itself: each side has its
    own clips. Colours and curves of motions show angles, or distances with `by_distance`.
    """

    mode: CompareMode | None = None
    split: float = 0.5
    other: str = ""
    aligned: bool = True
    tie: TimeTie = TimeTie.SECONDS
    itself: bool = False
    by_distance: bool = False

    @property
    def side_by_side(self) -> bool:
        """Whether each model has a part of the picture."""
        return self.mode in (CompareMode.SIDE, CompareMode.DISTANCE, CompareMode.MOTION)


class Pane(Struct, frozen=True):
    """The part of the picture that shows one model, in pixels. The model's picture begins at column `left`
    and is `width` wide; only its columns from `start` up to `end` are visible.
    """

    left: int
    width: int
    start: int
    end: int


def panes(comparison: Comparison, count: int, width: int) -> tuple[Pane, ...]:
    """The panes of `count` models in a picture that is `width` pixels wide, from left to right.

    Panes side by side are equally wide, at least one pixel. In the difference of two models each pane is the
    whole picture. A single model has the whole picture in every mode: a mode that was just chosen in a menu
    has its second model from the next frame on.
    """
    if comparison.side_by_side:
        wide = max((width - GAP * (count - 1)) // count, 1)
        lefts = [round(number * (width - wide) / max(count - 1, 1)) for number in range(count)]
        return tuple(Pane(left, wide, left, left + wide) for left in lefts)
    if comparison.mode is CompareMode.SLIDER and count == 2:
        split = round(min(max(comparison.split, 0.0), 1.0) * width)
        return Pane(0, width, 0, split), Pane(0, width, split, width)
    return (Pane(0, width, 0, width),) * count


def difference_text(least: float, most: float) -> str:
    """Describe shares 0..1 of pixels that differ: `least` in the least different picture, `most` in the most
    different one. Example: `1.20 to 3.50 % of the pixels differ`.
    """
    shown = [f"{100 * share:.2f}" for share in dict.fromkeys((least, most))]
    return f"{' to '.join(dict.fromkeys(shown))} % of the pixels differ"
