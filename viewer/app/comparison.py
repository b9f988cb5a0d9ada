"""Draws the compared documents of the window."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from viewer.app.picking import picture_key
from viewer.arrays import Array, Size
from viewer.gpu.target import RenderTarget
from viewer.render.renderer import Renderer
from viewer.render.statistics import DrawStatistics
from viewer.scene.choices import CompareMode
from viewer.scene.model import NO_MODEL
from viewer.session.comparison import in_order
from viewer.session.state import State
from viewer.view.view_snapshot import ViewSnapshot

if TYPE_CHECKING:
    from viewer.animation.motion.clip_difference import ClipDifference
    from viewer.render.passes.compare_pass import ComparePass, Shown
    from viewer.scene.vertex_distances import VertexDistances


NO_BOXES = (np.zeros((2, 3)),)


class ComparedDrawing:
    """Draws the documents of a comparison. Its GPU objects are created at the first drawing."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._pass: ComparePass | None = None
        self._boxes: Sequence[Array] = ()
        self._around: Array | None = None
        self._count = DifferenceCount()

    def draw(
        self, shown: Sequence[Shown], state: State, size: Size, samples: int
    ) -> tuple[RenderTarget, list[DrawStatistics]]:
        """Draw the models into a picture of `size`: see `ComparePass.draw`."""
        if self._pass is None:
            # imported late, because few sessions compare
            from viewer.render.passes.compare_pass import ComparePass

            self._pass = ComparePass(self._renderer)
        found = distances_of(state), motion_of(state)
        target = self._pass.draw(shown, state.documents.comparison, size, samples, *found)
        return target, self._pass.statistics

    def around(self, boxes: Sequence[Array]) -> Array:
        """Return the box [2, 3] that contains all `boxes`; without boxes, an empty box at the origin.

        If the boxes are the same arrays as in the previous call, the previous box is returned.
        """
        boxes = boxes or NO_BOXES
        if self._around is None or list(map(id, boxes)) != list(map(id, self._boxes)):
            self._boxes = boxes
            low, high = np.min([box[0] for box in boxes], axis=0), np.max([box[1] for box in boxes], axis=0)
            self._around = boxes[0] if len(boxes) == 1 else np.stack((low, high))
        return self._around

    def differing(self, state: State, size: Size, sharp: bool) -> float | None:
        """The share (0 to 1) of pixels that differ between the two models in the last picture of `size`
        pixels.

        The pixels are counted when two consecutive pictures are the same; until then the result is None. The
        result is also None if the picture is not `sharp`, or if the comparison mode shows no pixel
        differences.
        """
        shows = state.partner is not None and state.documents.comparison.mode is CompareMode.DIFFERENCE
        if self._pass is None or not shows or not sharp:
            self._count = DifferenceCount()
            return None
        key = size, replace(state.options), tuple(map(picture_key, in_order(state)))
        return self._count.of(key, self._pass.differing)

    @property
    def counting(self) -> bool:
        """Whether another picture must be drawn before the differing pixels can be counted."""
        return self._count.waits

    def release(self) -> None:
        """Release the GPU objects."""
        if self._pass is not None:
            self._pass.release()
            self._pass = None


def distances_of(state: State) -> VertexDistances | None:
    """The distances between the compared models; None if they are not computed yet."""
    found = state.comparison_result
    return None if found is None else found.distances


def motion_of(state: State) -> ClipDifference | None:
    """The difference of the playing clips of the compared models; None if it is not computed yet."""
    found = state.comparison_result
    return None if found is None else found.motion


def distances_between(views: Iterable[ViewSnapshot]) -> VertexDistances:
    """Compute the distances between the models of two views."""
    # imported late, because few pictures show distances
    from viewer.compare.vertex_distances import vertex_distances

    return vertex_distances(*(view.model or NO_MODEL for view in views))


class DifferenceCount:
    """Counts the differing pixels.

    Because counting is slow, it starts when two consecutive pictures are the same.
    """

    def __init__(self) -> None:
        self._last: object = None
        self._counted: object = None
        self._share: float | None = None

    @property
    def waits(self) -> bool:
        """Whether the last picture must still be counted, which happens if the next picture is the same."""
        return self._last != self._counted

    def of(self, key: object, count: Callable[[], float]) -> float | None:
        """Return the result of `count` for the picture `key`.

        `count` is called when the same key comes twice in a row; before that the result is None.
        """
        if key == self._last != self._counted:
            self._share, self._counted = count(), key
        self._last = key
        return self._share if key == self._counted else None
