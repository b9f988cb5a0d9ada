"""Actions on the window: panels, layouts, theme, key presets, interface scale."""

from __future__ import annotations

from viewer.actions.action import (
    Action,
    Operation,
    always,
    has_animations,
    interface_shows,
    toggles_interface,
)
from viewer.scene.choices import THEMES, Theme
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


def _theme(name: Theme) -> Action:
    def run(state: State, post: Post) -> None:
        """Switch to the theme."""
        state.interface.preferences.theme = name

    def chosen(state: State) -> bool:
        """Whether the theme is in use."""
        return state.interface.preferences.theme == name

    return Action(f"theme_{name}", name.capitalize(), (), ("View", "Theme"), run, checked=chosen)


def _preset(name: str, title: str) -> Action:
    def run(state: State, post: Post) -> None:
        """Switch to the preset."""
        state.interface.preferences.preset = name

    def chosen(state: State) -> bool:
        """Whether the preset is in use."""
        return state.interface.preferences.preset == name

    return Action(f"preset_{name}", title, (), ("View", "Keys and mouse"), run, checked=chosen)


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
        toggles_interface("hidden"),
        checked=interface_shows("hidden"),
    ),
    Action(
        "fullscreen",
        "Full screen",
        ("F11",),
        ("View",),
        toggles_interface("fullscreen"),
        checked=interface_shows("fullscreen"),
    ),
    *(_panel(panel) for panel in PANELS if panel.name != MANUAL),
    *map(_layout, LAYOUTS),
    Action("reset_layout", "Reset layout", (), ("View", "Layout"), _reset_layout),
    *map(_theme, THEMES),
    *(_preset(name, title) for name, title in PRESET_NAMES.items()),
    Action("larger", "Larger", ("Ctrl+=", "Ctrl++"), ("View", "Interface scale"), _zoom(1)),
    Action("smaller", "Smaller", ("Ctrl+-",), ("View", "Interface scale"), _zoom(-1)),
    Action("normal_size", "Normal", ("Ctrl+0",), ("View", "Interface scale"), _zoom(0)),
    Action(
        "statistics",
        "Statistics",
        (),
        ("View",),
        toggles_interface("statistics"),
        checked=interface_shows("statistics"),
    ),
)
