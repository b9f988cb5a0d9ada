"""Skeletons and clips without a format: bind frames, keyed poses, and conversions between world and local
space.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct

from viewer.arrays import Array


class Rig(Struct, frozen=True, eq=False):
    """B bones, each after its parent (-1 for the root); `bind` [B, 3, 4] are their frames in the model."""

    names: tuple[str, ...]
    parents: tuple[int, ...]
    bind: Array

    def __getitem__(self, name: str) -> int:
        return self.names.index(name)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def inverse_bind(self) -> Array:
        """[B, 3, 4]: the model in each bone's own space. The frames are rotations."""
        turned = np.swapaxes(self.bind[:, :, :3], 1, 2)
        return np.concatenate((turned, -turned @ self.bind[:, :, 3:]), axis=2)

    @property
    def local(self) -> Array:
        """[B, 3, 4]: each frame in its parent's space."""
        above = np.concatenate((self.inverse_bind, np.eye(3, 4)[None]))[list(self.parents)]
        joined = above[:, :, :3] @ self.bind
        joined[:, :, 3] += above[:, :, 3]
        return np.asarray(joined)


class Clip(Struct, frozen=True, eq=False):
    """K keys at `times` seconds for all bones, local to the parent: positions [K, B, 3], rotations [K, B, 4]
    xyzw, scales [K, B, 3]. `events` are (time, name)."""

    name: str
    times: Array
    positions: Array
    rotations: Array
    scales: Array
    events: tuple[tuple[float, str], ...] = ()


def frame(origin: Any, turn: Array | None = None) -> Array:
    """[3, 4] of a place and a rotation [3, 3]."""
    return np.column_stack((np.eye(3) if turn is None else turn, np.asarray(origin, float)))


def turn(axis: int, degrees: Any) -> Array:
    """[..., 3, 3] rotations about one axis, by the numbers' own right-hand rule: x to y, y to z, z to x."""
    angle = np.radians(np.asarray(degrees, float))
    out = np.zeros((*angle.shape, 3, 3))
    first, second = (axis + 1) % 3, (axis + 2) % 3
    out[..., axis, axis] = 1
    out[..., first, first] = out[..., second, second] = np.cos(angle)
    out[..., second, first] = np.sin(angle)
    out[..., first, second] = -np.sin(angle)
    return out


def quaternions(matrices: Array) -> Array:
    """[..., 3, 3] rotations to [..., 4] xyzw, by the largest of the four: exact for every rotation."""
    m = matrices
    trace = np.trace(m, axis1=-2, axis2=-1)
    skew = np.stack(
        (m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]), axis=-1
    )
    squares = np.empty((*m.shape[:-2], 4, 4))
    squares[..., :3, :3] = m + np.swapaxes(m, -1, -2) + (1 - trace)[..., None, None] * np.eye(3)
    squares[..., :3, 3] = squares[..., 3, :3] = skew
    squares[..., 3, 3] = 1 + trace
    largest = np.argmax(np.diagonal(squares, axis1=-2, axis2=-1), axis=-1)
    row = np.take_along_axis(squares, largest[..., None, None], axis=-2)[..., 0, :]
    return np.asarray(row / np.linalg.norm(row, axis=-1, keepdims=True))


def continuous(rotations: Array) -> Array:
    """[K, ..., 4] keys with the signs chosen so that neighbours lie close together."""
    dots = np.sum(rotations[1:] * rotations[:-1], axis=-1, keepdims=True)
    signs = np.cumprod(np.where(dots < 0, -1.0, 1.0), axis=0)
    return np.concatenate((rotations[:1], rotations[1:] * signs))
