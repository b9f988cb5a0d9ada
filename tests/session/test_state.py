"""The State stays valid whatever is opened, chosen and closed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests import m2_files
from tests.ogre_files import rich_mesh
from tests.ogre_skeletons import rich_skeleton
from tests.packages import write_package
from tests.synthetic import animation_bytes, model_bytes, write_pair
from viewer.errors import ResourceError
from viewer.families.ogre.versions import MeshVersion
from viewer.scene.animation import Animation
from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.items import AnimationItem, BoneItem, ByteItem, GeometryItem, Item, LodItem, MorphItem
from viewer.session.documents import MOST_CLOSED, ClosedTab, foremost
from viewer.session.state import State
from viewer.session.view import DocumentView
from viewer.storage.documents import open_document
from viewer.view.playlist import Fade, PlaylistEntry


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    return write_pair(tmp_path)


@pytest.fixture
def state(pair: Path) -> State:
    state = State()
    state.put(open_document(pair))
    return state


def lone(folder: Path, name: str) -> Path:
    """An animation in a folder of its own."""
    (folder / "far").mkdir(exist_ok=True)
    path = folder / "far" / f"{name}.ani"
    path.write_bytes(animation_bytes(name))
    return path


def test_the_animations_beside_a_model_are_offered(state: State) -> None:
    assert [each.name for each in state.playback.animations] == ["Bend"]


def test_a_lone_animation_attaches_to_the_model_in_view(state: State, tmp_path: Path) -> None:
    state.put(open_document(lone(tmp_path, "Far")))
    assert state.model is not None
    assert [each.name for each in state.playback.animations] == ["Bend", "Far"]


def test_an_animation_that_is_also_opened_is_offered_once(state: State, pair: Path) -> None:
    state.put(open_document(pair.with_name("Post_Bend.ani")))
    assert [each.name for each in state.playback.animations] == ["Bend"]


def test_a_model_opened_after_its_animation_comes_into_view(pair: Path) -> None:
    state = State()
    state.put(open_document(pair.with_name("Post_Bend.ani")))
    assert state.playback.posed() is None
    state.put(open_document(pair))
    assert state.model is not None


@pytest.mark.parametrize("name", ["Bend", "#0", "Post_Bend", "Post_Bend.ani", "bend"])
def test_an_animation_answers_to(state: State, name: str) -> None:
    assert state.playback.animation(name) is state.playback.animations[0]


def test_an_unknown_animation_lists_the_near_ones(state: State) -> None:
    with pytest.raises(ResourceError, match=r"no animation 'Bent'; near: Bend"):
        state.playback.animation("Bent")


def test_choosing_poses_and_starts_at_the_beginning(state: State) -> None:
    state.view.clock.seek(3.0)
    state.playback.choose(state.playback.animations[0])
    assert state.view.clock.time == 0.0
    posed = state.snapshot().pose(0.5)
    assert posed is not None and posed.positions[1] == pytest.approx([0, 0.6, 0])


def test_no_animation_is_the_rest_pose(state: State) -> None:
    posed = state.snapshot().pose(0.5)
    assert posed is not None and posed.positions[1] == pytest.approx([0, 0.5, 0])


def test_additive_layers_come_last(state: State) -> None:
    clip = state.playback.animations[0]
    state.playback.play([PlaylistEntry(clip, additive=True), PlaylistEntry(clip, 0.5)])
    assert [layer.additive for layer in state.playback.layers()] == [False, True]


def test_an_animation_that_plays_once_stays_at_its_end(state: State) -> None:
    state.playback.choose(state.playback.animations[0])
    state.view.clock.loop = "once"
    turned = state.snapshot().pose(1.5)
    assert turned is not None and turned.positions[1] == pytest.approx([0, 0.5, 0])


def test_a_marked_group_ends_when_its_file_is_read_again(state: State, pair: Path) -> None:
    state.view.selection.group = (BoneItem(0),)
    state.put(open_document(pair))
    assert state.view.selection.group == ()


def test_reloading_keeps_what_plays_and_when(state: State, pair: Path) -> None:
    state.playback.choose(state.playback.animations[0])
    state.view.clock.seek(0.25)
    state.put(open_document(pair))
    assert len(state.documents.opened) == 1
    assert [each.animation for each in state.view.playlist] == list(state.playback.animations)
    assert state.view.clock.time == 0.25


def test_an_animation_that_is_gone_stops(state: State, pair: Path) -> None:
    state.playback.choose(state.playback.animations[0])
    pair.with_name("Post_Bend.ani").unlink()
    state.put(open_document(pair))
    assert state.view.playlist == ()


def test_another_model_forgets_bones_and_morphs(state: State, tmp_path: Path) -> None:
    state.view.morphs[0] = 1.0
    state.view.bone = 1
    state.view.selection.picked = BoneItem(1)
    (tmp_path / "Other.mdl").write_bytes(model_bytes())
    state.put(open_document(tmp_path / "Other.mdl"))
    assert (state.documents.current, state.view.morphs, state.view.bone) == (1, {}, None)
    assert state.view.selection.picked is None


def test_closing_the_document_in_view_shows_the_one_before(state: State, tmp_path: Path) -> None:
    (tmp_path / "Other.mdl").write_bytes(model_bytes())
    state.put(open_document(tmp_path / "Other.mdl"))
    state.close(1)
    assert state.document is state.documents.opened[0]


def test_of_three_documents_the_second_follows_the_third(state: State, tmp_path: Path) -> None:
    for name in ("Other.mdl", "Third.mdl"):
        (tmp_path / name).write_bytes(model_bytes())
        state.put(open_document(tmp_path / name))
    state.close(2)
    assert state.document is state.documents.opened[1]


def test_a_model_without_billboards_is_posed_alike_without_a_camera(state: State) -> None:
    state.playback.choose(state.playback.animations[0])
    state.view.clock.seek(0.5)
    alone, posed = state.playback.posed_alone(), state.playback.posed()
    assert alone is not None and posed is not None
    assert alone.positions[1] == pytest.approx([0, 0.6, 0]) and (alone.skin == posed.skin).all()


def test_the_selected_animations_are_in_the_order_of_the_list(state: State, tmp_path: Path) -> None:
    for name in ("Walk", "Jump"):
        state.put(open_document(lone(tmp_path, name)))
    assert [each.name for each in state.playback.animations] == ["Bend", "Walk", "Jump"]
    assert state.playback.selected == ()
    state.view.selection.pick(AnimationItem(1))
    state.view.selection.toggle(AnimationItem(0))
    assert [each.name for each in state.playback.selected] == ["Bend", "Walk"]


def test_an_animation_has_the_document_from_which_it_was_read(state: State, tmp_path: Path) -> None:
    state.put(open_document(lone(tmp_path, "Walk")))
    bend, walk = state.playback.animations
    found = state.playback.source(bend), state.playback.source(walk)
    assert [Path(each.path).name for each in found if each] == ["Post_Bend.ani", "Walk.ani"]


def test_the_clips_of_a_skeleton_have_its_document(tmp_path: Path) -> None:
    (tmp_path / "bones.skeleton").write_bytes(rich_skeleton())
    (tmp_path / "square.mesh").write_bytes(rich_mesh(MeshVersion.V1_100))
    state = State()
    state.put(open_document(tmp_path / "square.mesh"))
    clips = state.playback.animations
    found = [state.playback.source(each) for each in clips]
    names = {Path(each.path).name for each in found if each}
    assert names == {"bones.skeleton", "square.mesh"}
    assert all(clip in each.animations for clip, each in zip(clips, found, strict=True) if each)


def test_a_mix_of_the_same_length_keeps_the_range(state: State) -> None:
    (bend,) = state.playback.animations
    state.playback.choose(bend)
    state.view.clock.range = (0.25, 1.0)
    state.playback.mix((PlaylistEntry(bend, 0.5),))
    assert state.view.clock.range == (0.25, 1.0)


@pytest.mark.parametrize(("made", "names"), [("Made.m2", ["Stand"]), ("Post.mdl", [])])
def test_an_output_without_a_choice_plays_the_first_clip_of_an_m2(
    pair: Path, made: str, names: list[str]
) -> None:
    (pair.parent / "Made.m2").write_bytes(m2_files.model())
    state = State()
    state.put(open_document(pair.parent / made))
    assert [each.animation.name for each in state.playback.usual()] == names


def test_the_camera_of_the_file_is_where_it_is_at_the_time_of_the_clip(tmp_path: Path) -> None:
    """The number of a camera that the model does not have is the user's camera."""
    path = [(0.0,) * 9, (4.0, *(0.0,) * 8)]
    moved = m2_files.keys(m2_files.CLASSIC, [([0, 1000], path), ([0], path[:1])])
    camera = m2_files.fields()["cameras"][0] | {"position_track": moved}
    (tmp_path / "Made.m2").write_bytes(m2_files.model(cameras=[camera]))
    state = State()
    state.put(open_document(tmp_path / "Made.m2"))
    assert state.playback.file_camera is None
    state.view.file_camera_number = 1
    assert state.playback.file_camera is None
    state.view.file_camera_number = 0
    state.playback.choose(state.playback.animation("Stand"))
    state.view.clock.seek(0.25)
    shown = state.playback.file_camera
    assert shown is not None and shown.position == pytest.approx((6, 0, 1))


def test_vertices_move_with_the_pose_and_the_morphs_in_view(state: State) -> None:
    state.playback.choose(state.playback.animations[0])
    state.view.clock.seek(0.5)
    state.view.morphs[0] = 0.75
    found, posed = state.playback.moves, state.playback.posed()
    assert posed is not None and found.morphs == {0: 0.75}
    assert found.skin is not None and (found.skin == posed.skin).all()


def test_closing_the_last_document_leaves_nothing(state: State) -> None:
    state.playback.choose(state.playback.animations[0])
    state.close(0)
    assert state.document is None and state.view.playlist == () and state.playback.posed() is None


def test_hover_is_read_in_the_frame_after_it_was_written(state: State) -> None:
    state.view.selection.point(BoneItem(1))
    assert state.view.selection.hover is None
    state.purge()
    assert state.view.selection.hover == BoneItem(1)
    state.purge()
    assert state.view.selection.hover is None


@pytest.mark.parametrize("item", [BoneItem(1), GeometryItem(0), AnimationItem(0), ByteItem(0), MorphItem(0)])
def test_what_exists_stays_selected(state: State, item: Item) -> None:
    state.view.selection.picked = item
    state.purge()
    assert state.view.selection.picked == item


@pytest.mark.parametrize(
    "item", [BoneItem(2), GeometryItem(-1), AnimationItem(9), ByteItem(10**9), LodItem(9, 0)]
)
def test_what_does_not_exist_is_dropped(state: State, item: Item) -> None:
    state.view.selection.picked = item
    state.purge()
    assert state.view.selection.picked is None


@pytest.mark.parametrize("item", [BoneItem(0), GeometryItem(0), MorphItem(0)])
def test_an_animation_alone_has_no_part_of_a_model(item: Item, tmp_path: Path) -> None:
    state = State()
    state.put(open_document(lone(tmp_path, "Far")))
    state.view.selection.picked = item
    state.purge()
    assert state.view.selection.picked is None


def test_a_named_view_frees_a_camera_of_matrices(state: State) -> None:
    state.view.camera = MatrixCamera(np.eye(3, 4), np.eye(4))
    state.view.see("top")
    assert isinstance(state.view.camera, Orbit) and state.view.camera.pitch == 90.0


def test_a_stand_animation_is_played_first(pair: Path) -> None:
    for name in ("Attack", "Stand01"):
        pair.with_name(f"{name}.ani").write_bytes(animation_bytes(name))
    state = State()
    state.put(open_document(pair))
    idle = state.playback.idle()
    assert idle is not None and idle.name == "Stand01"


def test_of_several_documents_the_first_model_comes_into_view(pair: Path, tmp_path: Path) -> None:
    package = open_document(write_package(tmp_path))
    clip, model = open_document(lone(tmp_path, "Far")), open_document(pair)
    assert foremost([clip, package, model, model]) == 2
    assert foremost([clip, package, package]) == 1, "an animation alone shows nothing"
    assert foremost([clip]) is None


def test_closed_tabs_are_kept_until_they_are_open_again(state: State, tmp_path: Path) -> None:
    (tmp_path / "Other.mdl").write_bytes(model_bytes())
    other = open_document(tmp_path / "Other.mdl")
    state.put(other)
    state.close(0)
    state.close(0)
    assert [(Path(each.path).name, each.number) for each in state.documents.closed] == [
        ("Post.mdl", 0),
        ("Other.mdl", 0),
    ]
    state.put(other)
    assert [Path(each.path).name for each in state.documents.closed] == ["Post.mdl"]


def test_only_the_last_closed_tabs_are_kept(state: State) -> None:
    document = state.documents.opened[0]
    for number in range(MOST_CLOSED + 1):
        state.documents.closed.append(ClosedTab(str(number), 0, DocumentView(), {}))
    state.close(0)
    assert len(state.documents.closed) == MOST_CLOSED
    assert (state.documents.closed[-1].path, state.documents.closed[-1].number) == (document.path, 0)


def test_a_closed_tab_keeps_no_data_of_its_file(state: State) -> None:
    document = state.documents.opened[0]
    played = document.animations[0] if document.animations else Animation("Walk", 1.0, (), source="Walk.ani")
    state.view.playlist = (PlaylistEntry(played, weight=0.5, fade=Fade(0.0, 0.0, 1.0)),)
    state.close(0)
    (entry,) = state.documents.closed[-1].view.playlist
    assert (entry.animation.name, entry.animation.source) == (played.name, played.source)
    assert (entry.weight, entry.fade, entry.animation.tracks) == (0.5, None, ())


def test_a_moved_document_leaves_the_view_as_it_is(state: State, tmp_path: Path) -> None:
    for name in ("Other.mdl", "Third.mdl"):
        (tmp_path / name).write_bytes(model_bytes())
        state.put(open_document(tmp_path / name))
    last = state.document
    state.documents.move_last(1)
    assert state.documents.opened[1] is last is state.document
    state.show(0)
    first = state.document
    state.documents.move_last(0)
    assert state.document is first and state.documents.current == 1
