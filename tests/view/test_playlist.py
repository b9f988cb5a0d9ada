"""Layers, fades, and the part of time that is in view."""

from __future__ import annotations

import math

import pytest
from msgspec.structs import replace

from viewer.animation.clock import Clock
from viewer.errors import ResourceError
from viewer.scene.animation import Animation
from viewer.session.view import TimelineView
from viewer.view.playlist import Fade, Playback, PlaylistEntry, faded, settled, valid

WALK, RUN, WAVE = (Animation(name, 1.0, ()) for name in ("Walk", "Run", "Wave"))


def weights(playlist: tuple[PlaylistEntry, ...], time: float) -> dict[str, float]:
    return {each.animation.name: round(each.weight_at(time), 6) for each in playlist}


def test_one_takes_over_from_the_other() -> None:
    playlist = faded((PlaylistEntry(WALK, 0.8),), RUN, 10.0, 2.0)
    assert weights(playlist, 10.0) == {"Walk": 0.8, "Run": 0.0}
    assert weights(playlist, 11.0) == {"Walk": 0.4, "Run": 0.5}
    assert weights(playlist, 12.5) == {"Walk": 0.0, "Run": 1.0}


def test_a_fade_goes_on_when_time_runs_backwards() -> None:
    assert weights(faded((PlaylistEntry(WALK),), RUN, 10.0, 2.0), 9.0) == {"Walk": 0.5, "Run": 0.5}


def test_a_fade_that_is_interrupted_starts_where_it_was() -> None:
    there = faded((PlaylistEntry(WALK),), RUN, 0.0, 1.0)
    back = faded(there, WALK, 0.25, 1.0)
    assert weights(back, 0.25) == {"Run": 0.25, "Walk": 0.75}
    assert weights(back, 1.25) == {"Run": 0.0, "Walk": 1.0}


def test_what_is_on_top_stays() -> None:
    playlist = faded((PlaylistEntry(WALK), PlaylistEntry(WAVE, 0.5, additive=True)), RUN, 0.0, 1.0)
    assert weights(playlist, 1.0) == {"Walk": 0.0, "Wave": 0.5, "Run": 1.0}


def test_a_fade_in_no_time_is_over_at_once() -> None:
    assert weights(faded((PlaylistEntry(WALK),), RUN, 0.0, 0.0), 0.0) == {"Walk": 0.0, "Run": 1.0}


def test_what_was_silenced_is_dropped_when_its_fade_is_over() -> None:
    playlist = faded((PlaylistEntry(WALK),), RUN, 0.0, 1.0)
    assert settled(playlist, 0.5) == playlist
    assert settled(playlist, 1.0) == (PlaylistEntry(RUN),)


def test_a_layer_set_to_nothing_by_hand_stays() -> None:
    assert settled((PlaylistEntry(WALK, 0.0),), 5.0) == (PlaylistEntry(WALK, 0.0),)


def test_a_start_bone_that_does_not_exist_is_let_go() -> None:
    assert valid(PlaylistEntry(WALK, start_bone=3), 4).start_bone == 3
    assert valid(PlaylistEntry(WALK, start_bone=4), 4).start_bone is None


@pytest.mark.parametrize("weight", [math.nan, math.inf])
def test_what_is_no_weight_is_refused(weight: float) -> None:
    with pytest.raises(ResourceError, match="not a finite number"):
        valid(replace(PlaylistEntry(WALK), weight=weight), 1)


def test_a_weight_without_fade_does_not_depend_on_time() -> None:
    assert PlaylistEntry(WALK, 0.3).weight_at(7.0) == 0.3
    assert PlaylistEntry(WALK, 1.0, fade=Fade(0.0, 0.0, 4.0)).weight_at(1.0) == 0.25


def test_the_whole_clip_of_the_first_layer_is_in_view_at_first() -> None:
    start, end = TimelineView().visible_range(10.0)
    assert start < 0 and end > 10
    assert TimelineView().layer == 0


def test_the_page_that_holds_the_time_stays() -> None:
    for at in (0.0, 1.0):
        timeline = TimelineView(view=(0.0, 1.0))
        timeline.keep_in_sight(0.5, at, 10.0)
        assert timeline.view == (0.0, 1.0)
        timeline.keep_in_sight(at, 5.0, 10.0)
        assert timeline.view != (0.0, 1.0)


def test_zoom_keeps_the_time_under_the_pointer() -> None:
    timeline = TimelineView(view=(0.0, 10.0))
    timeline.zoom(2.0, 0.5, 10.0)
    assert timeline.view == (1.0, 6.0)


def test_zoom_ends_before_there_is_nothing_or_everything() -> None:
    timeline = TimelineView()
    for factor in (0.5, 2.0):
        for _ in range(200):
            timeline.zoom(3.0, factor, 10.0)
        assert timeline.view is not None
        length = timeline.view[1] - timeline.view[0]
        assert length == pytest.approx({0.5: 1e-3, 2.0: 200.0}[factor]), "20 clips at most"


def test_panning_never_loses_the_clip() -> None:
    timeline = TimelineView(view=(0.0, 1.0))
    for seconds in (1e6, -1e6):
        timeline.pan(seconds, 10.0)
        assert timeline.view is not None
        assert timeline.view[0] < 10 and timeline.view[1] > 0


def test_following_turns_the_page() -> None:
    timeline = TimelineView(view=(1.0, 2.0))
    timeline.keep_in_sight(1.8, 1.9, 10.0)
    assert timeline.view == (1.0, 2.0)
    timeline.keep_in_sight(1.9, 2.5, 10.0)
    assert timeline.view == pytest.approx((2.48, 3.48))
    timeline.keep_in_sight(9.0, 9.1, 10.0)
    assert timeline.view == pytest.approx((2.48, 3.48)), "it looks elsewhere"
    timeline.follow = False
    timeline.keep_in_sight(3.0, 9.0, 10.0)
    assert timeline.view == pytest.approx((2.48, 3.48))


CLIP, LONG = Animation("clip", 1.0, ()), Animation("long", 4.0, ())


def playback(*clips: Animation, **clock: object) -> Playback:
    return Playback(tuple(map(PlaylistEntry, clips)), Clock(**clock))  # type: ignore[arg-type]


def test_the_longest_animation_is_the_duration() -> None:
    assert playback(CLIP, LONG).duration == 4.0
    assert playback().duration == 0.0


def test_time_is_not_wrapped_for_a_whole_clip() -> None:
    (layer,) = playback(CLIP).layers(2.5)
    assert (layer.time, layer.looped) == (2.5, True)
    assert not playback(CLIP, loop="once").layers(2.5)[0].looped


@pytest.mark.parametrize(("time", "shown"), [(0.3, 0.3), (0.6, 0.4), (1.1, 0.1)])
def test_ping_pong_turns_back(time: float, shown: float) -> None:
    made = playback(CLIP, loop="pingpong", range=(0.0, 0.5))
    assert made.trimmed and made.layers(time)[0].time == pytest.approx(shown)


def test_the_time_of_the_clock_itself_does_not_matter() -> None:
    made = playback(CLIP, time=9.0, range=(0.0, 0.5))
    assert [layer.time for layer in made.layers(0.75)] == [0.25]


def test_weights_are_those_of_the_time() -> None:
    made = Playback(faded((PlaylistEntry(CLIP),), LONG, 1.0, 2.0), Clock())
    assert [layer.weight for layer in made.layers(1.5)] == [0.75, 0.25]


def test_the_moment_follows_the_first_layer() -> None:
    assert playback(CLIP).clip_time(0.5).animation is CLIP
    still = playback().clip_time(0.5)
    assert (still.time, still.animation) == (0.5, None)
