"""The window around the picture: panels, layouts, theme, help."""

from __future__ import annotations

from viewer.actions.action import Action
from viewer.actions.camera import Operation
from viewer.paths import folder
from viewer.session.interface import LAYOUTS, PANELS, PRESET_NAMES, THEMES, Panel, WindowLayout
from viewer.session.requests import Open, Post
from viewer.session.state import State


def _flag(name: str) -> Operation:
    """Turn one of the interface's flags on and off."""

    def run(state: State, post: Post) -> None:
        setattr(state.interface, name, not getattr(state.interface, name))

    return run


def _panel(panel: Panel) -> Action:
    def run(state: State, post: Post) -> None:
        state.interface.toggle(panel.name)

    def shown(state: State) -> bool:
        return state.interface.shows(panel.name)

    return Action(f"panel_{panel.name}", panel.title, (), ("View", "Panels"), run, checked=shown)


def _layout(layout: WindowLayout) -> Action:
    def run(state: State, post: Post) -> None:
        state.interface.arrange(layout.name)

    return Action(f"layout_{layout.name}", layout.title, (), ("View", "Layout"), run)


def _theme(name: str) -> Action:
    def run(state: State, post: Post) -> None:
        state.interface.kept.theme = name

    def chosen(state: State) -> bool:
        return state.interface.kept.theme == name

    return Action(f"theme_{name}", name.capitalize(), (), ("View", "Theme"), run, checked=chosen)


def _preset(name: str, title: str) -> Action:
    def run(state: State, post: Post) -> None:
        state.interface.kept.preset = name

    def chosen(state: State) -> bool:
        return state.interface.kept.preset == name

    return Action(f"preset_{name}", title, (), ("View", "Keys and mouse"), run, checked=chosen)


def _zoom(by: int) -> Operation:
    def run(state: State, post: Post) -> None:
        state.interface.zoom(by)

    return run


def _reset_layout(state: State, post: Post) -> None:
    state.interface.arrange(state.interface.kept.layout)


def _undo(state: State, post: Post) -> None:
    state.history.undo(state)


def _redo(state: State, post: Post) -> None:
    state.history.redo(state)


UNDO = (
    Action("undo", "Undo", ("Ctrl+Z",), ("View",), _undo, lambda s: bool(s.history.past)),
    Action("redo", "Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), ("View",), _redo, lambda s: bool(s.history.future)),
)

WINDOW = (
    Action(
        "hide_panels",
        "Hide panels",
        ("Tab", "N"),
        ("View",),
        _flag("hidden"),
        checked=lambda s: s.interface.hidden,
    ),
    Action(
        "fullscreen",
        "Full screen",
        ("F11",),
        ("View",),
        _flag("fullscreen"),
        checked=lambda s: s.interface.fullscreen,
    ),
    *map(_panel, PANELS),
    *map(_layout, LAYOUTS),
    Action("reset_layout", "Reset layout", (), ("View", "Layout"), _reset_layout),
    *map(_theme, THEMES),
    *(_preset(name, title) for name, title in PRESET_NAMES.items()),
    Action("larger", "Larger", ("Ctrl+=", "Ctrl++"), ("View", "Size of text"), _zoom(1)),
    Action("smaller", "Smaller", ("Ctrl+-",), ("View", "Size of text"), _zoom(-1)),
    Action("normal_size", "Normal", ("Ctrl+0",), ("View", "Size of text"), _zoom(0)),
    Action(
        "statistics",
        "Statistics",
        (),
        ("View",),
        _flag("statistics"),
        checked=lambda s: s.interface.statistics,
    ),
)


def _sample(name: str, title: str, path: str) -> Action:
    def run(state: State, post: Post) -> None:
        post(Open((str(folder("assets") / path),)))

    return Action(f"sample_{name}", title, (), ("Help", "Samples"), run)


SAMPLES = (
    _sample("urho3d", "Beacon (Urho3D)", "urho3d/Models/Beacon.mdl"),
    _sample("ogre", "Linglong (OGRE)", "ogre/models/Linglong.mesh"),
    _sample("m2", "Puff (WoW)", "m2/Creature/Puff/Puff.m2"),
)

HELP = (
    Action("palette", "Find an action…", ("Ctrl+P", "Ctrl+Shift+P"), ("Help",), _flag("palette")),
    Action("help", "Keys", ("F1", "?"), ("Help",), _flag("help"), checked=lambda s: s.interface.help),
    *SAMPLES,
)
