"""Panels as windows in their docks: title, badge and close button; only icons if the tabs are crowded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

from imgui_bundle import imgui

from viewer.session.layouts import BAR, Panel
from viewer.ui.kit.docking import bar_class, dock_of
from viewer.ui.kit.widgets import hint

PANEL = int(imgui.WindowFlags_.no_focus_on_appearing | imgui.WindowFlags_.no_collapse)
STILL = PANEL | int(imgui.WindowFlags_.no_scrollbar | imgui.WindowFlags_.no_scroll_with_mouse)
"""The window flags of panels, and of the bar."""
NONE: frozenset[str] = frozenset()


def crowded_panels(panels: Iterable[Panel]) -> frozenset[str]:
    """The names of the panels whose dock has no room for the titles of all its tabs."""
    docks: dict[tuple[int, float], list[Panel]] = defaultdict(list)
    for panel in panels:
        dock = dock_of(f"###{panel.name}")
        if dock is not None:
            docks[dock].append(panel)
    full = [inside for (_, room), inside in docks.items() if sum(map(_width, inside)) > room]
    return frozenset(panel.name for inside in full for panel in inside if len(inside) > 1)


def _width(panel: Panel) -> float:
    """The width of a whole tab in points: title, close button and padding."""
    style = imgui.get_style()
    air = 2 * style.frame_padding.x + 2 * style.item_inner_spacing.x + imgui.get_font_size()
    return imgui.calc_text_size(f"{panel.icon}  {panel.title}").x + air


def panel_window(
    panel: Panel, draw: Callable[[], None], badge: str = "", short: frozenset[str] = NONE
) -> bool:
    """Begin the window of a panel, with a badge behind its title; False when its close button is clicked."""
    bar = panel.dock == BAR
    if bar:
        imgui.set_next_window_class(bar_class())
    name = panel.icon if panel.name in short else f"{panel.icon}  {panel.title}"
    title = f"{name} {badge}".rstrip() + f"###{panel.name}"
    shown, is_open = imgui.begin(title, None if bar else True, STILL if bar else PANEL)
    if panel.name in short:
        hint(panel.title)
    if shown:
        draw()
    imgui.end()
    return is_open is not False
