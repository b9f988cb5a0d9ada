"""Work beside the frames."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Generator, Iterator
from typing import Any
from weakref import ref

import pytest

from viewer.app.tasks import LONGEST_FRAME, PROGRESS_INTERVAL, SHARE, YIELD, Task, Tasks
from viewer.errors import ResourceError
from viewer.storage.reading import open_regular

LONG = 60.0


@pytest.fixture
def tasks() -> Iterator[Tasks]:
    made = Tasks()
    yield made
    made.close()


class Gate:
    """Work that waits until it is opened."""

    def __init__(self) -> None:
        self.begun, self.opened, self.ended = (threading.Event() for _ in range(3))

    def __call__(self, task: Task) -> str:
        self.begun.set()
        assert self.opened.wait(LONG)
        self.ended.set()
        return "through the gate"


def until(tasks: Tasks, true: Callable[[], Any]) -> None:
    end = time.monotonic() + LONG
    while not true():
        assert time.monotonic() < end
        tasks.step()


def test_a_result_is_delivered_between_frames(tasks: Tasks) -> None:
    got: list[Task] = []
    task = tasks.submit("sum", lambda task: 1 + 1, got.append)
    assert task.wait(LONG) and got == [] and tasks.busy
    tasks.step()
    assert got == [task] and (task.done, task.value, task.error) == (True, 2, "") and not tasks.busy


def fail(error: Exception) -> None:
    raise error


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (IndexError("out of range"), "the file ends early"),
        (OSError(5, "Input/output error"), "Input/output error"),
        (ResourceError("install xclip"), "install xclip"),
        (MemoryError(), "MemoryError"),
    ],
)
def test_an_error_is_delivered_with_its_reason(tasks: Tasks, error: Exception, text: str) -> None:
    task = tasks.submit("bad", lambda task: fail(error))
    until(tasks, lambda: task.done)
    assert (task.value, task.error) == (None, text)


def test_a_lane_runs_one_task_after_the_other_by_priority_and_age(tasks: Tasks) -> None:
    gate, order = Gate(), list[str]()
    tasks.submit("gate", gate, lane="lane")
    assert gate.begun.wait(LONG)
    for name, priority in (("third", 1), ("first", 0), ("fourth", 1), ("second", 0)):
        tasks.submit(name, lambda task: order.append(task.key), lane="lane", priority=priority)
    gate.opened.set()
    until(tasks, lambda: not tasks.busy)
    assert order == ["first", "second", "third", "fourth"]


def test_a_task_replaces_the_one_with_its_key(tasks: Tasks) -> None:
    gate, got = Gate(), list[str]()
    first = tasks.submit("query", gate, lambda task: got.append("first"))
    second = tasks.submit("query", lambda task: None, lambda task: got.append("second"))
    until(tasks, lambda: second.done)
    gate.opened.set()
    assert first.wait(LONG)
    tasks.step()
    assert got == ["second"] and first.cancelled and not first.done


def test_a_cancelled_task_holds_nothing_up(tasks: Tasks) -> None:
    gate, got = Gate(), list[Any]()
    endless = tasks.submit("endless", gate, got.append, lane="files")
    waiting = tasks.submit("waiting", lambda task: 1, got.append, lane="files")
    next_ = tasks.submit("next", lambda task: 2, got.append, lane="files")
    assert gate.begun.wait(LONG)
    tasks.cancel(waiting)
    tasks.cancel(endless)
    until(tasks, lambda: next_.done)
    last = tasks.submit("last", lambda task: 3, got.append, lane="files")
    gate.opened.set()
    until(tasks, lambda: last.done)
    assert endless.wait(LONG) and waiting.wait(0)
    tasks.step()
    assert [task.value for task in got] == [2, 3] and not tasks.busy


def test_a_cancelled_task_ends_at_its_next_report_or_file(tasks: Tasks, tmp_path: Any) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"content")
    for go_on in (lambda task: task.report("on", 0.5), lambda task: open_regular(path).close()):
        gate, passed = Gate(), list[str]()

        def work(task: Task, gate: Gate = gate, go_on: Any = go_on, passed: list[str] = passed) -> None:
            gate(task)
            go_on(task)
            passed.append("went on")

        task = tasks.submit("work", work)
        assert gate.begun.wait(LONG)
        tasks.cancel(task)
        gate.opened.set()
        assert task.wait(LONG) and passed == []


def test_closing_waits_for_no_task() -> None:
    tasks, gate = Tasks(), Gate()
    tasks.submit("endless", gate)
    tasks.submit("later", lambda task: pytest.fail("it is cancelled"), lane=("key", "endless"))
    assert gate.begun.wait(LONG)
    tasks.close()
    assert not gate.ended.is_set() and not tasks.busy and tasks.pause is None
    gate.opened.set()


def test_nothing_keeps_what_a_task_worked_on(tasks: Tasks) -> None:
    class Closed:
        """Stands for a document."""

    def submitted() -> ref[Closed]:
        closed = Closed()
        tasks.submit("check", lambda task, of=closed: of)
        return ref(closed)

    held = submitted()
    until(tasks, lambda: not tasks.busy)
    gc.collect()
    assert held() is None


def test_progress_is_reported(tasks: Tasks) -> None:
    gate = Gate()

    def work(task: Task) -> None:
        task.report("reading", 0.25)
        gate(task)

    first = tasks.submit("first", work, lane="files")
    second = tasks.submit("second", work, lane="files")
    assert gate.begun.wait(LONG) and first.progress == ("reading", 0.25)
    assert second.progress == ("waiting", None)
    gate.opened.set()


def test_the_loop_sleeps_until_something_is_due() -> None:
    woken = threading.Event()
    tasks, gate = Tasks(woken.set), Gate()
    assert tasks.pause is None
    tasks.request_frame_in(5.0)
    tasks.request_frame_in(8.0)
    assert tasks.pause is not None and 4.0 < tasks.pause <= 5.0
    task = tasks.submit("work", gate)
    assert tasks.pause == PROGRESS_INTERVAL and not woken.is_set()
    tasks.request_frame_in(0.0)
    assert tasks.pause == 0.0
    gate.opened.set()
    assert woken.wait(LONG) and task.wait(LONG)
    tasks.step()
    assert tasks.pause is None, "a step answers all requests for a frame"


def test_frames_leave_time_to_threads_while_they_work(tasks: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(tasks, "wait", waits.append)
    tasks.step()
    assert waits == [], "nothing is under way"
    gate = Gate()
    tasks.submit("work", gate)
    tasks.step()
    tasks._stepped -= 60.0  # the window has slept
    tasks.step()
    assert len(waits) == 2 and YIELD <= waits[0] < waits[1] == SHARE * LONGEST_FRAME
    gate.opened.set()


def test_a_frame_waits_for_an_urgent_task(tasks: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.app.tasks.URGENT", LONG)
    got: list[str] = []
    tasks.submit("look", lambda task: time.sleep(0.02), lambda task: got.append("look"), urgent=True)
    tasks.step()
    assert got == ["look"]


def test_waiting_ends_with_the_next_result_and_else_with_the_time(tasks: Tasks) -> None:
    begun = time.monotonic()
    tasks.wait(0.05)
    assert time.monotonic() - begun >= 0.04
    task = tasks.submit("work", lambda task: None)
    tasks.wait(LONG)
    assert task.wait(0)


def test_what_is_asked_of_the_gpu_is_fetched_with_the_next_frame(tasks: Tasks) -> None:
    got: list[str] = []
    tasks.next_frame("pick", lambda task: got.append("first"))
    tasks.next_frame("pick", lambda task: got.append("second"))
    assert got == [] and tasks.pause == 0.0
    tasks.step()
    assert got == ["second"] and tasks.pause is None


def parts(taken: list[float], *shares: float) -> Generator[float, None, None]:
    for share in shares:
        taken.append(share)
        yield share


def test_a_share_that_comes_twice_leaves_the_rest_of_the_frame(tasks: Tasks) -> None:
    taken, seen = list[float](), list[int]()
    task = tasks.spread("upload", "to the GPU", parts(taken, 0.1, 0.2, 0.2, 0.3, 0.4, 0.4, 0.5))
    for _ in range(3):
        assert tasks.pause == 0.0 and not task.done
        tasks.step()
        seen.append(len(taken))
    assert seen == [3, 6, 7] and task.done and not tasks.busy


def test_tasks_in_frames_run_one_after_the_other(tasks: Tasks) -> None:
    first, second, got = list[float](), list[float](), list[Task]()
    tasks.spread(1, "to the GPU", parts(first, 0.25, 0.25), got.append)
    task = tasks.spread(2, "to the GPU", parts(second, 0.5, 0.5), got.append)
    tasks.step()
    assert (first, second, got) == ([0.25, 0.25], [], []) and task.progress == ("to the GPU", 0.0)
    tasks.step()
    assert second == [0.5, 0.5] and len(got) == 1 and task.progress == ("to the GPU", 0.5)


def test_a_cancelled_generator_is_closed(tasks: Tasks) -> None:
    closed: list[int] = []

    def work() -> Generator[float, None, None]:
        try:
            yield 0.5
            yield 0.5
        finally:
            closed.append(1)

    task = tasks.spread("upload", "to the GPU", work(), lambda task: pytest.fail("it is cancelled"))
    tasks.step()
    tasks.cancel(task)
    tasks.step()
    assert closed == [1] and not tasks.busy
