"""The thread that watches files."""

from __future__ import annotations

import logging

from viewer.app.watch import Watcher


def test_a_thread_of_the_watcher_that_ends_prints_no_error() -> None:
    Watcher(lambda: None).close()
    assert not logging.getLogger("watchdog.observers.inotify").isEnabledFor(logging.ERROR)
