"""A made walker whose feet are known: two legs, and clips in which each foot stands and swings by a
formula.
"""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array
from viewer.scene.animation import Animation, Track
from viewer.scene.skeleton import Skeleton

UP = (0.0, 1.0, 0.0)
HEIGHT, ANKLE, STANCE, PERIOD, SPEED = 1.8, 0.08, 0.6, 1.0, 1.4
"""Lengths in metres: of the body and of a foot above the ground. Of each period in seconds, the share STANCE
is a contact; the walker goes SPEED metres a second.
"""
NAMES = ("Root", "Hips", "L_Calf", "L_Foot", "R_Calf", "R_Foot", "Head")
LEFT, RIGHT = 3, 5
FRAME = 1 / 30


def walker(names: tuple[str, ...] = NAMES) -> Skeleton:
    """A body that stands on the plane y = 0."""
    positions = [
        (0, 0, 0),
        (0, 0.95, 0),
        (0.1, -0.45, 0),
        (0, ANKLE - 0.5, 0),
        (-0.1, -0.45, 0),
        (0, ANKLE - 0.5, 0),
        (0, HEIGHT - 0.95, 0),
    ]
    return Skeleton(
        names,
        np.array([-1, 0, 1, 2, 1, 4, 1], np.int32),
        np.array(positions, np.float32),
        np.tile(np.array([0, 0, 0, 1], np.float32), (7, 1)),
        np.ones((7, 3), np.float32),
    )


def foot_path(times: Array, phase: float) -> Array:
    """[K, 2]: how far a foot is before its place below the hip, and how high above its rest height, while the
    body goes SPEED metres a second over the ground.
    """
    turns, share = np.divmod(times / PERIOD + phase, 1.0)
    swing = np.clip((share - STANCE) / (1 - STANCE), 0, 1)
    stride = SPEED * PERIOD
    before = stride * (turns - phase) + stride * (swing - np.sin(2 * np.pi * swing) / (2 * np.pi))
    lift = 0.15 * (1 - np.cos(2 * np.pi * swing)) / 2
    return np.stack((before + stride * STANCE / 2 - SPEED * times, lift), axis=-1)


def walk(moving: float = 0.0, pace: float = 1.0, rate: float = 30.0, periods: int = 2) -> Animation:
    """A walk with keys at `rate` a second. The root moves `moving` metres a second. The feet move `pace`
    times as fast as the body at SPEED would need.
    """
    times = np.linspace(0, periods * PERIOD, round(periods * PERIOD * rate) + 1)
    skeleton = walker()
    root = np.zeros((len(times), 3))
    root[:, 2] = moving * times
    tracks = [Track("Root", "position", times, root)]
    for foot, phase in ((LEFT, 0.0), (RIGHT, 0.5)):
        path = foot_path(times, phase)
        values = np.tile(skeleton.positions[foot].astype(np.float64), (len(times), 1))
        values[:, 2] += pace * path[:, 0]
        values[:, 1] += path[:, 1]
        tracks.append(Track(NAMES[foot], "position", times, values))
    return Animation("Walk", float(times[-1]), tuple(tracks), tuple(each.target for each in tracks))


CONTACTS = {
    LEFT: [(0.0, 0.6), (1.0, 1.6)],
    RIGHT: [(0.0, 0.1), (0.5, 1.1), (1.5, 2.0)],
}
"""The contacts of `walk` in seconds."""
