"""The action palette, the key sheet and the sample models."""

from __future__ import annotations

from viewer.actions.action import Action, interface_shows, toggles_interface
from viewer.paths import folder
from viewer.session.requests import Open, Post
from viewer.session.state import State


def _sample(name: str, title: str, path: str) -> Action:
    def run(state: State, post: Post) -> None:
        """Open the sample."""
        post(Open((str(folder("assets") / path),)))

    return Action(f"sample_{name}", title, (), ("Help", "Samples"), run)


HELP = (
    Action("palette", "Find an action…", ("Ctrl+P", "Ctrl+Shift+P"), ("Edit",), toggles_interface("palette")),
    Action(
        "help", "Keys", ("F1", "?"), ("Help",), toggles_interface("help"), checked=interface_shows("help")
    ),
    _sample("urho3d", "Beacon (Urho3D)", "urho3d/Models/Beacon.mdl"),
    _sample("ogre", "Linglong (OGRE)", "ogre/models/Linglong.mesh"),
    _sample("m2", "Puff (WoW)", "m2/Creature/Puff/Puff.m2"),
)
