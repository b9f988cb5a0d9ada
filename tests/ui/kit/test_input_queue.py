"""What a frame takes of the events that wait."""

from __future__ import annotations

import pytest

from viewer.ui.kit.input import BUTTON, FOCUS, KEY, POINTER, TEXT, WHEEL, InputBatch, InputEvent

A, B = InputEvent(KEY, "A", True), InputEvent(KEY, "B", True)
A_UP = InputEvent(KEY, "A")
SHIFT = InputEvent(KEY, "LSHIFT", True)
FIND = InputEvent(KEY, "F", True, frozenset({"Ctrl"}))
CTRL_UP, FIND_UP = InputEvent(KEY, "LCTRL", modifiers=frozenset({"Ctrl"})), InputEvent(KEY, "F")
BACKSPACE = InputEvent(KEY, "BACKSPACE", True)
LETTER = InputEvent(TEXT, "a")
MOVE, NOTCH = InputEvent(POINTER, x=1, y=2), InputEvent(WHEEL, y=1)
PRESS, RELEASE = InputEvent(BUTTON, "left", True), InputEvent(BUTTON, "left")
OTHER = InputEvent(BUTTON, "right", True)
LOST = InputEvent(FOCUS)


@pytest.mark.parametrize(
    ("events", "taken"),
    [
        ([A, LETTER, A_UP], 2),
        ([A, LETTER, B], 2),
        ([SHIFT, A, LETTER, B], 3),
        ([A_UP, B], 2),
        ([LETTER, LETTER, A], 2),
        ([BACKSPACE, LETTER], 1),
        ([FIND, LETTER], 1),
        ([FIND, CTRL_UP, FIND_UP], 2),
        ([FIND, PRESS], 1),
        ([MOVE, MOVE, PRESS], 2),
        ([PRESS, RELEASE], 1),
        ([PRESS, OTHER, MOVE], 2),
        ([A, PRESS], 2),
        ([PRESS, A], 1),
        ([A, MOVE], 1),
        ([MOVE, NOTCH], 1),
        ([NOTCH, NOTCH, PRESS], 2),
        ([A, LOST], 1),
        ([LOST, A], 1),
    ],
)
def test_a_frame_takes_what_it_can_tell_apart(events: list[InputEvent], taken: int) -> None:
    batch, count = InputBatch(), 0
    for event in events:
        if not batch.fits(event):
            break
        batch.add(event)
        count += 1
    assert count == taken


def test_every_event_fits_an_empty_frame() -> None:
    assert all(InputBatch().fits(event) for event in (A, A_UP, LETTER, MOVE, PRESS, NOTCH, LOST))


def test_the_press_of_a_frame_is_told() -> None:
    batch = InputBatch()
    batch.add(SHIFT)
    assert batch.press is None
    batch.add(A)
    assert batch.press is A
