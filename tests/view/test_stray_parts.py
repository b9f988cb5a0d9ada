"""The camera is not moved away for what covers next to nothing and lies far from everything else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.view.test_clip_points import WALK, figure, skeleton, view_of
from tests.view.test_effect_points import emitter, model
from tests.view.test_effect_points import view as effect_view
from tests.view.test_framing import vertex_buffer
from viewer.arrays import Array
from viewer.scene.animation import Animation, Track
from viewer.scene.model import Geometry, Lod, Model, Primitive
from viewer.view.clip_points import clip_points

CUBE = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
FACES = np.array([(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6)])
FAR = 50.0


def cubes(*corners: Any) -> Model:
    """A cube of side 1 and further triangles [3, 3]."""
    points = np.concatenate([CUBE[FACES.ravel()], *(np.array(each, float) for each in corners)])
    lod = Lod(0, (0,), None, 0, len(points), Primitive.TRIANGLES)
    return Model("cubes", (vertex_buffer(points),), (), (Geometry("g", (lod,)),))


def reach(made: Model, **display: Any) -> float:
    """The length of the box that the camera fits into the picture."""
    return float(np.ptp(clip_points(view_of(made, None, **display)), axis=0).max())


@pytest.mark.parametrize(
    "stray",
    [
        ((FAR, 0, 0), (FAR, 0, 0), (FAR, 1, 0)),
        ((0, 0, 0), (FAR, 0, 0), (FAR, 0, 0)),
        ((0, 0, 0), (FAR, 0, 0), (FAR, 0.01, 0)),
        ((FAR, 0, 0), (FAR + 0.02, 0, 0), (FAR, 0.02, 0)),
        ((1e30, 0, 0), (1e30, 0, 0), (1e30, 0, 0)),
    ],
    ids=["degenerate", "needle", "sliver", "speck", "beyond all numbers"],
)
@pytest.mark.usefixtures("any_numbers")
def test_a_stray_triangle_does_not_frame_the_model_small(stray: Any) -> None:
    assert reach(cubes(stray)) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "part",
    [
        ((FAR, 0, 0), (FAR + 1, 0, 0), (FAR, 1, 0)),
        ((0, 0, 0), (FAR, 0, 0), (FAR, 0.2, 0)),
        ((1.5, 0, 0), (1.5, 0, 0), (1.5, 1, 0)),
    ],
    ids=["another part", "a pole", "near"],
)
def test_what_is_seen_or_near_is_in_the_picture(part: Any) -> None:
    assert reach(cubes(part)) == pytest.approx(np.max(part), abs=1e-3)


def test_what_consists_of_slivers_is_in_the_picture_as_a_whole() -> None:
    lines = np.array([((0, k, 0), (FAR, k, 0), (FAR, k + 0.01, 0)) for k in range(3)], float).reshape(-1, 3)
    lod = Lod(0, (0,), None, 0, 9, Primitive.TRIANGLES)
    made = Model("wires", (vertex_buffer(lines),), (), (Geometry("g", (lod,)),))
    assert reach(made) == pytest.approx(FAR)


def test_a_part_that_a_clip_moves_far_away_stays_in_the_picture() -> None:
    view = view_of(figure(), WALK)
    assert np.ptp(clip_points(view), axis=0)[2] > 9


THROWN = Animation(
    "thrown",
    1.0,
    (Track("bone 1", "position", np.zeros(1), np.array([(FAR, 0, 0)], np.float32)),),
    ("bone 1",),
)


def with_shard(side: float) -> Model:
    """A cube of bone 0, and beside it a triangle of bone 1, which the clip `THROWN` holds far away."""
    points = np.concatenate([CUBE[FACES.ravel()], [(1, 0, 0), (1 + side, 0, 0), (1, side, 0)]])
    joints, weights = np.zeros((len(points), 4), np.uint8), np.zeros((len(points), 4), np.float32)
    joints[-3:, 0], weights[:, 0] = 1, 1
    lod = Lod(0, (0,), None, 0, len(points), Primitive.TRIANGLES)
    buffer = vertex_buffer(points, joints, weights)
    return Model("thrown", (buffer,), (), (Geometry("g", (lod,)),), skeleton=skeleton(2))


@pytest.mark.parametrize("times", [None, np.zeros(1)], ids=["clip", "moment"])
def test_what_is_stray_in_the_pose_of_a_clip_does_not_frame_the_model_small(times: Array | None) -> None:
    speck, part = (clip_points(view_of(with_shard(side), THROWN), times) for side in (0.02, 1.0))
    assert np.ptp(speck, axis=0).max() == pytest.approx(1.0)
    assert np.ptp(part, axis=0).max() > FAR


def particles(mesh: Array | None, *emitters: Any) -> float:
    """The length of the box that the camera fits into the picture of a mesh and emitters."""
    made = model(*emitters)
    if mesh is not None:
        whole = cubes()
        made = replace(made, vertex_buffers=whole.vertex_buffers, geometries=whole.geometries)
    return float(np.ptp(clip_points(replace(effect_view(*emitters), model=made)), axis=0).max())


def test_rare_particles_far_away_do_not_frame_the_others_small() -> None:
    cloud = emitter(rate=60.0, speed=1.0, size=0.3)
    rare = emitter(rate=2.0, speed=200.0, size=0.1)
    assert particles(None, cloud, rare) < 4 < 100 < particles(None, rare)


def test_many_particles_far_away_are_in_the_picture() -> None:
    cloud = emitter(rate=60.0, speed=1.0, size=0.3)
    fast = emitter(rate=60.0, speed=100.0, size=0.3)
    assert particles(None, cloud, fast) > 50


def test_rare_particles_far_from_a_mesh_do_not_frame_it_small() -> None:
    rare = emitter(rate=2.0, speed=200.0, size=0.02)
    assert particles(CUBE, rare) < 8
