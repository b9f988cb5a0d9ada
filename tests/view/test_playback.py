"""What plays at a time of the clock."""

from __future__ import annotations

import pytest

from viewer.animation.clock import Clock
from viewer.scene.animation import Animation
from viewer.view.playlist import Playback, PlaylistEntry, faded

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
