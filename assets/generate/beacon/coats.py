"""The paint of each part of Beacon at u, v and the point there."""

from __future__ import annotations

import numpy as np

from generate.beacon import body
from generate.curves import bump, lerp, smoothstep
from generate.paint import Coat, over, ramp, rgb
from viewer.arrays import Array

ROOT, PEACH, CREAM, WINE, DARK = "ee6148", "ffa06a", "ffe3bf", "7c1838", "5c0f30"
SPOTS = 70
RIM = 0.010


def mantle(u: Array, v: Array, points: Array) -> Coat:
    """Coral with a plum crown, pale spots behind, blushing cheeks and a mouth in front."""
    x, y, z = np.moveaxis(points, -1, 0)
    color = ramp(
        y,
        (
            (0.20, "e2503e"),
            (0.30, "f8744f"),
            (0.42, "f8744f"),
            (0.60, "dc4544"),
            (0.74, "b22a4e"),
            (0.85, "8a1e56"),
        ),
    )
    face = bump(x, 0.20) * bump(y - 0.385, 0.10) * smoothstep(0.0, 0.14, z) * (1 - smoothstep(0.8, 0.98, v))
    color = over(color, rgb(PEACH), 0.62 * face)
    color = over(color, rgb(ROOT), smoothstep(0.80, 0.98, v))
    spots, rings = _spots(points)
    color = over(color, rgb(WINE), 0.55 * rings)
    color = over(color, rgb("ffb37c"), 0.85 * spots)
    cheeks = bump(np.abs(x) - 0.118, 0.032) * bump(y - 0.352, 0.022) * smoothstep(0.05, 0.1, z)
    color = over(color, rgb("ff4f5e"), 0.60 * cheeks)
    color = over(color, rgb(DARK), _shadow(u, v, points))
    lips = _mouth(x, y) * smoothstep(0.05, 0.1, z)
    color = over(color, rgb("4a0a22"), lips)
    return Coat(color, 0.0022 * spots - 0.004 * lips + 0.0003 * _pores(points))


def _spots(points: Array) -> tuple[Array, Array]:
    """The shares of spots and of their rings: placed at random, but not on the face."""
    chance = np.random.default_rng(11)
    fill, edge = np.zeros(points.shape[:-1]), np.zeros(points.shape[:-1])
    around, down, size = chance.random((3, SPOTS))
    centers = body.mantle_surface()(around, 0.10 + 0.56 * down)
    radii = lerp(0.010, 0.034, size**2)
    placed: list[int] = []
    for k in range(SPOTS):
        gaps = [np.linalg.norm(centers[k] - centers[j]) - radii[k] - radii[j] for j in placed]
        facing = centers[k, 2] > 0.02 and centers[k, 1] < 0.60
        if facing or min(gaps, default=1.0) < 0.014:
            continue
        placed.append(k)
        distance = np.linalg.norm(points - centers[k], axis=-1) / radii[k]
        fill = np.maximum(fill, 1 - smoothstep(0.72, 1.0, distance))
        edge = np.maximum(edge, bump(distance - 1.06, 0.17))
    return fill, edge * (1 - fill)


def _shadow(u: Array, v: Array, points: Array) -> Array:
    """The darkness of places with little light: around the eyes, under the cap, between the arms, below the
    chin.
    """
    eyes = [np.linalg.norm((points - body.EYE * (side, 1, 1)) / body.EYE_SIZE, axis=-1) for side in (1, -1)]
    sockets = 1 - smoothstep(1.04, 1.30, np.minimum(*eyes))
    q = 2 * np.mod(8 * u, 1) - 1
    crotch = _crease(np.abs(np.sin(np.pi / 2 * q))) * smoothstep(0.82, 0.98, v)
    cap = 1 - smoothstep(0.785, 0.830, 1.63 - points[..., 1])
    neck = 0.22 * bump(v - 0.74, 0.09)
    return np.clip(0.40 * sockets + crotch + 0.45 * cap + 0.6 * neck, 0, 1)


def _crease(aside: Array) -> Array:
    """The shadow between neighbouring arms, `aside` from the back (0) to where they meet (1)."""
    return 0.55 * smoothstep(0.70, 1.0, aside)


def _mouth(x: Array, y: Array) -> Array:
    """A small smile, thicker in the middle."""
    half = 0.064
    curve = body.MOUTH - 0.012 + 0.024 * (x / half) ** 2
    thick = lerp(0.0060, 0.0024, np.clip(np.abs(x) / half, 0, 1))
    line = 1 - smoothstep(-0.0012, 0.0012, np.abs(y - curve) - thick)
    return np.asarray(line * (1 - smoothstep(half - 0.003, half, np.abs(x))))


def _pores(points: Array) -> Array:
    """Fine bumps of the skin, -1..1."""
    x, y, z = np.moveaxis(points * 260, -1, 0)
    return np.asarray(
        np.sin(x + 1.7 * np.sin(y * 0.6)) * np.sin(y + 1.3 * np.sin(z * 0.7)) * np.sin(z + np.sin(x * 0.5))
    )


def arm(u: Array, v: Array, points: Array) -> Coat:
    """Coral to a plum tip, pale below with two rows of suckers that shrink towards the tip."""
    back = np.sin(2 * np.pi * v)
    color = ramp(u, ((0.0, ROOT), (0.30, "e04a42"), (0.60, "b32c50"), (0.85, "7a1d58"), (1.0, "5c1a55")))
    bands = smoothstep(0.2, 0.9, np.sin(2 * np.pi * (u * 9 + 0.05 * np.sin(4 * np.pi * v)))) * smoothstep(
        0.1, 0.6, back
    )
    color = over(color, rgb(PEACH), 0.30 * bands * (1 - u) * smoothstep(0.05, 0.15, u))
    below = smoothstep(0.25, 0.62, -back)
    color = over(color, ramp(u, ((0.0, "f6b48e"), (0.5, "ffc9a4"), (1.0, "c97ba0"))), below)
    cups, rims = _suckers(u, v)
    color = over(color, rgb(CREAM), rims)
    color = over(color, rgb("a43a55"), 0.85 * cups)
    side = _crease(np.abs(np.cos(2 * np.pi * v))) * (1 - smoothstep(0.0, 0.12, u))
    color = over(color, rgb(DARK), side)
    crease = bump(back + 0.28, 0.16) * smoothstep(0.0, 0.1, u)
    color = over(color, rgb("5a1233"), 0.28 * crease)
    return Coat(color, 0.0040 * rims - 0.0030 * cups + 0.0003 * _pores(points))


def _suckers(u: Array, v: Array) -> tuple[Array, Array]:
    """Cup and rim of the suckers, 0..1: pairs, closer and smaller along the arm."""
    along = 16 * (0.62 * u + 0.38 * u * u)
    phase = along - np.floor(along) - 0.5
    across = np.abs(v - 0.75) / 0.25 * 2.1 - 0.62
    distance = np.hypot(phase * 1.9, across * 1.75)
    shown = smoothstep(0.05, 0.08, u) * (1 - smoothstep(0.93, 0.97, u)) * (v > 0.5)
    cup = (1 - smoothstep(0.26, 0.38, distance)) * shown
    rim = smoothstep(0.34, 0.44, distance) * (1 - smoothstep(0.66, 0.80, distance)) * shown
    return cup, rim


def lid(u: Array, v: Array, points: Array) -> Coat:
    """The mantle's own colour, darker to the edge like a line of make-up."""
    color = ramp(v, ((0.0, "5a1233"), (0.10, "8e2440"), (0.17, "ea6650"), (0.5, "dc5548"), (1.0, "8e2444")))
    return Coat(color, 0.0002 * _pores(points))


def eye(u: Array, v: Array, points: Array) -> Coat:
    """Amber around a wide pupil with a window's light in it; `v` is the angle from the line of sight."""
    angle, reach = 2 * np.pi * u, 180 * v
    x, y = reach * np.sin(angle), reach * np.cos(angle)
    rays = 0.5 + 0.5 * np.sin(22 * angle + 2 * np.sin(5 * angle))
    color = over(
        ramp(reach, ((40, "fff6ea"), (75, "ffe2d2"), (110, "d98f86"))),
        rgb("3b1420"),
        1 - smoothstep(42, 46, reach),
    )
    iris = ramp(reach, ((18, "ffe27a"), (30, "ffb02e"), (40, "d96a12"), (44, "6b2a0c")))
    iris = over(iris, rgb("fff3b0"), 0.35 * rays * bump(reach - 28, 6))
    color = over(color, iris, 1 - smoothstep(40.5, 43, reach))
    pupil = (np.abs(x) / 27) ** 2.4 + (np.abs(y) / 23) ** 2.4
    color = over(color, rgb("180713"), 1 - smoothstep(0.88, 1.10, pupil))
    color = over(color, rgb("6b3a6a"), 0.55 * bump(np.hypot(x, y + 14), 8) * (pupil < 1))
    glint = 1 - smoothstep(8.0, 9.5, np.hypot(x - 11, y - 13))
    small = 1 - smoothstep(3.5, 4.6, np.hypot(x + 12, y + 12))
    color = over(color, rgb("ffffff"), np.maximum(glint, 0.85 * small))
    brow = smoothstep(20, 75, y)
    return Coat(over(color, rgb("5a1233"), 0.40 * brow), 0.0, 0.55 * glint)


def crown(u: Array, v: Array, points: Array) -> Coat:
    """White cloth with seams, shaded below the overhang."""
    seam = np.abs(np.sin(4 * np.pi * u)) < 0.03
    color = ramp(v, ((0.0, "7f8ba0"), (0.12, "b9c2cf"), (0.34, "f4efe4"), (1.0, "fffaf0")))
    fold = (1 - smoothstep(0.0, 0.10, np.abs(np.sin(4 * np.pi * u)))) * smoothstep(0.4, 0.5, v)
    piping = bump(v - 0.46, 0.022)
    color = over(color, rgb("1f3a5c"), 0.85 * piping)
    return Coat(over(color, rgb("9aa3b0"), 0.5 * fold), 0.0012 * piping - 0.001 * fold * (1 - seam))


def band(u: Array, v: Array, points: Array) -> Coat:
    """Navy cloth, ribbed."""
    ribs = np.sin(2 * np.pi * 90 * u)
    color = ramp(v, ((0.0, "0b1626"), (0.35, "1c3557"), (0.8, "203e66"), (1.0, "14263f")))
    return Coat(over(color, rgb("2c5286"), 0.25 + 0.25 * ribs), 0.0004 * ribs)


def visor(u: Array, v: Array, points: Array) -> Coat:
    """Black patent leather with a brass edge."""
    reach = 1 - np.abs(2 * v - 1)
    color = ramp(reach, ((0.0, "10151f"), (0.5, "1b2534"), (0.85, "2a3850"), (1.0, "141b28")))
    trim = smoothstep(0.84, 0.88, reach)
    return Coat(over(color, rgb("d9a53a"), trim), 0.001 * trim)


def glass(u: Array, v: Array, points: Array) -> Coat:
    """Lit from inside: white at the flame, amber around."""
    heart = bump(v - 0.60, 0.26)
    panes = 1 - 0.30 * bump(np.sin(2 * np.pi * (2 * u - 0.25)) - 1, 0.05)
    color = over(rgb("ff9a2e"), rgb("fff0b8"), heart) * panes[..., None]
    return Coat(color, 0.0, (0.45 + 0.55 * heart) * panes)


def brass(u: Array, v: Array, points: Array) -> Coat:
    """Warm metal, worn bright on the edges, with a little glow from the glass on it."""
    shine = 0.5 + 0.5 * np.sin(2 * np.pi * (2 * u + 0.3))
    color = over(ramp(v, ((0.0, "8f5f1f"), (0.5, "c28c31"), (1.0, "7d5018"))), rgb("ffdf8c"), 0.35 * shine)
    return Coat(color)


GEAR = {"eye": eye, "crown": crown, "band": band, "visor": visor, "glass": glass, "brass": brass}
