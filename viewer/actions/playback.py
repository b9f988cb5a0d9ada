"""Playback actions: play, step, loop, speed and playback range."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from viewer.actions.action import (
    Action,
    Operation,
    always,
    equals,
    has_animations,
    has_playlist,
    holds,
    otherwise,
    toggles,
)
from viewer.animation.clock import Loop
from viewer.animation.key_times import SAME_TIME, keys
from viewer.scene.animation import match
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.view.playlist import PlaylistEntry

SPEEDS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0)
RATES = (12.0, 15.0, 24.0, 25.0, 30.0, 50.0, 60.0, 120.0)
"""The frame rates that the timeline offers, in frames per second."""


def is_playing(state: State) -> bool:
    """Whether the clock runs and moves something. In the rest pose of a model with clips nothing moves."""
    return state.view.clock.playing and bool(state.view.playlist or not state.playback.animations)


def toggle_play(state: State, post: Post) -> None:
    """Play or pause.

    In the rest pose, play the idle animation; if there is none, play the first animation.
    """
    in_rest_pose = not state.view.playlist
    if in_rest_pose:
        state.playback.choose(state.playback.idle())
    if state.view.playlist and (in_rest_pose or not state.view.clock.playing):
        state.view.clock.play()
    else:
        state.view.clock.pause()


def towards(way: int) -> Operation:
    """Return the operation that plays forwards (1) or backwards (-1).

    The operation pauses if the clip is already playing in that direction.
    """

    def run(state: State, post: Post) -> None:
        """Play or pause."""
        clock = state.view.clock
        plays = clock.playing and clock.speed * way > 0
        clock.speed = way * (abs(clock.speed) or 1.0)
        if not plays:
            clock.pause()
        toggle_play(state, post)

    return run


def step(frames: int) -> Operation:
    """Return the operation that pauses and steps by this many frames of the timeline's frame rate."""

    def run(state: State, post: Post) -> None:
        """Step the time."""
        state.view.clock.step(frames, state.view.clock.fps, state.playback.duration)

    return run


def key(by: int) -> Operation:
    """Return the operation that pauses at the next (1) or previous (-1) key of the selected bone.

    Without a selected bone, or if the bone has no keys, the keys of all bones are used. At an end of the
    playback range, the search continues at the other end.
    """

    def run(state: State, post: Post) -> None:
        """Go to the key."""
        start, end = state.view.clock.range or (0.0, state.playback.duration)
        now = state.view.clock.shown(state.playback.duration)
        times = [
            at for each in state.view.playlist for at in _keys_beside(state, each, (now, start, end), by)
        ]
        ahead = [at for at in times if start <= at <= end and (at - now) * by > 0]
        around = [at for at in times if start <= at <= end]
        state.view.clock.pause()
        if around:
            pick = min if by > 0 else max
            state.view.clock.show(pick(ahead or around), state.playback.duration)

    return run


def _keys_beside(
    state: State, chosen: PlaylistEntry, present: tuple[float, float, float], by: int
) -> Iterator[float]:
    """Yield the times of two keys: the first key after `now`, and the first key of the range.

    With `by` = -1, yield the time of the last key before `now`, then the time of the last key of the range.
    `present` is (now, start, end) in seconds.
    """
    now, start, end = present
    bone, names = state.view.bone, state.skeleton.names if state.skeleton else ()
    found = keys(chosen.animation)
    bones = match(chosen.animation, names).bones if bone is not None else {}
    targets = [target for target, number in bones.items() if number == bone]
    outside = start - 2 * SAME_TIME if by > 0 else end + 2 * SAME_TIME
    for at in (now, outside):
        neighbour = found.neighbour(at, by, targets)
        if neighbour is not None:
            yield neighbour


def first(state: State, post: Post) -> None:
    """Pause at the first frame of the playback range."""
    state.view.clock.pause()
    state.view.clock.seek(state.view.clock.range[0] if state.view.clock.range else 0.0)


def last(state: State, post: Post) -> None:
    """Pause at the last frame of the playback range.

    In a loop, it is the last frame before the clip restarts.
    """
    state.view.clock.pause()
    start, end = state.view.clock.range or (0.0, state.playback.duration)
    state.view.clock.seek(max(end - (1 / state.view.clock.fps if state.playback.looped else 0.0), start))


def speed(by: int) -> Operation:
    """Return the operation that sets the next higher speed (1), the next lower speed (-1) or the normal speed
    (0).
    """

    def run(state: State, post: Post) -> None:
        """Set the speed."""
        now, way = abs(state.view.clock.speed), -1 if state.view.clock.speed < 0 else 1
        faster = [each for each in SPEEDS if each > now + 1e-6] or SPEEDS[-1:]
        slower = [each for each in SPEEDS if each < now - 1e-6] or SPEEDS[:1]
        state.view.clock.speed = way * {0: 1.0, 1: faster[0], -1: slower[-1]}[by]

    return run


def toggle_loop(state: State, post: Post) -> None:
    """Switch looping on or off."""
    state.playback.repeat("once" if state.playback.looped else "loop")


def toggle_pingpong(state: State, post: Post) -> None:
    """Switch between ping-pong and plain looping."""
    state.playback.repeat("loop" if state.view.clock.loop == "pingpong" else "pingpong")


def next_loop(state: State, post: Post) -> None:
    """Switch to the next loop mode: loop, once, ping-pong."""
    modes = get_args(Loop)
    state.playback.repeat(modes[(modes.index(state.view.clock.loop) + 1) % len(modes)])


def trim(end: int) -> Operation:
    """Return the operation that moves the start (0) or the end (1) of the playback range to the current
    time.
    """

    def run(state: State, post: Post) -> None:
        """Move this end of the range."""
        at = state.view.clock.shown(state.playback.duration)
        start, stop = state.view.clock.range or (0.0, state.playback.duration)
        if end and at > 0:
            state.view.clock.trim(start if start < at else 0.0, at)
        elif not end and at < state.playback.duration:
            state.view.clock.trim(at, stop if at < stop else state.playback.duration)

    return run


def untrim(state: State, post: Post) -> None:
    """Play the whole clip."""
    state.playback.untrim()


IN_PLACE = "view.clock.in_place"
MENU, RANGE, SPEED = ("Animation",), ("Animation", "Range"), ("Animation", "Speed")

PLAY = (
    Action(
        "play", "Play", ("Space",), MENU, toggle_play, has_animations, is_playing, words="pause start stop"
    ),
    Action("play_forwards", "Play forwards", (), MENU, towards(1), has_animations),
    Action("play_backwards", "Play backwards", ("Ctrl+Shift+Space",), MENU, towards(-1), has_animations),
    Action("previous_frame", "Previous frame", (",",), MENU, step(-1), has_playlist),
    Action("next_frame", "Next frame", (".",), MENU, step(1), has_playlist),
    Action("previous_key", "Previous key", ("Ctrl+Left", "Down"), MENU, key(-1), has_playlist),
    Action("next_key", "Next key", ("Ctrl+Right", "Up"), MENU, key(1), has_playlist),
    Action("first_frame", "First frame", ("Shift+Left",), MENU, first, has_playlist),
    Action("last_frame", "Last frame", ("Shift+Right",), MENU, last, has_playlist),
)

LOOP = (
    Action("loop", "Loop", ("L",), MENU, toggle_loop, always, holds("playback.looped"), words="repeat cycle"),
    Action(
        "pingpong",
        "Ping-pong",
        ("Shift+L",),
        MENU,
        toggle_pingpong,
        always,
        equals("view.clock.loop", "pingpong"),
    ),
    Action(
        "in_place",
        "In place",
        ("Shift+R",),
        MENU,
        toggles(IN_PLACE),
        has_animations,
        holds(IN_PLACE),
        words="root motion",
    ),
    Action("range_start", "Set range start", ("I",), RANGE, trim(0), has_playlist),
    Action("range_end", "Set range end", ("O",), RANGE, trim(1), has_playlist),
    Action(
        "range_reset",
        "Reset range",
        ("Shift+I",),
        RANGE,
        untrim,
        otherwise("The range is the whole clip")(holds("playback.trimmed")),
    ),
    Action("slower", "Slower", ("-", "Num-"), SPEED, speed(-1), words="speed"),
    Action("faster", "Faster", ("=", "+", "Num+"), SPEED, speed(1), words="speed"),
    Action("normal_speed", "Normal speed", ("0",), SPEED, speed(0), words="reset"),
)
