"""Which variants of a creature's parts are there before anybody dresses it."""

from __future__ import annotations

from collections.abc import Sequence

from viewer.scene.geosets import GROUP

EARS, DEFAULT_EARS, DEFAULT_VARIANT = 7, 2, 1


def shown_at_first(geosets: Sequence[int]) -> list[bool]:
    """Of each geoset, whether a client draws it that was told nothing: the body, and one variant of each
    group, the first (of ears the second), else the lowest that there is.

    Source: WoW Model Viewer.
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
