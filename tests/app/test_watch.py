"""The thread that watches files."""

from __future__ import annotations

import logging

from viewer.app.tasks import Tasks
from viewer.app.watch import FileWatcher


def test_a_thread_of_the_watcher_that_ends_prints_no_error() -> None:
    FileWatcher(Tasks()).close()
    assert not logging.getLogger("watchdog.observers.inotify").isEnabledFor(logging.ERROR)
