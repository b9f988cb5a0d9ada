"""Actions that measure distances."""

from __future__ import annotations

from viewer.actions import ACTIONS_BY_NAME
from viewer.scene.mesh.surface_points import SurfacePoint
from viewer.session.state import State
from viewer.view.measures import Measure, with_point

FIRST, SECOND = (SurfacePoint(0, 0, (number,), (1.0,)) for number in (0, 1))


def run(state: State, name: str) -> None:
    ACTIONS_BY_NAME[name].run(state, lambda request: None)


def test_the_end_of_measuring_drops_a_distance_without_its_end() -> None:
    state = State()
    run(state, "measure")
    state.view.measures = with_point((Measure(FIRST, SECOND),), SECOND)
    run(state, "measure")
    assert not state.interface.measuring and state.view.measures == (Measure(FIRST, SECOND),)


def test_the_last_distance_or_all_are_removed() -> None:
    state = State()
    state.view.measures = (Measure(FIRST, SECOND), Measure(SECOND, FIRST), Measure(FIRST, SECOND))
    run(state, "remove_measure")
    assert len(state.view.measures) == 2
    run(state, "clear_measures")
    assert not state.view.measures
