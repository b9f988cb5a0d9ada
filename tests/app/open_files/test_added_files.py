"""Models that are joined to the model in view."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.conftest import Make, until
from tests.ogre_files import opened as ogre_file
from tests.ogre_files import simple
from tests.synthetic import bone, model_bytes, model_record, post, write_pair
from viewer.actions import ACTIONS_BY_NAME
from viewer.app.loop import App
from viewer.app.output.view_command import view_command
from viewer.families.urho3d.model_layout import MODEL
from viewer.session.requests import AddToView, CloseDocument, Reload, ReopenTab


@pytest.fixture
def other(tmp_path: Path) -> str:
    """A further model with a bone of its own."""
    path = tmp_path / "Hat.mdl"
    path.write_bytes(model_bytes(bones=[bone("tip", 0, 0.5, 0.5), bone("feather", 0, 0.7, 0.2)]))
    return str(path)


def geometries(app: App) -> int:
    return len(app.state.model.geometries) if app.state.model else 0


def added(app: App, *paths: str) -> None:
    """The files are added to the view."""
    app.post(AddToView(paths))
    until(app, lambda state: state.document and set(paths) <= {*state.document.added})


def test_a_file_is_joined_in_the_same_tab(make: Make, tmp_path: Path, other: str) -> None:
    app = make(write_pair(tmp_path))
    clip = app.state.view.playlist[0].animation.name
    camera = app.state.view.camera = app.state.view.camera.panned(1, 1)
    added(app, other)
    state = app.state
    assert len(state.documents.opened) == 1 and geometries(app) == 2
    assert state.skeleton is not None and state.skeleton.names == ("base", "tip", "feather")
    assert state.view.camera == camera and state.view.playlist[0].animation.name == clip
    assert state.document is not None
    assert any("1 of 2 bones without a partner: feather" in each for each in state.document.report.notes)


def test_a_camera_that_was_not_moved_fits_all_files(make: Make, tmp_path: Path) -> None:
    app = make(write_pair(tmp_path))
    before = app.state.view.orbit
    vertices = post()[0]
    vertices["position"][:, 0] += 3
    record = model_record()
    record.vertex_buffers[0].vertices = vertices
    (tmp_path / "Far.mdl").write_bytes(MODEL.pack(record))
    added(app, str(tmp_path / "Far.mdl"))
    until(
        app, lambda state: state.view.orbit and before and state.view.orbit.distance > 1.5 * before.distance
    )


def test_undo_removes_the_file_and_redo_adds_it(make: Make, tmp_path: Path, other: str) -> None:
    app = make(write_pair(tmp_path))
    added(app, other)
    assert app.state.undo.undo()
    until(app, lambda state: geometries(app) == 1)
    assert app.state.undo.redo()
    until(app, lambda state: geometries(app) == 2)


def test_added_files_are_removed(make: Make, tmp_path: Path, other: str) -> None:
    app = make(write_pair(tmp_path))
    assert not ACTIONS_BY_NAME["remove_added"].enabled(app.state)
    added(app, other)
    ACTIONS_BY_NAME["remove_added"].run(app.state, app.post)
    until(app, lambda state: geometries(app) == 1)
    assert app.state.document is not None and not app.state.document.joined


def test_a_reload_and_a_reopened_tab_keep_the_file(make: Make, tmp_path: Path, other: str) -> None:
    app = make(write_pair(tmp_path))
    added(app, other)
    before = app.state.document
    app.post(Reload())
    until(app, lambda state: state.document is not before)
    assert geometries(app) == 2
    app.post(CloseDocument())
    until(app, lambda state: not state.documents.opened)
    app.post(ReopenTab())
    until(app, lambda state: state.documents.opened)
    assert geometries(app) == 2


def test_what_cannot_be_joined_is_told_and_the_view_stays(make: Make, tmp_path: Path) -> None:
    app = make(write_pair(tmp_path))
    ogre_file(tmp_path, simple())
    (tmp_path / "empty.mdl").write_bytes(b"")
    for name in ("square.mesh", "empty.mdl", "Post_Bend.ani"):
        app.post(AddToView((str(tmp_path / name),)))
        until(app, lambda state: any(name in each.text for each in state.messages))  # noqa: B023
        until(app, lambda state: not state.view.added)
        assert geometries(app) == 1


def test_a_file_that_is_broken_behind_its_vertices_is_joined_as_far_as_it_was_read(
    make: Make, tmp_path: Path, other: str
) -> None:
    app = make(write_pair(tmp_path))
    data = Path(other).read_bytes()
    Path(other).write_bytes(data[:-8])
    added(app, other)
    assert geometries(app) == 2


def test_the_copied_command_draws_all_files(make: Make, tmp_path: Path, other: str) -> None:
    app = make(write_pair(tmp_path))
    added(app, other)
    words = view_command(app.state, (64, 48))[0].split()
    assert words[2:4] == [str(tmp_path / "Post.mdl"), other] and "--together" in words
