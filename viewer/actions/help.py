"""The action palette, the settings, the manual, the key sheet and the sample models."""

from __future__ import annotations

from viewer.actions.action import Action, equals, holds, otherwise, posts, toggles
from viewer.paths import folder
from viewer.session.layouts import MANUAL, PANELS
from viewer.session.requests import Open, Post, ShowAbout
from viewer.session.state import State


def _sample(name: str, title: str, path: str) -> Action:
    def run(state: State, post: Post) -> None:
        """Open the sample."""
        post(Open((str(folder("assets") / path),)))

    return Action(f"sample_{name}", title, (), ("Help", "Samples"), run)


OVERLAY_PAGES = {
    "###settings": "settings",
    "###export": "export#from-the-window",
    "###record": "animation#record",
    "###batches": "many-files#in-the-window",
    "###browser": "window#open-files",
}
"""The page or section of the manual about an overlay with the keyboard focus."""


def page_in_front(state: State) -> str:
    """Return the page of the manual about the dialog, panel or picture that is in front."""
    interface = state.interface
    if interface.help:
        return "keys"
    if interface.focused == MANUAL:
        return interface.manual
    pages = OVERLAY_PAGES | {panel.name: panel.page for panel in PANELS}
    other = "window" if state.documents.opened else "start#the-first-minute"
    return pages.get(interface.focused, "many-files#in-the-window" if state.files.wall else other)


def read_manual(state: State, post: Post) -> None:
    """Show the page of the manual about the dialog, panel or picture in front.

    Close the key sheet and the palette.
    """
    state.interface.read(page_in_front(state))
    state.interface.help = state.interface.palette = False


def toggle_settings(state: State, post: Post) -> None:
    """Open or close the settings window."""
    state.interface.settings = "" if state.interface.settings is None else None


def change_keys(state: State, post: Post) -> None:
    """Open the settings window at the keys. Close the key sheet."""
    state.interface.settings, state.interface.help = "keys", False


HELP = (
    Action(
        "palette",
        "Find an action…",
        ("Ctrl+P", "Ctrl+Shift+P"),
        ("Edit",),
        toggles("interface.palette"),
        otherwise("A file dialog is open")(equals("pending_files.browser", None)),
        words="command search",
    ),
    Action(
        "settings",
        "Settings…",
        ("Ctrl+,",),
        ("Edit",),
        toggle_settings,
        words="preferences options configuration",
    ),
    Action("manual", "Manual", ("F1",), ("Help",), read_manual, words="help documentation"),
    Action(
        "help",
        "Keys",
        ("?",),
        ("Help",),
        toggles("interface.help"),
        checked=holds("interface.help"),
        words="shortcuts bindings",
    ),
    Action("about", "About Rigscope", (), ("Help",), posts(ShowAbout()), words="version licence license"),
    _sample("urho3d", "Beacon (Urho3D)", "urho3d/Models/Beacon.mdl"),
    _sample("ogre", "Linglong (OGRE)", "ogre/models/Linglong.mesh"),
    _sample("m2", "Puff (WoW)", "m2/Creature/Puff/Puff.m2"),
)
