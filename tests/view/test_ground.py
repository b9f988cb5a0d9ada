"""The ground under a model, and the area of its shadow."""

from __future__ import annotations

import numpy as np
import pytest

from tests.synthetic import model_of, pose_of, skeleton_of, vertex_buffer
from viewer.scene.animation import Animation, Track
from viewer.scene.choices import UpAxis
from viewer.scene.display import ModelDisplay
from viewer.scene.model import Geometry, IndexBuffer, Lod, Model, Primitive
from viewer.view.ground import DEEPEST, ground_plane, shadow_area

BLOCK = np.array(((-1, 1, -2), (1, 1, -2), (1, 4, 2), (-1, 4, 2)), np.float32)
RIGGED = {
    "joints": np.zeros((4, 4), np.uint8),
    "weights": np.tile(np.array((1, 0, 0, 0), np.float32), (4, 1)),
}
SHOWN = ModelDisplay()


def lifted(by: float) -> Animation:
    """A clip whose bone is `by` higher."""
    keys = np.array(((0.0, by, 0.0),), np.float32)
    return Animation("lift", 1.0, (Track("bone 0", "position", np.zeros(1), keys),), ("bone 0",))


def block() -> Model:
    """A leaning quad from y = 1 to 4 on one bone."""
    return model_of(vertex_buffer(position=BLOCK, **RIGGED), skeleton=skeleton_of(1))


def test_the_ground_is_at_the_lowest_vertex() -> None:
    plane = ground_plane(block(), SHOWN)
    assert plane is not None and plane.height == 1.0
    assert plane.radius == pytest.approx(np.sqrt(1 + 1.5**2 + 2**2))


def test_the_ground_is_below_what_is_shown_and_in_viewer_space() -> None:
    low, high = (vertex_buffer(position=BLOCK + np.float32((0, by, 0))) for by in (0, 10))
    lods = [Lod(0, (n,), 0, 0, 6, Primitive.TRIANGLES) for n in (0, 1)]
    indices = (IndexBuffer(np.array((0, 1, 2, 0, 2, 3), np.uint16)),)
    model = Model("m", (low, high), indices, tuple(Geometry("g", (lod,)) for lod in lods))
    planes = [ground_plane(model, ModelDisplay(hidden=hidden)) for hidden in (set(), {0}, {0, 1})]
    assert [plane and plane.height for plane in planes] == [1.0, 11.0, None]
    turned = ground_plane(model, ModelDisplay(up=UpAxis.Z))
    assert turned is not None and turned.height == pytest.approx(-2.0)


@pytest.mark.parametrize(("by", "height"), [(5.0, 1.0), (-0.2, 0.8), (-9.0, None)])
def test_a_clip_lowers_the_ground_a_little_and_never_raises_it(by: float, height: float | None) -> None:
    model = block()
    plane = ground_plane(model, SHOWN, lifted(by))
    assert plane is not None
    assert plane.height == pytest.approx(1 - DEEPEST * plane.radius if height is None else height)


def test_the_area_is_below_the_posed_model() -> None:
    moved = np.eye(3, 4)[None].copy()
    moved[0, :, 3] = (10.0, 0.0, -20.0)
    area = shadow_area(block(), SHOWN, pose_of(moved), 0.5, 64)
    assert area is not None
    assert abs(area.x - 10) <= area.side / 64 and abs(area.z + 20) <= area.side / 64
    assert 2.5 <= area.side < 2.5 * 1.2


def test_the_area_moves_in_steps() -> None:
    areas = []
    for x in (0.001, 0.002):
        moved = np.eye(3, 4)[None].copy()
        moved[0, 0, 3] = x
        areas.append(shadow_area(block(), SHOWN, pose_of(moved), 0.5, 64))
    assert areas[0] == areas[1]


def test_nothing_shown_has_no_area() -> None:
    assert shadow_area(block(), ModelDisplay(hidden={0}), None, 0.5, 64) is None
