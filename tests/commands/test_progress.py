"""What is said while a long command runs."""

from __future__ import annotations

import io

import pytest

from viewer.commands import output
from viewer.commands.output import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


CALM = output.CALM
"""Seconds between two lines of a log. The other tests of commands have no lines of progress."""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds, to be set."""
    now = [0.0]
    monkeypatch.setattr(output, "CALM", CALM)
    monkeypatch.setattr(output.time, "monotonic", lambda: now[0])
    return now


def walked(stream: io.StringIO, clock: list[float], each: float) -> Progress:
    """A command of forty steps that take `each` seconds."""
    made = Progress(40, stream)
    for _ in range(40):
        clock[0] += each
        made.step()
    return made


def test_a_log_gets_a_line_for_each_tenth(clock: list[float]) -> None:
    stream = io.StringIO()
    walked(stream, clock, 5.0)
    lines = stream.getvalue().splitlines()
    assert len(lines) == 10 and lines[0] == "rigscope: frame 4 of 40, 10 %"


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()])
def test_what_is_done_in_a_moment_says_nothing(stream: io.StringIO, clock: list[float]) -> None:
    walked(stream, clock, 0.001).clear()
    assert stream.getvalue() == ""


def test_a_terminal_has_one_line_that_goes_away(clock: list[float]) -> None:
    stream = Terminal()
    made = walked(stream, clock, 1.0)
    made.say("encoding …")
    made.clear()
    text = stream.getvalue()
    assert "\n" not in text and "frame 40 of 40, 100 %" in text and "encoding …" in text
    last = text.split("\r")
    assert last[-1] == "" and last[-2].isspace() and len(last[-2]) >= len("encoding …")
