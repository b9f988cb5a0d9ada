"""Where windows come to lie."""

from __future__ import annotations

import pytest

from viewer.session.preferences import Preferences
from viewer.window.placement import (
    SETTLED,
    PlacementKeeper,
    Rectangle,
    WindowPlacement,
    on_screens,
    stored_placement,
)

LEFT, RIGHT = Rectangle(0, 0, 1920, 1080), Rectangle(1920, 0, 1280, 1024)
BOX = Rectangle(100, 50, 800, 600)


def test_rectangles_that_only_touch_share_no_area() -> None:
    assert LEFT.shared(RIGHT) == RIGHT.shared(LEFT) == 0
    assert LEFT.shared(Rectangle(0, 1080, 1920, 1080)) == 0
    assert LEFT.shared(Rectangle(1900, 1000, 800, 600)) == 20 * 80


@pytest.mark.parametrize(
    ("box", "screens", "found"),
    [
        (BOX, [LEFT, RIGHT], BOX),
        (Rectangle(1800, 100, 800, 600), [LEFT, RIGHT], Rectangle(1800, 100, 800, 600)),
        (Rectangle(2000, 100, 800, 600), [LEFT], Rectangle(1120, 100, 800, 600)),
        (Rectangle(-300, -20, 800, 600), [LEFT], Rectangle(0, 0, 800, 600)),
        (Rectangle(0, 0, 2500, 1400), [LEFT], LEFT),
        (Rectangle(2500, 500, 1000, 800), [LEFT, RIGHT], Rectangle(2200, 224, 1000, 800)),
        (BOX, [], BOX),
    ],
)
def test_a_window_is_brought_onto_the_screens(
    box: Rectangle, screens: list[Rectangle], found: Rectangle
) -> None:
    assert on_screens(box, screens) == found


def test_a_placement_is_stored_and_read() -> None:
    for placement in (WindowPlacement(BOX), WindowPlacement(BOX, maximized=True)):
        assert stored_placement(placement.values) == placement
    assert stored_placement({}) is None


@pytest.fixture
def preferences() -> Preferences:
    return Preferences()


def test_a_window_that_nobody_moves_changes_nothing(preferences: Preferences) -> None:
    keeper = PlacementKeeper(BOX)
    for _ in range(3):
        keeper.note(WindowPlacement(BOX), preferences)
    assert preferences.window == {}


def test_a_moved_window_is_noted(preferences: Preferences) -> None:
    keeper = PlacementKeeper(BOX)
    keeper.note(WindowPlacement(BOX), preferences)
    keeper.note(WindowPlacement(LEFT), preferences)
    assert stored_placement(preferences.window) == WindowPlacement(LEFT)


def test_a_window_that_is_moved_before_it_rests_is_noted(preferences: Preferences) -> None:
    keeper = PlacementKeeper(BOX)
    keeper.open(WindowPlacement(BOX))
    keeper.note(WindowPlacement(Rectangle(300, 40, 800, 600)), preferences)
    assert stored_placement(preferences.window) == WindowPlacement(Rectangle(300, 40, 800, 600))


def test_a_frame_that_comes_after_the_window_opened_is_no_move(preferences: Preferences) -> None:
    keeper = PlacementKeeper(BOX)
    keeper.open(WindowPlacement(BOX))
    keeper.note(WindowPlacement(Rectangle(104, 74, 800, 600)), preferences)
    assert preferences.window == {}
    keeper.note(WindowPlacement(Rectangle(204, 74, 800, 600)), preferences)
    assert stored_placement(preferences.window) == WindowPlacement(Rectangle(200, 50, 800, 600))


def test_a_window_that_becomes_maximised_as_it_opens_changes_nothing(preferences: Preferences) -> None:
    keeper = PlacementKeeper(BOX)
    keeper.open(WindowPlacement(BOX))
    keeper.note(WindowPlacement(RIGHT, maximized=True), preferences)
    assert preferences.window == {}


def test_a_frame_that_the_window_manager_adds_does_not_move_the_next_window(preferences: Preferences) -> None:
    keeper = PlacementKeeper(BOX)
    keeper.note(WindowPlacement(Rectangle(104, 74, 800, 600)), preferences)
    keeper.note(WindowPlacement(Rectangle(104, 74, 900, 600)), preferences)
    assert stored_placement(preferences.window) == WindowPlacement(Rectangle(100, 50, 900, 600))


def test_a_window_that_was_placed_elsewhere_is_noted_as_it_lies(preferences: Preferences) -> None:
    keeper = PlacementKeeper(BOX)
    keeper.note(WindowPlacement(Rectangle(900, 50, 800, 600)), preferences)
    keeper.note(WindowPlacement(Rectangle(900, 50, 800, 500)), preferences)
    assert stored_placement(preferences.window) == WindowPlacement(Rectangle(900, 50, 800, 500))


def test_a_maximised_window_keeps_its_size_before(preferences: Preferences) -> None:
    keeper = PlacementKeeper(None)
    keeper.note(WindowPlacement(BOX), preferences)
    keeper.note(WindowPlacement(LEFT, maximized=True), preferences)
    assert stored_placement(preferences.window) == WindowPlacement(BOX, maximized=True)


def test_a_window_that_opened_maximised_keeps_the_size_it_asked_for(preferences: Preferences) -> None:
    keeper = PlacementKeeper(BOX)
    keeper.note(WindowPlacement(LEFT, maximized=True), preferences)
    assert preferences.window == {}
    keeper.note(WindowPlacement(BOX), preferences)
    assert stored_placement(preferences.window) == WindowPlacement(BOX)


def test_a_minimised_window_keeps_its_place(preferences: Preferences) -> None:
    keeper = PlacementKeeper(None)
    keeper.note(WindowPlacement(BOX), preferences)
    keeper.note(WindowPlacement(Rectangle(-32000, -32000, 160, 28)), preferences)
    assert preferences.window == {}


def test_it_waits_until_the_window_rests(preferences: Preferences) -> None:
    keeper = PlacementKeeper(None)
    keeper.move(10.0)
    assert not keeper.is_settled(10.0 + SETTLED / 2)
    assert keeper.is_settled(10.1 + SETTLED)
    keeper.note(WindowPlacement(BOX), preferences)
    assert not keeper.is_settled(99.0)
