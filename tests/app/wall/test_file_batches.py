"""Tasks on listed files."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from tests.synthetic import model_bytes
from viewer.app.tasks import Task, Tasks
from viewer.app.wall import file_tasks
from viewer.app.wall.file_batches import CANCELLED, FileBatches
from viewer.app.wall.file_library import scan
from viewer.errors import ResourceError
from viewer.library.batch.journal import interrupted
from viewer.scene.reading_context import DEFAULT
from viewer.session.file_batches import BatchResult
from viewer.session.requests import ContinueFileBatch, ExportFiles, RemoveFileBatch, StopFileBatch
from viewer.session.state import State
from viewer.storage.cache_folder import journal_folder


@pytest.fixture
def tasks() -> Tasks:
    return Tasks()


def end(tasks: Tasks) -> None:
    while tasks.busy:
        tasks.wait(60)
        tasks.step()


def test_a_task_shows_its_progress_and_its_result_stays(tasks: Tasks) -> None:
    state, go = State(), threading.Event()
    batches = FileBatches(state, 1, tasks)
    reached = threading.Event()

    def work(task: Task) -> BatchResult:
        task.report("checking 1 of 2", 0.5)
        reached.set()
        go.wait(60)
        return BatchResult("Checked 2 files: no findings")

    batches.begin("Check of 2 files", work)
    assert reached.wait(60)
    batches.step()
    (batch,) = state.files.batches
    assert batch.progress == ("checking 1 of 2", 0.5) and batch.result is None and state.files.shows_batches
    go.set()
    end(tasks)
    assert batch.result == BatchResult("Checked 2 files: no findings")
    assert state.messages[-1].text == "Checked 2 files: no findings"


def test_an_error_is_the_result(tasks: Tasks) -> None:
    state = State()

    def work(task: Task) -> BatchResult:
        raise ResourceError("rigscope.toml is wrong")

    FileBatches(state, 1, tasks).begin("Check", work)
    end(tasks)
    assert state.files.batches[0].result == BatchResult("rigscope.toml is wrong", True)
    assert state.messages[-1].kind == "error"


def test_findings_in_listed_files_are_no_warning_of_the_program(tasks: Tasks) -> None:
    state = State()
    FileBatches(state, 1, tasks).begin("Check", lambda task: BatchResult("Checked 2 files: 1 warning", True))
    end(tasks)
    assert [(each.text, each.kind) for each in state.messages] == [("Checked 2 files: 1 warning", "note")]


def test_one_of_two_tasks_is_cancelled(tasks: Tasks) -> None:
    state, go = State(), threading.Event()
    batches = FileBatches(state, 1, tasks)

    def work(task: Task) -> BatchResult:
        go.wait(60)
        return BatchResult("done")

    batches.begin("Check", work)
    batches.begin("Pictures", work)
    batches.stop(1)
    go.set()
    end(tasks)
    assert [each.result and each.result.text for each in state.files.batches] == ["done", CANCELLED]


@pytest.fixture
def listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> State:
    """A window that lists a model."""
    monkeypatch.setenv("RIGSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("RIGSCOPE_DATA", str(tmp_path / "data"))
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "Box.mdl").write_bytes(model_bytes())
    state, table = State(), scan(str(tmp_path / "models"), DEFAULT).table
    state.files.begin(table.root, table)
    return state


def interrupted_export(state: State, tasks: Tasks, out: Path, monkeypatch: pytest.MonkeyPatch) -> FileBatches:
    """Begin an export, and end it before its first file."""
    batches, begun, go = FileBatches(state, 1, tasks), threading.Event(), threading.Event()
    export = file_tasks._export

    def slow(*given: Any) -> Any:
        begun.set()
        go.wait(60)
        return export(*given)

    assert state.files.table is not None
    with monkeypatch.context() as patch:
        patch.setattr(file_tasks, "_export", slow)
        batches.take(ExportFiles((state.files.table.path(0),), path=str(out)))
        assert begun.wait(60)
        batches.take(StopFileBatch(0))
        go.set()
        end(tasks)
    late = time.monotonic() + 60
    while not interrupted(journal_folder()):  # the thread of a cancelled task ends later
        assert time.monotonic() < late
        time.sleep(0.01)
    return batches


def test_a_cancelled_export_goes_on(
    listed: State, tasks: Tasks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = interrupted_export(listed, tasks, tmp_path / "out", monkeypatch)
    assert listed.files.batches[0].result == BatchResult(CANCELLED, continues=True)
    batches.take(ContinueFileBatch(0))
    end(tasks)
    (batch,) = listed.files.batches
    assert batch.result is not None and batch.result.text == f"1 file written to {tmp_path / 'out'}"
    assert (tmp_path / "out" / "Box.glb").is_file()


def test_the_next_window_offers_an_interrupted_export(
    listed: State, tasks: Tasks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted_export(listed, tasks, tmp_path / "out", monkeypatch)
    state = State()
    batches = FileBatches(state, 1, tasks)
    batches.offer()
    end(tasks)
    (batch,) = state.files.batches
    assert batch.title == "Export of 1 model" and not state.files.shows_batches
    assert batch.result == BatchResult("Interrupted: 0 of 1 files are done", True, continues=True)
    assert state.messages[-1].text.startswith("1 task on files was interrupted. To continue, choose ")
    batches.take(ContinueFileBatch(0))
    end(tasks)
    assert (tmp_path / "out" / "Box.glb").is_file() and len(state.files.batches) == 1
    assert state.messages[-1].text == f"1 file written to {tmp_path / 'out'}"


def test_a_removed_task_is_not_offered_again(
    listed: State, tasks: Tasks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = interrupted_export(listed, tasks, tmp_path / "out", monkeypatch)
    listed.files.shows_batches = True
    batches.take(RemoveFileBatch(0))
    end(tasks)
    assert listed.files.batches == [] and not listed.files.shows_batches
    state = State()
    FileBatches(state, 1, tasks).offer()
    end(tasks)
    assert state.files.batches == [] and state.messages == []
