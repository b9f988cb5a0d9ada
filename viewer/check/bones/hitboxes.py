"""Rules for the hitboxes of bones.

Source: Urho3D `AnimatedModel::UpdateBoneBoundingBox` and `AnimatedModel::ProcessRayQuery`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.arrays import Array
from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, Rule, bone_items, bone_name, bone_names, rounded
from viewer.errors import counted
from viewer.scene.finding import Severity
from viewer.scene.skeleton import Hitbox, Skeleton

MAIN = 0.5
"""The lowest weight of a vertex's main bone."""
SAMPLED = 1 << 16
"""How many vertices of a surface are compared with hitboxes. These vertices are spread evenly over the
surface.
"""
FAR = 0.05
"""How far a vertex may be from its bone's hitbox, as a fraction of the model's diagonal."""
SMALLEST = 1e-6
"""The smallest diagonal of a box, and the smallest radius of a sphere, that the engine uses."""
LARGE = 0.25
"""How far a hitbox may extend beyond its bone's vertices, as a fraction of the model's diagonal."""


def missing(context: CheckContext) -> Iterator[Found]:
    """Report bones that are the main bone of some vertices and have no hitbox."""
    skeleton, boxes = context.skeleton, context.once(_hitboxes)
    if skeleton is None:
        return
    bones = [bone for bone in context.once(bone_extents) if boxes[bone] is None]
    if bones:
        have = "has" if len(bones) == 1 else "have"
        what = f"{counted(len(bones), 'bone')} that {'moves' if len(bones) == 1 else 'move'} vertices {have}"
        yield Found(f"{what} no hitbox: {bone_names(skeleton, bones)}", bone_items(bones))


def far(context: CheckContext) -> Iterator[Found]:
    """Report hitboxes that do not contain the vertices of their bone, or that are far larger than the box
    around these vertices.
    """
    skeleton, boxes = context.skeleton, context.once(_hitboxes)
    if skeleton is None or not any(boxes) or not context.extent:
        return
    size = context.extent
    out: dict[int, float] = {}
    beyond: dict[int, float] = {}
    for bone, extent in context.once(bone_extents).items():
        hitbox = boxes[bone]
        if hitbox is not None:
            distance, excess = _distances(hitbox, extent)
            if distance > FAR * size:
                out[bone] = distance
            elif excess > LARGE * size:
                beyond[bone] = excess
    yield from _findings(skeleton, out, size, "do not contain", "the vertices are", "outside")
    yield from _findings(skeleton, beyond, size, "are far larger than", "it goes", "beyond them")


def _findings(
    skeleton: Skeleton, off: dict[int, float], size: float, verb: str, context: str, where: str
) -> Iterator[Found]:
    if not off:
        return
    worst = max(off, key=lambda bone: off[bone])
    share = f"{rounded(off[worst])} ({rounded(100 * off[worst] / size)} % of the model)"
    yield Found(
        f"the hitboxes of {counted(len(off), 'bone')} {verb} the vertices of their bone: "
        f"{bone_names(skeleton, off)}; for {bone_name(skeleton, worst)} {context} up to {share} {where}",
        bone_items(off),
    )


def _hitboxes(context: CheckContext) -> tuple[Hitbox | None, ...]:
    """[B] the hitboxes of an Urho3D model; empty for other files."""
    skeleton = context.skeleton
    if skeleton is None or context.family != "Urho3D":
        return ()
    return tuple(map(_usable, skeleton.hitboxes)) or (None,) * len(skeleton)


def _usable(hitbox: Hitbox | None) -> Hitbox | None:
    """A hitbox without a box or a sphere that is too small or not finite; None if neither is left."""
    if hitbox is None:
        return None
    box, radius = hitbox.box, hitbox.radius
    if box is not None and not SMALLEST <= float(np.linalg.norm(box[1] - box[0])) < np.inf:
        box = None
    if radius is not None and not SMALLEST <= radius < np.inf:
        radius = None
    return None if box is None and radius is None else Hitbox(radius, box)


def _distances(hitbox: Hitbox, extent: Array) -> tuple[float, float]:
    """Measure two distances along an axis: how far the box `extent` [2, 3] of the vertices reaches out of the
    hitbox, and how far the hitbox reaches out of `extent`. For a sphere the second distance is 0, because a
    sphere around the bone may have to be larger than `extent`.
    """
    lowest, highest = extent
    if hitbox.box is not None:
        box = hitbox.box.astype(np.float64)
        out = np.maximum(box[0] - lowest, highest - box[1])
        return float(out.max()), float(np.maximum(lowest - box[0], box[1] - highest).max())
    if hitbox.radius is not None:
        return float(np.abs(extent).max() - hitbox.radius), 0.0
    return 0.0, 0.0


def bone_extents(context: CheckContext) -> dict[int, Array]:
    """Compute the box [2, 3] around the vertices of each main bone, by bone. The box is in bone space, where
    it is the same in all poses.
    """
    skeleton = context.skeleton
    if not context.once(_hitboxes) or skeleton is None or skeleton.inverse_bind is None:
        return {}
    count = len(skeleton)
    lowest, highest = np.full((count, 3), np.inf), np.full((count, 3), -np.inf)
    offsets = skeleton.inverse_bind.astype(np.float64)
    for surface in context.surfaces:
        if surface.influences is None or surface.positions is None:
            continue
        step = max(-(-len(surface.rows) // SAMPLED), 1)
        numbers, weights = (each[::step] for each in surface.influences)
        rows = np.arange(len(numbers))
        strongest = weights.argmax(axis=1)
        bones = numbers[rows, strongest]
        main = np.flatnonzero((weights[rows, strongest] >= MAIN) & (bones < count))
        bones, places = bones[main], surface.positions[::step][main].astype(np.float64)
        local = np.einsum("vij,vj->vi", offsets[bones, :, :3], places) + offsets[bones, :, 3]
        np.minimum.at(lowest, bones, local)
        np.maximum.at(highest, bones, local)
    held = np.flatnonzero(np.isfinite(lowest).all(axis=1) & np.isfinite(highest).all(axis=1))
    return {int(bone): np.stack((lowest[bone], highest[bone])) for bone in held}


EFFECTS = {
    "Urho3D": (
        "The engine culls the model by its hitboxes, and rays hit only hitboxes: parts of the model vanish "
        "at the edge of the picture, and rays miss these parts or hit empty space."
    ),
}

RULES = (
    Rule(
        "skeleton/no-hitbox",
        Severity.NOTE,
        "A bone that moves vertices has no hitbox",
        missing,
        EFFECTS,
        "Let the exporter write hitboxes, or set a larger bounding box on the AnimatedModel component.",
        "2 bones that move vertices have no hitbox: Tail, Tail1",
    ),
    Rule(
        "skeleton/hitbox-far",
        Severity.WARNING,
        "A hitbox does not fit the vertices of its bone",
        far,
        EFFECTS,
        "Let the exporter calculate the hitboxes from the current mesh.",
        "the hitboxes of 1 bone do not contain the vertices of their bone: Head; for Head the vertices are "
        "up to 0.4 (20 % of the model) outside",
    ),
)
