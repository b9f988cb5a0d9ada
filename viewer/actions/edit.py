"""The Edit menu: undo, redo and copying. The other entries of this menu are in the files of their topics."""

from __future__ import annotations

from viewer.actions.action import Action, has_model, has_picture, holds, otherwise, posts
from viewer.session.requests import CopyCommand, CopyPicture, Post
from viewer.session.state import State


def undone(state: State) -> str:
    """The name of the step that undo reverts; empty if there is none."""
    return state.view.history.past[-1].name if state.view.history.past else ""


def redone(state: State) -> str:
    """The name of the step that redo repeats; empty if there is none."""
    return state.view.history.future[-1].name if state.view.history.future else ""


def undo(state: State, post: Post) -> None:
    """Undo the last step."""
    state.undo.undo()


def redo(state: State, post: Post) -> None:
    """Redo the last undone step."""
    state.undo.redo()


MENU = ("Edit",)

EDIT = (
    Action(
        "undo",
        "Undo",
        ("Ctrl+Z",),
        MENU,
        undo,
        otherwise("No step to undo")(holds("view.history.past")),
        target=undone,
        words="revert",
    ),
    Action(
        "redo",
        "Redo",
        ("Ctrl+Shift+Z", "Ctrl+Y"),
        MENU,
        redo,
        otherwise("No step to redo")(holds("view.history.future")),
        target=redone,
        words="again repeat",
    ),
    Action(
        "copy_picture",
        "Copy image",
        ("Ctrl+C",),
        MENU,
        posts(CopyPicture()),
        has_picture,
        words="clipboard screenshot picture",
    ),
    Action(
        "copy_command",
        "Copy image as a command",
        (),
        MENU,
        posts(CopyCommand()),
        has_model,
        words="render command line shell",
    ),
)
