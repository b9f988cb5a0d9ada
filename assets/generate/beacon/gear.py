"""The gear of Beacon: the cap, the lantern and, as they are not skin, the eyeballs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from generate.beacon import body
from generate.curves import lerp, smoothstep
from generate.mesh import Surface, placed, revolved, tube
from generate.rig import frame, turn
from viewer.arrays import Array

CAP_SEAT = frame((-0.016, 0.826, -0.040), turn(2, 8) @ turn(0, -9))
CAP_SIZE = 1.12

ROOF = (
    (0, -0.048),
    (0.013, -0.048),
    (0.015, -0.066),
    (0.024, -0.072),
    (0.066, -0.098),
    (0.072, -0.104),
    (0.070, -0.112),
    (0, -0.112),
)
GLASS = ((0.040, -0.110), (0.050, -0.116), (0.060, -0.150), (0.060, -0.170), (0.052, -0.206), (0.040, -0.212))
BASE = (
    (0, -0.206),
    (0.062, -0.206),
    (0.072, -0.212),
    (0.074, -0.226),
    (0.062, -0.236),
    (0.048, -0.240),
    (0, -0.240),
)
CROWN = (
    (0.124, 0.046),
    (0.142, 0.060),
    (0.190, 0.092),
    (0.196, 0.106),
    (0.176, 0.120),
    (0.100, 0.118),
    (0, 0.112),
)
BAND = ((0.118, -0.050), (0.126, -0.040), (0.130, 0.000), (0.130, 0.040), (0.120, 0.060))
CORD = 0.1345
POSTS = 4


class Piece(NamedTuple):
    """A surface of the gear, its paint, its bone, its cells down and around."""

    surface: Surface
    paint: str
    bone: str
    rows: int
    columns: int
    turned: bool = False


def pieces(lantern: Array, shut: float = 0.0) -> list[Piece]:
    """All of the gear; `lantern` [3, 4] is the frame of its hook, `shut` how far the eyes are closed."""
    return [*_eyes(shut), *_cap(), *_lantern(lantern)]


def _eyes(shut: float) -> list[Piece]:
    return [
        Piece(body.eye_surface(side, shut), "eye", name, 13, 28)
        for side, name in ((1, "Eye.R"), (-1, "Eye.L"))
    ]


def _cap() -> list[Piece]:
    seat = CAP_SEAT * (*[CAP_SIZE] * 3, 1)
    badge = frame(placed(seat, np.array((0, 0.022, 0.128))), CAP_SEAT[:, :3] @ turn(0, 90))
    button = ((0.026, -0.004), (0.026, 0.005), (0.014, 0.011), (0, 0.012))
    return [
        Piece(revolved(BAND, seat), "band", "Cap", 6, 28),
        Piece(revolved(CROWN, seat), "crown", "Cap", 12, 28),
        Piece(_visor(seat), "visor", "Cap", 12, 16),
        Piece(tube(_circle(CORD, 0.049), 0.0065, seat, (0, 1, 0)), "brass", "Cap", 32, 6),
        Piece(revolved(button, badge), "brass", "Cap", 4, 12),
    ]


def _visor(seat: Array) -> Surface:
    """u across, v over the top from the band to the edge and back below."""

    def surface(u: Array, v: Array) -> Array:
        angle = np.radians(lerp(78.0, -78.0, u))
        reach = 1 - np.abs(2 * v - 1)
        length = 0.092 * np.cos(angle) ** 0.8
        radius = 0.124 + length * np.sqrt(smoothstep(0, 1, reach)) + 0.002
        height = 0.004 - 0.050 * reach**1.4 * np.cos(angle) - 0.020 * np.sin(angle) ** 2
        thick = 0.005 * np.sign(0.5 - v) * np.sqrt(np.clip(1 - reach**6, 0, 1))
        return placed(
            seat, np.stack((radius * np.sin(angle), height + thick, radius * np.cos(angle)), axis=-1)
        )

    return surface


def _lantern(hanger: Array) -> list[Piece]:
    posts = [_post(hanger, 90.0 * k + 45) for k in range(POSTS)]
    ring = [(x, y - 0.018, 0) for x, _, y in _circle(0.033, 0)]
    return [
        Piece(tube(ring, 0.0055, hanger), "brass", "Lantern", 20, 6),
        Piece(revolved(ROOF, hanger), "brass", "Lantern", 14, 20, True),
        Piece(revolved(GLASS, hanger), "glass", "Lantern", 8, 20, True),
        Piece(revolved(BASE, hanger), "brass", "Lantern", 10, 20, True),
        *(Piece(post, "brass", "Lantern", 5, 6) for post in posts),
    ]


def _post(hanger: Array, degrees: float) -> Surface:
    """A brass rod outside of the glass."""
    angle = np.radians(degrees)
    bow = [
        (radius * np.sin(angle), y, radius * np.cos(angle))
        for radius, y in ((0.060, -0.104), (0.069, -0.130), (0.069, -0.180), (0.062, -0.214))
    ]
    return tube(bow, 0.0055, hanger, (np.cos(angle), 0, -np.sin(angle)))


def _circle(radius: float, height: float) -> Array:
    """[25, 3] points around the y axis, the last on the first."""
    angle = np.linspace(0, 2 * np.pi, 25)
    return np.stack((radius * np.sin(angle), np.full(25, height), radius * np.cos(angle)), axis=-1)
