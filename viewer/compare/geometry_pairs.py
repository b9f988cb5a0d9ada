"""Matches the geometries of two models."""

from __future__ import annotations

from collections.abc import Sequence

from viewer.scene.model import Geometry, Model
from viewer.scene.names import paired


def geometry_pairs(one: Model, other: Model) -> list[tuple[int, int]]:
    """Return the pairs of indices of matching geometries. Equal names match first, then the remaining
    geometries in their order.

    If every name ends with the geometry's index and one model has more geometries, names are ignored: then
    geometries with equal numbers of indices match first.
    """
    names = [[each.name for each in model.geometries] for model in (one, other)]
    if len(names[0]) != len(names[1]) and all(map(_are_numbered, names)):
        names = [[_size(each) for each in model.geometries] for model in (one, other)]
    pairs = paired(*names)
    taken = set(pairs.values())
    free = iter([number for number in range(len(names[1])) if number not in taken])
    left = (number for number in range(len(names[0])) if number not in pairs)
    return sorted([*pairs.items(), *zip(left, free, strict=False)])


def _are_numbered(names: Sequence[str]) -> bool:
    """Whether each name ends with the geometry's index."""
    return all(name.endswith(f" {number}") for number, name in enumerate(names))


def _size(geometry: Geometry) -> str:
    return " ".join(str(lod.count) for lod in geometry.lods)
