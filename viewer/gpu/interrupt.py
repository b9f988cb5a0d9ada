"""Ctrl+C while a library is at work that does not survive it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl+C waits for the end of the block: moderngl calls Python back while it makes a program, and crashes
    where that raises."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[object] = []
    before = signal.signal(signal.SIGINT, lambda *caught: heard.append(caught))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)
        if heard:
            signal.raise_signal(signal.SIGINT)
