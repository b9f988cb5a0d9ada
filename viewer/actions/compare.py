"""Actions that compare two open models."""

from __future__ import annotations

from msgspec.structs import replace

from viewer.actions.action import Action, holds, otherwise
from viewer.scene.choices import CompareMode
from viewer.session.requests import Post
from viewer.session.state import State

MENU = ("View", "Compare")
CAN_COMPARE = otherwise("No second model is open")(holds("documents.comparable"))


@otherwise("Two models must be compared")
def is_comparing(state: State) -> bool:
    """Whether two models are being compared."""
    return state.documents.compared is not None


@otherwise("Two models must be compared, and a third must be open")
def can_choose(state: State) -> bool:
    """Whether a third model is open while two models are compared."""
    return is_comparing(state) and len(state.documents.comparable) > 1


def next_model(state: State, post: Post) -> None:
    """Compare the model in view with the next of the other open models."""
    others, now = state.documents.comparable, state.documents.compared
    if now is not None:
        state.compare(state.documents.comparison.mode, others[(others.index(now) + 1) % len(others)])


def _mode(mode: CompareMode | None, name: str, title: str) -> Action:
    """Make the action that starts a comparison in this mode.

    With None, make the action that ends the comparison.
    """

    def run(state: State, post: Post) -> None:
        """Start or end the comparison."""
        state.compare(mode)

    def chosen(state: State) -> bool:
        """Whether the comparison is in this mode."""
        return (state.documents.comparison.mode if state.documents.compared else None) is mode

    can = is_comparing if mode is None else CAN_COMPARE
    return Action(f"compare_{name}", title, (), MENU, run, can, chosen, words="diff two models")


def align(state: State, post: Post) -> None:
    """Switch the alignment of compared models on or off.

    With alignment, two versions of a model for different engines lie over each other. Without alignment, each
    model stays where its file puts it.
    """
    state.documents.comparison = replace(
        state.documents.comparison, aligned=not state.documents.comparison.aligned
    )


COMPARE = (
    _mode(None, "off", "Off"),
    _mode(CompareMode.SIDE, "side", "Side by side"),
    _mode(CompareMode.SLIDER, "slider", "Slider"),
    _mode(CompareMode.DIFFERENCE, "difference", "Difference of pixels"),
    _mode(CompareMode.DISTANCE, "distance", "Distance of vertices"),
    Action(
        "compare_aligned", "Aligned", (), MENU, align, is_comparing, holds("documents.comparison.aligned")
    ),
    Action("compare_next", "With the next model", (), MENU, next_model, can_choose),
)
