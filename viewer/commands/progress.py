"""How far a long command is, on stderr."""

from __future__ import annotations

import sys
import time
from typing import TextIO

LIVELY, CALM = 0.1, 2.0
"""Seconds between two reports: on a terminal, where one takes the place of the other, and in a log."""


class Progress:
    """Counts the steps to `total`, of what `noun` says. On a terminal one line changes, elsewhere there is
    one for each 10 %; what is done in a moment says nothing."""

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
        """One more is done."""
        self.reach(self._done + 1)

    def reach(self, done: int) -> None:
        """So many are done by now."""
        self._done = done
        now = time.monotonic()
        if now - self._said < (LIVELY if self._live else CALM):
            return
        tenth = self._done * 10 // self._total
        if self._live or tenth > self._tenth:
            self._said, self._tenth = now, tenth
            self._say(f"{self._noun} {self._done} of {self._total}, {self._done * 100 // self._total} %")

    def say(self, text: str) -> None:
        """What goes on after the last step; for a terminal only."""
        if self._live:
            self._say(text)

    def clear(self) -> None:
        """Take the line from the terminal."""
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
