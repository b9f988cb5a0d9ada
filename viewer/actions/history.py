"""Undo and redo."""

from __future__ import annotations

from viewer.actions.action import Action
from viewer.session.requests import Post
from viewer.session.state import State


def can_undo(state: State) -> bool:
    """There is a step to undo."""
    return bool(state.history.past)


def can_redo(state: State) -> bool:
    """There is a step to redo."""
    return bool(state.history.future)


def undo(state: State, post: Post) -> None:
    """Undo the last step."""
    state.undo()


def redo(state: State, post: Post) -> None:
    """Redo the last undone step."""
    state.redo()


HISTORY = (
    Action("undo", "Undo", ("Ctrl+Z",), ("View",), undo, can_undo),
    Action("redo", "Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), ("View",), redo, can_redo),
)
