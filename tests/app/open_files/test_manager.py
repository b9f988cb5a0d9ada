"""Files that come in and go while the window is open."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.app.conftest import Make, m2_bytes, until
from tests.synthetic import animation_bytes, bone, model_bytes, write_pair
from viewer.app.loop import App
from viewer.app.open_files.matching_models import companions
from viewer.app.viewport import DrawSurface
from viewer.commands.options.apply_options import prepare_window
from viewer.commands.options.given_options import Options
from viewer.gpu.target import RenderTarget
from viewer.paths import folder
from viewer.scene.camera import Orbit
from viewer.scene.items import BoneItem, GeometryItem
from viewer.scene.reading_context import DEFAULT
from viewer.session.pending_files import FolderPosition
from viewer.session.requests import (
    Browse,
    CancelLoading,
    CloseDocument,
    Open,
    OpenNeighbour,
    Reload,
    ReopenTab,
)
from viewer.session.state import State


def names(app: App) -> list[str]:
    return [Path(document.path).name for document in app.state.documents.opened]


def test_a_folder_opens_its_first_model(make: Make, tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    write_pair(tmp_path / "a" / "b")
    assert names(make(tmp_path)) == ["Post.mdl"]


@pytest.mark.parametrize("keep", [False, True])
def test_the_neighbour_takes_the_place_of_what_is_in_view(make: Make, tmp_path: Path, keep: bool) -> None:
    app = make(write_pair(tmp_path))
    (tmp_path / "Zebra.mdl").write_bytes(model_bytes())
    camera = app.state.view.camera = app.state.view.camera.panned(1, 1)
    app.post(OpenNeighbour(1, keep_camera=keep))
    until(app, lambda state: names(app) == ["Zebra.mdl"])
    assert (app.state.view.camera == camera) is keep


def test_who_loses_a_view_is_told_once_how_to_keep_it(make: Make, tmp_path: Path) -> None:
    app = make(write_pair(tmp_path))
    for name in ("Zebra.mdl", "Zoo.mdl"):
        (tmp_path / name).write_bytes(model_bytes())
    for shown in ("Zebra.mdl", "Zoo.mdl"):
        app.state.view.camera = app.state.view.camera.panned(1, 1)
        app.post(OpenNeighbour(1))
        until(app, lambda state: names(app) == [shown])  # noqa: B023
    assert [each.text for each in app.state.messages if "Alt+Left and Alt+Right" in each.text] == [
        "To keep the view, press Alt+Left and Alt+Right, "
        "or choose File › Models in the folder › Keep view between files"
    ]
    assert app.state.pending_files.stepped == FolderPosition(str(tmp_path / "Zoo.mdl"), 3, 3, "model")


def test_the_end_of_the_folder_is_told_in_the_status_line_alone(make: Make, tmp_path: Path) -> None:
    app = make(write_pair(tmp_path))
    app.post(OpenNeighbour(1))
    state = until(app, lambda state: state.pending_files.stepped)
    assert state.pending_files.stepped.end == "the only model in the folder"
    assert (names(app), state.messages) == (["Post.mdl"], [])


def test_steps_go_through_the_folder_that_was_opened(make: Make, tmp_path: Path) -> None:
    for name in ("1", "2"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.mdl").write_bytes(model_bytes())
    app = make(tmp_path)
    assert names(app) == ["1.mdl"]
    app.post(OpenNeighbour(1))
    until(app, lambda state: names(app) == ["2.mdl"])
    app.post(OpenNeighbour(-1))
    until(app, lambda state: names(app) == ["1.mdl"])


def test_a_part_file_offers_its_model(make: Make, tmp_path: Path) -> None:
    (tmp_path / "Made.m2").write_bytes(m2_bytes())
    part = tmp_path / "Made00.skin"
    part.write_bytes(b"SKIN" + bytes(60))
    app = make(part)
    until(app, lambda state: state.pending_files.models.get(str(part)) == (str(tmp_path / "Made.m2"),))


def test_a_broken_save_leaves_what_is_shown(make: Make, tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    app = make(path)
    shown = app.state.document
    path.write_bytes(model_bytes()[:-100])
    app.post(Reload())
    until(app, lambda state: state.messages)
    assert app.state.document is shown and "earlier version stays open" in app.state.messages[-1].text


def test_only_the_damage_of_a_file_that_is_not_in_view_is_a_message(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "Cut.mdl"
    path.write_bytes(model_bytes()[:-100])
    app = make(path)
    assert not app.state.document.report.complete and app.state.messages == [], "the banner has the error"
    model = write_pair(tmp_path)
    clip = next(tmp_path.glob("*.ani"))
    clip.write_bytes(clip.read_bytes()[:-4])
    app = make(model)
    app.post(Open((str(clip),)))
    state = until(app, lambda state: state.messages)
    assert state.document.path == str(model) and str(clip) in state.messages[-1].text


def test_reload_keeps_morphs_and_bones_by_name(make: Make, tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    app = make(path)
    shown = app.state.document
    app.state.view.morphs[0] = 0.5
    app.state.view.selection.pick(BoneItem(1))
    bones = [bone("base", 0, 0, 0), bone("new", 0, 0.2, 0.2), bone("tip", 1, 0.5, 0.3)]
    path.write_bytes(model_bytes(bones=bones))
    app.post(Reload())
    state = until(app, lambda state: state.document is not shown)
    assert (state.view.morphs, state.view.selection.picked) == ({0: 0.5}, BoneItem(2))


def test_what_changes_on_disk_is_read_again(make: Make, tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    app = make(path)
    app.watch()
    app.frame(0.0)
    (tmp_path / "Post_Bend.ani").write_bytes(animation_bytes(length=3.0))
    until(app, lambda state: state.playback.animations[0].duration == 3.0)


@pytest.fixture
def own_shaders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the program's shaders, to be edited."""
    made = tmp_path / "shaders"
    shutil.copytree(folder("shaders"), made)
    monkeypatch.setattr("viewer.gpu.shader.folder", lambda name: made)
    return made


@pytest.mark.parametrize("watched", [False, True])
def test_an_edited_shader_is_built_again(
    make: Make, tmp_path: Path, own_shaders: Path, watched: bool
) -> None:
    app = make(write_pair(tmp_path))
    if watched:
        app.watch()
        app.frame(0.0)
    (own_shaders / "mesh.frag").write_text("#version 330 core\nvoid main() { nonsense; }\n")
    if not watched:
        app.post(Reload())
    state = until(app, lambda state: any("mesh.frag" in message.text for message in state.messages))
    assert state.document is not None


def test_stopping_leaves_nothing_behind(make: Make, tmp_path: Path) -> None:
    app = make()
    app.post(Open((str(write_pair(tmp_path)),)))
    app.post(CancelLoading())
    for _ in range(5):
        app.frame(0.0)
    assert (app.loading, app.state.documents.opened) == ((), [])


def test_a_lone_animation_finds_its_model(make: Make, tmp_path: Path) -> None:
    write_pair(tmp_path)
    path = str(tmp_path / "Post_Bend.ani")
    app = make(path)
    found = until(app, lambda state: state.pending_files.companions.get(path)).pending_files.companions[path]
    assert [(Path(each.path).name, each.matched, each.total) for each in found] == [("Post.mdl", 1, 1)]
    assert companions(path, app.state.document.content, DEFAULT) == found
    app.post(Open((found[0].path,)))
    until(app, lambda state: state.model)
    assert [chosen.animation.name for chosen in app.state.view.playlist] == ["Bend"]


def test_the_own_dialog_lists_folders_and_what_opens(make: Make, tmp_path: Path) -> None:
    write_pair(tmp_path)
    (tmp_path / "inside").mkdir()
    (tmp_path / "notes.txt").write_text("")
    app = make()
    app.post(Browse(str(tmp_path)))
    browser = until(
        app, lambda s: s.pending_files.browser and s.pending_files.browser.entries is not None
    ).pending_files.browser
    assert [each.name for each in browser.shown] == ["inside", "Post.mdl", "Post_Bend.ani"]
    browser.filter = "bend"
    assert [each.name for each in browser.shown] == ["Post_Bend.ani"]


def test_a_still_window_rests(make: Make, tmp_path: Path) -> None:
    app = make(write_pair(tmp_path))
    assert app.pause == 0
    app.state.view.clock.pause()
    until(app, lambda state: app.pause != 0)


def test_a_tab_comes_back_from_where_it_was_seen(make: Make, tmp_path: Path) -> None:
    app = make(write_pair(tmp_path))
    (tmp_path / "Second.mdl").write_bytes(model_bytes())
    app.post(Open((str(tmp_path / "Second.mdl"),)))
    state = until(app, lambda state: len(state.documents.opened) == 2)
    first = state.view.camera = state.view.camera.panned(2, 1)
    state.playback.choose(None)
    state.view.clock.pause()
    state.show(0)
    app.frame(0.0)
    assert state.view.camera != first and state.view.playlist, "it is presented when it is first seen"
    state.show(1)
    app.frame(0.0)
    assert (state.view.camera, state.view.playlist, state.view.clock.playing) == (first, (), False)


def test_the_first_files_are_all_seen_as_the_command_line_says(ctx: Any, tmp_path: Path) -> None:
    paths = [str(write_pair(tmp_path)), str(tmp_path / "Second.mdl")]
    Path(paths[1]).write_bytes(model_bytes())
    options, target = Options(yaw=70.0, loop=False, particles=False), RenderTarget(ctx, (64, 48))
    surface = DrawSurface(target.framebuffer, (64, 48), (64, 48))
    app = App(ctx, State(), surface, paths, lambda state, size: prepare_window(state, options, size))
    state = until(app, lambda state: state.view.presented)
    for number in (0, 1):
        state.show(number)
        app.frame(0.0)
        assert isinstance(state.view.camera, Orbit) and state.view.camera.yaw == 70.0
        assert (state.view.clock.loop, state.view.effects.shown) == ("once", False)
    app.close()
    target.release()


def test_closed_tabs_come_back_one_by_one_at_their_positions(make: Make, tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.mdl").write_bytes(model_bytes())
    app = make(tmp_path / "a.mdl", tmp_path / "b.mdl", tmp_path / "c.mdl")
    app.post(CloseDocument(1))
    app.post(CloseDocument(0))
    until(app, lambda state: names(app) == ["c.mdl"])
    app.post(ReopenTab())
    until(app, lambda state: names(app) == ["a.mdl", "c.mdl"])
    assert app.state.documents.current == 0
    app.post(ReopenTab())
    until(app, lambda state: names(app) == ["a.mdl", "b.mdl", "c.mdl"])
    assert app.state.documents.current == 1 and not app.state.documents.closed
    app.post(ReopenTab())
    until(app, lambda state: not app.busy)
    assert names(app) == ["a.mdl", "b.mdl", "c.mdl"] and not app.state.messages


def test_a_reopened_tab_is_as_it_was_closed(make: Make, tmp_path: Path) -> None:
    app = make(write_pair(tmp_path))
    state, view = app.state, app.state.view
    state.playback.choose(state.playback.animations[0])
    view.clock.pause()
    view.clock.seek(0.25)
    view.camera = camera = view.camera.panned(1, 1)
    view.hidden.add(0)
    view.textures[0] = str(tmp_path / "red.png")
    view.selection.picked = BoneItem(1)
    app.post(CloseDocument())
    until(app, lambda state: not names(app))
    app.post(ReopenTab())
    until(app, lambda state: names(app) == ["Post.mdl"] and not app.busy)
    assert state.view.camera == camera and state.view.hidden == {0}
    assert state.view.textures == {0: str(tmp_path / "red.png")} and state.view.bone == 1
    assert [each.animation for each in state.view.playlist] == [state.playback.animations[0]]
    assert state.view.playlist[0].animation.tracks and state.view.clock.time == 0.25


def test_a_reopened_tab_hides_the_geometries_of_the_same_names(make: Make, tmp_path: Path) -> None:
    app = make(write_pair(tmp_path))
    app.state.view.hidden.update((0, 9))
    app.state.view.bone = 1
    (closed := app.state.documents).remove(0)
    names_then = closed.closed[-1].names
    assert names_then[BoneItem] and 9 not in range(len(names_then[GeometryItem]))
    app.post(ReopenTab())
    until(app, lambda state: names(app) == ["Post.mdl"] and not app.busy)
    assert app.state.view.hidden == {0} and app.state.view.bone == 1


def test_tabs_that_are_reopened_together_come_back_together(make: Make, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.mdl").write_bytes(model_bytes())
    app = make(tmp_path / "a.mdl", tmp_path / "b.mdl")
    for request in (CloseDocument(), CloseDocument(), ReopenTab(), ReopenTab()):
        app.post(request)
    until(app, lambda state: sorted(names(app)) == ["a.mdl", "b.mdl"])


def test_a_closed_file_that_is_gone_says_so_and_the_one_before_comes_next(make: Make, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.mdl").write_bytes(model_bytes())
    app = make(tmp_path / "a.mdl", tmp_path / "b.mdl")
    app.post(CloseDocument(0))
    app.post(CloseDocument(0))
    (tmp_path / "b.mdl").unlink()
    app.post(ReopenTab())
    until(app, lambda state: state.messages)
    assert "b.mdl" in app.state.messages[0].text and names(app) == []
    app.post(ReopenTab())
    until(app, lambda state: names(app) == ["a.mdl"])


def test_a_reopened_animation_attaches_to_the_model_in_view(make: Make, tmp_path: Path) -> None:
    app = make(write_pair(tmp_path), tmp_path / "Post_Bend.ani")
    app.post(CloseDocument(1))
    until(app, lambda state: names(app) == ["Post.mdl"])
    app.post(ReopenTab())
    state = until(app, lambda state: names(app) == ["Post.mdl", "Post_Bend.ani"])
    assert state.documents.current == 0
