"""Actions on the window: panels, layouts, theme, key presets, interface scale."""

from __future__ import annotations

from viewer.actions.action import (
    Action,
    Operation,
    always,
    equals,
    has_animations,
    holds,
    sets,
    toggles,
)
from viewer.scene.choices import THEMES
from viewer.session.layouts import LAYOUTS, MANUAL, PANELS, Panel, WindowLayout
from viewer.session.preferences import PRESET_NAMES
from viewer.session.requests import Post
from viewer.session.state import State


def _panel(panel: Panel) -> Action:
    def run(state: State, post: Post) -> None:
        """Open the panel or bring its covered tab to the front; close it if it is in front."""
        if state.interface.shows(panel.name) and panel.name not in state.interface.covered:
            state.interface.toggle(panel.name)
        else:
            state.interface.bring(panel.name)

    def shown(state: State) -> bool:
        """Whether the panel shows."""
        return state.interface.shows(panel.name)

    enabled = has_animations if panel.timed else always
    return Action(f"panel_{panel.name}", panel.title, (), ("View", "Panels"), run, enabled, shown)


def _layout(layout: WindowLayout) -> Action:
    def run(state: State, post: Post) -> None:
        """Switch to the layout."""
        state.interface.arrange(layout.name)

    return Action(f"layout_{layout.name}", layout.title, (), ("View", "Layout"), run)


def _preference(name: str, value: str, title: str, menu: str) -> Action:
    """Make the action that sets a preference to this value."""
    path = f"interface.preferences.{name}"
    return Action(
        f"{name}_{value}", title, (), ("View", menu), sets(path, value), checked=equals(path, value)
    )


def _zoom(by: int) -> Operation:
    def run(state: State, post: Post) -> None:
        """Change the scale of the interface."""
        state.interface.zoom(by)

    return run


def _reset_layout(state: State, post: Post) -> None:
    state.interface.arrange(state.interface.preferences.layout)


WINDOW = (
    Action(
        "hide_panels",
        "Hide panels",
        ("Tab", "N"),
        ("View",),
        toggles("interface.hidden"),
        checked=holds("interface.hidden"),
        words="fullscreen clean interface sidebars",
    ),
    Action(
        "fullscreen",
        "Full screen",
        ("F11",),
        ("View",),
        toggles("interface.fullscreen"),
        checked=holds("interface.fullscreen"),
        words="maximize",
    ),
    *(_panel(panel) for panel in PANELS if panel.name != MANUAL),
    *map(_layout, LAYOUTS),
    Action(
        "reset_layout", "Reset layout", (), ("View", "Layout"), _reset_layout, words="panels windows restore"
    ),
    *(_preference("theme", name, name.capitalize(), "Theme") for name in THEMES),
    *(_preference("preset", name, title, "Keys and mouse") for name, title in PRESET_NAMES.items()),
    Action(
        "larger",
        "Larger",
        ("Ctrl+=", "Ctrl++", "Ctrl+Num+"),
        ("View", "Interface scale"),
        _zoom(1),
        words="zoom dpi font size bigger",
    ),
    Action(
        "smaller",
        "Smaller",
        ("Ctrl+-", "Ctrl+Num-"),
        ("View", "Interface scale"),
        _zoom(-1),
        words="zoom dpi font size",
    ),
    Action("normal_size", "Normal", ("Ctrl+0",), ("View", "Interface scale"), _zoom(0)),
    Action(
        "statistics",
        "Statistics",
        (),
        ("View",),
        toggles("interface.statistics"),
        checked=holds("interface.statistics"),
        words="fps frame rate memory",
    ),
)
