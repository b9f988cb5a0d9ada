"""The geosets that are shown before a creature is dressed."""

from __future__ import annotations

from collections.abc import Sequence

from viewer.scene.model import GROUP

EARS, DEFAULT_EARS, DEFAULT_VARIANT = 7, 2, 1


def shown_at_first(geosets: Sequence[int]) -> list[bool]:
    """For each geoset, whether a client draws it by default: the body, and one variant of each group.

    This is the first variant (for ears the second), or else the lowest existing variant. Source: WoW Model
    Viewer.
    """
    variants: dict[int, set[int]] = {}
    for geoset in geosets:
        if geoset:
            variants.setdefault(geoset // GROUP, set()).add(geoset % GROUP)
    chosen = {0}
    for group, known in variants.items():
        usual = DEFAULT_EARS if group == EARS else DEFAULT_VARIANT
        chosen.add(group * GROUP + (usual if usual in known else min(known)))
    return [geoset in chosen for geoset in geosets]
