"""Which clip, moment, side and camera a document is seen with first."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from tests.view.test_clip_points import DIE, WALK, clip, figure, view_of
from tests.view.test_framing import vertex_buffer
from viewer.arrays import Array
from viewer.scene.animation import Animation
from viewer.scene.camera import Camera, Orbit
from viewer.scene.material import Appearance, ClipTime, Material
from viewer.scene.model import Geometry, Lod, Model, Primitive
from viewer.session.state import State
from viewer.storage.documents import open_document
from viewer.view.first_view import first_clip, first_view

MIRROR = np.diag((1.0, 1.0, -1.0, 1.0))


def named(name: str, **fields: object) -> Animation:
    return replace(WALK, name=name, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "calm",
    [
        named("Stand"),
        named("Idle2"),
        named("Breathe", facts={"id": 0.0}),
        named("mixamo.com", source="clips/Hero_Idle.ani"),
    ],
)
def test_an_idle_is_found_by_name_id_or_file(calm: Animation) -> None:
    assert first_clip((named("Attack"), named("Death"), calm)) is calm


def test_without_an_idle_the_first_clip_plays() -> None:
    attack = named("Attack")
    assert first_clip((attack, named("Death"))) is attack
    assert first_clip(()) is None


def sheet(*, turned: bool = False, mirrored: bool = False, cull: str = "back") -> Model:
    """A square in the plane z = 0 that faces +Z in the file's axes, or -Z if `turned`."""
    corners = np.array(((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 0, 0), (1, 1, 0), (0, 1, 0)), float)
    buffer = vertex_buffer(corners[::-1] if turned else corners)
    geometry = Geometry("sheet", (Lod(0, (0,), None, 0, 6, Primitive.TRIANGLES),), material=0)
    materials = (Material("m", cull=cull),)
    return Model(
        "sheet", (buffer,), (), (geometry,), materials=materials, to_world=MIRROR if mirrored else np.eye(4)
    )


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("cull", ["back", "front"])
def test_a_sheet_is_seen_from_the_side_that_is_drawn(cull: str, mirrored: bool) -> None:
    """Culling its front faces, or a mirrored space, turns a sheet round; both together do not."""
    turns = {True: 0.0, False: 0.0}
    for turned in turns:
        view = view_of(sheet(turned=turned, cull=cull, mirrored=mirrored), None)
        orbit = first_view(view, Orbit()).orbit
        turns[turned] = (orbit.yaw - Orbit().yaw) % 360
        assert orbit.pitch == Orbit().pitch
    seen = (cull == "front") != mirrored
    assert turns == {seen: 0.0, not seen: 180.0}


def test_what_has_two_sides_is_not_turned() -> None:
    assert first_view(view_of(sheet(turned=True, cull="none"), None), Orbit()).orbit == Orbit()


def fading(alphas: Array) -> Model:
    """A figure whose material has these alphas, evenly over the clip."""

    def motion(time: ClipTime) -> Appearance:
        share = time.at / (time.animation.duration if time.animation else 1.0)
        return Appearance((1.0, 1.0, 1.0, float(np.interp(share, np.linspace(0, 1, len(alphas)), alphas))))

    made = figure()
    geometries = (replace(made.geometries[0], material=0),)
    return replace(made, geometries=geometries, materials=(Material("m", motion=motion),))


def test_a_clip_that_begins_with_nothing_is_shown_where_most_of_it_is_seen() -> None:
    view = view_of(fading(np.array((0, 0, 0, 1, 0))), DIE)
    assert first_view(view, Orbit()).time == pytest.approx(1.5, abs=0.1)


@pytest.mark.parametrize(("alpha", "seen"), [(1 / 255, False), (2 / 255, True)])
def test_the_faintest_alpha_of_a_picture_counts_as_nothing(alpha: float, seen: bool) -> None:
    time = first_view(view_of(fading(np.array((alpha, 1))), DIE), Orbit()).time
    assert (time == 0) is seen


def test_a_clip_that_begins_with_something_begins_at_its_start() -> None:
    assert first_view(view_of(fading(np.array((0.1, 1))), DIE), Orbit()).time == 0.0


def test_a_model_that_grows_from_nothing_is_shown_large() -> None:
    grows = clip(2.0, scale=np.array(((0, 0, 0), (0, 0, 0), (1, 1, 1))))
    assert first_view(view_of(figure(), grows), Orbit()).time > 1.5


def test_a_clip_in_which_nothing_is_ever_seen_begins_at_its_start() -> None:
    assert first_view(view_of(fading(np.zeros(2)), DIE), Orbit()).time == 0.0


def test_a_clip_in_which_nothing_is_ever_seen_stays_at_the_chosen_time() -> None:
    view = view_of(fading(np.zeros(2)), DIE)
    view.playback.clock.seek(0.5)
    assert first_view(view, Orbit()).time == 0.5


@pytest.mark.usefixtures("any_numbers")
@pytest.mark.parametrize("far", [3e38, np.inf, np.nan])
def test_places_that_are_no_places_are_looked_at_without_a_warning(far: float) -> None:
    made = scene(Camera("camera 0", (far, 2.0, 2.0), (-far, 2.0, 2.0), 70.0))
    corners = np.array(((0, 0, 0), (far, 0, 0), (0, far, far)), np.float32)
    sheets = replace(sheet(), vertex_buffers=(vertex_buffer(np.tile(corners, (2, 1))),))
    assert first_view(view_of(made, None), Orbit()).file_camera is None
    assert first_view(view_of(sheets, None), Orbit()).time == 0.0


def scene(*cameras: Camera) -> Model:
    """A hall of points, 10 long along x."""
    points = np.random.default_rng(2).random((500, 3)) * (10, 4, 4)
    geometry = Geometry("hall", (Lod(0, (0,), None, 0, 500, Primitive.POINTS),))
    return Model("hall", (vertex_buffer(points),), (), (geometry,), cameras=cameras)


@pytest.mark.parametrize(
    ("camera", "taken"),
    [
        (Camera("camera 0", (-1.0, 2.0, 2.0), (5.0, 2.0, 2.0), 70.0), True),
        (Camera("portrait", (-1.0, 2.0, 2.0), (5.0, 2.0, 2.0), 70.0), False),
        (Camera("far away", (-30.0, 2.0, 2.0), (5.0, 2.0, 2.0), 70.0), False),
        (Camera("before it", (-4.0, 2.0, 2.0), (5.0, 2.0, 2.0), 70.0), False),
        (Camera("other way", (1.0, 2.0, 2.0), (-5.0, 2.0, 2.0), 70.0), False),
        (Camera("narrow", (-1.0, 2.0, 2.0), (5.0, 2.0, 2.0), 5.0), False),
        (Camera("nowhere", (1.0, 2.0, 2.0), (1.0, 2.0, 2.0), 70.0), False),
    ],
)
def test_a_scene_is_seen_through_its_own_camera(camera: Camera, taken: bool) -> None:
    found = first_view(view_of(scene(camera), None), Orbit()).file_camera
    assert found == (0 if taken else None)


def test_hidden_geometries_are_no_part_of_a_scene() -> None:
    made = scene(Camera("camera 0", (-1.0, 2.0, 2.0), (5.0, 2.0, 2.0), 70.0))
    behind = vertex_buffer(np.full((900, 3), -2.0))
    hidden = Geometry("hidden", (Lod(0, (1,), None, 0, 900, Primitive.POINTS),), shown=False)
    whole = replace(
        made,
        vertex_buffers=(*made.vertex_buffers, behind),
        geometries=(*made.geometries, hidden, Geometry("empty", ())),
    )
    assert first_view(view_of(whole, None), Orbit()).file_camera == 0


@pytest.mark.parametrize(("file", "turn"), [("ninja.mesh", 90), ("jaiqua.mesh", 180), ("robot.mesh", 0)])
def test_real_figures_show_their_fronts(corpus: Path, file: str, turn: float) -> None:
    """The ninja's first clip stands half sideways; the robot looks to its side, which a corner shows."""
    state = State()
    state.put(open_document(corpus / "ogre/media/models" / file))
    state.playback.choose(state.playback.idle())
    state.begin_view(Orbit())
    assert isinstance(state.view.camera, Orbit)
    assert (state.view.camera.yaw - Orbit().yaw) % 360 == turn
