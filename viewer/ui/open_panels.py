"""Which panels show: the panels that are not closed and have something to show for the file in view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from viewer.session.layouts import BAR, DIFFERENCES, FILES, PANELS, Panel
from viewer.session.state import State

BYTES = "chunks"
"""The panel of bytes; the page of a file of bytes alone takes it in."""


def open_panels(state: State, kind: str) -> tuple[Panel, ...]:
    """The panels that show for the file in view in a window of this kind; none without a file, and none for a
    file of bytes alone and on the wall, which need the room.
    """
    if state.document is None or state.document.unread or state.interface.hidden or state.files.wall:
        return ()
    return not_closed(kind, closed_panels(state), bool(state.animations))


def closed_panels(state: State) -> frozenset[str]:
    """The panels that the user closed, that of the files while none are listed, and that of the differences
    without a comparison.
    """
    unused = {FILES: not state.files.place, DIFFERENCES: state.compared is None}
    return frozenset((*state.interface.preferences.closed, *(name for name, off in unused.items() if off)))


@lru_cache(maxsize=16)
def not_closed(kind: str, closed: frozenset[str], timed: bool) -> tuple[Panel, ...]:
    """The open panels, the `timed` panels among them or not; a tiny window has room only for the bar."""
    wanted = (BAR_PANEL,) if kind == "tiny" else PANELS
    return tuple(panel for panel in wanted if panel.name not in closed and (timed or not panel.timed))


def fronts(shown: Iterable[Panel], homes: Mapping[str, str]) -> list[str]:
    """The front panel of each dock; panels that the layout moved there win over others."""
    first: dict[str, str] = {}
    for panel in sorted(shown, key=lambda panel: homes[f"###{panel.name}"] == panel.dock):
        first.setdefault(homes[f"###{panel.name}"], panel.name)
    return list(first.values())


BAR_PANEL = next(panel for panel in PANELS if panel.dock == BAR)
