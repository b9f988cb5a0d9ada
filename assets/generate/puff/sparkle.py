"""The textures of Puff's emitters and its ribbon: flames, smoke, sparks, the trail."""

from __future__ import annotations

import numpy as np

from generate.curves import bump, lerp, smoothstep
from generate.paint import ramp
from viewer.arrays import Array

FLAME_CELLS, SMOKE_CELLS = (2, 4), (2, 2)
"""Rows and columns of the pictures in one texture."""
CELL = 64
SPARK, TRAIL = 32, (64, 256)
BRAIDS = 2.5
"""How often the threads of the trail change sides, there and back."""
WAVES = 7
"""Sine waves of a cloud."""


def flames() -> Array:
    """[H, W, 4] u8: tongues of fire that flicker from cell to cell; white inside, red at the rim."""
    rows, columns = FLAME_CELLS
    return _sheet([_flame(number / (rows * columns)) for number in range(rows * columns)], columns)


def smoke() -> Array:
    """[H, W, 4] u8: four white puffs; the emitter colours them."""
    rows, columns = SMOKE_CELLS
    return _sheet([_puff(number) for number in range(rows * columns)], columns)


def spark() -> Array:
    """[H, W, 4] u8: a bright grain with a soft rim."""
    u, v = _square(SPARK)
    away = np.hypot(u, v)
    light = (bump(away, 0.14) + 0.45 * bump(away, 0.34)) * smoothstep(0.0, 0.3, 1 - away)
    return rgba(np.ones((*away.shape, 3)), light)


def trail() -> Array:
    """[H, W, 4] u8: a flame that runs out into a point, the head at u = 0; in it a braid of two threads."""
    height, width = TRAIL
    v, u = np.meshgrid(_middles(height) * 2 - 1, _middles(width), indexing="ij")
    broad = (0.30 + 0.70 * smoothstep(0.0, 0.16, u)) * (1 - u) ** 0.8
    across = v / np.maximum(broad, 1e-3)
    turn = 2 * np.pi * BRAIDS * u
    threads = sum(bump(across - 0.42 * side * np.sin(turn), 0.11) for side in (-1, 1))
    heat = 0.42 * bump(across, 0.34) + 0.75 * threads + bump(across, 0.16) * bump(u, 0.22)
    light = heat * smoothstep(0.0, 0.3, 1 - np.abs(across)) * (1 - smoothstep(0.25, 1.0, u))
    color = ramp(u, ((0.0, "ffe9b0"), (0.25, "ffb648"), (0.6, "ff6a28"), (1.0, "d8281c")))
    return rgba(lerp(color, 1.0, 0.55 * np.clip(heat - 0.4, 0, 1)[..., None]), light)


def rgba(color: Array, alpha: Array) -> Array:
    """[H, W, 4] u8 of a colour [H, W, 3] and an alpha [H, W], 0 to 1."""
    whole = np.dstack((color, alpha))
    return np.asarray(np.rint(np.clip(whole, 0, 1) * 255).astype(np.uint8))


def _flame(turn: float) -> Array:
    """A tongue at this part, 0 to 1, of its round: its waves run upwards."""
    u, v = _square(CELL)
    height = (1 - v) / 2
    sway = 0.22 * height * np.sin(2 * np.pi * (0.9 * height - turn) + 0.6)
    sway += 0.10 * height * np.sin(2 * np.pi * (2.1 * height - 2 * turn))
    width = 0.52 * np.sqrt(np.clip(height, 0, 1)) * np.clip(1 - height, 0, 1) ** 0.8 * 2.5
    lick = 1 + 0.25 * np.sin(2 * np.pi * (1.6 * height - 2 * turn) + 2.0) * height
    inside = 1 - np.abs(u - sway) / np.maximum(width * lick, 1e-3)
    heat = smoothstep(0.0, 0.9, inside) * smoothstep(0.0, 0.16, height) * smoothstep(0.0, 0.3, 1 - height)
    stops = ((0.0, "c81e08"), (0.35, "ff6a10"), (0.65, "ffc040"), (1.0, "fff4c0"))
    return rgba(ramp(heat * (1.1 - 0.5 * height), stops), heat)


def _puff(number: int) -> Array:
    """One cloud."""
    random = np.random.default_rng(40 + number)
    u, v = _square(CELL)
    cloud = np.zeros_like(u)
    for _ in range(WAVES):
        x, y, phase = random.uniform(-4, 4), random.uniform(-4, 4), random.uniform(0, 2 * np.pi)
        cloud += np.sin(x * u + y * v + phase) / WAVES
    away = np.hypot(u, v) * (1 + 0.35 * cloud)
    alpha = (1 - smoothstep(0.15, 0.92, away)) * (0.72 + 0.6 * cloud)
    shade = 0.86 + 0.14 * np.clip(0.5 - 0.8 * v + cloud, 0, 1)
    return rgba(np.repeat(shade[..., None], 3, axis=2), alpha * smoothstep(0.0, 0.12, 1 - np.hypot(u, v)))


def _middles(count: int) -> Array:
    return (np.arange(count) + 0.5) / count


def _square(size: int) -> tuple[Array, Array]:
    """u to the right and v downwards, -1 to 1."""
    v, u = np.meshgrid(*(2 * [_middles(size) * 2 - 1]), indexing="ij")
    return u, v


def _sheet(cells: list[Array], columns: int) -> Array:
    rows = [np.concatenate(cells[at : at + columns], axis=1) for at in range(0, len(cells), columns)]
    return np.concatenate(rows, axis=0)
