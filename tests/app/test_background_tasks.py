"""Small jobs in the background."""

from __future__ import annotations

import threading

from viewer.app.background_tasks import BackgroundTasks

LONG = 20.0


def test_a_quick_result_is_delivered_at_once() -> None:
    tasks, got = BackgroundTasks(), list[object]()
    tasks.run(lambda result, error: got.append((result, error)), lambda number: number + 1, 1)
    tasks.wait(LONG)
    assert got == [(2, "")] and not tasks.busy


def test_a_slow_result_is_not_waited_for() -> None:
    tasks, got, free = BackgroundTasks(), list[object](), threading.Event()
    tasks.run(lambda result, error: got.append(result), free.wait, LONG)
    tasks.wait(0.0)
    assert got == [] and tasks.busy
    free.set()
    tasks.wait(LONG)
    assert got == [True]


def test_an_error_is_delivered_with_its_reason() -> None:
    tasks, got = BackgroundTasks(), list[object]()
    tasks.run(lambda result, error: got.append((result, error)), lambda: [][0])
    tasks.wait(LONG)
    assert got == [(None, "list index out of range")]
