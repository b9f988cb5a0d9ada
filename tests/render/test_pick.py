"""Picking: exact numbers at known pixels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.frames import frame_for
from tests.quads import FRONT, MIRROR, quad
from tests.synthetic import QUAD, QUAD_INDICES, model_of, pose_of, skeleton_of, vertex_buffer
from viewer.animation.pose import Pose, rest
from viewer.gpu.target import RenderTarget
from viewer.render.frame import Frame
from viewer.render.pick import Hit, Picker, nearest_bone, on_screen
from viewer.render.renderer import Renderer
from viewer.scene.camera import Orbit
from viewer.scene.display import DisplayOptions, ModelDisplay
from viewer.scene.model import Geometry, Lod, Model, Primitive
from viewer.scene.skeleton import Skeleton
from viewer.view.camera import matrices
from viewer.view.framing import posed_bounds

SIZE = (64, 48)
Ask = Callable[..., Hit | None]


def view_of(
    model: Model, camera: Orbit = FRONT, pose: Pose | None = None, display: ModelDisplay | None = None
) -> Frame:
    seen = matrices(camera, model.to_world, SIZE, posed_bounds(model, pose))
    return frame_for(model, SIZE, pose, DisplayOptions(), camera, seen=seen, display=display)


@pytest.fixture
def ask(ctx: Any) -> Iterator[Ask]:
    """What a picker finds at a pixel from the lower left corner."""
    renderer = Renderer(ctx)
    picker = Picker(renderer.composer)

    def run(view: Frame, x: float, y: float) -> Hit | None:
        mesh = renderer.upload(view.model)
        try:
            picker.ask(mesh, view, np.array((x, y)))
            return picker.answer()
        finally:
            mesh.release()

    yield run
    picker.release()
    renderer.release()


def test_a_released_picker_is_not_bound_again(ctx: Any) -> None:
    """The fixture of the context finds the error of OpenGL."""
    renderer = Renderer(ctx)
    picker, mesh = Picker(renderer.composer), renderer.upload(quad())
    picker.ask(mesh, view_of(quad()), np.array((1.0, 1.0)))
    picker.release()
    RenderTarget(ctx, SIZE).release()
    mesh.release()
    renderer.release()


def test_the_corner_that_is_nearest(ask: Ask) -> None:
    view = view_of(quad())
    places = on_screen(view.matrices, np.array(((-0.9, -0.9, 0), (0.9, 0.9, 0), (0.9, -0.9, 0.0))), SIZE)
    found = [ask(view, x, y) for x, y, _ in places]
    assert [hit.vertex for hit in found if hit] == [0, 2, 1]
    assert {hit.geometry for hit in found if hit} == {0}


def test_the_point_on_the_surface(ask: Ask) -> None:
    hit = ask(view_of(quad()), 40.5, 20.5)
    assert hit is not None
    x, y, z = hit.point
    assert z == pytest.approx(0, abs=1e-4)
    slope = FRONT.slope * 4 * 2 / SIZE[1]
    assert (x, y) == pytest.approx(((40.5 - 32) * slope, (20.5 - 24) * slope), abs=1e-3)


def test_beside_the_model_there_is_nothing(ask: Ask) -> None:
    assert ask(view_of(quad()), 2, 2) is None


def test_what_is_a_few_pixels_away_is_meant_too(ask: Ask) -> None:
    view = view_of(quad())
    edge = on_screen(view.matrices, np.array(((-1.0, 0.0, 0.0),)), SIZE)[0]
    assert ask(view, edge[0] - 3, edge[1]) is not None
    assert ask(view, edge[0] - 7, edge[1]) is None


def test_a_mirrored_model_seen_from_the_front(ask: Ask) -> None:
    view = view_of(quad(to_world=MIRROR))
    hit = ask(view, 32 + 9, 24 + 9)
    assert hit is not None and hit.vertex == 3, "what was left is right"


def two_layers(hidden: int | None = None) -> tuple[Model, ModelDisplay]:
    """Two quads, the second one behind the first."""
    near = np.array(((-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)), np.float32)
    positions = np.concatenate((near, near * 1.5 - (0, 0, 1)))
    model = model_of(vertex_buffer(position=positions.astype(np.float32)))
    indices = model.index_buffers[0].data
    both = np.concatenate((indices, indices + 4)).astype(indices.dtype)
    geometries = tuple(
        Geometry(name, (Lod(0, (0,), 0, start, 6, Primitive.TRIANGLES),))
        for name, start in (("near", 0), ("far", 6))
    )
    display = ModelDisplay(hidden=set() if hidden is None else {hidden})
    buffer = type(model.index_buffers[0])(both)
    return Model("layers", model.vertex_buffers, (buffer,), geometries), display


@pytest.mark.parametrize(("hidden", "found"), [(None, 0), (0, 1), (1, 0)])
def test_what_is_in_front_unless_it_is_hidden(ask: Ask, hidden: int | None, found: int) -> None:
    model, display = two_layers(hidden)
    hit = ask(view_of(model, display=display), 32, 24)
    assert hit is not None and hit.geometry == found
    assert hit.vertex // 4 == found


@pytest.mark.parametrize("border", [31.75, 32.25])
def test_the_pixels_beside_a_border_are_those_of_its_two_sides(ask: Ask, border: float) -> None:
    """Upright and flat, pixels 31 and 32 lie on two sides of the border."""
    slope = FRONT.slope * 4 * 2 / SIZE[1]
    for axis, at in ((0, border), (1, border - 8)):
        positions = np.concatenate((QUAD, QUAD)) - np.eye(3)[axis] * np.repeat((1.0, -1.0), 4)[:, None]
        positions[:, axis] += (at - SIZE[axis] / 2) * slope
        indices = np.concatenate((QUAD_INDICES, QUAD_INDICES + 4)).astype(np.uint16)
        lods = [Lod(0, (0,), 0, start, 6, Primitive.TRIANGLES) for start in (0, 6)]
        made = model_of(vertex_buffer(position=positions.astype(np.float32)), indices=indices)
        made = replace(made, geometries=tuple(Geometry("half", (lod,)) for lod in lods))
        pixels = np.tile((20.5, 20.5), (2, 1))
        pixels[:, axis] = np.array((31.5, 32.5)) - 8 * axis
        hits = [ask(view_of(made), x, y) for x, y in pixels.tolist()]
        assert [hit and hit.geometry for hit in hits] == [0, 1]


def test_answers_come_once(ctx: Any) -> None:
    renderer = Renderer(ctx)
    picker, mesh = Picker(renderer.composer), renderer.upload(quad())
    assert picker.answer() is None
    picker.ask(mesh, view_of(quad()), np.array((32, 24)))
    assert picker.answer() is not None and picker.answer() is None
    for owned in (picker, mesh, renderer):
        owned.release()


def chain() -> Skeleton:
    """Three bones from left to right along X, one unit each."""
    steps = np.array(((-1.0, 0, 0), (1, 0, 0), (1, 0, 0)))
    return Skeleton(
        ("a", "b", "c"), np.array((-1, 0, 1)), steps, np.tile((0.0, 0, 0, 1), (3, 1)), np.ones((3, 3))
    )


@pytest.mark.parametrize(("x", "bone"), [(-0.5, 0), (0.5, 1), (1.2, 2)])
def test_the_bone_whose_axis_is_nearest(x: float, bone: int) -> None:
    skeleton = chain()
    whole = matrices(FRONT, np.eye(4), SIZE, np.array(((-2.0, -2, -2), (2, 2, 2))))
    pixel = on_screen(whole, np.array(((x, 0.1, 0.0),)), SIZE)[0, :2]
    assert nearest_bone(skeleton, rest(skeleton), whole, SIZE, pixel) == bone


def test_no_bone_is_near() -> None:
    skeleton = chain()
    whole = matrices(FRONT, np.eye(4), SIZE, np.array(((-2.0, -2, -2), (2, 2, 2))))
    assert nearest_bone(skeleton, rest(skeleton), whole, SIZE, np.array((2.0, 2.0))) is None


@pytest.mark.usefixtures("any_numbers")
def test_behind_the_camera_nothing_is_on_the_screen() -> None:
    whole = matrices(FRONT, np.eye(4), SIZE, np.array(((-2.0, -2, -2), (2, 2, 2))))
    assert np.isnan(on_screen(whole, np.array(((0.0, 0, 50),)), SIZE)).all()
    assert not np.isfinite(on_screen(whole, np.array(((np.inf, -np.inf, 0),)), SIZE)).any()


def test_the_bone_that_moves_the_corner_most(ask: Ask, corpus: Any) -> None:
    from viewer.storage.documents import open_document

    model = open_document(corpus / "urho3d" / "Data" / "Models" / "Jack.mdl").model
    assert model is not None and model.skeleton is not None
    pose = rest(model.skeleton)
    head = model.skeleton.names.index("Bip01_Head")
    view = view_of(model, Orbit(target=(0.0, 1.0, 0.0), distance=4.0, yaw=0.0, pitch=0.0), pose)
    place = on_screen(view.matrices, pose.world[None, head, :, 3] + (0, 0.08, 0), SIZE)[0]
    hit = ask(view, place[0], place[1])
    assert hit is not None and hit.bone == head


def test_the_bone_that_moves_the_corner_most_is_named(ask: Ask) -> None:
    joints = np.array([[0, 2, 1, 0]] * 4, np.uint8)
    weights = np.array([[0.3, 0.6, 0.1, 0]] * 4, np.float32)
    buffer = vertex_buffer(position=QUAD, joints=joints, weights=weights)
    model = model_of(buffer, indices=QUAD_INDICES, skeleton=skeleton_of(3))
    view = view_of(model, pose=pose_of(np.tile(np.eye(3, 4), (3, 1, 1))))
    hit = ask(view, SIZE[0] / 2, SIZE[1] / 2)
    assert hit is not None and hit.bone == 2
