"""The rows of the dope sheet: the listed bones, parents before children, and their keys."""

from __future__ import annotations

from collections import defaultdict

from msgspec import Struct

from viewer.animation.key_times import KeyTimes, vertex_tracks
from viewer.scene.animation import Animation, match
from viewer.scene.skeleton import Skeleton


class DopeRow(Struct, frozen=True):
    """`bone` is None for a track without a bone.

    `keys` (the row of `KeyTimes`) is None for a bone without keys.
    """

    name: str
    depth: int
    bone: int | None
    keys: int | None


def dope_rows(
    animation: Animation,
    keys: KeyTimes,
    skeleton: Skeleton | None,
    shown: str,
    wanted: str,
    picked: int | None,
) -> list[DopeRow]:
    """The vertex tracks, the bones with parents before children, then the tracks without a bone.

    `shown`: `animated` bones, `all`, or the `selected` bone `picked` and its descendants. `wanted`: only
    names that contain this text. Depths are counted in the whole hierarchy, even if parents are not listed.
    """
    names = skeleton.names if skeleton else ()
    found = match(animation, names)
    rows = {bone: keys.rows[target] for target, bone in found.bones.items() if target in keys.rows}
    listed = [
        DopeRow(names[bone] or f"#{bone}", depth, bone, rows.get(bone))
        for bone, depth in (_ordered(skeleton) if skeleton else ())
    ]
    if shown == "selected":
        inside = skeleton.subtree(picked) if skeleton and picked is not None else ()
        listed = [row for row in listed if row.bone is not None and len(inside) and inside[row.bone]]
    else:
        listed = [row for row in listed if shown == "all" or row.keys is not None]
        vertices = vertex_tracks(animation)
        listed = [DopeRow(name, 0, None, keys.rows.get(name)) for name in vertices] + listed
        listed += [DopeRow(name, 0, None, keys.rows.get(name)) for name in found.unmatched]
    folded = wanted.casefold()
    return [row for row in listed if folded in row.name.casefold()]


def _ordered(skeleton: Skeleton) -> list[tuple[int, int]]:
    """Bones and their depths, each parent directly before its children."""
    below: dict[int, list[int]] = defaultdict(list)
    for bone, parent in enumerate(skeleton.parents.tolist()):
        below[parent].append(bone)
    ordered, waiting = [], [(bone, 0) for bone in reversed(below[-1])]
    while waiting:
        bone, depth = waiting.pop()
        ordered.append((bone, depth))
        waiting += [(child, depth + 1) for child in reversed(below[bone])]
    return ordered
