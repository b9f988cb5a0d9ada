"""Which panels show, and how a named layout divides the window among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from msgspec import Struct

from viewer.session.layouts import (
    BAR,
    DIFFERENCES,
    FILES,
    LEFT,
    LEFT_BELOW,
    PANELS,
    RIGHT,
    Panel,
    WindowLayout,
)
from viewer.session.state import State

NARROW, TINY = 900.0, 480.0
"""The width in theme points below which a window has panels on one side only, and that for no panels."""
FLAT = 260.0
"""The height in theme points below which a window has no panels."""
LEAST_VIEW = 0.3
"""The least share of the window's width or height for the picture."""


class Rect(Struct, frozen=True):
    """A part of the window in points, from its upper left corner."""

    x: float
    y: float
    width: float
    height: float


class Cut(Struct, frozen=True):
    """One step of building a layout.

    `dock` is cut off from `source` (the middle, or another dock) at the side `direction`; it takes `share` of
    it.
    """

    dock: str
    source: str
    direction: str
    share: float


MIDDLE = "middle"


def kind(size: tuple[float, float], scale: float = 1.0) -> str:
    """`wide`, `narrow` or `tiny`: each kind has its own stored arrangement."""
    if size[0] < TINY * scale or size[1] < FLAT * scale:
        return "tiny"
    return "narrow" if size[0] < NARROW * scale else "wide"


def homes(layout: WindowLayout, narrow: bool) -> dict[str, str]:
    """The dock of each panel; a narrow window has no right side."""
    placed = {panel.name: layout.moved.get(panel.name, panel.dock) for panel in PANELS}
    return {name: LEFT_BELOW if narrow and dock == RIGHT else dock for name, dock in placed.items()}


def cuts(layout: WindowLayout, size: tuple[float, float], bar: float, scale: float = 1.0) -> tuple[Cut, ...]:
    """The steps that build a layout in a window of `size` points, with a bar of height `bar`."""
    narrow = size[0] < NARROW * scale
    free = [max(size[0], 1.0), max(size[1], 1.0)]
    room = [length * (1 - LEAST_VIEW) for length in free]
    made = []
    for side in layout.sides:
        if narrow and side.dock == RIGHT:
            continue
        axis = side.direction in ("up", "down")
        wanted = _between(side.least, side.share * size[axis] / scale, side.most) * scale
        length = min(bar if side.dock == BAR else wanted, room[axis])
        made.append(Cut(side.dock, MIDDLE, side.direction, length / free[axis]))
        free[axis] -= length
        room[axis] -= length
    return (*made, Cut(LEFT_BELOW, LEFT, "down", 1 - layout.parted))


def _between(low: float, value: float, high: float) -> float:
    return round(max(low, min(high, value)))


BYTES = "chunks"
"""The Chunks panel; a file of unknown format shows it inside its page."""


def open_panels(state: State, kind: str) -> tuple[Panel, ...]:
    """The panels that show for the file in view in a window of this kind.

    There are none without a file, and none for a file of unknown format and the wall, which need the room.
    """
    if state.document is None or state.document.unread or state.interface.hidden or state.files.wall:
        return ()
    return not_closed(kind, closed_panels(state), bool(state.playback.animations))


def closed_panels(state: State) -> frozenset[str]:
    """The panels that the user closed; also Files while no files are listed, and Differences without a
    comparison.
    """
    unused = {FILES: not state.files.root, DIFFERENCES: state.documents.compared is None}
    return frozenset((*state.interface.preferences.closed, *(name for name, off in unused.items() if off)))


@lru_cache(maxsize=16)
def not_closed(kind: str, closed: frozenset[str], timed: bool) -> tuple[Panel, ...]:
    """The open panels, with or without the `timed` panels; a tiny window has only the bar."""
    wanted = (BAR_PANEL,) if kind == "tiny" else PANELS
    return tuple(panel for panel in wanted if panel.name not in closed and (timed or not panel.timed))


def fronts(shown: Iterable[Panel], homes: Mapping[str, str]) -> list[str]:
    """The front panel of each dock; a panel that the layout moved there comes first."""
    first: dict[str, str] = {}
    for panel in sorted(shown, key=lambda panel: homes[f"###{panel.name}"] == panel.dock):
        first.setdefault(homes[f"###{panel.name}"], panel.name)
    return list(first.values())


BAR_PANEL = next(panel for panel in PANELS if panel.dock == BAR)
