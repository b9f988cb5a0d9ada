"""Actions that measure distances."""

from __future__ import annotations

from viewer.actions.action import Action, has_model, interface_shows
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.view.measures import finished


def toggle_measuring(state: State, post: Post) -> None:
    """Start or stop choosing points to measure. A distance that still lacks its second point is removed."""
    state.interface.measuring = not state.interface.measuring
    state.view.measures = finished(state.view.measures)


def clear_measures(state: State, post: Post) -> None:
    """Remove all measured distances."""
    state.view.measures = ()


def remove_measure(state: State, post: Post) -> None:
    """Remove the distance that was measured last."""
    state.view.measures = state.view.measures[:-1]


def has_measures(state: State) -> bool:
    """Whether a distance was measured."""
    return bool(state.view.measures)


MENU = ("View", "Measure")

MEASURE = (
    Action(
        "measure",
        "Measure distances",
        ("M",),
        MENU,
        toggle_measuring,
        has_model,
        interface_shows("measuring"),
    ),
    Action("remove_measure", "Remove last distance", ("Shift+M",), MENU, remove_measure, has_measures),
    Action("clear_measures", "Clear all distances", (), MENU, clear_measures, has_measures),
)
