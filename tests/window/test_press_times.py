"""The times of mouse presses."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

from viewer.window.events import PRESS, TURN, PressTimes


def press(window: Any, milliseconds: int, button: int = 1) -> None:
    """An event of X."""
    window._view_event_handlers[PRESS](
        SimpleNamespace(xbutton=SimpleNamespace(button=button, time=milliseconds))
    )


def window(handed: list[Any]) -> Any:
    return SimpleNamespace(_view_event_handlers={PRESS: handed.append})


def test_the_times_are_those_of_the_events_in_their_order() -> None:
    handed: list[Any] = []
    made = window(handed)
    times = PressTimes(made)
    press(made, 1000)
    press(made, 1250)
    assert [times.next(), times.next()] == [1.0, 1.25] and len(handed) == 2


def test_the_wheel_has_no_time_of_a_press() -> None:
    made = window([])
    times = PressTimes(made)
    press(made, 1000, button=4)
    press(made, 2000)
    assert times.next() == 2.0


def test_the_count_of_milliseconds_begins_anew_without_a_gap() -> None:
    made = window([])
    times = PressTimes(made)
    press(made, TURN - 100)
    press(made, 100)
    assert -times.next() + times.next() == pytest.approx(0.2)


def test_without_times_of_the_system_the_clock_is_asked() -> None:
    assert PressTimes(SimpleNamespace()).next() <= time.monotonic()
