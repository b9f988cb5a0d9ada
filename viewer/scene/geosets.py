"""Geosets: submeshes of which a client shows one variant of each group, such as one pair of boots."""

from __future__ import annotations

from viewer.scene.model import Model

GROUP = 100
"""The factor of a geoset number: group × 100 + variant. Number 0 is the body, which is always shown."""

Variants = dict[int, dict[int, list[int]]]


def variants(model: Model) -> Variants:
    """The variants of each group, as group to geoset to the numbers of its geometries, in ascending order."""
    found: Variants = {}
    for number, geometry in enumerate(model.geometries):
        if geometry.geoset is not None:
            group = -1 if geometry.geoset == 0 else geometry.geoset // GROUP
            found.setdefault(group, {}).setdefault(geometry.geoset, []).append(number)
    return {group: dict(sorted(found[group].items())) for group in sorted(found)}


def members(model: Model | None, geoset: int) -> list[int]:
    """The numbers of the geometries of a geoset."""
    geometries = model.geometries if model else ()
    return [number for number, each in enumerate(geometries) if each.geoset == geoset]


def show_alone(model: Model, geoset: int, hidden: set[int]) -> None:
    """Show a geoset and hide the other variants of its group."""
    for number, geometry in enumerate(model.geometries):
        if geometry.geoset == geoset:
            hidden.discard(number)
        elif geometry.geoset and geometry.geoset // GROUP == geoset // GROUP:
            hidden.add(number)
