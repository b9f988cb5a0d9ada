"""The window's position and size: stored for the next start, and fitted to the screens that exist then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from viewer.session.preferences import Preferences

SETTLED = 0.3
"""Seconds after the last movement until the window manager reports whether the window is maximised."""

HIDDEN = -10_000
"""Coordinate below which a window is minimised, because Microsoft Windows moves minimised windows there."""
FRAME = 80
"""The largest width in pixels of the frame that a window manager adds; larger shifts have another cause."""


class Box(Struct, frozen=True):
    """A rectangle on the desktop in the system's units: a screen, or the inside of a window."""

    x: int
    y: int
    width: int
    height: int

    def shared(self, other: Box) -> int:
        """The area of the intersection of two rectangles."""
        across = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        down = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        return max(across, 0) * max(down, 0)

    def distance(self, other: Box) -> tuple[int, int]:
        """The offset (right, down) of this rectangle's upper left corner from the corner of the other
        rectangle.
        """
        return self.x - other.x, self.y - other.y


class WindowPlacement(Struct, frozen=True):
    """A window that covers `box` unless it is `maximized`."""

    box: Box
    maximized: bool = False

    @property
    def values(self) -> dict[str, int]:
        """The placement as stored in the settings."""
        box = self.box
        inside = {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
        return inside | {"maximized": int(self.maximized)}


def stored_placement(values: Mapping[str, int]) -> WindowPlacement | None:
    """Return the placement stored in the settings; None if they have none."""
    if not values:
        return None
    return WindowPlacement(
        Box(*(values[name] for name in ("x", "y", "width", "height"))), bool(values["maximized"])
    )


def on_screens(box: Box, screens: Sequence[Box]) -> Box:
    """Move the rectangle onto the screen that shows most of it, and shrink it if needed.

    A completely visible rectangle stays unchanged, on one screen or across several.
    """
    seen = [box.shared(screen) for screen in screens]
    if not screens or sum(seen) >= box.width * box.height:
        return box
    screen = screens[seen.index(max(seen))]
    width, height = min(box.width, screen.width), min(box.height, screen.height)
    x = min(max(box.x, screen.x), screen.x + screen.width - width)
    y = min(max(box.y, screen.y), screen.y + screen.height - height)
    return Box(x, y, width, height)


class PlacementKeeper:
    """Stores in the settings where the user puts a window.

    A window that is not moved changes no settings, so that of two windows the moved one stores its position.
    `asked` is the rectangle that the window was opened with; None if the system chose the position.
    """

    def __init__(self, asked: Box | None) -> None:
        self._asked = asked
        self._opened: WindowPlacement | None = None
        self._first: WindowPlacement | None = None
        self._last: WindowPlacement | None = None
        self._moved: float | None = 0.0

    def open(self, now: WindowPlacement) -> None:
        """Record the position before the first frame; the window manager may still add its frame."""
        self._opened = now

    def move(self, time: float) -> None:
        """Record the time in seconds at which the window was moved or resized."""
        self._moved = time

    def is_settled(self, time: float) -> bool:
        """Whether the window was moved and is now at rest."""
        return self._moved is not None and time - self._moved > SETTLED

    def note(self, now: WindowPlacement, preferences: Preferences) -> None:
        """Store the present placement of a window at rest."""
        self._moved = None
        if min(now.box.x, now.box.y) < HIDDEN:
            return
        if now.maximized and self._last is not None:
            now = replace(self._last, maximized=True)
        elif now.maximized and self._asked is not None:
            now = WindowPlacement(self._asked, maximized=True)
        if self._first is None:
            self._last = self._first = self._placed_by_system(now)
        if now != self._last:
            preferences.window = replace(now, box=self._corrected(now.box)).values
        self._last = now

    def _placed_by_system(self, now: WindowPlacement) -> WindowPlacement:
        """The placement before the user moved the window.

        A small movement since the window opened comes from its frame, and the placement is `now`. After a
        movement of more than FRAME, it is the placement at which the window opened.
        """
        opened = self._opened
        if opened is None or opened.maximized or now.maximized:
            return now
        return opened if max(map(abs, now.box.distance(opened.box))) > FRAME else now

    def _corrected(self, box: Box) -> Box:
        """The rectangle to request so that the window's inside arrives at `box`.

        Some window managers put the frame, not the inside, at the requested position.
        """
        if self._asked is None or self._first is None or self._first.maximized:
            return box
        right, down = self._first.box.distance(self._asked)
        return replace(box, x=box.x - right, y=box.y - down) if max(abs(right), abs(down)) <= FRAME else box


def as_box(thing: Any) -> Box:
    """The rectangle of a pyglet screen."""
    return Box(thing.x, thing.y, thing.width, thing.height)
