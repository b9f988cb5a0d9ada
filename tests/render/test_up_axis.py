"""A model with another axis up is drawn, lit, marked and picked as the same model in turned axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.frames import frame_for
from tests.synthetic import model_of, vertex_buffer
from viewer.animation.pose import rest
from viewer.arrays import Array
from viewer.render.pick import Picker
from viewer.render.renderer import Renderer
from viewer.scene.camera import Orbit
from viewer.scene.choices import LightKind, Shading, UpAxis
from viewer.scene.display import DisplayOptions, ModelDisplay, Placement, upright
from viewer.scene.items import AttachmentItem, BoneItem, GeometryItem, VertexItem
from viewer.scene.model import Attachment, Light, Model
from viewer.scene.skeleton import Skeleton
from viewer.view.camera import matrices
from viewer.view.framing import placed_box, posed_bounds
from viewer.view.item_points import item_points
from viewer.view.lod import view_distance, world_box

SIZE = (48, 32)
CAMERA = Orbit((0.2, 0.1, 0.0), 4.0, 30.0, 20.0)
CORNERS = np.array(((-1, -0.4, 0), (1, -0.4, 0), (1, 0.9, 0.7), (-1, 0.9, 0.2)), np.float32)
POINT = (0.3, 0.2, 0.9)


def leaning(to_world: Array | None = None) -> Model:
    """A leaning quad on two bones, with a light and an attachment."""
    normals = np.tile(np.float32((0, 0, 1)), (4, 1))
    positions = np.array(((0, 0, 0), (0.1, 0.3, 0.6)), float)
    turns = np.tile((0.0, 0.0, 0.0, 1.0), (2, 1))
    bones = Skeleton(("one", "two"), np.array((-1, 0)), positions, turns, np.ones((2, 3)))
    return model_of(
        vertex_buffer(position=CORNERS, normal=normals),
        skeleton=bones,
        attachments=(Attachment(0, "Shield", 0, POINT),),
        lights=(Light("point", 0, POINT),),
        bounds=np.stack((CORNERS.min(axis=0), CORNERS.max(axis=0))),
        to_world=np.eye(4) if to_world is None else to_world,
    )


OPTIONS = (
    {},
    {"shading": Shading.NORMALS},
    {"light": LightKind.FILE},
    {"shadow": True, "grid": False},
    {"skeleton": True, "attachments": True, "light_markers": True, "grid": False},
    {"bounds": True, "vertex_normals": True, "hitboxes": True, "wireframe": True},
)


@pytest.mark.parametrize("shown", OPTIONS)
def test_it_is_drawn_as_the_same_model_in_turned_axes(
    shot: Callable[..., Array], shown: dict[str, Any]
) -> None:
    options, display = DisplayOptions(samples=0, **shown), ModelDisplay(up=UpAxis.Z)
    made = leaning()
    turned = replace(made, to_world=upright(made.to_world, UpAxis.Z))
    assert made.skeleton is not None
    pose = rest(made.skeleton)
    picture = shot(made, options, CAMERA, pose, display=display)
    assert (picture == shot(turned, options, CAMERA, pose)).all()
    assert (picture != shot(made, options, CAMERA, pose)).any()


def test_its_box_is_that_of_the_turned_axes() -> None:
    made = leaning()
    turned = posed_bounds(replace(made, to_world=upright(made.to_world, UpAxis.Z)))
    np.testing.assert_allclose(posed_bounds(made, placement=Placement(UpAxis.Z)), turned)
    np.testing.assert_allclose(placed_box(made, posed_bounds(made), Placement(UpAxis.Z)), turned, atol=1e-12)
    assert (turned != posed_bounds(made)).any()


@pytest.mark.parametrize("item", [GeometryItem(0), BoneItem(1), VertexItem(0, 2), AttachmentItem(0)])
def test_the_points_of_an_item_are_those_of_the_turned_axes(item: Any) -> None:
    made = leaning()
    turned = replace(made, to_world=upright(made.to_world, UpAxis.Z))
    assert made.skeleton is not None
    found, wanted = (
        item_points(each, rest(made.skeleton), {}, item, Placement(up))
        for each, up in ((made, UpAxis.Z), (turned, UpAxis.FILE))
    )
    assert found is not None and wanted is not None and len(found)
    np.testing.assert_allclose(bounds(found), bounds(wanted), atol=1e-6)


def bounds(points: Array) -> Array:
    return np.stack((points.min(axis=0), points.max(axis=0)))


def test_a_picked_point_lies_in_viewer_space(renderer: Renderer) -> None:
    made, display = leaning(), ModelDisplay(up=UpAxis.Z)
    mesh, picker = renderer.upload(made), Picker(renderer.composer)
    seen = replace(CAMERA, yaw=0.0, pitch=90.0)
    whole = matrices(seen, display.to_world(made), SIZE)
    frame = frame_for(made, SIZE, None, DisplayOptions(), seen, seen=whole, display=display)
    picker.ask(mesh, frame, np.array(SIZE) / 2)
    hit = picker.answer()
    picker.release()
    mesh.release()
    assert hit is not None and hit.point[0] == pytest.approx(0.2, abs=0.05)
    assert hit.point[1] == pytest.approx(0.25, abs=0.2), "above the ground by what is its depth in the file"


@pytest.mark.parametrize("rule", ["urho3d", "ogre"])
def test_levels_of_detail_keep_their_distance_from_the_turned_model(rule: str) -> None:
    made = replace(leaning(), lod_rule=rule)
    turned = replace(made, to_world=upright(made.to_world, UpAxis.Z))
    found, wanted = (
        view_distance(each, world_box(each), matrices(CAMERA, display.to_world(each), SIZE))
        for each, display in ((made, ModelDisplay(up=UpAxis.Z)), (turned, ModelDisplay()))
    )
    assert found == pytest.approx(wanted)
