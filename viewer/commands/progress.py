"""The progress of a long command, on stderr."""

from __future__ import annotations

import sys
import time
from typing import TextIO

LIVELY, CALM = 0.1, 2.0
"""Seconds between two reports: on a terminal, where a report replaces the last one, and in a log."""


class Progress:
    """Counts up to `total` steps of the unit `noun`.

    On a terminal one line is rewritten, elsewhere a line is printed every 10 %. A command that ends at once
    prints nothing.
    """

    def __init__(self, total: int, stream: TextIO | None = None, noun: str = "frame") -> None:
        self._total = total
        self._noun = noun
        self._done = 0
        self._stream = stream or sys.stderr
        self._live = self._stream.isatty()
        self._said = time.monotonic()
        self._tenth = 0
        self._width = 0

    def step(self) -> None:
        """Count one step."""
        self.reach(self._done + 1)

    def reach(self, done: int) -> None:
        """Set the number of finished steps."""
        self._done = done
        now = time.monotonic()
        if now - self._said < (LIVELY if self._live else CALM):
            return
        tenth = self._done * 10 // self._total
        if self._live or tenth > self._tenth:
            self._said, self._tenth = now, tenth
            self._say(f"{self._noun} {self._done} of {self._total}, {self._done * 100 // self._total} %")

    def say(self, text: str) -> None:
        """Print the work after the last step; on a terminal only."""
        if self._live:
            self._say(text)

    def clear(self) -> None:
        """Remove the line from the terminal."""
        if self._width:
            self._stream.write(f"\r{'':{self._width}}\r")
            self._stream.flush()
            self._width = 0

    def _say(self, text: str) -> None:
        if self._live:
            self._stream.write(f"\r{text:{self._width}}")
            self._width = len(text)
        else:
            self._stream.write(f"rigscope: {text}\n")
        self._stream.flush()
