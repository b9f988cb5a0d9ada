"""Threads and pools of processes are started in few places: all other work beside frames is a task."""

from __future__ import annotations

import ast

from tests.meta.modules import modules, nodes

STARTERS = {"Thread", "Timer", "ThreadPoolExecutor", "ProcessPoolExecutor", "ProcessPool", "Popen"}
ALLOWED = {
    "viewer.app.tasks": {"Thread"},
    "viewer.app.watch": {"Thread"},  # it rests between comparisons, and an unfinished task causes frames
    "viewer.export.film.encoder": {"Thread"},  # films are written without a window too
    "viewer.gpu.driver": {"Thread"},  # tasks are imported later than it starts
}
"""The modules that start threads, beside the room of the worker processes."""
WORKERS = "viewer.library.workers"


def started(source: str) -> set[str]:
    """The names of STARTERS that a module calls."""
    calls = (node.func for node in nodes(source) if isinstance(node, ast.Call))
    names = {each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in calls}
    return names & STARTERS


def test_threads_are_started_by_tasks_and_workers_alone() -> None:
    found = {
        name: started(path.read_text("utf-8"))
        for name, path in modules().items()
        if not name.startswith(WORKERS)
    }
    assert {name: calls for name, calls in found.items() if calls} == ALLOWED


def test_a_thread_is_seen() -> None:
    assert started("import threading\nthreading.Thread(target=print).start()") == {"Thread"}
    assert started("Timer(1.0, print)") == {"Timer"} and not started("Threads()")
