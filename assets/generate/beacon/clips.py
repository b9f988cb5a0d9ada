"""The clips of Beacon: standing watch and hopping sideways. Every curve is periodic, so clips loop."""

from __future__ import annotations

import numpy as np

from generate.beacon import arms
from generate.beacon.acting import Acting, perform
from generate.curves import loop, smoothstep
from generate.rig import Clip, Rig
from viewer.arrays import Array

WATCH = 4.0
HOP = 0.8
"""Seconds of one hop; the dance is one to the left and one to the right."""
LANDINGS = (0.60, 0.60 + HOP)

HEIGHT = (
    (0.00, -0.062),
    (0.10, -0.050),
    (0.20, 0.040),
    (0.30, 0.118),
    (0.38, 0.138),
    (0.46, 0.118),
    (0.56, 0.030),
    (0.64, -0.030),
    (0.72, -0.056),
)
STRETCH = (
    (0.00, 0.87),
    (0.10, 0.93),
    (0.20, 1.13),
    (0.36, 1.00),
    (0.50, 1.07),
    (0.58, 1.06),
    (0.68, 0.84),
    (0.75, 0.85),
)

SPREAD = np.array((0.0, 2.0, 5.0, 9.0, 14.0, 20.0, 28.0))
"""Degrees by which the bones of an arm swing: most at the tip."""
PHASES = np.array((0.0, 1.9, 3.6, 0.9, 4.4, 2.6, 5.3, 1.3))
"""So that no two arms move alike."""


def clips(rig: Rig) -> list[Clip]:
    """All clips; the first is the stand."""
    return [idle(rig), dance(rig)]


def idle(rig: Rig) -> Clip:
    """Breathes, looks round, blinks; arms curl, the lantern sways, one arm greets."""
    t = np.linspace(0, WATCH, 61)
    w = 2 * np.pi / WATCH
    still = np.zeros_like(t)
    breath = np.sin(2 * w * t)
    pitch, yaw = _curl(w * t, 0.62)
    pitch[:, arms.HOLDING] += 4 * np.sin(w * t)[:, None] * (0, 1, 1, 0.4, 0, -1, -1)
    greeting = smoothstep(0.3, 1.2, 1 - np.abs(t / WATCH - 0.5) * 2.4)
    yaw[:, arms.WAVING] += (greeting * np.sin(4 * w * t))[:, None] * (0, 3, 9, 15, 19, 22, 24)
    pitch[:, arms.WAVING] += (greeting - 0.5)[:, None] * (0, 8, 10, 4, -16, -34, -40)
    turned = loop(((0.0, 0), (0.7, 9), (1.5, 8), (2.1, -8), (3.1, -9), (3.6, -1)), t, WATCH)
    gaze = loop(((0.0, 0), (0.45, 13), (0.6, 14), (1.5, 10), (1.72, -12), (3.0, -12), (3.3, 2)), t, WATCH)
    acting = Acting(
        times=t,
        shift=np.stack((0.010 * np.sin(w * t), 0.006 * breath, still), axis=-1),
        heading=0.35 * turned,
        roll=1.6 * np.sin(w * t + 0.4),
        nod=1.2 * np.sin(2 * w * t - 0.5),
        tilt=-2.4 * np.sin(w * t - 0.3),
        stretch=1 + 0.022 * np.sin(2 * w * t - 0.7),
        flop=np.stack((1.3 * np.sin(2 * w * t - 1.6), 1.3 * np.sin(w * t - 0.9)), axis=-1),
        look=np.stack((gaze, 3 * np.sin(w * t + 1)), axis=-1),
        lids=_blink(t, 0.55) + _blink(t, 2.70) + _blink(t, 3.02),
        pitch=pitch,
        yaw=yaw,
        swing=np.stack((6 * np.sin(2 * w * t - 0.8), 8 * np.sin(w * t - 1.2)), axis=-1),
    )
    return perform(rig, "Beacon_Idle", acting)


def dance(rig: Rig) -> Clip:
    """Crouches, jumps, lands: to the left, to the right. Arms, mantle, cap and lantern follow late."""
    t = np.linspace(0, 2 * HOP, 49)
    w = np.pi / HOP
    aside = np.cos(w * (t + 0.02))
    pitch, yaw = _curl(2 * w * t, 0.35)
    delays = 0.02 + 0.035 * np.arange(arms.BONES)
    drag = -np.array((10, 16, 22, 26, 28, 30, 32)) * _speed(t[:, None] - delays)
    pitch += drag[:, None]
    yaw += (-np.sin(w * (t[:, None] - delays)) * SPREAD * 0.5)[:, None]
    yaw[:, arms.WAVING] += np.sin(2 * w * (t[:, None] - delays * 1.6)) * (0, 6, 13, 18, 22, 26, 30)
    pitch[:, arms.HOLDING] -= 0.45 * drag * (0, 1, 1, 1, 1, 1, 1)
    acting = Acting(
        times=t,
        shift=np.stack((0.055 * aside, loop(HEIGHT, t, HOP), np.zeros_like(t)), axis=-1),
        heading=-9 * np.cos(w * (t - 0.04)),
        roll=7 * np.sin(w * (t + 0.02)),
        nod=5 - 4 * _speed(t),
        tilt=9 * np.cos(w * (t - 0.06)),
        stretch=loop(STRETCH, t, HOP),
        flop=np.stack((4.0 * _speed(t - 0.09), 4.5 * np.sin(w * (t - 0.16))), axis=-1),
        look=np.stack((-10 * np.cos(w * (t + 0.05)), 5 * _speed(t)), axis=-1),
        lids=0.08 + 0.30 * smoothstep(0.02, 0.06, -loop(HEIGHT, t - 0.02, HOP)),
        pitch=pitch,
        yaw=yaw,
        swing=np.stack((14 * _speed(t - 0.12), 24 * np.sin(w * (t - 0.14))), axis=-1),
    )
    return perform(rig, "Beacon_Dance", acting, tuple((time, "Footstep") for time in LANDINGS))


def _curl(phase: Array, strength: float) -> tuple[Array, Array]:
    """Bends [K, 8, 7] around the bind pose: waves that run down the arms."""
    wave = phase[:, None, None] - 0.7 * np.arange(arms.BONES) + PHASES[:, None]
    pitch = arms.bind_pitch() + strength * SPREAD * np.sin(wave)
    yaw = arms.BIND_YAW + 0.7 * strength * SPREAD * np.sin(wave - 1.1)
    return pitch, yaw


def _speed(t: Array) -> Array:
    """The vertical speed of the body in metres a second: about -1.2 to 1.2."""
    step = 0.02
    return np.asarray((loop(HEIGHT, t + step, HOP) - loop(HEIGHT, t - step, HOP)) / (2 * step))


def _blink(t: Array, at: float) -> Array:
    """Shut quickly, open a little slower."""
    return np.asarray(smoothstep(-0.10, -0.02, t - at) * (1 - smoothstep(0.03, 0.20, t - at)))
