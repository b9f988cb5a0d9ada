"""Puff's paint: porcelain with a face and a garland, steam, a glint."""

from __future__ import annotations

import numpy as np

from generate.curves import bump, lerp, smoothstep
from generate.paint import Area, Coat, draw, over, ramp, rgb
from generate.puff.shape import PARTS, surfaces
from viewer.arrays import Array

SKIN, STEAM, GLINT, FADE = 512, 128, 64, (64, 8)
CREAM, BLUE, GOLD, INK, ROSE, CORAL = "f6ecd6", "3f74a8", "d9a441", "27344d", "ef9a8d", "ee6f57"
EYES, EYE_HEIGHT = 0.068, 0.60
"""Of the way round from the middle of the face, and of the way up."""


def skin() -> Array:
    """[H, W, 4] u8: the porcelain."""
    painters = {"belly": _belly, "lid": _lid, "spout": _spout, "handle": _handle}
    painters |= {"foot": _foot, "petal": _petal, "knob": _knob, "tea": _tea}
    places = surfaces()
    areas = [Area(PARTS[name], places[name], painter) for name, painter in painters.items()]
    color = np.asarray(draw(areas, SKIN, CREAM)[0])
    return np.dstack((color, np.full(color.shape[:2], 255, np.uint8)))


def _belly(u: Array, v: Array, points: Array) -> Coat:
    color = _garland(_shaded(points, CREAM), u, v)
    for side in (-1, 1):
        across, up = (u - 0.5 - side * EYES) / 0.020, (v - EYE_HEIGHT) / 0.062
        color = over(color, rgb(INK), 1 - smoothstep(0.92, 1.08, np.hypot(across, up)))
        shine = np.hypot(across + 0.35, up - 0.45)
        color = over(color, rgb("ffffff"), 1 - smoothstep(0.22, 0.34, shine))
        cheek = np.hypot((u - 0.5 - side * 0.115) / 0.026, (v - 0.50) / 0.045)
        color = over(color, rgb(ROSE), 0.75 * bump(cheek, 0.6))
    across = (u - 0.5) / 0.036
    mouth = 0.515 + 0.035 * across**2
    line = np.abs(v - mouth) / 0.011
    return Coat(over(color, rgb(INK), (1 - smoothstep(0.7, 1.1, line)) * (np.abs(across) < 1)))


def _shaded(points: Array, code: str) -> Array:
    """Porcelain, a little darker towards the ground."""
    height = np.broadcast_to(points[..., 2], points.shape[:-1])
    return lerp(rgb(code) * (0.80, 0.78, 0.82), rgb(code), smoothstep(0.0, 0.35, height)[..., None])


def _garland(color: Array, u: Array, v: Array) -> Array:
    """Two gold lines, and between them a vine with leaves and berries."""
    for height in (0.235, 0.385, 0.965):
        color = over(color, rgb(GOLD), 1 - smoothstep(0.008, 0.013, np.abs(v - height)))
    vine = 0.31 + 0.022 * np.sin(2 * np.pi * 9 * u)
    color = over(color, rgb(BLUE), 1 - smoothstep(0.006, 0.010, np.abs(v - vine)))
    for shift, code, wide in ((0.25, BLUE, 0.30), (0.75, CORAL, 0.16)):
        along = np.mod(9 * u - shift, 1.0) - 0.5
        berry = np.hypot(along / wide, (v - 0.31) / 0.028)
        color = over(color, rgb(code), 1 - smoothstep(0.75, 1.0, berry))
    return color


def _lid(u: Array, v: Array, points: Array) -> Coat:
    color = np.broadcast_to(rgb(CREAM), (*u.shape, 3))
    color = over(color, rgb(GOLD), 1 - smoothstep(0.20, 0.24, v))
    scallop = 0.46 + 0.10 * np.abs(np.sin(np.pi * 12 * u))
    return Coat(over(color, rgb(BLUE), 1 - smoothstep(0.02, 0.05, np.abs(v - scallop))))


def _spout(u: Array, v: Array, points: Array) -> Coat:
    color = over(_shaded(points, CREAM), rgb(GOLD), smoothstep(0.84, 0.86, v))
    return Coat(over(color, rgb("4a3424"), smoothstep(0.972, 0.985, v)))


def _handle(u: Array, v: Array, points: Array) -> Coat:
    stripes = smoothstep(-0.1, 0.1, np.sin(2 * np.pi * 7 * v))
    return Coat(over(_shaded(points, CREAM), rgb(BLUE), stripes * smoothstep(0.12, 0.16, v) * (v < 0.88)))


def _foot(u: Array, v: Array, points: Array) -> Coat:
    return Coat(ramp(v, ((0.0, "2f567f"), (0.5, BLUE), (1.0, "6d9cc9"))))


def _petal(u: Array, v: Array, points: Array) -> Coat:
    return Coat(ramp(np.abs(u - 0.5) * 2, ((0.0, "fbd3c4"), (0.6, CORAL), (1.0, "d3503d"))))


def _knob(u: Array, v: Array, points: Array) -> Coat:
    return Coat(ramp(v, ((0.0, "9a6d22"), (0.5, GOLD), (1.0, "f6d98b"))))


def _tea(u: Array, v: Array, points: Array) -> Coat:
    return Coat(ramp(v, ((0.0, "4a2a12"), (1.0, "8a5526"))))


def steam() -> Array:
    """[H, W, 4] u8: white wisps that tile upwards; the alpha fades at the sides."""
    v, u = np.meshgrid(*(2 * [(np.arange(STEAM) + 0.5) / STEAM]), indexing="ij")
    bend = 0.10 * np.sin(2 * np.pi * v) + 0.05 * np.sin(4 * np.pi * v + 1.0)
    wisp = bump(u - 0.5 - bend, 0.10) + 0.7 * bump(u - 0.42 + 0.9 * bend, 0.07)
    puffs = 0.72 + 0.28 * np.cos(2 * np.pi * (2 * v + 0.25 * np.sin(2 * np.pi * u)))
    alpha = np.clip(wisp * puffs, 0, 1) * smoothstep(0.0, 0.2, u) * smoothstep(0.0, 0.2, 1 - u)
    return _rgba(np.ones((*u.shape, 3)), 0.95 * alpha)


def fade() -> Array:
    """[H, W, 4] u8: the mask of the steam: transparent at the top, faint at the bottom."""
    down = np.broadcast_to((np.arange(FADE[0])[:, None] + 0.5) / FADE[0], FADE)
    return _rgba(np.ones((*FADE, 3)), smoothstep(0.0, 0.75, down) * smoothstep(0.0, 0.12, 1 - down))


def glint() -> Array:
    """[H, W, 4] u8: a star of four rays."""
    v, u = np.meshgrid(*(2 * [(np.arange(GLINT) + 0.5) / GLINT * 2 - 1]), indexing="ij")
    distance = np.hypot(u, v)
    rays = bump(u, 0.05) * bump(v, 0.38) + bump(v, 0.05) * bump(u, 0.38)
    light = (rays + 0.8 * bump(distance, 0.14)) * smoothstep(0.0, 0.25, 1 - distance)
    return _rgba(np.broadcast_to(rgb("fff2c4"), (*u.shape, 3)), np.clip(light, 0, 1))


def _rgba(color: Array, alpha: Array) -> Array:
    whole = np.dstack((color, alpha))
    return np.asarray(np.rint(np.clip(whole, 0, 1) * 255).astype(np.uint8))
