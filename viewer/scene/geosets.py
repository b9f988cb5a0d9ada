"""Geosets: submeshes of which a client shows one variant of each group, such as one pair of boots."""

from __future__ import annotations

from viewer.scene.model import Model

GROUP = 100
"""A geoset's number is its group's times this, and its variant's. Number 0 is the body, which always
shows."""

Variants = dict[int, dict[int, list[int]]]


def variants(model: Model) -> Variants:
    """Group to geoset to the numbers of its geometries, the groups and their variants in order."""
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
    """Show a geoset, and none of the other variants of its group."""
    for number, geometry in enumerate(model.geometries):
        if geometry.geoset == geoset:
            hidden.discard(number)
        elif geometry.geoset and geometry.geoset // GROUP == geoset // GROUP:
            hidden.add(number)
