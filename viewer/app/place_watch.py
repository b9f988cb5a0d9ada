"""Notices that something changed below a folder, or in a package."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from typing import Any

from viewer.app.watch import QuietTimer, change_events


class PlaceWatcher:
    """Watches one place at a time. `changed` tells once that files have changed and are at rest.

    `wake` is called from another thread then. A place that the system cannot watch is not watched.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._changed = threading.Event()
        self._quiet = QuietTimer(self._rest)
        self._observer: Any = None

    def follow(self, place: str) -> None:
        """Watch another place. The folders below it are found in a thread: there may be thousands."""
        self._stop()
        threading.Thread(target=self._begin, args=(place,), name="watch", daemon=True).start()

    def changed(self) -> bool:
        """Whether something changed since the last call."""
        found = self._changed.is_set()
        self._changed.clear()
        return found

    def close(self) -> None:
        """Stop watching, without waiting for the threads."""
        self._quiet.cancel()
        self._stop()

    def _begin(self, place: str) -> None:
        logging.getLogger("watchdog").setLevel(logging.CRITICAL)
        from watchdog.events import FileSystemEventHandler
        from watchdog.observers import Observer

        watcher, lone = self, not os.path.isdir(place)

        class Handler(FileSystemEventHandler):
            """Receives the events of watchdog."""

            def on_any_event(self, event: Any) -> None:
                """Handle one event."""
                if not lone or watcher._is(event, place):
                    watcher._quiet.begin()

        observer = Observer()
        try:
            top = os.path.dirname(place) if lone else place
            observer.schedule(Handler(), top, recursive=not lone, event_filter=change_events())
            observer.start()
        except OSError:
            return
        self._observer = observer

    def _is(self, event: Any, place: str) -> bool:
        return place in map(os.fsdecode, filter(None, (event.src_path, event.dest_path)))

    def _rest(self) -> None:
        self._changed.set()
        self._wake()

    def _stop(self) -> None:
        if self._observer is not None:
            self._observer.stop()
            self._observer = None
