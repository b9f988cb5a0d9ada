"""One row of the table of actions, and the conditions and operations that several topics share."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from viewer.session.requests import Post, Request
from viewer.session.state import State

Condition = Callable[[State], bool]
Operation = Callable[[State, Post], None]


def always(state: State) -> bool:
    """The action is available at any time."""
    return True


class Action(Struct, frozen=True):
    """An action of the user.

    `keys` are chords such as `Ctrl+O`; menus show the first. `menu` is the path of its menu. `checked` is
    None if the action is not a switch. `target` names the present object of the action.
    """

    name: str
    title: str
    keys: tuple[str, ...]
    menu: tuple[str, ...]
    run: Operation
    enabled: Condition = always
    checked: Condition | None = None
    target: Callable[[State], str] | None = None

    def caption(self, state: State) -> str:
        """The title with the present object of the action: `Undo: hide geometry`."""
        named = self.target(state) if self.target is not None else ""
        return f"{self.title}: {named}" if named else self.title


def has_document(state: State) -> bool:
    """A document is open."""
    return state.document is not None


def has_model(state: State) -> bool:
    """The document is a model."""
    return state.model is not None


def has_animations(state: State) -> bool:
    """The document has animations to play."""
    return bool(state.playback.animations)


def has_playlist(state: State) -> bool:
    """An animation plays or is paused."""
    return bool(state.view.playlist)


def posts(request: Request) -> Operation:
    """The operation that posts a request."""
    return lambda state, post: post(request)


def toggles_interface(flag: str) -> Operation:
    """The operation that turns a flag of the interface on and off."""

    def run(state: State, post: Post) -> None:
        setattr(state.interface, flag, not getattr(state.interface, flag))

    return run


def interface_shows(flag: str) -> Condition:
    """Whether a flag of the interface is on."""
    return lambda state: bool(getattr(state.interface, flag))
