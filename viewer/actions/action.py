"""The type of a row in the table of actions, and conditions and operations that several topics share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter

from msgspec import Struct

from viewer.scene.package import Package
from viewer.scene.picture_options import SWITCHES
from viewer.scene.script import CompiledScript
from viewer.scene.shader import CompiledShader
from viewer.scene.table import Table
from viewer.session.requests import Post, Request
from viewer.session.state import State

Condition = Callable[[State], bool]
Operation = Callable[[State, Post], None]
REASONS: dict[Condition, str] = {}
"""Why an action cannot run while a condition does not hold."""
PAGES = (Package, CompiledScript, CompiledShader, Table)
"""The types of document content that are shown, in place of the picture, as a page of rows or text with a
filter field.
"""


def otherwise(reason: str) -> Callable[[Condition], Condition]:
    """Return a decorator that stores why actions with the decorated condition cannot run."""

    def store(condition: Condition) -> Condition:
        REASONS[condition] = reason
        return condition

    return store


def always(state: State) -> bool:
    """Whether the action is available: always True."""
    return True


class Action(Struct, frozen=True):
    """An action that the user can run.

    `keys` are chords such as `Ctrl+O`; menus show the first chord. `menu` is the path of the action's menu,
    such as View, Camera. `enabled` decides whether the action can run now. `checked` decides whether the menu
    shows a check mark; it is None if the action is not a switch. `target` names what the action would change,
    such as the step to undo. `words` are additional words by which the palette finds the action.
    """

    name: str
    title: str
    keys: tuple[str, ...]
    menu: tuple[str, ...]
    run: Operation
    enabled: Condition = always
    checked: Condition | None = None
    target: Callable[[State], str] | None = None
    words: str = ""

    def caption(self, state: State) -> str:
        """The title, followed by the target if the action has one: `Undo: hide geometry`."""
        named = self.target(state) if self.target is not None else ""
        return f"{self.title}: {named}" if named else self.title

    def refusal(self, state: State) -> str:
        """Why the action cannot run now; empty if it can."""
        return "" if self.enabled(state) else REASONS.get(self.enabled, "")


@otherwise("No file is open")
def has_document(state: State) -> bool:
    """Whether a document is open."""
    return state.document is not None


@otherwise("No picture is in view")
def has_picture(state: State) -> bool:
    """Whether a document is drawn: neither the wall nor a page of rows, text or bytes covers it."""
    document = state.document
    if document is None or state.files.wall:
        return False
    return not document.unread and not isinstance(document.content, PAGES)


@otherwise("No model is in view")
def has_model(state: State) -> bool:
    """Whether the document is a model."""
    return state.model is not None


@otherwise("The model has no bones")
def has_skeleton(state: State) -> bool:
    """Whether the document has bones."""
    return state.skeleton is not None


@otherwise("The model has no clips")
def has_animations(state: State) -> bool:
    """Whether the document has animations to play."""
    return bool(state.playback.animations)


@otherwise("No clip plays or is paused")
def has_playlist(state: State) -> bool:
    """Whether an animation plays or is paused."""
    return bool(state.view.playlist)


def has(part: str) -> Condition:
    """Return the condition that checks whether the model has parts of this kind, such as `lights`, or whether
    there is a `model`, a `skeleton` or `animations` at all. With an empty text the condition always holds.
    """
    shared = {"": always, "model": has_model, "skeleton": has_skeleton, "animations": has_animations}
    own = otherwise(f"The model has no {part.replace('effects', 'particles or ribbons')}")
    return shared.get(part) or own(lambda state: bool(state.model and getattr(state.model, part)))


def switches(menu: str = "") -> Iterator[Action]:
    """Yield the actions that toggle the display options of this submenu of View."""
    for row in SWITCHES:
        if row.title and row.menu == menu:
            path, keys = f"options.{row.name}", (row.key,) if row.key else ()
            yield Action(
                row.action,
                row.title,
                keys,
                ("View", menu) if menu else ("View",),
                toggles(path),
                has(row.needs),
                holds(path),
            )


def posts(request: Request) -> Operation:
    """Return the operation that posts a request."""
    return lambda state, post: post(request)


def toggles(path: str) -> Operation:
    """Return the operation that toggles a flag of the State, such as `options.grid`."""
    shown = holds(path)
    return lambda state, post: sets(path, not shown(state))(state, post)


def holds(path: str) -> Condition:
    """Return the condition that checks whether a flag of the State is on, or a value is not empty."""
    read = attrgetter(path)
    return lambda state: bool(read(state))


def sets(path: str, value: object) -> Operation:
    """Return the operation that sets a value of the State, such as `options.shading`."""
    owner, _, name = path.rpartition(".")
    owned = attrgetter(owner)
    return lambda state, post: setattr(owned(state), name, value)


def equals(path: str, value: object) -> Condition:
    """Return the condition that checks whether a value of the State is this one."""
    read = attrgetter(path)
    return lambda state: bool(read(state) == value)
