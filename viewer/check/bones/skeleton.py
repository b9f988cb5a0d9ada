"""Rules for bones: names, roots, scales and rotations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from viewer.arrays import Array
from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, Rule, bone_items, bone_name, bone_names, listed, reported, rounded
from viewer.errors import Topic, counted
from viewer.scene.finding import Severity

LENGTH_ERROR = 0.01
"""The length of a quaternion may differ from 1 by at most this, because of rounding."""
SCALE_ERROR = 0.001
"""How much the scales of a bone's axes may differ, as a fraction of the largest."""


def duplicate_names(context: CheckContext) -> Iterator[Found]:
    """Report bones with the same name."""
    names = context.skeleton.names if context.skeleton is not None else ()
    for name, count in Counter(names).items():
        if count > 1 and name:
            bones = [bone for bone, each in enumerate(names) if each == name]
            which = listed([f"#{bone}" for bone in bones])
            yield Found(f"{count} bones are called {name!r}: {which}", bone_items(bones))


def empty_names(context: CheckContext) -> Iterator[Found]:
    """Report bones without a name."""
    names = context.skeleton.names if context.skeleton is not None else ()
    bones = [bone for bone, name in enumerate(names) if not name]
    if bones:
        which = listed([f"#{bone}" for bone in bones])
        have = "has" if len(bones) == 1 else "have"
        yield Found(f"{counted(len(bones), 'bone')} {have} no name: {which}", bone_items(bones))


def outside_root(context: CheckContext) -> Iterator[Found]:
    """Report bones outside the subtree that animations move."""
    skeleton = context.skeleton
    if skeleton is None or skeleton.root is None:
        return
    outside = np.flatnonzero(~skeleton.subtree(skeleton.root))
    if len(outside):
        roots = int((skeleton.parents < 0).sum())
        yield Found(
            f"{counted(roots, 'root')}: {counted(len(outside), 'bone')} "
            f"{'is' if len(outside) == 1 else 'are'} not below the root "
            f"{bone_name(skeleton, skeleton.root)}: {bone_names(skeleton, outside)}",
            bone_items(outside),
        )


def zero_scale(context: CheckContext) -> Iterator[Found]:
    """Report bones with a scale of 0."""
    return _scaled(context, lambda scales: np.any(scales == 0, axis=1), "with a scale of 0")


def negative_scale(context: CheckContext) -> Iterator[Found]:
    """Report bones with a negative scale."""
    return _scaled(context, lambda scales: np.any(scales < 0, axis=1), "with a negative scale")


def uneven_scale(context: CheckContext) -> Iterator[Found]:
    """Report bones whose axes have different scales."""

    def differ(scales: Array) -> Array:
        sizes = np.abs(scales)
        return np.asarray(np.ptp(sizes, axis=1) > SCALE_ERROR * sizes.max(axis=1))

    return _scaled(context, differ, "with a different scale for each axis")


def rotation_length(context: CheckContext) -> Iterator[Found]:
    """Report bones whose rotation is no unit quaternion."""
    skeleton = context.skeleton
    if skeleton is None or not len(skeleton):
        return
    lengths = np.linalg.norm(skeleton.rotations.astype(np.float64), axis=1)
    off = np.flatnonzero(~(np.abs(lengths - 1) <= LENGTH_ERROR))
    if len(off):
        worst = off[np.argmax(np.nan_to_num(np.abs(lengths[off] - 1), nan=np.inf))]
        yield Found(
            f"the rotations of {counted(len(off), 'bone')} are no unit quaternions: "
            f"{bone_names(skeleton, off)}; the rotation of {bone_name(skeleton, worst)} has length "
            f"{rounded(lengths[worst])}",
            bone_items(off),
        )


def _scaled(context: CheckContext, wrong: Callable[[Array], Array], what: str) -> Iterator[Found]:
    skeleton = context.skeleton
    if skeleton is None or not len(skeleton):
        return
    off = np.flatnonzero(wrong(skeleton.scales))
    if len(off):
        first = ", ".join(map(rounded, skeleton.scales[off[0]].tolist()))
        text = f"{counted(len(off), 'bone')} {what}: {bone_names(skeleton, off)}; the first has {first}"
        yield Found(text, bone_items(off))


RULES = (
    Rule(
        "skeleton/cycle",
        Severity.ERROR,
        "A bone is its own ancestor",
        reported(Topic.CYCLE),
        {
            "Urho3D": "The parent that closes the cycle is ignored: the bone gets another parent.",
            "OGRE": "The position of a bone depends on itself: the recursion crashes the program.",
            "": "The bones of the cycle have no defined position.",
        },
        "Give one of the bones another parent, or none.",
        "bones in a parent cycle: Arm, Hand",
    ),
    Rule(
        "skeleton/duplicate-name",
        Severity.WARNING,
        "Several bones have the same name",
        duplicate_names,
        {
            "Urho3D": (
                "Tracks and scene nodes find only the first bone of this name; the other bones keep their "
                "rest pose."
            ),
            "OGRE": "Loading the skeleton ends with an exception: bone names are unique.",
            "": "Tracks find only the first bone of this name.",
        },
        "Give each bone a unique name, and export model and animations again.",
        "2 bones are called 'Hand': #7, #12",
    ),
    Rule(
        "skeleton/empty-name",
        Severity.WARNING,
        "A bone has no name",
        empty_names,
        {"": "No track can move the bone, and nothing can be attached to it by name."},
        "Name the bone in the modelling program.",
        "1 bone has no name: #3",
    ),
    Rule(
        "skeleton/several-roots",
        Severity.WARNING,
        "Bones lie outside the root that animations move",
        outside_root,
        {
            "Urho3D": (
                "The engine uses the last root bone of the file. Animations move only this bone and the "
                "bones below it."
            )
        },
        "Put one root bone above all bones.",
        "2 roots: 1 bone is not below the root Body: Weapon",
    ),
    Rule(
        "skeleton/zero-scale",
        Severity.WARNING,
        "A bone has a scale of 0",
        zero_scale,
        {"": "The vertices of the bone and of all bones below it collapse into a plane, a line or a point."},
        "Set the scale to 1, or hide the part in another way.",
        "1 bone with a scale of 0: Hat; the first has 0, 0, 0",
    ),
    Rule(
        "skeleton/negative-scale",
        Severity.NOTE,
        "A bone has a negative scale",
        negative_scale,
        {"": "The bone mirrors its vertices: faces show their back, and culling removes them."},
        "Apply the mirroring to the mesh before exporting.",
        "1 bone with a negative scale: LeftArm; the first has -1, 1, 1",
    ),
    Rule(
        "skeleton/uneven-scale",
        Severity.NOTE,
        "A bone has a different scale for each axis",
        uneven_scale,
        {
            "Urho3D": "Rotated bones below this bone are sheared.",
            "OGRE": (
                "The engine combines scales separately from rotations: bones below this bone are scaled "
                "along their own axes, which looks different from the modelling program."
            ),
            "": "Rotated bones below this bone may be sheared.",
        },
        "Apply the scale to the mesh, or use the same scale for all axes.",
        "1 bone with a different scale for each axis: Spine; the first has 1, 1.5, 1",
    ),
    Rule(
        "skeleton/rotation-length",
        Severity.WARNING,
        "The rotation of a bone is no unit quaternion",
        rotation_length,
        {"": "The bone is scaled or sheared in its rest pose, and jumps when an animation ends."},
        "Normalise the quaternion in the exporter.",
        "the rotations of 1 bone are no unit quaternions: Jaw; the rotation of Jaw has length 0.5",
    ),
)
