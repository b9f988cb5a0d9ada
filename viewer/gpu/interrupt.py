"""Delays Ctrl+C while a library runs that cannot handle an exception."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay Ctrl+C to the end of the block.

    moderngl calls Python back while it builds a program, and crashes if the callback raises.
    """
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
