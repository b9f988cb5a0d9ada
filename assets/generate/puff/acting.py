"""The sequences of Puff: it stands and boils, or walks. Keys of both lie on one line of milliseconds."""

from __future__ import annotations

from typing import Any

import numpy as np

from generate.curves import bump, smoothstep
from generate.rig import continuous, quaternions, turn
from viewer.arrays import Array
from viewer.families.wow.m2.layout.writer import WrittenTrack

STAND, WALK = (0, 4000), (4333, 5333)
"""Start and end, ms."""
STEPS = {STAND: 100, WALK: 50}
GLINT_LOOP, STEAM_LOOP = 4000, 2000
"""Lengths of the global sequences, ms: a film of one round of standing has no seam."""
RATTLE = 2.75
"""When the lid rattles, seconds into standing; it drops back a little later."""
DROP = 3150
LANDINGS = (0, 500)
ONE = 32767


def times(sequence: tuple[int, int], step: int = 0) -> Array:
    """[K] ms of its keys, from its start; `step` ms apart, 0: as usual."""
    return np.arange(0, sequence[1] - sequence[0] + 1, step or STEPS[sequence])


def line(standing: Any, walking: Any, step: int = 0) -> WrittenTrack:
    """A track from the values of both sequences at their `times`."""
    moments = np.concatenate([begin + times((begin, end), step) for begin, end in (STAND, WALK)])
    first, last = len(standing), len(standing) + len(walking) - 1
    return WrittenTrack(moments, np.concatenate((standing, walking)), ((0, first - 1), (first, last)))


def tracks() -> dict[str, dict[str, WrittenTrack]]:
    """By bone: the tracks that move it."""
    return {
        "Body": {
            "translation": line(_still(STAND), _raised(0.035 * np.abs(np.sin(_phase())))),
            "rotation": line(_turned(x=1.5 * np.sin(_round())), _waddle()),
            "scale": line(_breath(), _still(WALK) + 1.0),
        },
        "Lid": {
            "translation": line(
                _raised(0.035 * _rattle()), _raised(0.03 * np.maximum(np.sin(2 * _phase()), 0))
            ),
            "rotation": line(_turned(y=-11 * _rattle()), _turned(y=-4 * np.maximum(np.sin(2 * _phase()), 0))),
        },
        "Foot.L": {"translation": line(_still(STAND), _step(_phase()))},
        "Foot.R": {"translation": line(_still(STAND), _step(_phase() + np.pi))},
        "Glint": {"scale": _twinkle()},
    }


def steam_weight() -> WrittenTrack:
    """The density of the steam, which bursts out when the lid rattles."""
    seconds = times(STAND) / 1000
    boil = 0.5 + 0.5 * smoothstep(2.0, 2.6, seconds) * (1 - smoothstep(3.1, 3.9, seconds))
    return line(np.rint(boil * ONE), np.full(len(times(WALK)), round(0.6 * ONE)))


def steam_rise() -> WrittenTrack:
    """The steam's texture, once through in each loop."""
    return WrittenTrack([0, STEAM_LOOP], [(0, 0, 0), (0, 1, 0)], global_sequence=1)


def glint_alpha() -> WrittenTrack:
    """The glint lights up once in each loop."""
    moments = np.linspace(0, GLINT_LOOP, 41)
    light = bump((moments - GLINT_LOOP / 2) / GLINT_LOOP, 0.10)
    return WrittenTrack(moments.astype(int), np.rint(light * ONE), global_sequence=0)


def _twinkle() -> WrittenTrack:
    moments = np.linspace(0, GLINT_LOOP, 21)
    size = 0.4 + 0.6 * bump((moments - GLINT_LOOP / 2) / GLINT_LOOP, 0.12)
    return WrittenTrack(moments.astype(int), np.repeat(size[:, None], 3, axis=1), global_sequence=0)


def _phase() -> Array:
    return np.asarray(2 * np.pi * times(WALK) / (WALK[1] - WALK[0]))


def _round() -> Array:
    return np.asarray(2 * np.pi * times(STAND) / (STAND[1] - STAND[0]))


def _still(sequence: tuple[int, int]) -> Array:
    return np.zeros((len(times(sequence)), 3))


def _raised(height: Array) -> Array:
    return np.stack((np.zeros_like(height), np.zeros_like(height), height), axis=-1)


def _turned(**degrees: Array) -> Array:
    """[K, 4]: a turn about one axis."""
    ((axis, angles),) = degrees.items()
    return continuous(quaternions(turn("xyz".index(axis), angles)))


def _waddle() -> Array:
    roll, yaw = turn(0, 7 * np.sin(_phase())), turn(2, 6 * np.cos(_phase()))
    return continuous(quaternions(yaw @ roll))


def _breath() -> Array:
    deep = 0.018 * np.sin(2 * _round())
    return np.stack((1 - 0.5 * deep, 1 - 0.5 * deep, 1 + deep), axis=-1)


def _rattle() -> Array:
    """[K] 0 to 1: how far the lid is open."""
    seconds = times(STAND) / 1000 - RATTLE
    return np.asarray(bump(seconds, 0.22) * np.abs(np.cos(2 * np.pi * 2.5 * seconds)))


def _step(phase: Array) -> Array:
    """A foot: forward through the air, back on the ground."""
    lifted = 0.09 * np.maximum(np.sin(phase), 0)
    return np.stack((-0.11 * np.cos(phase), np.zeros_like(phase), lifted), axis=-1)
