"""Actions that measure distances."""

from __future__ import annotations

from viewer.actions.action import Action, has_model, holds, otherwise, sets
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.view.measures import finished


def toggle_measuring(state: State, post: Post) -> None:
    """Start or stop choosing points to measure. A distance that still lacks its second point is removed."""
    state.interface.measuring = not state.interface.measuring
    state.view.measures = finished(state.view.measures)


def remove_measure(state: State, post: Post) -> None:
    """Remove the distance that was measured last."""
    state.view.measures = state.view.measures[:-1]


MENU, HAS_MEASURES = ("View", "Measure"), otherwise("No distance is measured")(holds("view.measures"))

MEASURE = (
    Action(
        "measure",
        "Measure distances",
        ("M",),
        MENU,
        toggle_measuring,
        has_model,
        holds("interface.measuring"),
        words="ruler distance length",
    ),
    Action("remove_measure", "Remove last distance", ("Shift+M",), MENU, remove_measure, HAS_MEASURES),
    Action("clear_measures", "Clear all distances", (), MENU, sets("view.measures", ()), HAS_MEASURES),
)
