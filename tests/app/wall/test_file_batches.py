"""Tasks on listed files."""

from __future__ import annotations

import threading

import pytest

from viewer.app.tasks import Task, Tasks
from viewer.app.wall.file_batches import CANCELLED, FileBatches
from viewer.errors import ResourceError
from viewer.session.file_batches import BatchResult
from viewer.session.state import State


@pytest.fixture
def tasks() -> Tasks:
    return Tasks()


def end(tasks: Tasks) -> None:
    while tasks.busy:
        tasks.wait(60)
        tasks.step()


def test_a_task_shows_its_progress_and_its_result_stays(tasks: Tasks) -> None:
    state, go = State(), threading.Event()
    batches = FileBatches(state, tasks)
    reached = threading.Event()

    def work(task: Task) -> BatchResult:
        task.report("checking 1 of 2", 0.5)
        reached.set()
        go.wait(60)
        return BatchResult("Checked 2 files: no findings")

    batches.begin("Check of 2 files", work)
    assert reached.wait(60)
    assert batches.step() == "checking 1 of 2"
    (batch,) = state.files.batches
    assert batch.progress == ("checking 1 of 2", 0.5) and batch.result is None and state.files.shows_batches
    go.set()
    end(tasks)
    assert batch.result == BatchResult("Checked 2 files: no findings") and batches.step() == ""
    assert state.messages[-1].text == "Checked 2 files: no findings"


def test_an_error_is_the_result(tasks: Tasks) -> None:
    state = State()

    def work(task: Task) -> BatchResult:
        raise ResourceError("rigscope.toml is wrong")

    FileBatches(state, tasks).begin("Check", work)
    end(tasks)
    assert state.files.batches[0].result == BatchResult("rigscope.toml is wrong", True)
    assert state.messages[-1].kind == "warning"


def test_findings_in_listed_files_are_no_warning_of_the_program(tasks: Tasks) -> None:
    state = State()
    FileBatches(state, tasks).begin("Check", lambda task: BatchResult("Checked 2 files: 1 warning", True))
    end(tasks)
    assert [(each.text, each.kind) for each in state.messages] == [("Checked 2 files: 1 warning", "note")]


def test_one_of_two_tasks_is_cancelled(tasks: Tasks) -> None:
    state, go = State(), threading.Event()
    batches = FileBatches(state, tasks)

    def work(task: Task) -> BatchResult:
        go.wait(60)
        return BatchResult("done")

    batches.begin("Check", work)
    batches.begin("Pictures", work)
    batches.stop(1)
    go.set()
    end(tasks)
    assert [each.result and each.result.text for each in state.files.batches] == ["done", CANCELLED]
