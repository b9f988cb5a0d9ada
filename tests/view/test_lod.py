from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from viewer.scene.camera import Orbit
from viewer.scene.model import Geometry, Lod, Model, Primitive
from viewer.view.camera import matrices
from viewer.view.lod import level_at, levels, lod_distance, view_distance, world_box

SIZE = (100, 100)
BOX = np.array(((-1.0, 0.0, -1.0), (1.0, 4.0, 1.0)))
CAMERA = Orbit(target=(0.0, 2.0, 0.0), distance=16.0, yaw=0.0, pitch=0.0)


def model(*counts: int) -> Model:
    levels = tuple(
        Lod(10.0 * n, (0,), None, 0, 3, Primitive.TRIANGLES) for n in range(max(counts, default=0))
    )
    geometries = tuple(Geometry("g", levels[:count]) for count in counts)
    return Model("m", geometries=geometries, bounds=BOX, lod_rule="urho3d")


@pytest.mark.parametrize(("distance", "level"), [(0, 0), (10, 0), (10.1, 1), (20, 1), (21, 2), (1e9, 2)])
def test_a_level_ends_where_the_next_one_begins(distance: float, level: int) -> None:
    assert level_at((0.0, 10.0, 20.0), distance) == level


def test_negative_distances_count_as_zero() -> None:
    assert level_at((0.0, -5.0), 0.0) == 0
    assert level_at((0.0, -5.0), 0.1) == 1


def test_the_distance_is_measured_in_mean_sizes_of_the_box() -> None:
    box = world_box(model(3))
    assert box is not None
    seen = matrices(CAMERA, np.eye(4), SIZE)
    assert lod_distance(box, seen) == pytest.approx(16.0 / (8 / 3))
    assert lod_distance(box, seen, bias=2.0, zoom=2.0) == pytest.approx(16.0 / (8 / 3) / 4)


def test_a_parallel_projection_counts_its_height() -> None:
    box = world_box(model(3))
    assert box is not None
    seen = matrices(replace(CAMERA, ortho=True), np.eye(4), SIZE)
    assert lod_distance(box, seen) == pytest.approx(2 * 16 * np.tan(np.radians(22.5)) / (8 / 3))


def test_the_box_is_that_of_the_placed_model() -> None:
    turned = np.array(((0.0, -2, 0, 1), (2, 0, 0, 0), (0, 0, 2, 0), (0, 0, 0, 1)))
    box = world_box(replace(model(3), to_world=turned))
    assert box is not None
    assert box.scale == pytest.approx(16 / 3)
    seen = matrices(CAMERA, turned, SIZE)
    away = np.linalg.norm(seen.eye - (-3.0, 0.0, 0.0))
    assert lod_distance(box, seen) == pytest.approx(away / (16 / 3))


def test_other_models_have_no_rule() -> None:
    assert world_box(replace(model(3), lod_rule="")) is None
    assert world_box(replace(model(3), bounds=None)) is None


def test_each_geometry_has_its_own_levels() -> None:
    assert levels(model(3, 1, 0), 15.0, None) == [1, 0, -1]
    assert levels(model(3, 1, 0), None, None) == [0, 0, -1]
    assert levels(model(3, 1, 0), 15.0, 2) == [2, 0, -1]
    assert levels(model(3, 1, 0), 15.0, -4) == [0, 0, -1]


@pytest.mark.parametrize(("distance", "level"), [(9.9, 0), (10, 1), (19, 1), (20, 2)])
def test_ogres_levels_begin_at_their_distance(distance: float, level: int) -> None:
    assert levels(replace(model(3), lod_rule="ogre"), distance, None) == [level]


def test_ogres_distance_is_that_to_the_origin_less_the_radius() -> None:
    seen = matrices(CAMERA, np.eye(4), SIZE)
    far = float(np.linalg.norm(seen.eye))
    ogre = replace(model(3), lod_rule="ogre")
    assert view_distance(ogre, None, seen) == pytest.approx(np.sqrt(far**2 - 18))
    assert view_distance(replace(ogre, bounds=None), None, seen) == pytest.approx(far)


def test_from_inside_of_its_radius_it_is_none() -> None:
    seen = matrices(replace(CAMERA, distance=0.5), np.eye(4), SIZE)
    assert view_distance(replace(model(3), lod_rule="ogre"), None, seen) == 0


@pytest.mark.parametrize("rule", ["urho3d", "ogre"])
@pytest.mark.parametrize("ortho", [False, True])
def test_a_model_that_is_drawn_larger_has_the_level_of_the_same_picture(rule: str, ortho: bool) -> None:
    made, camera = replace(model(3), lod_rule=rule), replace(CAMERA, ortho=ortho)
    larger = np.diag((5.0, 5.0, 5.0, 1.0))
    seen = matrices(camera, np.eye(4), SIZE), matrices(camera.carried(larger), larger, SIZE)
    first, second = (view_distance(made, world_box(made), each) for each in seen)
    assert first == pytest.approx(second) and first


def test_without_a_rule_there_is_no_distance() -> None:
    assert view_distance(replace(model(3), lod_rule=""), None, matrices(CAMERA, np.eye(4), SIZE)) is None


def test_a_box_of_any_size_has_a_size() -> None:
    bounds = np.array([(-3e38,) * 3, (3e38,) * 3], np.float32)
    box = world_box(Model("huge", bounds=bounds, lod_rule="urho3d"))
    assert box is not None and box.scale == pytest.approx(6e38) and np.isfinite(box.center).all()


def test_the_distance_from_a_box_of_any_size_is_a_number() -> None:
    bounds = np.array([(-3e38,) * 3, (3e38,) * 3], np.float32)
    assert (
        view_distance(Model("huge", bounds=bounds, lod_rule="ogre"), None, matrices(CAMERA, np.eye(4), SIZE))
        == 0
    )
