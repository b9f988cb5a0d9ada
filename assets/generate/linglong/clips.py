"""The clips of Linglong: guarding the pearl, and chasing it. Every curve is periodic, so clips loop."""

from __future__ import annotations

import numpy as np

from generate.curves import bump, loop, smoothstep
from generate.linglong import body
from generate.linglong.skeleton import LEGS, SIDES, SPINE, WHISKER, places
from generate.rig import Clip, Rig, quaternions, turn
from viewer.arrays import Array

GUARD, CHASE = 4.0, 2.4
CHINESE = {"Guard": "护珠", "Chase": "追珠"}
KEYS_A_SECOND = 8
LOOK_YAW = ((0.0, 0.0), (0.7, 22.0), (1.5, 24.0), (2.2, -18.0), (3.0, -20.0), (3.6, 0.0))
LOOK_PITCH = ((0.0, 4.0), (0.7, -6.0), (1.5, -2.0), (2.2, 14.0), (3.0, 16.0), (3.6, 6.0))
BLINKS = (0.55, 1.85, 1.99, 3.35)
"""Seconds of the blinks while it guards."""


def clips(rig: Rig) -> list[Clip]:
    """All clips; the first is the stand."""
    return [guard(rig), chase(rig)]


def guard(rig: Rig) -> Clip:
    """A wave runs down the coil, the head looks about, the pearl hovers."""
    t = _times(GUARD)
    w = 2 * np.pi / GUARD
    spine = [body.frames(body.coil(w * time, 0.020), np.concatenate(((0.0,), places()))) for time in t]
    acting = _Acting(rig, t)
    acting.lay(np.stack(spine))
    acting.look(loop(LOOK_YAW, t, GUARD), loop(LOOK_PITCH, t, GUARD), 5 * np.sin(w * t))
    acting.face(3 + 3 * np.sin(2 * w * t) + 12 * bump(t - 2.6, 0.25), w, 8.0)
    acting.paddle(w, 7.0)
    bob = np.stack((0.012 * np.sin(w * t), 0.022 * np.sin(2 * w * t), 0.012 * np.cos(w * t) - 0.012), axis=-1)
    acting.float_pearl(bob, w * t, 1 + 0.04 * np.sin(2 * w * t))
    return acting.clip("Guard")


def chase(rig: Rig) -> Clip:
    """Round and round the pearl, mouth open."""
    t = _times(CHASE)
    w = 2 * np.pi / CHASE
    spine = [body.frames(body.chase(w * time), np.concatenate(((0.0,), places()))) for time in t]
    acting = _Acting(rig, t)
    acting.lay(np.stack(spine))
    acting.look(14 + 6 * np.sin(2 * w * t), -4 + 5 * np.cos(2 * w * t), 10 + 6 * np.sin(2 * w * t))
    acting.face(14 + 8 * np.sin(2 * w * t), 2 * w, 16.0)
    acting.paddle(2 * w, 26.0)
    bob = np.stack((0 * t, 0.05 * np.sin(2 * w * t), 0 * t), axis=-1)
    acting.float_pearl(bob, -2 * w * t, 1 + 0.07 * np.sin(2 * w * t))
    return acting.clip("Chase")


def influences(name: str) -> tuple[float, list[tuple[float, dict[str, float]]]]:
    """Length and keys (time, weight by pose) of the face's poses in a clip."""
    length = GUARD if name == "Guard" else CHASE
    t = np.linspace(0, length, round(length * 20) + 1)
    if name == "Guard":
        shut = np.max([1 - smoothstep(0.04, 0.13, np.abs(t - at)) for at in BLINKS], axis=0)
        smile = smoothstep(2.3, 2.6, t) * (1 - smoothstep(3.3, 3.7, t))
    else:
        shut, smile = 0.12 + 0 * t, 0.75 + 0.25 * np.sin(4 * np.pi * t / length)
    return length, [
        (float(time), {"blink": float(a), "smile": float(b)})
        for time, a, b in zip(t, shut, smile, strict=True)
    ]


def _times(length: float) -> Array:
    return np.linspace(0, length, round(length * KEYS_A_SECOND) + 1)


class _Acting:
    """Local places and turns of all bones at K times, from the bind pose on."""

    def __init__(self, rig: Rig, times: Array) -> None:
        self.rig, self.times = rig, times
        count = len(times)
        self.turns = np.broadcast_to(rig.local[:, :, :3], (count, len(rig), 3, 3)).copy()
        self.places = np.broadcast_to(rig.local[:, :, 3], (count, len(rig), 3)).copy()
        self.scales = np.ones((count, len(rig), 3))

    def lay(self, spine: Array) -> None:
        """The nape and the spine's bones [K, 1 + 12, 3, 4] in the model."""
        order = [*(f"Spine{b}" for b in range(SPINE)), "Head"]
        frames = np.concatenate((spine[:, 1:], spine[:, :1]), axis=1)
        above = {name: frames[:, max(k - 1, 0)] for k, name in enumerate(order)} | {"Head": frames[:, 0]}
        for k, name in enumerate(order):
            bone = self.rig[name]
            self.turns[:, bone], self.places[:, bone] = frames[:, k, :, :3], frames[:, k, :, 3]
            if name != "Spine0":
                back = np.swapaxes(above[name][:, :, :3], 1, 2)
                self.turns[:, bone] = back @ frames[:, k, :, :3]
                self.places[:, bone] = np.einsum(
                    "kij,kj->ki", back, frames[:, k, :, 3] - above[name][:, :, 3]
                )

    def look(self, yaw: Array, pitch: Array, roll: Array) -> None:
        """Degrees to its left, down, and to its left ear; the eyes go ahead of the head."""
        head = self.rig["Head"]
        self.turns[:, head] = self.turns[:, head] @ turn(1, yaw) @ turn(0, pitch) @ turn(2, roll)
        for side in SIDES:
            eye = self.rig[f"Eye.{side}"]
            self.turns[:, eye] = turn(1, 0.35 * yaw) @ turn(0, 0.35 * pitch) @ self.turns[:, eye]

    def face(self, jaw: Array, speed: float, swing: float) -> None:
        """Jaw in degrees; ears and whiskers sway, later towards their ends."""
        self._bend("Jaw", turn(0, jaw))
        for side, sign in SIDES.items():
            self._bend(f"Ear.{side}", turn(2, sign * 0.8 * swing * np.sin(speed * self.times + 0.5)))
            for k in range(WHISKER):
                phase = speed * self.times - 0.9 * k + 0.6 * sign
                self._bend(
                    f"Whisker{k}.{side}",
                    turn(2, sign * swing * np.sin(phase)) @ turn(1, sign * swing * np.cos(phase)),
                )

    def paddle(self, speed: float, swing: float) -> None:
        """The legs, one after another."""
        for k, name in enumerate(LEGS):
            self._bend(name, turn(0, swing * np.sin(speed * self.times + np.pi * (k % 3))))

    def float_pearl(self, shift: Array, spin: Array, size: Array) -> None:
        """Metres, radians, times its size."""
        pearl = self.rig["Pearl"]
        self.places[:, pearl] += shift
        self.turns[:, pearl] = turn(1, np.degrees(spin))
        self.scales[:, pearl] = size[:, None]

    def clip(self, name: str) -> Clip:
        return Clip(name, self.times, self.places, quaternions(self.turns), self.scales)

    def _bend(self, name: str, change: Array) -> None:
        self.turns[:, self.rig[name]] = self.turns[:, self.rig[name]] @ change
