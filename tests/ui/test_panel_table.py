"""The table of what draws the panels, beside the table of the panels."""

from __future__ import annotations

from viewer.session.layouts import PANELS
from viewer.ui.kit.lazy import LazyParts
from viewer.ui.panel_table import COUNTED, PANEL_DRAWS


def test_every_panel_has_what_draws_it() -> None:
    assert list(PANEL_DRAWS) == [panel.name for panel in PANELS]


def test_those_with_a_badge_are_counted() -> None:
    parts = LazyParts()
    assert {name for name, draw in PANEL_DRAWS.items() if hasattr(parts(draw), "badge")} == COUNTED
