"""Notices changed files on disk, in a thread of its own."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterable
from typing import Any

CHANGES = ("Created", "Modified", "Deleted", "Moved", "Closed")
"""The events of watchdog that tell a change. It is not asked for others: whoever reads ten thousand files
causes so many that the system drops some, and watchdog then lists everything again.
"""
QUIET = 0.2
"""Seconds without a further change after which a file counts as written."""


class QuietTimer:
    """Calls `then` from a thread of its own after QUIET seconds without a further `begin`."""

    def __init__(self, then: Callable[[], None]) -> None:
        self._then = then
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def begin(self) -> None:
        """Start the time anew; from any thread."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = threading.Timer(QUIET, self._then)
            self._timer.daemon = True
            self._timer.start()

    def cancel(self) -> None:
        """Call nothing any more."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()


def change_events() -> list[type[Any]]:
    """The classes of the events that tell a change of a file or a folder."""
    from watchdog import events

    names = (f"{what}{change}Event" for what in ("File", "Dir") for change in CHANGES)
    return [getattr(events, name) for name in names if hasattr(events, name)]


class Watcher:
    """`follow` sets the files; `changed` returns the files that were written since and are at rest.

    `wake` is called from the watching thread when there are changes. OSError if the system cannot watch
    files.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        # A thread of watchdog that ends while it waits for an event tells so as an error.
        logging.getLogger("watchdog").setLevel(logging.CRITICAL)
        from watchdog.events import FileSystemEventHandler
        from watchdog.observers import Observer

        watcher = self

        class Handler(FileSystemEventHandler):
            """Receives the events of watchdog."""

            def on_any_event(self, event: Any) -> None:
                """Handle one event."""
                watcher._hear(event)

        self._wake = wake
        self._lock = threading.Lock()
        self._quiet = QuietTimer(self._rest)
        self._wanted: frozenset[str] = frozenset()
        self._folders: dict[str, Any] = {}
        self._touched: set[str] = set()
        self._ready: set[str] = set()
        self._handler = Handler()
        self._observer = Observer()
        self._observer.start()

    def follow(self, paths: Iterable[str]) -> None:
        """Watch only these files from now on. Files in folders that cannot be watched are left out."""
        wanted = frozenset(paths)
        if wanted == self._wanted:
            return
        self._wanted = wanted
        folders = {os.path.dirname(path) for path in wanted}
        for gone in self._folders.keys() - folders:
            self._observer.unschedule(self._folders.pop(gone))
        for folder in filter(os.path.isdir, folders - self._folders.keys()):
            try:
                self._folders[folder] = self._observer.schedule(
                    self._handler, folder, event_filter=change_events()
                )
            except OSError:
                continue

    def changed(self) -> set[str]:
        """The files that changed and are at rest now, each once."""
        with self._lock:
            ready, self._ready = self._ready, set()
        return ready

    def close(self) -> None:
        """End the threads."""
        self._quiet.cancel()
        self._observer.stop()
        self._observer.join()

    def _hear(self, event: Any) -> None:
        """Handle one event; a moved file counts at its target."""
        if event.is_directory:
            return
        for path in filter(None, (event.src_path, event.dest_path)):
            self._touch(os.path.abspath(os.fsdecode(path)))

    def _touch(self, path: str) -> None:
        if path not in self._wanted:
            return
        with self._lock:
            self._touched.add(path)
        self._quiet.begin()

    def _rest(self) -> None:
        with self._lock:
            self._ready |= self._touched
            self._touched = set()
        self._wake()
