"""The table of actions: every one runs, and does what its name says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

import tests.wow  # noqa: F401
from tests.ribbons import ribbon
from tests.synthetic import model_bytes, opened_with_two_clips
from tests.table_files import displays
from viewer.actions import ACTIONS, ACTIONS_BY_NAME, Action
from viewer.animation.motion.key_outliers import KeyOutlier
from viewer.families.wow.looks.look import WowLook
from viewer.scene.camera import Camera, MatrixCamera, Orbit
from viewer.scene.characters import Character
from viewer.scene.choices import SINGLE_SHADINGS, CompareMode, LightKind
from viewer.scene.emitter import Emitter
from viewer.scene.items import AnimationItem, BoneItem, EmitterItem, GeometryItem, Item
from viewer.scene.looks import Display, Displays, distinct_displays
from viewer.scene.mesh.surface_points import SurfacePoint
from viewer.scene.model import Attachment, Collision, EventPoint, Light
from viewer.session.documents import ClosedTab, OpenDocuments
from viewer.session.file_batches import FileBatch
from viewer.session.file_list import QueryResult
from viewer.session.file_table import FileTable
from viewer.session.pending_files import FileProgress
from viewer.session.requests import CopyText, FitView, Open, OpenNeighbour, Quit, Request
from viewer.session.state import State
from viewer.session.view import DocumentView
from viewer.storage.documents import open_document
from viewer.view.measures import with_point


@pytest.fixture
def state(tmp_path: Path) -> State:
    state = opened_with_two_clips(tmp_path)
    assert state.document is not None and state.model is not None
    emitter = Emitter("plane", 0, (0.0, 0.0, 0.0), 0, 0)
    state.document.content = replace(state.model, emitters=(emitter,), ribbons=(ribbon(),))
    listed = Display(1, ("Black",)), Display(2, ("White",))
    state.document.displays = Displays(listed, listed[0], (), distinct_displays(listed))
    state.document.character = Character(WowLook(1, 0), WowLook(1, 0))
    state.view.display = 1
    for name in ("Second.mdl", "Third.mdl"):
        state.adopt(State(OpenDocuments([replace(state.document, path=name)])))
    return state


PICKED: dict[str, Item] = {
    **dict.fromkeys(("hide", "isolate", "only_variant"), GeometryItem(0)),
    **dict.fromkeys(("freeze", "reset_effect"), EmitterItem(0)),
    "trail": BoneItem(1),
}
"""What has to be selected for some actions."""


def run(state: State, *names: str) -> list[Request]:
    """Run actions one after the other; what they posted."""
    posted: list[Request] = []
    for name in names:
        ACTIONS_BY_NAME[name].run(state, posted.append)
    return posted


def test_names_and_keys_are_each_used_once() -> None:
    keys = [key for action in ACTIONS for key in action.keys]
    assert len(set(ACTIONS_BY_NAME)) == len(ACTIONS)
    assert len(set(keys)) == len(keys)


def test_plain_escape_only_lets_the_selection_go(state: State) -> None:
    assert [action.name for action in ACTIONS if "Escape" in action.keys] == ["deselect"]
    state.view.selection.pick(BoneItem(1))
    state.view.bone = 1
    assert run(state, "deselect") == []
    assert state.view.selection.picked is None and state.view.bone is None


def test_the_up_axis_is_one_of_three_and_can_be_undone(state: State) -> None:
    names = ("up_file", "up_y", "up_z")
    state.undo.watch(1.0)
    for name in names[::-1]:
        run(state, name)
        checked = [ACTIONS_BY_NAME[each].checked for each in names]
        assert [each(state) for each in checked if each] == [each == name for each in names]
    run(state, "up_z")
    state.undo.watch(1.0)
    state.undo.undo()
    assert ACTIONS_BY_NAME["up_file"].checked(state)  # type: ignore[misc]


def furnish(state: State) -> None:
    """Give the model what only some families have, and compare it with another one."""
    assert state.document is not None and state.model is not None
    point = (0.0, 0.0, 0.0)
    first, *others = state.model.geometries
    state.document.content = replace(
        state.model,
        geometries=(replace(first, geoset=101, shown=False), *others),
        cameras=(Camera("portrait", (0, 0, 5), point, 45.0),),
        attachments=(Attachment(0, "Shield", 0, point),),
        events=(EventPoint("$HIT", 0, point),),
        lights=(Light("point", 0, point),),
        collision=Collision(np.eye(3), np.array([[0, 1, 2]])),
    )
    state.view.file_camera_number = 0
    state.view.measures = with_point((), SurfacePoint(0, 0, (0,), (1.0,)))
    state.compare(CompareMode.SIDE)
    state.documents.closed.append(ClosedTab("closed.mdl", 0, DocumentView(), {}))
    state.interface.preferences.recent = ["recent.mdl"]
    state.files.begin("/files", listed_files())
    state.motion.listed = [KeyOutlier("tip", 1, 0.5, 40.0, 3.0)]
    state.files.batches.append(FileBatch("Check of 2 files"))
    state.files.selected = {"/files/a.mdl", "/files/b.mdl"}
    state.files.result = QueryResult("", wider="(a or bone:a)", more=1)


def listed_files() -> FileTable:
    """A table of two files."""
    return FileTable("/files", False, ["a.mdl", "b.mdl"], [2, 1], [0, 0], [0, 0])


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.name)
def test_every_enabled_action_runs_on_an_open_model(action: Action, state: State) -> None:
    assert action.enabled(state) or not state.view.playlist
    for _ in range(3):  # a step to undo, and one to redo
        state.undo.watch(1.0)
        state.options.wireframe = not state.options.wireframe
        state.undo.watch(1.0)
    state.undo.undo()
    state.pending_files.loading = (FileProgress("late.mdl"),)
    state.playback.choose(state.playback.animations[0])
    state.recording, state.exporting = FileProgress("a.gif"), FileProgress("a.glb")
    state.view.hidden.add(1)
    state.view.morphs[0] = 0.5
    state.view.trails = frozenset({BoneItem(0)})
    state.view.added = ("added.mdl",)
    state.view.clock.trim(0.25, 0.75)
    state.view.effects = replace(state.view.effects, seed=1)
    state.options.light_direction = (10.0, 20.0)
    if "environment" in action.name:
        state.options.light = LightKind.ENVIRONMENT
    state.options.exposure = 1.0
    state.view.selection.pick(PICKED.get(action.name, AnimationItem(1)))
    furnish(state)
    assert action.enabled(state)
    action.run(state, [].append)
    assert state.playback.posed() is not None


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.name)
def test_every_enabled_action_runs_with_nothing_open(action: Action) -> None:
    state = State()
    if action.enabled(state):
        action.run(state, [].append)
    assert state.document is None


CHOSEN = (
    "compare_off",
    "free_camera",
    "ghosts_0",
    "light_studio",
    "compare_angles",
    "compare_seconds",
    "lod_auto",
    "missing_clay",
    "quality_automatic",
    "shading_lit",
    "theme_dark",
    "preset_default",
    "up_file",
    "sort_files_name",
    "tone_none",
)
"""One of several, and the one that it is at first."""
SWITCHES = [
    each for each in ACTIONS if each.checked and each.name != "watch" and each.menu[-1] != "Rating"
]  # requests: see the app's tests


@pytest.mark.parametrize("action", SWITCHES, ids=lambda each: each.name)
def test_a_switch_tells_its_state(action: Action, state: State) -> None:
    assert action.checked is not None
    state.view.selection.pick(PICKED.get(action.name))
    before = action.checked(state)
    action.run(state, [].append)
    assert action.checked(state) is (before if action.name in CHOSEN else not before)


def test_requests_are_posted() -> None:
    assert run(State(), "open", "quit") == [Open(), Quit()]


def test_play_starts_the_first_animation_from_the_rest_pose(state: State) -> None:
    run(state, "play")
    assert state.view.clock.playing and state.view.playlist[0].animation.name == "Bend"


def test_play_again_pauses(state: State) -> None:
    run(state, "play", "play")
    assert not state.view.clock.playing and state.view.playlist


def test_a_step_pauses_and_goes_a_thirtieth_of_a_second(state: State) -> None:
    run(state, "play", "next_frame", "next_frame", "previous_frame")
    assert not state.view.clock.playing
    assert state.view.clock.time == pytest.approx(1 / 30)


def test_last_frame_of_a_loop_is_the_one_before_the_first(state: State) -> None:
    run(state, "play", "last_frame")
    assert state.view.clock.time == pytest.approx(1 - 1 / 30)


def test_last_frame_without_loop_is_the_end(state: State) -> None:
    run(state, "play", "loop", "last_frame")
    assert state.view.clock.time == pytest.approx(1.0)
    run(state, "first_frame")
    assert state.view.clock.time == 0.0


def test_next_animation_goes_around(state: State) -> None:
    names = []
    for _ in range(3):
        run(state, "next_animation")
        names.append(state.view.playlist[0].animation.name)
    assert names == ["Bend", "Wave", "Bend"]
    run(state, "previous_animation")
    assert state.view.playlist[0].animation.name == "Wave"


def test_previous_animation_from_the_rest_pose_is_the_last(state: State) -> None:
    run(state, "previous_animation")
    assert state.view.playlist[0].animation.name == "Wave"


def test_speeds_stay_within_the_usual_ones(state: State) -> None:
    run(state, "faster")
    assert state.view.clock.speed == 1.5
    run(state, *["slower"] * 20)
    assert state.view.clock.speed == 0.1
    run(state, "normal_speed")
    assert state.view.clock.speed == 1.0


def test_opposite_views_are_opposite(state: State) -> None:
    for one, other in (("front", "back"), ("left", "right"), ("iso", "iso_back")):
        run(state, one)
        assert isinstance(state.view.camera, Orbit)
        yaw = state.view.camera.yaw
        run(state, other)
        assert (state.view.camera.yaw - yaw) % 360 == pytest.approx(180)


def test_a_view_in_place_of_a_fixed_camera_asks_for_a_fit(state: State) -> None:
    import numpy as np

    state.view.camera = MatrixCamera(np.eye(3, 4), np.eye(4))
    assert run(state, "front") == [FitView()]
    assert run(state, "back") == []


def test_levels_of_detail_stay_within_the_models(state: State) -> None:
    run(state, *["lod_coarser"] * 5)
    assert state.view.lod == 1
    run(state, *["lod_finer"] * 5)
    assert state.view.lod == 0
    run(state, "lod_auto")
    assert state.view.lod is None


def test_the_next_shading_goes_around(state: State) -> None:
    seen = []
    for _ in SINGLE_SHADINGS:
        run(state, "next_shading")
        seen.append(state.options.shading)
    assert sorted(each.value for each in seen) == sorted(each.value for each in SINGLE_SHADINGS)


def test_home_is_where_the_document_was_seen_first(state: State) -> None:
    state.view.home = Orbit(yaw=12.0)
    state.view.camera = Orbit(yaw=99.0)
    run(state, "home")
    assert state.view.camera == Orbit(yaw=12.0)


def test_the_view_stays_from_file_to_file_where_that_was_chosen(state: State) -> None:
    assert run(state, "next_file", "same_view", "next_file", "previous_file", "next_file_same_view") == [
        OpenNeighbour(1),
        OpenNeighbour(1, keep_camera=True),
        OpenNeighbour(-1, keep_camera=True),
        OpenNeighbour(1, keep_camera=True),
    ]


def test_displays_step_to_both_ends(state: State) -> None:
    run(state, "next_display", "next_display")
    assert state.view.display == 2
    run(state, "previous_display", "previous_display")
    assert state.view.display == 1
    run(state, "no_display", "next_display")
    assert state.view.display == 1


def test_a_look_is_copied_as_the_options_of_a_command(state: State) -> None:
    state.view.display = WowLook(1, 0, 3, hair_color=2, items=(("main-hand", 7),))
    (copied,) = run(state, "copy_look_command")
    assert isinstance(copied, CopyText) and copied.text.endswith(
        "-o look.png --character skin=3,face=0,hair=0,hair-color=2,facial-hair=0 --item main-hand=7"
    )
    state.view.display = 1
    (copied,) = run(state, "copy_look_command")
    assert isinstance(copied, CopyText) and copied.text.endswith("-o look.png --display 1")


def test_the_first_look_is_that_in_which_the_model_opened(state: State) -> None:
    run(state, "first_look")
    assert state.view.display == WowLook(1, 0)


@pytest.mark.parametrize(
    "name",
    ["copy_picture", "view_screenshot", "clean_screenshot", "record", "turntable_gif", "turntable_mp4"],
)
def test_a_page_that_replaces_the_picture_has_no_picture_to_save(
    name: str, state: State, tmp_path: Path
) -> None:
    action = ACTIONS_BY_NAME[name]
    state.files.wall = True
    assert not action.enabled(state), "the wall covers the picture"
    state.files.wall = False
    assert action.enabled(state)
    (tmp_path / "CreatureDisplayInfo.dbc").write_bytes(displays())
    state.put(open_document(tmp_path / "CreatureDisplayInfo.dbc"))
    assert not action.enabled(state)
    (tmp_path / "Cut.mdl").write_bytes(model_bytes()[:40])
    state.put(open_document(tmp_path / "Cut.mdl"))
    assert state.document is not None and state.document.unread and not action.enabled(state)
