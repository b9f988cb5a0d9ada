"""Exports of the window, in a thread beside its frames."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import m2_files
from tests.app.conftest import Make, until
from tests.gltf_files import GltfFile
from tests.synthetic import animation_bytes, write_pair
from viewer.app.output.background_output import BackgroundOutput
from viewer.app.tasks import Task, Tasks
from viewer.export import model_file
from viewer.paths import folder
from viewer.scene.choices import ExportChoices
from viewer.scene.items import AnimationItem
from viewer.session.requests import ExportModel, SaveAs
from viewer.session.state import State
from viewer.storage.documents import open_document

BEACON = folder("assets") / "urho3d/Models/Beacon.mdl"


@pytest.fixture
def state(tmp_path: Path) -> State:
    """The post, bending for a second."""
    made = State()
    made.put(open_document(str(write_pair(tmp_path))))
    made.playback.choose(made.playback.animations[0])
    return made


def exported(state: State, request: ExportModel) -> None:
    """Export to the end."""
    tasks = Tasks()
    output = BackgroundOutput(state, None, tasks)  # type: ignore[arg-type]  # no picture is drawn
    output.export(request)
    finish(output, tasks)
    assert state.exporting is None


def finish(output: BackgroundOutput, tasks: Tasks) -> None:
    end = time.monotonic() + 60
    while tasks.busy and time.monotonic() < end:
        tasks.step()
    output.step()


def test_a_model_is_exported_beside_itself(state: State, tmp_path: Path) -> None:
    exported(state, ExportModel())
    assert GltfFile(tmp_path / "Post.glb").json["animations"]
    assert state.messages[-1].text == f"Saved {tmp_path / 'Post.glb'}"


@pytest.mark.parametrize(("clips", "count"), [("all", 2), ("playing", 1), ("none", 0)])
def test_clips_can_be_chosen(clips: str, count: int, tmp_path: Path) -> None:
    state = State()
    state.put(open_document(str(BEACON)))
    state.playback.choose(state.playback.animations[1])
    exported(state, ExportModel(clips=clips, path=str(tmp_path / "a.glb")))
    found = GltfFile(tmp_path / "a.glb").json.get("animations", ())
    assert len(found) == count and (
        clips != "playing" or found[0]["name"] == state.playback.animations[1].name
    )


def test_what_is_hidden_is_left_out_and_morphs_are_as_they_are_shown(tmp_path: Path) -> None:
    state = State()
    state.put(open_document(str(BEACON)))
    assert state.model is not None
    state.view.hidden.add(0)
    state.view.morphs[0] = 0.25
    exported(state, ExportModel(path=str(tmp_path / "a.glb")))
    meshes = GltfFile(tmp_path / "a.glb").json["meshes"]
    assert sum(len(each["primitives"]) for each in meshes) == len(state.model.geometries) - 1
    assert all(each["weights"][0] == 0.25 for each in meshes)


def test_the_posed_mesh_is_that_of_this_moment(state: State, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.obj", "b.obj")]
    for time_, path in zip((0.0, 0.5), paths, strict=True):
        state.view.clock.seek(time_)
        exported(state, ExportModel(".obj", path=str(path)))
    assert paths[0].read_text() != paths[1].read_text()


def test_frames_go_on_and_the_view_may_change_meanwhile(
    state: State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go, write = threading.Event(), model_file.write_model

    def late(*arguments: Any) -> list[str]:
        go.wait(60)
        return write(*arguments)

    monkeypatch.setattr(model_file, "write_model", late)
    tasks = Tasks()
    output = BackgroundOutput(state, None, tasks)  # type: ignore[arg-type]
    output.export(ExportModel(choices=ExportChoices(bake_pose=True), path=str(tmp_path / "a.glb")))
    output.step()
    assert state.exporting is not None and state.exporting.path.endswith("a.glb")
    state.view.clock.seek(0.5)
    go.set()
    finish(output, tasks)
    monkeypatch.undo()
    state.view.clock.seek(0.0)
    exported(state, ExportModel(choices=ExportChoices(bake_pose=True), path=str(tmp_path / "b.glb")))
    first, second = (GltfFile(tmp_path / name).positions()[0] for name in ("a.glb", "b.glb"))
    assert np.array_equal(first, second)


def test_stopping_writes_nothing(state: State, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started, go, report, ended = threading.Event(), threading.Event(), Task.report, list[Task]()

    def late(self: Task, step: str, share: float | None = None) -> None:
        ended.append(self)
        started.set()
        go.wait(60)
        report(self, step, share)

    monkeypatch.setattr(Task, "report", late)
    before = sorted(tmp_path.iterdir())
    tasks = Tasks()
    output = BackgroundOutput(state, None, tasks)  # type: ignore[arg-type]
    output.export(ExportModel())
    assert started.wait(60)
    output.stop_export()
    go.set()
    output.close()
    assert ended[0].wait(60)
    assert sorted(tmp_path.iterdir()) == before and "Nothing was saved" in state.messages[-1].text


@pytest.mark.usefixtures("wow")
def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    state = State()
    state.put(open_document(str(folder("assets") / "m2/Creature/Puff/Puff.m2")))
    exported(state, ExportModel(path=str(tmp_path / "a.glb")))
    told = [each.text for each in state.messages if each.kind == "warning"]
    assert any("glTF has no particles" in each for each in told)
    assert state.messages[-1].text.endswith(f"with {len(told)} messages")


def test_clips_without_their_files_are_left_out_and_told(tmp_path: Path) -> None:
    path = tmp_path / "Rabbit.m2"
    path.write_bytes(m2_files.model(m2_files.WRATH))
    (tmp_path / "Rabbit00.skin").write_bytes(m2_files.skin())
    state = State()
    state.put(open_document(path))
    exported(state, ExportModel())
    names = [each["name"] for each in GltfFile(tmp_path / "Rabbit.glb").json["animations"]]
    assert "Walk" in names and "EmoteTalk" not in names
    told = [each.text for each in state.messages if each.kind == "warning"]
    assert "Rabbit.glb: left out 1 clip without a file" in told


def test_a_file_that_is_open_is_not_replaced(state: State, tmp_path: Path) -> None:
    assert state.document is not None
    link = tmp_path / "a.glb"
    link.symlink_to(state.document.path)
    before = Path(state.document.path).read_bytes()
    exported(state, ExportModel(path=str(link)))
    assert "is open here" in state.messages[-1].text and Path(state.document.path).read_bytes() == before


def test_a_place_that_cannot_be_written_is_told(state: State, tmp_path: Path) -> None:
    exported(state, ExportModel(path=str(tmp_path / "no" / "a.glb")))
    assert state.messages[-1].kind == "error" and "its folder does not exist" in state.messages[-1].text


def test_the_window_asks_where_to_and_then_remembers(make: Make, tmp_path: Path) -> None:
    app = make(write_pair(tmp_path))
    app.post(ExportModel(".ply"))
    until(app, lambda state: state.pending_files.browser)
    assert app.state.pending_files.browser is not None
    assert app.state.pending_files.browser.name == "Post.ply"
    app.post(SaveAs(ExportModel(".ply"), str(tmp_path / "Post.ply")))
    until(app, lambda state: (tmp_path / "Post.ply").exists() and not state.exporting)
    app.post(ExportModel(".ply"))
    until(app, lambda state: (tmp_path / "Post-1.ply").exists() and not state.exporting)
    assert app.state.interface.preferences.exports == str(tmp_path / "{name}")


def test_without_a_model_nothing_is_exported() -> None:
    state = State()
    exported(state, ExportModel())
    assert state.messages[-1].kind == "warning"


def test_the_selected_clips_are_exported_in_the_order_of_the_list(tmp_path: Path) -> None:
    state = State()
    state.put(open_document(str(write_pair(tmp_path))))
    for name in ("Walk", "Run"):
        (tmp_path / f"{name}.ani").write_bytes(animation_bytes(name))
        state.put(open_document(tmp_path / f"{name}.ani"))
    names = [each.name for each in state.playback.animations]
    for name in ("Walk", "Bend"):
        state.view.selection.toggle(AnimationItem(names.index(name)))
    exported(state, ExportModel(clips="selected", path=str(tmp_path / "a.glb")))
    assert [each["name"] for each in GltfFile(tmp_path / "a.glb").json["animations"]] == ["Bend", "Walk"]
