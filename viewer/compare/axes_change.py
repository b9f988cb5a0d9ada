"""Finds the change of axes and unit between two models. Engines have different axes and units, and some
engines mirror an axis.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.compare.geometry_pairs import geometry_pairs
from viewer.compare.nearest_points import nearest
from viewer.scene.maths import scale_of
from viewer.scene.mesh.vertices import sampled, values
from viewer.scene.model import Model

GEOMETRIES = 16
SAMPLE, ASKED = 16384, 1024
"""The largest numbers of examined vertices: SAMPLE in one geometry, ASKED in all geometries together."""
BETTER = 0.5
"""A change is accepted if its distances are below this share of the distances without a change."""
FAR = 0.02
"""Vertices match if their mean distance is at most this fraction of the model's size."""
ALMOST_ONE = 0.02
"""Two sizes mean the same unit if their ratio differs from 1 by at most this."""


class AxesChange(Struct, frozen=True, eq=False):
    """A change of axes and unit. `matrix` [4, 4] converts positions of the other model to positions of the
    first model. `text` describes the change; it is empty if nothing changes.
    """

    matrix: Array
    text: str = ""

    def scaled(self, factor: float) -> AxesChange:
        """This change together with a change of unit by `factor`."""
        texts = filter(None, (self.text, f"the unit is {factor:g} times as large"))
        return AxesChange(self.matrix @ np.diag((factor, factor, factor, 1.0)), ", ".join(texts))

    @property
    def factor(self) -> float:
        """The length of one unit of the other model, in units of the first model."""
        return scale_of(self.matrix)

    @property
    def turn(self) -> Array:
        """[3, 3]: the orthogonal matrix that converts directions. The matrix may mirror."""
        return np.asarray(self.matrix[:3, :3] / self.factor)

    def points(self, points: Array) -> Array:
        """[..., 3]: positions, converted to the axes and unit of the first model."""
        if not self.text:
            return points
        return np.asarray(points @ self.matrix[:3, :3].T + self.matrix[:3, 3]).astype(points.dtype)

    def directions(self, vectors: Array) -> Array:
        """[..., 3]: directions, converted to the axes of the first model."""
        return np.asarray(vectors @ self.turn.T).astype(vectors.dtype) if self.text else vectors

    def rotations(self, rotations: Array) -> Array:
        """[..., 4]: quaternions, converted to the axes of the first model."""
        if not self.text:
            return rotations
        turn = self.turn
        axes = rotations[..., :3] @ turn.T * np.sign(np.linalg.det(turn))
        return np.concatenate((axes, rotations[..., 3:]), axis=-1).astype(rotations.dtype)

    def scales(self, scales: Array) -> Array:
        """[..., 3]: scales, converted to the axes of the first model."""
        return np.asarray(scales @ np.abs(self.turn).T).astype(scales.dtype) if self.text else scales


NO_CHANGE = AxesChange(np.eye(4))
MIRRORS = tuple(
    AxesChange(np.diag(np.where(np.arange(4) == axis, -1.0, 1.0)), f"the {name} axis is mirrored")
    for axis, name in ((2, "Z"), (0, "X"))
)


def axes_change(one: Model, other: Model) -> AxesChange:
    """Find the change of axes and unit between models of two engines, as `likely_change` does. Models of one
    engine have no change, so that a mirrored or scaled copy counts as different.
    """
    return NO_CHANGE if np.array_equal(one.to_world, other.to_world) else likely_change(one, other)


def alignment_of(one: Model, other: Model) -> AxesChange | None:
    """Find the change that aligns the other model with the first. The result is None if both models belong to
    one engine, or if the vertices do not match.
    """
    return None if np.array_equal(one.to_world, other.to_world) else _near_change(one, other)


def likely_change(one: Model, other: Model) -> AxesChange:
    """Find the change that brings the vertices of two models nearest to each other. The candidates are no
    change, a mirrored axis (Urho3D is left-handed, so its importers mirror Z), and the change through viewer
    space. Each candidate is tried twice: without a change of unit, and with the change of unit that makes
    both models equally large. The result is `NO_CHANGE` if the vertices do not match.
    """
    return _near_change(one, other) or NO_CHANGE


def _near_change(one: Model, other: Model) -> AxesChange | None:
    """Find the change as `likely_change` does; None if the vertices do not match."""
    pairs = geometry_pairs(one, other)[:GEOMETRIES]
    first = some_positions(one, [number for number, _ in pairs])
    second = some_positions(other, [number for _, number in pairs])
    world = AxesChange(np.linalg.inv(one.to_world) @ other.to_world, "the axes belong to another engine")
    if not len(first) or not len(second):
        return world
    listed = any(np.array_equal(world.matrix, each.matrix) for each in (NO_CHANGE, *MIRRORS))
    choices = [NO_CHANGE, *MIRRORS] if listed else [NO_CHANGE, *MIRRORS, world]
    factor = _factor(first, second)
    if factor is not None:
        choices += [choice.scaled(factor) for choice in choices]
    asked = first[:: max(len(first) // ASKED, 1)]
    sums = [_distance_sum(asked, second, choice.matrix) for choice in choices]
    best = int(np.argmin(sums))
    is_near = sums[best] <= FAR * len(asked) * float(np.ptp(first.astype(np.float64), axis=0).max())
    if not is_near:
        return None
    return choices[best] if sums[best] < BETTER * sums[0] else NO_CHANGE


def some_positions(model: Model, geometries: Iterable[int]) -> Array:
    """[N, 3] f32: finite positions from the first level of each of `geometries`, at most `SAMPLE` of each
    geometry.
    """
    found = [np.empty((0, 3), np.float32)]
    for number in geometries:
        for lod in model.geometries[number].lods[:1]:
            held = values(model, lod, "position", sampled(model, lod, SAMPLE))
            found += [] if held is None else [held[:, :3]]
    positions = np.concatenate(found)
    return positions[np.isfinite(positions).all(axis=1)]


def _factor(first: Array, second: Array) -> float | None:
    """The ratio of the sizes of two sets of positions, rounded to four digits; None if it is almost 1, or
    extremely large or small.
    """
    sizes = [float(np.ptp(positions.astype(np.float64), axis=0).max()) for positions in (first, second)]
    ratio = sizes[0] / sizes[1] if sizes[1] else 0.0
    return None if not 1e-6 < ratio < 1e6 or abs(ratio - 1) < ALMOST_ONE else float(f"{ratio:.4g}")


def _distance_sum(first: Array, second: Array, matrix: Array) -> float:
    placed = (second @ matrix[:3, :3].T + matrix[:3, 3]).astype(np.float32)
    distances = nearest(first, placed)[1]
    return float(np.minimum(distances, 1e30).sum(dtype=np.float64))
