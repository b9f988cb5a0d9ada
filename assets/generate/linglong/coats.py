"""The paint of each part of Linglong at u, v and the point there."""

from __future__ import annotations

import numpy as np
from PIL import Image

from generate.curves import bump, lerp, smoothstep
from generate.linglong import parts
from generate.paint import Coat, over, ramp, rgb
from viewer.arrays import Array

JADE, DEEP, MINT, CREAM, GOLD = "2f9e7e", "0f5a63", "8be0b0", "f7e3b4", "e9b949"
ROWS, AROUND = 92, 16
"""Scales along and around the body."""


def body(u: Array, v: Array, points: Array) -> Coat:
    """Scales of jade, deep blue on the back and towards the tail, and a belly of pale plates."""
    back = 1 - np.abs(2 * v - 1)
    color = ramp(back, ((0.30, "58c79a"), (0.62, JADE), (0.86, "17736f"), (1.0, DEEP)))
    color = over(color, rgb("2a4c9a"), 0.75 * smoothstep(0.45, 1.0, u))
    deep, rim = _scales(u * ROWS, v * AROUND)
    color = over(color, rgb("06323c"), 0.62 * (1 - smoothstep(0.0, 0.55, deep)))
    color = over(color, rgb(MINT), 0.55 * smoothstep(0.45, 1.0, deep) * (1 - rim))
    color = over(color, rgb("ffe9a0"), 0.50 * rim)
    plate = np.mod(u * ROWS * 0.5, 1)
    belly = ramp(plate, ((0.0, "b9803f"), (0.16, "f0cd8a"), (0.7, CREAM), (1.0, "fff4d4")))
    color = over(color, belly, 1 - smoothstep(0.22, 0.30, back))
    return Coat(over(color, rgb(DEEP), 0.4 * bump(back - 0.29, 0.035)))


def _scales(row: Array, column: Array) -> tuple[Array, Array]:
    """How far out on its scale a place is (0 under the one before, 1 at the tip), and how much rim it is."""
    number = np.floor(row)
    down = row - number
    before = np.mod(column + 0.5 * np.mod(number + 1, 2), 1) - 0.5
    tip = 0.85 * np.sqrt(np.clip(1 - (2 * before) ** 2, 0, 1))
    covered = down < tip
    depth = np.where(covered, (1 + down) / 1.85, down)
    rim = np.where(covered, bump(tip - down - 0.06, 0.05), 0.0)
    return depth, rim


def head(u: Array, v: Array, points: Array) -> Coat:
    """Jade above, cream below; a golden brow, blushing cheeks, nostrils and the line of the lips."""
    x, y, z = np.moveaxis(points, -1, 0)
    color = ramp(y, ((-0.09, CREAM), (-0.035, "c6e6b4"), (0.005, "58c79a"), (0.07, JADE), (0.16, "17736f")))
    color = over(color, rgb(MINT), 0.55 * smoothstep(0.12, 0.24, z) * smoothstep(-0.05, 0.02, y))
    deep, rim = _scales(-z * 26 + 8, np.arctan2(x, y + 0.02) * 3.2 + 0.5)
    scaled = (1 - smoothstep(0.02, 0.09, z)) * smoothstep(-0.02, 0.03, y)
    color = over(color, rgb("0a4a50"), 0.40 * scaled * (1 - smoothstep(0.0, 0.5, deep)))
    color = over(color, rgb("ffe9a0"), 0.35 * scaled * rim)
    stripe = (
        bump(x, 0.016)
        * smoothstep(-0.10, 0.0, z)
        * (1 - smoothstep(0.16, 0.20, z))
        * smoothstep(0.03, 0.06, y)
    )
    color = over(color, rgb(GOLD), 0.85 * stripe)
    cheeks = bump(np.abs(x) - 0.135, 0.030) * bump(y + 0.022, 0.026) * bump(z - 0.100, 0.040)
    color = over(color, rgb("ff6a5a"), 0.75 * cheeks)
    sockets = np.min([np.linalg.norm(points - parts.EYE * (side, 1, 1), axis=-1) for side in (1, -1)], axis=0)
    color = over(color, rgb("073c45"), 0.65 * (1 - smoothstep(0.074, 0.105, sockets)))
    lips = bump(y + 0.034 - 0.10 * np.maximum(np.abs(x) - 0.05, 0), 0.005) * smoothstep(0.04, 0.08, z)
    return Coat(over(color, rgb("5c1f2a"), 0.8 * lips))


def jaw(u: Array, v: Array, points: Array) -> Coat:
    """Cream below, and the mouth: dark red with a tongue."""
    x, y, z = np.moveaxis(points, -1, 0)
    color = ramp(z, ((-0.05, "58c79a"), (0.03, "c6e6b4"), (0.12, CREAM), (0.24, "f3dca6")))
    middle = np.interp(z, *np.array([(s[0], (s[2] + s[3]) / 2) for s in parts.JAW[1:-1]]).T)
    inside = smoothstep(0.008, 0.016, y - middle)
    tongue = bump(x, 0.030) * smoothstep(0.0, 0.05, z)
    return Coat(over(color, over(rgb("5a0f22") + 0 * color, rgb("f0707c"), tongue), inside))


def lid(u: Array, v: Array, points: Array) -> Coat:
    """Golden at the rim."""
    return Coat(ramp(v, ((0.0, "6d4a12"), (0.12, GOLD), (0.22, "f5d37a"), (0.34, "1f8274"), (1.0, "17736f"))))


def eye(u: Array, v: Array, points: Array) -> Coat:
    """Amber, with a tall pupil and two lights in it; v from the pupil to the back."""
    reach = np.pi * v
    x, y = np.sin(reach) * np.sin(2 * np.pi * u), np.sin(reach) * np.cos(2 * np.pi * u)
    front = v < 0.5
    away = np.hypot(x, y) + 2.0 * ~front
    color = ramp(
        away, ((0.0, "ffd95a"), (0.40, "ffc23a"), (0.66, "e0701c"), (0.74, "5b1c10"), (0.79, "fff8ea"))
    )
    pupil = np.hypot(x / 0.40, y / 0.50)
    color = over(color, rgb("1c0a10"), (1 - smoothstep(0.92, 1.05, pupil)) * front)
    lights = np.minimum(np.hypot(x + 0.24, y - 0.30) / 0.17, np.hypot(x - 0.20, y + 0.24) / 0.085)
    return Coat(over(color, rgb("ffffff"), (1 - smoothstep(0.85, 1.05, lights)) * front))


def gold(u: Array, v: Array, points: Array) -> Coat:
    """Horns, claws and brows: dark at the root, with rings."""
    rings = 0.5 + 0.5 * np.sin(2 * np.pi * 5 * v)
    color = ramp(v, ((0.0, "8a5a1c"), (0.35, "d99f38"), (0.8, "f6d98a"), (1.0, "fff3c8")))
    return Coat(over(color, rgb("8a5a1c"), 0.28 * rings * (1 - v)))


def leg(u: Array, v: Array, points: Array) -> Coat:
    """Scales outside, pale towards the paw."""
    color = ramp(v, ((0.0, JADE), (0.6, "58c79a"), (1.0, CREAM)))
    deep, rim = _scales(v * 9, u * 6)
    color = over(color, rgb("0a4a50"), 0.4 * (1 - smoothstep(0.0, 0.5, deep)))
    return Coat(over(color, rgb("ffe9a0"), 0.4 * rim))


def whisker(u: Array, v: Array, points: Array) -> Coat:
    """From jade to vermilion."""
    return Coat(ramp(v, ((0.0, JADE), (0.25, "f6d98a"), (0.6, "ff9a3c"), (1.0, "e8432e"))))


def fins(size: int) -> Image.Image:
    """The fins' texture with alpha: above one flame of the crest, which repeats along u; below one plume."""
    down, across = (np.mgrid[0:size, 0:size] + 0.5) / size
    lower = down >= 0.5
    v = np.where(lower, 2 * down - 1, 2 * down)
    reach = lerp(0.10, 0.98, np.where(across < 0.8, (across / 0.8) ** 1.6, ((1 - across) / 0.2) ** 1.3))
    flame = smoothstep(-0.02, 0.02, reach - (1 - v))
    sway = 0.5 + 0.06 * np.sin(2 * np.pi * v) * (1 - v)
    half = 0.46 * np.sin(np.pi * np.clip(v, 0, 1) ** 0.62) ** 0.8 * (1 + 0.10 * np.sin(9 * np.pi * v))
    leaf = smoothstep(-0.02, 0.02, half - np.abs(across - sway))
    stops = ((0.0, "ffe26a"), (0.28, "ffae3a"), (0.6, "f2602e"), (1.0, "b01f35"))
    rays = np.where(lower, np.sin(14 * np.pi * (across - sway)), np.sin(6 * np.pi * (across + 0.3 * v)))
    color = over(ramp(v, stops), rgb("8c1530"), 0.30 * np.clip(rays, 0, 1) * v)
    edge = np.where(
        lower, bump(half - np.abs(across - sway) - 0.03, 0.03), bump(reach - (1 - v) - 0.05, 0.05)
    )
    color = over(color, rgb("fff0b0"), 0.6 * edge)
    whole = np.concatenate((color, np.where(lower, leaf, flame)[..., None]), axis=-1)
    return Image.fromarray(np.rint(np.clip(whole, 0, 1) * 255).astype(np.uint8), "RGBA")


def pearl(width: int, height: int) -> Image.Image:
    """A swirl of light that closes around u."""
    down, across = np.mgrid[0:height, 0:width]
    u, v = (across + 0.5) / width, (down + 0.5) / height
    wave = np.sin(2 * np.pi * (2 * u + 1.2 * v + 0.12 * np.sin(2 * np.pi * (u + 2 * v))))
    color = ramp(0.5 + 0.5 * wave, ((0.0, "ff8a3c"), (0.35, "ffbf5e"), (0.7, "ffe9a8"), (1.0, "ffffff")))
    color = over(color, rgb("fff6dc"), 0.75 * smoothstep(0.55, 1.0, np.abs(2 * v - 1)))
    return Image.fromarray(np.rint(color * 255).astype(np.uint8))
