"""The legend of distances in pictures."""

from __future__ import annotations

import numpy as np

from viewer.export.picture.caption import with_legend
from viewer.scene.vertex_distances import ModelDistances, VertexDistances

WHITE = np.full((200, 600, 4), 255, np.uint8)


def found(largest: float, unmatched: int = 0) -> VertexDistances:
    model = ModelDistances((), 20, 3 if largest else 0, unmatched)
    return VertexDistances((model, model), largest)


def wide(pixels: np.ndarray) -> int:
    """The width of what was drawn on white."""
    return int((pixels[..., :3].min(axis=(0, 2)) < 255).sum())


def test_the_ramp_goes_from_dark_to_light() -> None:
    pixels = with_legend(WHITE, found(0.25).legend)[..., :3].astype(int)
    row = pixels[np.argmax(np.ptp(pixels, axis=2).sum(axis=1))]
    lights = row[np.ptp(row, axis=1) > 100].sum(axis=1)
    assert len(lights) > 60 and lights[-1] > 1.5 * lights[0]


def test_the_legend_names_what_there_is() -> None:
    same, moved, more = (wide(with_legend(WHITE, each.legend)) for each in (found(0), found(1), found(1, 2)))
    assert 0 < same < moved < more


def test_a_narrow_picture_has_a_part_and_a_small_one_none() -> None:
    narrow, small = WHITE[:, :250], WHITE[:60, :100]
    assert 0 < wide(with_legend(narrow, found(1, 2).legend)) <= 250
    assert wide(with_legend(small, found(1, 2).legend)) == 0


def test_the_picture_itself_stays() -> None:
    with_legend(WHITE, found(1).legend)
    assert WHITE.min() == 255
