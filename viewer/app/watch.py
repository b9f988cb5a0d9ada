"""Reports changes on disk: of the files of documents, or of all files below a folder or in a package."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from viewer.app.tasks import Task, Tasks
from viewer.storage.versions import Dependencies, unrecorded_version

CHANGES = ("Created", "Modified", "Deleted", "Moved", "Closed")
"""The watchdog events that report a change. Other events are filtered out: when a program reads ten thousand
files, their events would overflow the system's queue, and watchdog would list all files again.
"""
WRITTEN = 0.2
"""A file counts as written when it has not changed for this time in seconds."""


class ChangedPaths:
    """Collects changed paths.

    Watchdog's thread adds the paths. A frame takes them as soon as no file has changed for a while.
    """

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._paths: deque[str] = deque()  # this is a deque, because two threads use it
        self._changed = 0.0

    def add(self, path: str) -> None:
        """Add a path, from any thread."""
        self._changed = time.monotonic()
        self._paths.append(path)
        self._tasks.request_frame()

    def take(self) -> set[str]:
        """Return the changed paths, each once, if no file has changed for `WRITTEN` seconds.

        Otherwise return an empty set and request a frame at the end of this time.
        """
        left = self._changed + WRITTEN - time.monotonic()
        if not self._paths:
            return set()
        if left > 0:
            self._tasks.request_frame_in(left)
            return set()
        return {self._paths.popleft() for _ in range(len(self._paths))}


class FileWatcher:
    """Compares the files that documents were read from with the files on the disk, every `pause` seconds in a
    thread. A frame is requested only when the result changes.

    `follow` sets the versions with which the files of each document were read. `changed` has, by document,
    the present versions of the files that differ now; None for a file that is gone.
    """

    def __init__(self, tasks: Tasks, pause: float) -> None:
        self.pause = pause
        self.changed: dict[str, Dependencies] = {}
        self._tasks = tasks
        self._followed: dict[str, Dependencies] = {}
        self._ended = threading.Event()
        threading.Thread(target=self._run, name="watch", daemon=True).start()

    def follow(self, files: dict[str, Dependencies]) -> None:
        """Compare these files from now on."""
        self._followed = dict(files)

    def close(self) -> None:
        """End the thread, without waiting for it."""
        self._ended.set()

    def _run(self) -> None:
        """Compare the files. A difference counts when it has been the same for `WRITTEN` seconds."""
        before: dict[str, Dependencies] = {}
        pause = WRITTEN
        while not self._ended.wait(pause):
            followed = self._followed
            now = {path: unrecorded_version(path) for path in set().union(*followed.values())}
            found = {
                key: {path: now[path] for path, version in files.items() if now[path] != version}
                for key, files in followed.items()
            }
            found = {key: files for key, files in found.items() if files}
            settled, before = found == before, found
            pause = self.pause if settled else min(WRITTEN, self.pause)
            if settled and found != self.changed:
                self.changed = found
                self._tasks.request_frame()


class FolderWatcher:
    """Watches one folder or package at a time. `changed` is True once after its files were written.

    If the system cannot watch the folder, no change is reported.
    """

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._changes = ChangedPaths(tasks)
        self._task: Task | None = None
        self._observers: deque[Any] = deque()  # this is a deque, because two threads use it

    def follow(self, root: str) -> None:
        """Watch another folder or package. A task finds its subfolders, because there may be thousands."""
        self.close()
        self._task = self._tasks.submit("watch", partial(self._begun, root))

    def changed(self) -> bool:
        """Whether files were written since the last call."""
        return bool(self._changes.take())

    def close(self) -> None:
        """Stop watching, without waiting for the threads."""
        if self._task is not None:
            self._tasks.cancel(self._task)
            self._task = None
        while self._observers:
            self._observers.popleft().stop()

    def _begun(self, root: str, task: Task) -> None:
        """Start an observer for a folder or package.

        This function runs in a thread. If the task is cancelled before the observer is added, the observer is
        stopped here; if the task is cancelled later, `close` stops it.
        """
        observer, lone = _observer(), not os.path.isdir(root)

        def note(path: str, folder: bool) -> None:
            """Record a change. For a package, only changes of the package's own file count."""
            if not lone or path == root:
                self._changes.add(root)

        top = os.path.dirname(root) if lone else root
        observer.schedule(_handler(note), top, recursive=not lone, event_filter=_change_events())
        observer.start()
        self._observers.append(observer)
        if task.cancelled:
            observer.stop()


def _observer() -> Any:
    """Create an observer of watchdog. Watchdog's log is off, because it would report the end of a waiting
    thread as an error.
    """
    logging.getLogger("watchdog").setLevel(logging.CRITICAL)
    from watchdog.observers import Observer

    return Observer()


def _handler(note: Callable[[str, bool], None]) -> Any:
    """Create a watchdog handler that calls `note(path, is_folder)` for each event.

    For a moved file, `note` is called for the old and for the new path.
    """
    from watchdog.events import FileSystemEventHandler

    class Handler(FileSystemEventHandler):
        """Receives the events of watchdog."""

        def on_any_event(self, event: Any) -> None:
            """Handle one event."""
            for path in filter(None, (event.src_path, event.dest_path)):
                note(os.path.abspath(os.fsdecode(path)), event.is_directory)

    return Handler()


def _change_events() -> list[type[Any]]:
    """The classes of the events that report a change of a file or a folder."""
    from watchdog import events

    names = (f"{what}{change}Event" for what in ("File", "Dir") for change in CHANGES)
    return [getattr(events, name) for name in names if hasattr(events, name)]
