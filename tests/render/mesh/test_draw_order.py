"""In which order geometries are drawn."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from viewer.animation.pose import Layer, Pose, pose
from viewer.render.mesh.draw_order import VisibleItem, ordered
from viewer.scene.animation import Animation, Track
from viewer.scene.material import Material
from viewer.scene.model import Geometry, Model
from viewer.scene.skeleton import Skeleton
from viewer.view.framing import box_corners

EYE = np.eye(4)
"""Looks along -Z from the origin: what has the lower z is farther away."""


def shown(
    number: int, blend: str = "alpha", order: int = 128, layer: int = 0, writes: bool = True
) -> VisibleItem:
    material = Material("", blend=blend, render_order=order, layer=layer, depth_write=writes)
    item: Any = SimpleNamespace(number=number, gpu_material=SimpleNamespace(material=material))
    return VisibleItem(item, None)


def model(*depths: float, bone: int | None = None) -> Model:
    return Model(
        "", geometries=tuple(Geometry("", (), center=(0.0, 0.0, z), center_bone=bone) for z in depths)
    )


def order(
    items: list[VisibleItem],
    of: Model,
    posed: Pose | None = None,
    painted: bool = True,
    corners: Any = None,
) -> list[int]:
    return [items.index(each) for each in ordered(items, of, posed, painted, EYE, corners)]


def boxes(*ranges: tuple[float, float]) -> Any:
    """Corners of boxes from one depth to another."""
    return np.array([box_corners(np.array(((-1, -1, low), (1, 1, high)))) for low, high in ranges])


def test_what_replaces_comes_before_what_blends() -> None:
    items = [shown(0, order=0), shown(1, "replace", order=255)]
    assert order(items, model(-1, -9)) == [1, 0]


def test_opaque_geometries_are_drawn_from_near_to_far() -> None:
    items = [
        shown(0, "replace"),
        shown(1, "replace"),
        shown(2),
        shown(3, "replace", layer=1),
        shown(3, "replace"),
    ]
    corners = boxes((-9, -8), (-5, -4), (-1, 0), (-7, -3))
    assert order(items, model(-8, -4, -1, -3), corners=corners) == [4, 3, 1, 0, 2]


def test_a_box_inside_another_one_is_drawn_later() -> None:
    items = [shown(0, "replace"), shown(1, "replace")]
    assert order(items, model(-2, -2), corners=boxes((-3, -2), (-9, -1))) == [1, 0]
    assert order(items, model(-2, -2), corners=boxes((-9, -1), (-9, -1))) == [0, 1]


def test_opaque_geometries_that_write_no_depth_keep_all_in_their_order() -> None:
    items = [shown(0, "replace"), shown(1, "replace", writes=False)]
    corners = boxes((-9, -8), (-5, -4))
    assert order(items, model(-8, -4), corners=corners) == [0, 1]
    assert order(items, model(-8, -4), painted=False, corners=corners) == [1, 0]


@pytest.mark.usefixtures("any_numbers")
def test_boxes_without_numbers_are_sorted_without_a_warning() -> None:
    items = [shown(0, "replace"), shown(1, "replace")]
    corners = boxes((-1, 1), (-1, np.nan))
    assert sorted(order(items, model(0, 0), corners=corners)) == [0, 1]


def test_priority_planes_count_before_the_depth_and_the_depth_before_layers() -> None:
    items = [shown(0, order=129), shown(1, layer=1), shown(2, layer=0), shown(3, order=127)]
    assert order(items, model(-9, -5, -3, -1)) == [3, 1, 2, 0]


def test_layers_of_one_depth_lie_over_each_other_and_the_files_order_decides_the_rest() -> None:
    items = [shown(0, layer=1), shown(0, layer=0), shown(1, layer=0)]
    assert order(items, model(-2, -2)) == [1, 2, 0]


def test_the_centre_is_where_its_bone_has_it() -> None:
    one = np.ones((1, 3))
    skeleton = Skeleton(("b",), np.array([-1]), one * 0, np.array([[0.0, 0, 0, 1]]), one)
    away = Track("b", "position", np.array([0.0]), np.array([[0.0, 0.0, -7.0]]))
    posed = pose(skeleton, [Layer(Animation("go", 1.0, (away,), ("b",)), 0.0)])
    near = Geometry("", (), center=(0.0, 0.0, -1.0), center_bone=0)
    far = Geometry("", (), center=(0.0, 0.0, -5.0))
    items = [shown(0), shown(1)]
    both = Model("", geometries=(near, far), skeleton=skeleton)
    assert order(items, both) == [1, 0]
    assert order(items, both, posed) == [0, 1]


@pytest.mark.usefixtures("any_numbers")
def test_centres_beyond_f32_are_sorted_without_a_warning() -> None:
    corner = np.full(3, 3e38, np.float32)
    boxed = Geometry("", (), bounds=np.stack((corner, corner)))
    turned = Geometry("", (), center=(3e38, 3e38, -3e38), center_bone=0)
    skin = np.full((1, 3, 4), 1e300)
    made = Model("", geometries=(boxed, turned))
    posed: Any = SimpleNamespace(skin=skin)
    assert sorted(order([shown(0), shown(1)], made, posed)) == [0, 1]


def test_a_shading_without_materials_blends_nothing() -> None:
    items = [shown(0, order=200), shown(1, "replace")]
    assert order(items, model(-9, -1), painted=False) == [1, 0]
