"""Which frames a film has, when they are, and what is drawn in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.synthetic import animation_bytes, write_pair
from viewer.export.film.plan import FilmPlan, plan_film
from viewer.session.state import State
from viewer.storage.documents import open_document
from viewer.view.film_length import TURN, length

SIZE = (33, 24)


@pytest.fixture
def state(tmp_path: Path) -> State:
    """The post, which bends for a second."""
    made = State()
    made.put(open_document(str(write_pair(tmp_path))))
    made.playback.choose(made.playback.animations[0])
    return made


def planned(
    state: State, path: str = "film.apng", *, fps: float = 30, start: float = 0, **more: Any
) -> FilmPlan:
    view = state.snapshot()
    return plan_film([view], view, path, SIZE, fps=fps, start=start, **more)


def test_a_loop_is_as_long_as_the_longest_animation(state: State) -> None:
    assert length(state.snapshot(), turntable=False) == 1.0


def test_nothing_moves_in_the_rest_pose(state: State) -> None:
    state.playback.choose(None)
    assert length(state.snapshot(), turntable=False) == 0.0 and not planned(state).numbers
    assert length(state.snapshot(), turntable=True) == TURN


@pytest.mark.parametrize(("duration", "seconds"), [(1.0, 4.0), (1.5, 4.5), (4.0, 4.0), (7.0, 7.0)])
def test_a_turn_takes_whole_loops(duration: float, seconds: float, tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    (tmp_path / "Post_Bend.ani").write_bytes(animation_bytes(length=duration))
    state = State()
    state.put(open_document(str(path)))
    state.playback.choose(state.playback.animations[0])
    assert length(state.snapshot(), turntable=True) == pytest.approx(seconds)


def test_there_and_back_is_a_loop(state: State) -> None:
    state.view.clock.range, state.view.clock.loop = (0.0, 0.5), "pingpong"
    assert length(state.snapshot()) == 1.0


def test_the_frame_that_would_begin_anew_is_left_out(state: State) -> None:
    assert planned(state).numbers == range(30)


def test_frames_count_from_the_start(state: State) -> None:
    assert planned(state, frames=(2, 4), fps=10, start=0.5).times == pytest.approx([0.7, 0.8, 0.9])


def test_a_picture_is_a_film_of_one_frame(state: State) -> None:
    state.playback.choose(None)
    assert planned(state, "picture.png", start=0.25).times == [0.25]


@pytest.mark.parametrize(("path", "size"), [("film.mp4", (34, 24)), ("film.gif", SIZE)])
def test_a_side_grows_where_the_format_needs_it(state: State, path: str, size: Any) -> None:
    assert planned(state, path).size == size


def test_without_a_seam_frames_are_spread_over_the_loop(state: State) -> None:
    plan = planned(state, fps=12.6, seamless=True)
    assert (len(plan.numbers), plan.pace, plan.fps) == (13, 13.0, 12.6)
    assert plan.views[0].display.effects.period == 1.0
    assert state.view.effects.period == 0.0, "the State in use stays as it is"
    assert planned(state, fps=12.6, seamless=True, frames=(0, 12)).pace == 12.6


def test_where_nothing_moves_a_film_is_its_own_loop(state: State) -> None:
    state.playback.choose(None)
    plan = planned(state, fps=10, seamless=True, frames=(0, 29))
    assert plan.views[0].display.effects.period == 3.0


def test_an_endless_loop_has_no_endless_list(state: State) -> None:
    """The caller refuses so many frames; the plan has to survive to say so."""
    assert len(planned(state, fps=1e30).numbers) > 1e18
