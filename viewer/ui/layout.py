"""Which panels are open, and how a layout divides the window among them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from viewer.session.layouts import (
    BAR,
    BOTTOM,
    DIFFERENCES,
    FILES,
    LEFT,
    LEFT_BELOW,
    LOOKS,
    MANUAL,
    PANELS,
    RIGHT,
    TEXTURE,
    Panel,
    WindowLayout,
)
from viewer.session.state import State

NARROW, TINY = 900.0, 480.0
"""Widths in theme points. Below NARROW, a window has no panels on the right; below TINY, it has only the
bar.
"""
NARROW_LEFT = 1.7
"""The left side of a narrow window is wider by this factor, because it also has the panels of the right side.
"""
NARROW_BOTTOM = 1.6
"""The bottom of a narrow window is higher by this factor if it has a panel that the layout moves to the right
in a wide window.
"""
FLAT = 260.0
"""Height in theme points below which a window has only the bar."""
LEAST_VIEW = 0.3
"""The smallest share of the window's width and height that is left for the picture."""


class Rect(Struct, frozen=True):
    """A part of the window in points, from its upper left corner."""

    x: float
    y: float
    width: float
    height: float


class Cut(Struct, frozen=True):
    """A step of building a layout.

    It cuts `dock` off from `source` (the middle or another dock) on the side `direction`, with a `share` of
    the size of `source`.
    """

    dock: str
    source: str
    direction: str
    share: float


MIDDLE = "middle"


def kind(size: tuple[float, float], scale: float = 1.0) -> str:
    """The kind of a window of `size` points: `wide`, `narrow` or `tiny`.

    Each kind has its own arrangement of panels.
    """
    if size[0] < TINY * scale or size[1] < FLAT * scale:
        return "tiny"
    return "narrow" if size[0] < NARROW * scale else "wide"


def homes(layout: WindowLayout, narrow: bool) -> dict[str, str]:
    """The dock of each panel by name, first of the panels that the layout moves.

    A narrow window has no dock on the right: a panel that the layout moves there stays at its own side.
    """
    found = {}
    for panel in sorted(PANELS, key=lambda panel: panel.name not in layout.moved):
        dock = layout.moved.get(panel.name, panel.dock)
        if narrow and dock == RIGHT:
            dock = LEFT_BELOW if panel.dock == RIGHT else panel.dock
        found[panel.name] = dock
    return found


def cuts(layout: WindowLayout, size: tuple[float, float], bar: float, scale: float = 1.0) -> tuple[Cut, ...]:
    """Return the steps that build a layout in a window of `size` points, with a bar `bar` points high."""
    narrow = size[0] < NARROW * scale
    grown = {LEFT: NARROW_LEFT, BOTTOM: NARROW_BOTTOM if RIGHT in layout.moved.values() else 1.0}
    free = [max(size[0], 1.0), max(size[1], 1.0)]
    room = [length * (1 - LEAST_VIEW) for length in free]
    made = []
    for side in layout.sides:
        if narrow and side.dock == RIGHT:
            continue
        axis = side.direction in ("up", "down")
        share = side.share * (grown.get(side.dock, 1.0) if narrow else 1.0)
        wanted = _between(side.least, share * size[axis] / scale, side.most) * scale
        length = min(bar if side.dock == BAR else wanted, room[axis])
        made.append(Cut(side.dock, MIDDLE, side.direction, length / free[axis]))
        free[axis] -= length
        room[axis] -= length
    return (*made, Cut(LEFT_BELOW, LEFT, "down", 1 - layout.parted))


def _between(low: float, value: float, high: float) -> float:
    return round(max(low, min(high, value)))


BYTES = "chunks"
"""The Chunks panel. The page of a file that could not be read contains this panel."""


def open_panels(state: State, kind: str) -> tuple[Panel, ...]:
    """Return the open panels for the file in view in a window of this kind.

    If no file is in view, if the file could not be read, or if the wall is open, only the manual may be open.
    """
    if state.interface.hidden:
        return ()
    shown = not_closed(kind, closed_panels(state), bool(state.playback.animations))
    alone = state.document is None or state.document.unread or state.files.wall
    return tuple(panel for panel in shown if panel.name == MANUAL) if alone else shown


def closed_panels(state: State) -> frozenset[str]:
    """Return the closed panels: the panels that the user closed, and the panels without content.

    A panel has no content in these cases: Look if the model is no character, Files if no folder is listed,
    Differences if nothing is compared, the manual before it is opened, and Texture if a picture file is in
    view, because the page of this file shows the picture.
    """
    unused = {
        FILES: not state.files.root,
        DIFFERENCES: state.documents.compared is None,
        MANUAL: not state.interface.manual,
        TEXTURE: state.shows_picture,
        LOOKS: state.document is None or state.document.character is None,
    }
    return frozenset((*state.interface.preferences.closed, *(name for name, off in unused.items() if off)))


@lru_cache(maxsize=16)
def not_closed(kind: str, closed: frozenset[str], timed: bool) -> tuple[Panel, ...]:
    """Return the panels that are not in `closed`. In a tiny window, only the bar can be open.

    The panels for animations are included if `timed` is set.
    """
    wanted = (BAR_PANEL,) if kind == "tiny" else PANELS
    return tuple(panel for panel in wanted if panel.name not in closed and (timed or not panel.timed))


def fronts(shown: Iterable[Panel], homes: dict[str, str]) -> list[str]:
    """Return the panel in front of each dock: of its shown panels, the first in `homes`."""
    names = {panel.name for panel in shown}
    return list({homes[name]: name for name in reversed(homes) if name in names}.values())


BAR_PANEL = next(panel for panel in PANELS if panel.dock == BAR)
