"""The window's position and size.

Both are stored. At the next start they are fitted to the screens that exist then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from viewer.session.preferences import Preferences

SETTLED = 0.3
"""Seconds between the last movement and the moment at which the window manager reports whether the window is
maximised.
"""

HIDDEN = -10_000
"""A window with a smaller coordinate is minimised, because Microsoft Windows moves minimised windows
there.
"""
FRAME = 80
"""The largest width in pixels of the border that a window manager adds. A larger shift has another cause."""


class Rectangle(Struct, frozen=True):
    """A rectangle on the desktop in the system's units: a screen, or the inside of a window."""

    x: int
    y: int
    width: int
    height: int

    def shared(self, other: Rectangle) -> int:
        """The area of the intersection of two rectangles."""
        across = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        down = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        return max(across, 0) * max(down, 0)

    def distance(self, other: Rectangle) -> tuple[int, int]:
        """The offset (right, down) of this rectangle's upper left corner from the corner of the other
        rectangle.
        """
        return self.x - other.x, self.y - other.y


class WindowPlacement(Struct, frozen=True):
    """The placement of a window: its rectangle `box` when it is not `maximized`."""

    box: Rectangle
    maximized: bool = False

    @property
    def values(self) -> dict[str, int]:
        """The placement as stored in the settings."""
        box = self.box
        inside = {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
        return inside | {"maximized": int(self.maximized)}


def stored_placement(values: Mapping[str, int]) -> WindowPlacement | None:
    """Read the placement from the numbers of the settings."""
    if not values:
        return None
    return WindowPlacement(
        Rectangle(*(values[name] for name in ("x", "y", "width", "height"))), bool(values["maximized"])
    )


def on_screens(box: Rectangle, screens: Sequence[Rectangle]) -> Rectangle:
    """Move the rectangle onto the screen that shows most of it, and shrink it if needed.

    A rectangle that is completely visible stays unchanged, even if it extends over several screens.
    """
    seen = [box.shared(screen) for screen in screens]
    if not screens or sum(seen) >= box.width * box.height:
        return box
    screen = screens[seen.index(max(seen))]
    width, height = min(box.width, screen.width), min(box.height, screen.height)
    x = min(max(box.x, screen.x), screen.x + screen.width - width)
    y = min(max(box.y, screen.y), screen.y + screen.height - height)
    return Rectangle(x, y, width, height)


class PlacementKeeper:
    """Stores in the settings where the user puts a window.

    A window that is not moved stores nothing. Therefore, of two open windows, only the moved window stores
    its position. `asked` is the rectangle that was requested for the window; None if the system chose the
    position.
    """

    def __init__(self, request: Rectangle | None) -> None:
        self._asked = request
        self._opened: WindowPlacement | None = None
        self._first: WindowPlacement | None = None
        self._last: WindowPlacement | None = None
        self._moved: float | None = 0.0

    def open(self, now: WindowPlacement) -> None:
        """Remember where the window opened, to tell the user's first move from the shift that the border
        makes.
        """
        self._opened = now

    def move(self, time: float) -> None:
        """Record the time in seconds at which the window was moved or resized."""
        self._moved = time

    def is_settled(self, time: float) -> bool:
        """Whether the window was moved and is now at rest."""
        return self._moved is not None and time - self._moved > SETTLED

    def note(self, now: WindowPlacement, preferences: Preferences) -> None:
        """Store the present placement of a window that has come to rest."""
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
        """Return the placement before the user moved the window.

        If the window has moved by at most FRAME since it opened, the window manager has added its border, and
        the placement is `now`. After a larger movement, the result is the placement at which the window
        opened.
        """
        opened = self._opened
        if opened is None or opened.maximized or now.maximized:
            return now
        return opened if max(map(abs, now.box.distance(opened.box))) > FRAME else now

    def _corrected(self, box: Rectangle) -> Rectangle:
        """Return the rectangle to request for a window whose inside must be at `box`.

        Some window managers put the border, not the inside, at the requested position.
        """
        if self._asked is None or self._first is None or self._first.maximized:
            return box
        right, down = self._first.box.distance(self._asked)
        return replace(box, x=box.x - right, y=box.y - down) if max(abs(right), abs(down)) <= FRAME else box


def as_box(thing: Any) -> Rectangle:
    """The rectangle of a pyglet screen."""
    return Rectangle(thing.x, thing.y, thing.width, thing.height)
