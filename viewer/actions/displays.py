"""Actions on the displays of a creature: which row of the game's tables its model wears."""

from __future__ import annotations

import os

from viewer.actions.action import Action, Operation, otherwise
from viewer.scene.looks import Display, Displays
from viewer.session.requests import ListFiles, Post
from viewer.session.state import State


def displays_of(state: State) -> Displays | None:
    """The displays of the model in view; None if the game's tables have none."""
    document = state.document
    return document.displays if document is not None and document.displays.listed else None


@otherwise("The game's tables have no display of the model")
def has_displays(state: State) -> bool:
    """Whether the model in view has displays."""
    return displays_of(state) is not None


def choose_display(state: State, display: Display | None) -> None:
    """Choose the display that the model wears; with None, the model wears no display. The document is
    replaced a few frames later.
    """
    state.view.display = None if display is None else display.id


def chosen_number(state: State) -> int | None:
    """The position of the worn display among the distinct displays; None if the model wears none."""
    displays, id = displays_of(state), state.view.display
    return displays.number_of_id(id) if displays is not None and isinstance(id, int) else None


def step(by: int) -> Operation:
    """Return the operation that chooses another distinct display. `by` is the number of positions that the
    choice moves in the list, negative towards the first display. The choice stops at the ends of the list.
    """

    def run(state: State, post: Post) -> None:
        """Choose the display."""
        displays, now = displays_of(state), chosen_number(state)
        if displays is None:
            return
        number = 0 if now is None else max(0, min(now + by, len(displays.distinct) - 1))
        choose_display(state, displays.distinct[number].first)

    return run


def without(state: State, post: Post) -> None:
    """Show the model without a display, as its file describes it."""
    choose_display(state, None)


def is_bare(state: State) -> bool:
    """Whether the model is shown without a display."""
    return has_displays(state) and state.view.display is None


def shows_wall(state: State) -> bool:
    """Whether the wall shows the displays of the model in view."""
    document = state.document
    return state.files.wall and document is not None and state.files.root == os.path.abspath(document.path)


def toggle_wall(state: State, post: Post) -> None:
    """Show the displays of the model in view on the wall; from there, go back to the files of its folder."""
    document = state.document
    if document is None:
        return
    post(ListFiles(None if shows_wall(state) else document.path))
    state.files.wall = True


MENU = ("View", "Displays")

DISPLAYS = (
    Action("previous_display", "Previous display", ("Alt+[",), MENU, step(-1), has_displays, words="skin"),
    Action("next_display", "Next display", ("Alt+]",), MENU, step(1), has_displays, words="skin"),
    Action("display_wall", "Wall of all displays", (), MENU, toggle_wall, has_displays, words="skins"),
    Action("no_display", "Without a display", (), MENU, without, has_displays, is_bare),
)
