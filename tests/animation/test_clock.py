from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.animation.clock import Clock, Loop, TimeMap, clamped, mirrored, tied, within, wrapped
from viewer.scene.choices import TimeTie

TIMES = st.floats(-1e6, 1e6)
DURATIONS = st.floats(1e-3, 1e3)


def test_a_paused_clock_stands() -> None:
    clock = Clock(time=2.0)
    clock.advance(1.0)
    assert clock.time == 2.0


@pytest.mark.parametrize(("speed", "time"), [(1.0, 0.5), (2.0, 1.0), (-3.0, -1.5), (0.0, 0.0)])
def test_time_passes_at_its_speed(speed: float, time: float) -> None:
    clock = Clock(speed=speed, playing=True)
    clock.advance(0.5)
    assert clock.time == time


@pytest.mark.parametrize("loop", ["loop", "pingpong"])
def test_time_is_never_wrapped(loop: Loop) -> None:
    clock = Clock(playing=True, range=(0.0, 1.0), loop=loop)
    for _ in range(10):
        clock.advance(0.75)
    assert clock.time == 7.5
    assert clock.playing


@pytest.mark.parametrize(("speed", "stop"), [(1.0, 2.0), (-1.0, -1.0)])
def test_once_stops_at_the_end_it_runs_to(speed: float, stop: float) -> None:
    clock = Clock(time=0.0, speed=speed, playing=True, range=(-1.0, 2.0), loop="once")
    clock.advance(0.5)
    assert clock.playing
    clock.advance(9.0)
    assert (clock.time, clock.playing) == (stop, False)


def test_once_without_a_range_runs_on() -> None:
    clock = Clock(playing=True, loop="once")
    clock.advance(9.0)
    assert (clock.time, clock.playing) == (9.0, True)


@pytest.mark.parametrize(("speed", "end", "start"), [(1.0, 2.0, 0.0), (-1.0, 0.0, 2.0)])
def test_play_at_the_end_starts_over(speed: float, end: float, start: float) -> None:
    clock = Clock(time=end, speed=speed, range=(0.0, 2.0), loop="once")
    clock.play()
    assert (clock.time, clock.playing) == (start, True)


def test_play_goes_on_where_it_was_paused() -> None:
    clock = Clock(time=1.25, range=(0.0, 2.0), loop="once", playing=True)
    clock.pause()
    assert not clock.playing
    clock.play()
    assert (clock.time, clock.playing) == (1.25, True)


def test_seek_goes_anywhere_and_keeps_playing() -> None:
    clock = Clock(playing=True)
    clock.seek(-3)
    assert (clock.time, clock.playing) == (-3.0, True)


@pytest.mark.parametrize("time", [math.nan, math.inf, -math.inf])
def test_seek_refuses_what_is_no_time(time: float) -> None:
    with pytest.raises(ValueError, match="not a finite number"):
        Clock().seek(time)


@pytest.mark.parametrize(
    ("time", "frames", "after"),
    [(0.0, 1, 0.1), (0.52, 1, 0.6), (0.52, -1, 0.5), (-0.52, 1, -0.5), (-0.52, -1, -0.6), (0.0, -3, -0.3)],
)
def test_a_step_lands_on_a_frame(time: float, frames: int, after: float) -> None:
    clock = Clock(time=time, playing=True)
    clock.step(frames, 10.0)
    assert clock.time == pytest.approx(after)
    assert not clock.playing


def test_a_step_of_no_frames_goes_to_the_nearest_one() -> None:
    clock = Clock(time=0.52)
    clock.step(0, 10.0)
    assert clock.time == 0.5


@given(st.integers(-10000, 10000), st.integers(1, 50), st.sampled_from([24.0, 29.97, 30.0, 60.0]))
def test_steps_there_and_back_end_where_they_began(frame: int, frames: int, fps: float) -> None:
    clock = Clock(time=frame / fps)
    clock.step(frames, fps)
    clock.step(-frames, fps)
    assert clock.time == frame / fps


@given(TIMES, DURATIONS)
def test_wrapped_is_within_the_clip_and_repeats(time: float, duration: float) -> None:
    assert 0 <= wrapped(time, duration) < duration
    turns = (time - wrapped(time, duration)) / duration
    assert turns == pytest.approx(round(turns), abs=1e-6)


def test_wrapped_does_not_round_up_to_the_end() -> None:
    assert wrapped(-1e-20, 1.0) == 0.0
    assert wrapped(1.0, 1.0) == 0.0


@given(TIMES, DURATIONS)
def test_clamped_keeps_what_is_inside(time: float, duration: float) -> None:
    inside = 0 <= time <= duration
    assert clamped(time, duration) == (time if inside else 0.0 if time < 0 else duration)


@pytest.mark.parametrize(
    ("time", "shown"), [(0.5, 0.5), (2.5, 1.5), (4.5, 0.5), (-0.5, 0.5), (2.0, 2.0), (4.0, 0)]
)
def test_mirrored_turns_back_at_both_ends(time: float, shown: float) -> None:
    assert mirrored(time, 2.0) == pytest.approx(shown)


@pytest.mark.parametrize("loop", ["loop", "once", "pingpong"])
@pytest.mark.parametrize("duration", [0.0, -1.0, math.nan, math.inf])
def test_a_clip_without_length_shows_its_start(loop: Loop, duration: float) -> None:
    assert within(3.0, duration, loop) == 0.0


@pytest.mark.parametrize(("loop", "shown"), [("loop", 1.5), ("once", 2.0), ("pingpong", 1.5)])
def test_the_time_bar_shows_the_range(loop: Loop, shown: float) -> None:
    assert Clock(time=2.5, range=(1.0, 2.0), loop=loop).shown(9.0) == shown


def test_the_time_bar_shows_the_clip_where_there_is_no_range() -> None:
    assert Clock(time=-0.5).shown(2.0) == 1.5


def test_a_held_clock_misses_one_advance() -> None:
    clock = Clock(playing=True)
    clock.hold()
    clock.advance(1.0)
    assert (clock.time, clock.playing) == (0.0, True)
    clock.advance(1.0)
    assert clock.time == 1.0


@pytest.mark.parametrize("loop", ["loop", "once", "pingpong"])
@pytest.mark.parametrize("time", [0.0, 0.3, 5.7, 6.4])
@pytest.mark.parametrize("at", [0.0, 0.25, 0.9])
def test_show_goes_where_that_time_shows(loop: Loop, time: float, at: float) -> None:
    clock = Clock(time, loop=loop)
    turned = clock.turned(1.0)
    clock.show(at, 1.0)
    assert clock.shown(1.0) == pytest.approx(at)
    assert clock.turned(1.0) == turned or at == 0.0
    if loop != "once":
        assert abs(clock.time - time) <= 1, "the loops so far are kept"


@pytest.mark.parametrize(
    ("loop", "time", "back"),
    [("pingpong", time, back) for time, back in ((1.0, False), (1.5, False), (1.75, True), (2.25, False))]
    + [("pingpong", 0.75, True), ("loop", 1.75, False), ("once", 1.75, False)],
)
def test_a_ping_pong_loop_is_on_its_way_back_in_every_second_half(
    loop: Loop, time: float, back: bool
) -> None:
    """The range is half a second long from 1 on."""
    assert Clock(time, range=(1.0, 1.5), loop=loop).turned(9.0) is back


@pytest.mark.parametrize("loop", ["loop", "once", "pingpong"])
def test_show_stays_in_the_range(loop: Loop) -> None:
    clock = Clock(0.3, range=(0.25, 0.75), loop=loop)
    clock.show(7.0, 1.0)
    assert clock.shown(1.0) == pytest.approx(0.75, abs=1e-5)
    clock.show(-7.0, 1.0)
    assert clock.shown(1.0) == pytest.approx(0.25, abs=1e-5)


def test_trimming_brings_the_time_inside() -> None:
    clock = Clock(0.9, range=(0.0, 1.0))
    clock.trim(0.25, 0.75)
    assert (clock.time, clock.range) == (0.75, (0.25, 0.75))


@pytest.mark.parametrize(("start", "end"), [(0.5, 0.5), (0.6, 0.5), (math.nan, 1.0), (0.0, math.inf)])
def test_an_empty_range_is_refused(start: float, end: float) -> None:
    with pytest.raises(ValueError, match="the range from"):
        Clock().trim(start, end)


def test_times_of_two_clips_are_tied_by_seconds_or_by_share() -> None:
    spans = (0.0, 2.0), (1.0, 2.0)
    assert [tied(TimeTie.SECONDS, *spans).of(time) for time in (0.0, 1.0, 2.5)] == [0, 1, 2.5]
    assert [tied(TimeTie.SHARE, *spans).of(time) for time in (0.0, 1.0, 2.5)] == [1, 1.5, 2.25]
    assert tied(TimeTie.SHARE, (0.0, 0.0), spans[1]) == TimeMap(0.0, 1.0)
