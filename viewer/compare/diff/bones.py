"""Matches the bones of two skeletons and compares their rest poses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from viewer.animation.pose import rest
from viewer.animation.rig import rig
from viewer.arrays import Array
from viewer.compare.axes_change import AxesChange
from viewer.compare.diff.deviation import Tolerance, deviation_text, rotation_angles
from viewer.compare.diff.values import changed_values
from viewer.errors import counted
from viewer.scene.difference import Change, Difference, DifferenceGroup, one_sided
from viewer.scene.items import BoneItem
from viewer.scene.maths import angles, lengths
from viewer.scene.names import paired
from viewer.scene.skeleton import Skeleton

TRIED_BONES = 256
"""A renamed bone is searched for only if its parent has at most this many unmatched bones."""
NEAR = 100
"""The largest distance of a renamed bone from its former position, as a multiple of the tolerance."""
BONES = DifferenceGroup.BONES
PLAIN = ("cumulative",)
PER_BONE = ("hitboxes", "ignores", "billboards")


class BoneMatch(Struct, frozen=True, eq=False):
    """The matching bones. `pairs` maps bones of the first skeleton to bones of the second; `renamed` are the
    bones whose name differs in the second skeleton.
    """

    pairs: dict[int, int]
    renamed: frozenset[int]


def match_bones(first: Skeleton, second: Skeleton, axes: AxesChange, tolerance: Tolerance) -> BoneMatch:
    """Match bones by name. The remaining bones match if they have the same parent and the same rest
    position.
    """
    pairs = paired(first.names, second.names)
    if len(pairs) == len(first) or len(pairs) == len(second):
        return BoneMatch(pairs, frozenset())
    taken = set(pairs.values())
    free: dict[int, list[int]] = {}
    for bone in range(len(second)):
        if bone not in taken:
            free.setdefault(int(second.parents[bone]), []).append(bone)
    places, others = _places(first), axes.points(_places(second))
    renamed = set()
    for bone in rig(first).hierarchy.order.tolist():
        parent = int(first.parents[bone])
        below = free.get(pairs.get(parent, -2) if parent >= 0 else -1)
        if bone in pairs or not below:
            continue
        tried = below[:TRIED_BONES]
        distances = lengths(others[tried] - places[bone])
        nearest = int(distances.argmin())
        if distances[nearest] <= NEAR * tolerance.distance:
            pairs[bone] = below.pop(nearest)
            renamed.add(bone)
    return BoneMatch(pairs, frozenset(renamed))


def _places(skeleton: Skeleton) -> Array:
    """[B, 3]: the origins of the bones in the rest pose, in model space."""
    return np.asarray(rest(skeleton).world[:, :, 3])


def bone_differences(
    first: Skeleton, second: Skeleton, match: BoneMatch, axes: AxesChange, tolerance: Tolerance
) -> Iterator[Difference]:
    """Find added, removed, renamed and changed bones, and further differences of the skeletons."""
    sides = first, second
    names = [each.names for each in sides]
    yield from one_sided(BONES, BoneItem, names, match.pairs, lambda side, bone: _under(sides[side], bone))
    for bone in sorted(match.renamed):
        other = match.pairs[bone]
        items = (BoneItem(bone),), (BoneItem(other),)
        text = f"now {second.names[other]}"
        yield Difference(BONES, Change.RENAMED, first.names[bone], text, 0.0, "", (), *items)
    if match.pairs:
        yield from _changed(first, second, match, axes, tolerance)
    if len(first.handles) == len(first) and len(second.handles) == len(second):
        pairs = match.pairs.items()
        moved = sum(first.handles[bone] != second.handles[other] for bone, other in pairs)
        if moved:
            verb = "has another handle" if moved == 1 else "have other handles"
            text = f"{counted(moved, 'bone')} {verb}: a mesh of the other skeleton moves by other bones"
            yield Difference(BONES, Change.CHANGED, "skeleton", text)
    if first.sheared == second.sheared:
        for text in changed_values(first, second, tolerance, only=PLAIN):
            yield Difference(BONES, Change.CHANGED, "skeleton", text)


def _under(skeleton: Skeleton, bone: int) -> str:
    parent = int(skeleton.parents[bone])
    return "a root" if parent < 0 else f"under {skeleton.names[parent]}"


def _changed(
    first: Skeleton, second: Skeleton, match: BoneMatch, axes: AxesChange, tolerance: Tolerance
) -> Iterator[Difference]:
    """Find the differences of matching bones: parent, local rest pose, bind pose, hitbox, and inheritance of
    the parent's motion.
    """
    bones = np.array(sorted(match.pairs), np.int64)
    others = np.array([match.pairs[bone] for bone in bones.tolist()], np.int64)
    moved = lengths(axes.points(second.positions[others]) - first.positions[bones])
    turned = angles(first.rotations[bones], axes.rotations(second.rotations[others]))
    grown = lengths(axes.scales(second.scales[others]) - first.scales[bones])
    bind = _bind_deviation(first, second, bones, others, axes)
    parents = [_same_parent(first, second, match, *each) for each in zip(bones, others, strict=True)]
    rows = np.flatnonzero(
        (moved > tolerance.distance)
        | (turned > tolerance.angle)
        | (grown > max(tolerance.share * 10, 0))
        | (bind[0] > 2 * tolerance.distance)
        | (bind[1] > tolerance.angle)
        | ~np.array(parents, bool)
    )
    for row in rows.tolist():
        texts = [] if parents[row] else [f"was {_under(first, bones[row])}, is {_under(second, others[row])}"]
        pose = deviation_text(moved[row], turned[row], grown[row], tolerance)
        texts += [f"{pose} in the rest pose"] if pose else []
        if bind[0][row] > 2 * tolerance.distance or bind[1][row] > tolerance.angle:
            texts.append(f"{deviation_text(bind[0][row], bind[1][row], 0, tolerance)} in the bind pose")
        yield _changed_bone(first, bones[row], others[row], texts, max(moved[row], bind[0][row]))
    for kind in PER_BONE:
        yield from _changed_parts(kind, first, second, bones, others, tolerance)


def _changed_bone(first: Skeleton, bone: int, other: int, texts: list[str], amount: float) -> Difference:
    return Difference(
        BONES,
        Change.CHANGED,
        first.names[bone],
        ", ".join(texts),
        float(amount),
        "units",
        items=(BoneItem(int(bone)),),
        other_items=(BoneItem(int(other)),),
    )


def _same_parent(first: Skeleton, second: Skeleton, match: BoneMatch, bone: int, other: int) -> bool:
    parent, other_parent = int(first.parents[bone]), int(second.parents[other])
    return match.pairs.get(parent, -2) == other_parent if parent >= 0 else other_parent < 0


def _bind_deviation(
    first: Skeleton, second: Skeleton, bones: Array, others: Array, axes: AxesChange
) -> tuple[Array, Array]:
    """The distances [N] and the angles [N] in degrees between bind poses. All are 0 if one skeleton stores no
    bind pose, because the engine derives it.
    """
    if first.inverse_bind is None or second.inverse_bind is None:
        return np.zeros(len(bones)), np.zeros(len(bones))
    one = first.inverse_bind[bones].astype(np.float64)
    other = second.inverse_bind[others].astype(np.float64)
    turn = axes.turn if axes.text else np.eye(3)
    distances = lengths(axes.points(other[:, :, 3]) - one[:, :, 3])
    return distances, rotation_angles(one[:, :, :3], turn @ other[:, :, :3] @ turn.T)


def _changed_parts(
    kind: str, first: Skeleton, second: Skeleton, bones: Array, others: Array, tolerance: Tolerance
) -> Iterator[Difference]:
    """Find the differences between two lists that have an entry for each bone."""
    one, other = getattr(first, kind), getattr(second, kind)
    if one is None or other is None or not len(one) or not len(other):
        return
    for bone, partner in zip(bones.tolist(), others.tolist(), strict=True):
        values = one[bone], other[partner]
        if values[0] is not values[1]:
            texts = list(changed_values(*values, tolerance, kind.removesuffix("es").removesuffix("s")))
            if texts:
                yield _changed_bone(first, bone, partner, texts, 0.0)
