"""The thread that watches files."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from viewer.app.tasks import Tasks
from viewer.app.watch import WRITTEN, ChangedPaths, FolderWatcher


def test_changed_paths_are_taken_once_when_they_are_at_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("viewer.app.watch.time.monotonic", lambda: now[0])
    frames: list[int] = []
    tasks = Tasks(lambda: frames.append(1))
    changes = ChangedPaths(tasks)
    assert changes.take() == set() and tasks.pause is None
    for path in ("a", "b", "a"):
        changes.add(path)
    assert len(frames) == 3 and changes.take() == set()
    assert tasks.pause is not None and 0 < tasks.pause <= WRITTEN, "a frame is due when they are at rest"
    now[0] += WRITTEN
    assert changes.take() == {"a", "b"} and changes.take() == set()


def test_a_folder_that_is_followed_only_for_a_moment_leaves_no_thread(tmp_path: Path) -> None:
    """The observer may have started although nobody has taken the result of its task yet."""
    tasks = Tasks()
    watcher = FolderWatcher(tasks)
    watcher.follow(str(tmp_path))
    while tasks.pause != 0.0:
        tasks.wait(0.1)
    (observer,) = watcher._observers
    watcher.follow(str(tmp_path))
    watcher.close()
    observer.join(60)
    logger = logging.getLogger("watchdog.observers.inotify")
    assert not logger.isEnabledFor(logging.ERROR), "the end of a thread prints no error"
    assert not observer.is_alive() and not tasks.busy
