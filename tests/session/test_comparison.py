"""The other document of a comparison follows the document in view."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from tests.compared_files import two_engines
from tests.synthetic import animation_bytes, bone, model_bytes, opened_with_two_clips, write_pair
from viewer.arrays import Array
from viewer.compare.vertex_distances import vertex_distances
from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.choices import CompareMode, TimeTie
from viewer.scene.document import Document
from viewer.scene.items import BoneItem, VertexItem
from viewer.scene.mesh.vertices import values
from viewer.session.comparison import (
    advance,
    find_partner,
    follow,
    in_axes,
    in_order,
    in_view,
    pane_names,
    pane_size,
)
from viewer.session.comparison_result import ComparisonResult
from viewer.session.state import State
from viewer.storage.documents import open_document
from viewer.view.view_info import PickResult

BONES = [bone("tip", 0, 0.5, 0.5), bone("base", 0, 0, 0), bone("own", 0, 0, 0)]


@pytest.fixture
def state(tmp_path: Path) -> State:
    """`Post.mdl` with Bend and Wave in view; `Other.mdl` with other bones and its own Bend; `Third.mdl`."""
    made, folder = State(), tmp_path / "other"
    folder.mkdir()
    first = write_pair(tmp_path)
    first.with_name("Post_Wave.ani").write_bytes(animation_bytes("Wave", 2.0))
    (folder / "Other.mdl").write_bytes(model_bytes(bones=BONES))
    (folder / "Other_Bend.ani").write_bytes(animation_bytes(length=3.0))
    (folder / "Third.mdl").write_bytes(model_bytes())
    for path in (first, folder / "Other.mdl", folder / "Third.mdl"):
        made.put(open_document(str(path)))
    made.show(0)
    made.playback.choose(made.playback.animation("Bend"))
    return made


def step(state: State) -> State:
    """A frame of the comparison; the State of the other document."""
    state.purge()
    find_partner(state)
    follow(state)
    assert state.partner is not None
    return state.partner


def compared(state: State, mode: CompareMode = CompareMode.SIDE) -> State:
    state.compare(mode)
    return step(state)


def document(state: State, number: int) -> Document:
    return state.documents.opened[number]


def test_the_next_model_is_compared(state: State) -> None:
    partner = compared(state)
    assert partner.document is state.documents.compared is document(state, 1)
    assert in_order(state) == (state, partner)


def test_the_partner_reads_files_as_the_window_does(state: State) -> None:
    state.reading.given, partner = {"search": "none"}, compared(state)
    state.reading.choose("Textures/P.png", "/given/P.png")
    assert (
        partner.context == state.context and partner.context.chosen_file("textures/p.png") == "/given/P.png"
    )


def test_without_another_model_nothing_is_compared(state: State) -> None:
    state.close(2)
    state.close(1)
    state.compare(CompareMode.SIDE)
    assert state.documents.comparison.mode is None and state.documents.compared is None


def test_the_compared_document_and_the_one_in_view_change_places(state: State) -> None:
    compared(state)
    state.show(1)
    partner = step(state)
    assert partner.document is document(state, 0)
    assert [each.document for each in in_order(state)] == state.documents.opened[:2], "left stays left"


def test_another_document_in_view_is_compared_with_the_same(state: State) -> None:
    compared(state)
    state.show(2)
    assert step(state).document is document(state, 1)


def test_items_that_were_selected_together_stay_together(state: State) -> None:
    partner = compared(state)
    state.view.selection.pick_together((VertexItem(0, 3), BoneItem(0)), (VertexItem(0, 5),))
    step(state)
    assert (partner.view.selection.picked, partner.view.selection.group) == (
        VertexItem(0, 5),
        (VertexItem(0, 5),),
    )
    state.show(1)
    partner = step(state)
    assert state.view.selection.picked == VertexItem(0, 5)
    assert partner.view.selection.group == (VertexItem(0, 3), BoneItem(0))
    state.view.selection.pick(BoneItem(0))
    partner = step(state)
    assert partner.view.selection.picked == BoneItem(1) and not partner.view.selection.group


def test_distances_bring_the_differences_to_the_front(state: State) -> None:
    state.compare(CompareMode.SIDE)
    assert not state.interface.front
    state.compare(CompareMode.DISTANCE)
    assert state.interface.front == "differences"


@pytest.mark.parametrize("number", [0, 1])
def test_closing_one_of_them_ends_the_comparison_with_a_note(number: int, state: State) -> None:
    compared(state)
    name = Path(document(state, number).path).name
    state.close(number)
    assert state.documents.compared is None and state.partner is None
    assert state.interface.status == f"The comparison ended: {name} was closed"


def test_closing_a_third_document_goes_on(state: State) -> None:
    compared(state)
    state.close(2)
    assert step(state).document is document(state, 1) and not state.interface.status


def test_a_reloaded_document_stays_compared(state: State) -> None:
    compared(state)
    again = open_document(document(state, 1).path)
    state.put(again)
    assert step(state).document is again


def test_one_camera(state: State) -> None:
    state.view.camera = Orbit(yaw=12.0)
    assert compared(state).view.camera == Orbit(yaw=12.0)
    state.view.camera = Orbit(yaw=50.0)
    assert step(state).view.camera == Orbit(yaw=50.0)


def test_a_camera_of_matrices_is_one_in_the_world(state: State) -> None:
    """The other document is turned: from its axes the same eye is elsewhere. The matrices are made once."""
    first, other = state.documents.opened[:2]
    assert first.model is not None and other.model is not None
    first.content = replace(first.model, to_world=np.eye(4))
    turn = np.array(((0, 0, 1, 0), (0, 1, 0, 2), (-1, 0, 0, 0), (0, 0, 0, 1)), float)
    other.content = replace(other.model, to_world=turn)
    state.view.camera = MatrixCamera(np.eye(3, 4), np.eye(4))
    camera = compared(state).view.camera
    assert isinstance(camera, MatrixCamera)
    assert camera.view == pytest.approx(turn[:3])
    assert step(state).view.camera is camera
    state.show(1)
    step(state)
    back = in_axes(state, [state.view.camera])[0]
    assert isinstance(back, MatrixCamera) and back.view == pytest.approx(np.eye(3, 4))


def test_one_clock_and_the_animation_of_the_same_name(state: State) -> None:
    state.view.clock.seek(0.75)
    partner = compared(state)
    (entry,) = partner.view.playlist
    assert entry.animation.name == "Bend" and entry.animation.duration == 3.0, "its own, which is longer"
    assert partner.view.clock.time == 0.75 and partner.view.clock.range == (0.0, 3.0)
    state.view.clock.seek(2.0)
    assert step(state).view.clock.time == 2.0


def test_without_that_animation_its_own_goes_on(state: State) -> None:
    compared(state)
    state.playback.choose(state.playback.animation("Wave"))
    assert [each.animation.name for each in step(state).view.playlist] == ["Bend"]
    state.playback.choose(None)
    assert not step(state).view.playlist, "at rest both are"


def test_a_trimmed_range_is_that_of_both(state: State) -> None:
    state.view.clock.range = (0.25, 0.5)
    assert compared(state).view.clock.range == (0.25, 0.5)


def test_one_selection_by_name(state: State) -> None:
    state.view.selection.pick(BoneItem(1))
    state.view.selection.point(BoneItem(0))
    partner = compared(state)
    assert partner.marked == BoneItem(0) and partner.view.selection.hover == BoneItem(1)
    assert partner.view.bone == 0
    state.view.selection.pick(VertexItem(0, 0))
    assert step(state).marked is None


def test_what_is_picked_in_the_other_picture_is_selected_in_view(state: State) -> None:
    partner = compared(state)
    found = in_view(state, PickResult((0.5, 0.5), (BoneItem(0), VertexItem(0, 3)), (1.0, 2.0, 3.0)))
    assert found.items == (BoneItem(1),) and found.point == (1.0, 2.0, 3.0)
    assert in_view(state, PickResult((0.5, 0.5), (BoneItem(2),))).items == ()
    assert step(state) is partner and partner.view.selection.hover == BoneItem(2), (
        "it is in that document alone"
    )
    assert step(state).view.selection.hover is None


def test_what_both_documents_have_is_not_highlighted_in_the_other_alone(state: State) -> None:
    partner = compared(state)
    in_view(state, PickResult((0.5, 0.5), (BoneItem(0),)))
    assert step(state) is partner and partner.view.selection.hover is None
    nothing = PickResult((0.5, 0.5), ())
    assert in_view(state, nothing) == nothing


def test_without_a_comparison_a_pick_stays_as_it_is(state: State) -> None:
    found = PickResult((0.5, 0.5), (BoneItem(1),))
    assert in_view(state, found) is found


def test_the_comparison_is_undone_like_any_view(state: State) -> None:
    state.undo.watch(1.0)
    state.compare(CompareMode.SLIDER)
    state.undo.watch(1.0)
    state.undo.watch(1.0)
    state.documents.comparison = replace(state.documents.comparison, split=0.2)
    state.undo.watch(1.0)
    assert [each.name for each in state.view.history.past] == ["compare with a slider", "move the slider"]
    state.undo.undo()
    assert state.documents.comparison.split == 0.5 and state.documents.comparison.mode is CompareMode.SLIDER
    state.undo.undo()
    assert state.documents.compared is None
    state.undo.redo()
    assert state.documents.comparison.mode is CompareMode.SLIDER


def test_a_pane_is_half_of_the_picture_side_by_side(state: State) -> None:
    assert pane_size(state, (102, 50)) == (102, 50)
    compared(state)
    assert pane_size(state, (102, 50)) == (50, 50)
    state.compare(CompareMode.DIFFERENCE)
    assert pane_size(state, (102, 50)) == (102, 50)


@pytest.fixture
def two(tmp_path: Path) -> State:
    """The same post of OGRE and of Urho3D in two tabs, the first in view, and how far they are apart."""
    made = State()
    for path in two_engines(tmp_path):
        made.put(open_document(str(path)))
    made.show(0)
    made.view.home = made.view.camera = Orbit(distance=300.0)
    compared(made)
    models = [each.model for each in made.documents.opened]
    assert models[0] is not None and models[1] is not None
    made.comparison_result = ComparisonResult(vertex_distances(models[0], models[1]))
    return made


def corner(state: State, vertex: int = 5) -> Array:
    """[4]: a vertex of the model in viewer space."""
    assert state.model is not None
    positions = values(state.model, state.model.geometries[0].lods[0], "position", np.array([vertex]))
    assert positions is not None
    return np.asarray(state.view.to_world(state.model) @ (*positions[0, :3], 1.0))


@pytest.mark.parametrize("current", [0, 1])
def test_the_other_model_is_laid_onto_the_one_in_view(current: int, two: State) -> None:
    two.show(current)
    partner = step(two)
    np.testing.assert_allclose(corner(partner), corner(two), rtol=1e-4)
    assert not two.view.onto
    names = dict(zip((two, partner), pane_names([two, partner]), strict=True))
    assert names[partner].endswith(f" ({'100x' if current == 0 else '0.01x'}, turned)")
    assert names[two].count("(") == 0


def test_models_that_are_not_aligned_stand_where_their_files_say(two: State) -> None:
    two.documents.comparison = replace(two.documents.comparison, aligned=False)
    partner = step(two)
    assert not partner.view.onto and np.abs(corner(two)[:3]).max() > 50 * np.abs(corner(partner)[:3]).max()


def test_alignment_can_be_undone(two: State) -> None:
    two.undo.watch(1.0)
    for aligned in (False, True):
        two.undo.watch(1.0)
        two.documents.comparison = replace(two.documents.comparison, aligned=aligned)
        two.undo.watch(1.0)
    names = [each.name for each in two.view.history.past]
    assert names == ["do not align the models", "align the models"]
    two.undo.undo()
    assert not two.documents.comparison.aligned


def test_the_picture_stays_when_an_aligned_model_comes_into_view(two: State) -> None:
    partner = step(two)
    two.view.camera = Orbit(target=(0.0, 50.0, 0.0), distance=300.0, yaw=30.0, pitch=10.0)
    two.view.home = two.view.camera
    partner = step(two)
    before = seen_from(two, corner(two))
    np.testing.assert_allclose(seen_from(partner, corner(partner)), before, atol=1e-4)
    two.show(1)
    partner = step(two)
    np.testing.assert_allclose(seen_from(two, corner(two)), before, atol=1e-4)
    np.testing.assert_allclose(seen_from(partner, corner(partner)), before, atol=1e-4)
    assert isinstance(two.view.camera, Orbit) and two.view.camera.distance == pytest.approx(3.0)


def test_the_first_camera_of_a_model_that_was_only_compared_fits_it_alone(two: State) -> None:
    step(two)
    two.show(1)
    step(two)
    assert isinstance(two.view.home, Orbit) and two.view.home.distance == pytest.approx(3.0)


def seen_from(state: State, point: Array) -> Array:
    """[2]: where a point of viewer space is in the picture, as multiples of half its height."""
    camera = state.view.camera
    assert isinstance(camera, Orbit)
    x, y, z = camera.axes @ (point[:3] - camera.position)
    return np.array((x / z, y / z))


@pytest.fixture
def itself(tmp_path: Path) -> State:
    """A post with Bend on the left side and Wave, which is twice as long, on the right side."""
    state = opened_with_two_clips(tmp_path)
    bend, wave = state.playback.animations
    state.playback.choose(bend)
    state.compare_with_itself()
    partner = step(state)
    partner.playback.choose(wave)
    return state


def clips(state: State) -> list[list[str]]:
    """The clips of both sides, from left to right."""
    step(state)
    return [[each.animation.name for each in side.view.playlist] for side in in_order(state)]


def test_each_side_of_one_model_has_its_own_clips(itself: State) -> None:
    assert clips(itself) == [["Bend"], ["Wave"]]
    assert itself.partner is not None and itself.partner.document is itself.document
    assert pane_names(in_order(itself)) == ["Post.mdl (Bend)", "Post.mdl (Wave)"]
    itself.playback.choose(None)
    assert clips(itself) == [[], ["Wave"]]


@pytest.mark.parametrize(
    ("tie", "wanted"), [(TimeTie.SECONDS, 0.25), (TimeTie.SHARE, 0.5), (TimeTie.NONE, 1.75)]
)
def test_the_other_side_has_the_tied_time_or_its_own(tie: TimeTie, wanted: float, itself: State) -> None:
    itself.documents.comparison = replace(itself.documents.comparison, tie=tie)
    itself.view.second.clock.seek(1.75)
    itself.view.clock.seek(0.25)
    assert step(itself).view.clock.time == wanted


def test_a_side_keeps_its_range_and_shares_are_those_of_the_ranges(itself: State) -> None:
    itself.documents.comparison = replace(itself.documents.comparison, tie=TimeTie.SHARE)
    itself.view.second.clock.trim(1.0, 2.0)
    itself.view.clock.seek(0.5)
    partner = step(itself)
    assert partner.view.clock.range == (1.0, 2.0) and partner.view.clock.time == 1.5
    assert itself.view.clock.range == (0.0, 1.0)


def test_untied_sides_play_at_their_own_speeds(itself: State) -> None:
    itself.documents.comparison = replace(itself.documents.comparison, tie=TimeTie.NONE)
    partner = step(itself)
    itself.view.clock.play()
    partner.view.clock.play()
    partner.view.clock.speed = 0.5
    advance(itself, 0.4)
    assert (itself.view.clock.time, step(itself).view.clock.time) == (0.4, 0.2)


def test_switching_sides_swaps_what_the_panels_are_about_and_nothing_in_the_picture(itself: State) -> None:
    left = itself.view
    itself.switch_side()
    assert clips(itself) == [["Bend"], ["Wave"]]
    assert [each.animation.name for each in itself.view.playlist] == ["Wave"]
    assert in_order(itself)[1] is itself
    itself.switch_side()
    assert itself.view is left and in_order(itself)[0] is itself


def test_a_reloaded_document_keeps_the_clips_of_both_sides(itself: State) -> None:
    document = itself.document
    assert document is not None
    itself.put(open_document(document.path))
    assert clips(itself) == [["Bend"], ["Wave"]]
    partner = itself.partner
    assert partner is not None and partner.document is itself.document is not document
    assert partner.view.playlist[0].animation is itself.playback.animations[1]


def test_the_comparison_with_itself_ends_and_can_be_undone(itself: State) -> None:
    itself.undo.watch(1.0)
    itself.compare(None)
    find_partner(itself)
    assert itself.partner is None and itself.documents.compared is None
    itself.undo.watch(1.0)
    assert itself.undo.undo()
    assert clips(itself) == [["Bend"], ["Wave"]]
