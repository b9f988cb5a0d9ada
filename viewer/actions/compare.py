"""Actions that compare two open models."""

from __future__ import annotations

from msgspec.structs import replace

from viewer.actions.action import Action, has_model, holds, otherwise
from viewer.scene.choices import CompareMode, TimeTie
from viewer.session.requests import Post
from viewer.session.state import State

MENU = ("View", "Compare")


@otherwise("No second model is open")
def can_compare(state: State) -> bool:
    """Whether two models are open, or a model is compared with itself."""
    return bool(state.documents.comparable) or is_comparing(state)


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

    can = is_comparing if mode is None else can_compare
    return Action(f"compare_{name}", title, (), MENU, run, can, chosen, words="diff two models")


def itself(state: State, post: Post) -> None:
    """Compare the model in view with itself, or end this comparison."""
    if compares_itself(state):
        state.compare(None)
    else:
        state.compare_with_itself()


def compares_itself(state: State) -> bool:
    """Whether the model in view is compared with itself."""
    return state.documents.compared is not None and state.documents.comparison.itself


def switch_side(state: State, post: Post) -> None:
    """Bring the other compared model, or the other side of the model, into view."""
    state.switch_side()


def _option(name: str, title: str, words: str, **values: object) -> Action:
    """Make the action that sets options of the comparison."""

    def run(state: State, post: Post) -> None:
        """Set the options."""
        state.documents.comparison = replace(state.documents.comparison, **values)

    def chosen(state: State) -> bool:
        """Whether the options have these values."""
        return all(getattr(state.documents.comparison, key) == value for key, value in values.items())

    return Action(f"compare_{name}", title, (), MENU, run, is_comparing, chosen, words=words)


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
    _mode(CompareMode.MOTION, "motion", "Motion of bones"),
    Action(
        "compare_itself",
        "Compare with itself",
        (),
        MENU,
        itself,
        has_model,
        compares_itself,
        words="two clips animations beside each other diff poses",
    ),
    Action("compare_switch", "Other side", (), MENU, switch_side, is_comparing, words="left right swap clip"),
    _option("seconds", "Tie times by seconds", "sync time", tie=TimeTie.SECONDS),
    _option("share", "Tie times by share of the clip", "sync phase foot percent", tie=TimeTie.SHARE),
    _option("untied", "Do not tie times", "sync free own time", tie=TimeTie.NONE),
    _option("angles", "Angles of bones", "rotation difference", by_distance=False),
    _option("distances", "Distances of bones", "position difference", by_distance=True),
    Action("compare_next", "With the next model", (), MENU, next_model, can_choose),
)
