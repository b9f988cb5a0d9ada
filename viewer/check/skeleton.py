"""Rules for bones: names, roots, scales, rotations, bind poses and limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from viewer.arrays import Array
from viewer.check.rule import MOST_ITEMS, Found, Rule, listed, number
from viewer.check.subject import Subject
from viewer.errors import counted
from viewer.scene.finding import Severity
from viewer.scene.items import BoneItem, GeometryItem
from viewer.scene.maths import compose, invert
from viewer.scene.skeleton import Skeleton

LENGTH_ERROR = 0.01
"""The error of a quaternion's length from which on it is told."""
SCALE_ERROR = 0.001
"""The difference between the largest and the smallest scale, as a part of the largest."""
BIND_ERROR = 0.02
"""The distance, as a part of the model's diagonal, by which the rest pose may move a bone's vertices."""
URHO3D_BONES, OGRE_BONES = 64, 256
"""Urho3D: matrices of a skinned geometry in the shaders. OGRE: `OGRE_MAX_NUM_BONES`, for a skeleton."""


def duplicate_names(subject: Subject) -> Iterator[Found]:
    """Names that several bones have."""
    names = subject.skeleton.names if subject.skeleton is not None else ()
    for name, count in Counter(names).items():
        if count > 1 and name:
            bones = [bone for bone, each in enumerate(names) if each == name]
            which = listed([f"#{bone}" for bone in bones])
            yield Found(f"{count} bones are called {name!r}: {which}", _items(bones))


def empty_names(subject: Subject) -> Iterator[Found]:
    """Bones without a name."""
    names = subject.skeleton.names if subject.skeleton is not None else ()
    bones = [bone for bone, name in enumerate(names) if not name]
    if bones:
        which = listed([f"#{bone}" for bone in bones])
        have = "has" if len(bones) == 1 else "have"
        yield Found(f"{counted(len(bones), 'bone')} {have} no name: {which}", _items(bones))


def outside_root(subject: Subject) -> Iterator[Found]:
    """Bones outside the subtree that animations move."""
    skeleton = subject.skeleton
    if skeleton is None or skeleton.root is None:
        return
    outside = np.flatnonzero(~skeleton.subtree(skeleton.root))
    if len(outside):
        roots = int((skeleton.parents < 0).sum())
        yield Found(
            f"{counted(roots, 'root')}: {counted(len(outside), 'bone')} not below the root "
            f"{_name(skeleton, skeleton.root)}: {_names(skeleton, outside)}",
            _items(outside),
        )


def zero_scale(subject: Subject) -> Iterator[Found]:
    """Bones with a scale of 0."""
    return _scaled(subject, lambda scales: (scales == 0).any(axis=1), "with a scale of 0")


def negative_scale(subject: Subject) -> Iterator[Found]:
    """Bones with a negative scale."""
    return _scaled(subject, lambda scales: (scales < 0).any(axis=1), "with a negative scale")


def uneven_scale(subject: Subject) -> Iterator[Found]:
    """Bones whose axes have different scales."""

    def differ(scales: Array) -> Array:
        sizes = np.abs(scales)
        return np.asarray(np.ptp(sizes, axis=1) > SCALE_ERROR * sizes.max(axis=1))

    return _scaled(subject, differ, "with a different scale for each axis")


def rotation_length(subject: Subject) -> Iterator[Found]:
    """Bones whose rotation is no unit quaternion."""
    skeleton = subject.skeleton
    if skeleton is None or not len(skeleton):
        return
    lengths = np.linalg.norm(skeleton.rotations.astype(np.float64), axis=1)
    off = np.flatnonzero(~(np.abs(lengths - 1) <= LENGTH_ERROR))
    if len(off):
        worst = off[np.argmax(np.nan_to_num(np.abs(lengths[off] - 1), nan=np.inf))]
        yield Found(
            f"the rotations of {counted(len(off), 'bone')} are no unit quaternions: "
            f"{_names(skeleton, off)}; that of {_name(skeleton, worst)} has length {number(lengths[worst])}",
            _items(off),
        )


def inverse_bind(subject: Subject) -> Iterator[Found]:
    """Bones whose rest pose is not where their inverse bind matrix says, apart from a move of the whole."""
    skeleton, made = subject.skeleton, subject.rest
    if skeleton is None or made is None or skeleton.inverse_bind is None or not subject.extent:
        return
    size = subject.extent
    bones = np.flatnonzero(subject.carried)
    offsets = skeleton.inverse_bind[bones].astype(np.float64)
    with np.errstate(all="ignore"):
        regular = np.abs(np.linalg.det(offsets[:, :, :3])) > 0
        bones, offsets = bones[regular], offsets[regular]
        if not len(bones):
            return
        moved = compose(made.world[bones], offsets)
        origins = invert(offsets)[:, :, 3]
        apart = moved - np.median(moved, axis=0)
        distance = np.linalg.norm(np.einsum("bij,bj->bi", apart[:, :, :3], origins) + apart[:, :, 3], axis=1)
    off = distance > BIND_ERROR * size
    if off.any():
        worst = int(np.argmax(np.where(off, distance, 0)))
        share = number(100 * distance[worst] / size)
        yield Found(
            f"the rest pose moves {counted(int(off.sum()), 'bone')} away from the bind pose: "
            f"{_names(skeleton, bones[off])}; {_name(skeleton, bones[worst])} by {number(distance[worst])}, "
            f"{share} % of the model",
            _items(bones[off]),
        )


def too_many_bones(subject: Subject) -> Iterator[Found]:
    """Geometries or skeletons with more bones than the engine's default limit."""
    skeleton = subject.skeleton
    if skeleton is None:
        return
    if subject.family == "OGRE" and len(skeleton) > OGRE_BONES:
        yield Found(f"the skeleton has {len(skeleton)} bones; the limit is {OGRE_BONES}")
    if subject.family != "Urho3D":
        return
    for surface in subject.surfaces:
        mapped = surface.geometry.bone_map
        bones = len(mapped) if mapped is not None and len(mapped) else len(skeleton)
        if bones > URHO3D_BONES and surface.influences is not None:
            yield Found(
                f"{surface.name} uses {bones} bones; the limit is {URHO3D_BONES}",
                (GeometryItem(surface.number),),
            )


def unused_bones(subject: Subject) -> Iterator[Found]:
    """Bones that move nothing, and neither do the bones below them."""
    skeleton, carried = subject.skeleton, subject.carried.copy()
    if skeleton is None or not carried.any():
        return
    carried[[bone for bone in _carriers(subject) if 0 <= bone < len(carried)]] = True
    parents, needed = skeleton.parents.tolist(), carried.tolist()
    for bone in reversed(subject.by_depth):
        if needed[bone] and parents[bone] >= 0:
            needed[parents[bone]] = True
    unused = [bone for bone, each in enumerate(needed) if not each]
    if unused:
        text = f"{len(unused)} of {len(skeleton)} bones move no vertices: {_names(skeleton, unused)}"
        yield Found(text, _items(unused))


def _carriers(subject: Subject) -> Iterator[int]:
    """The bones that something else than vertices follows."""
    model = subject.shapes
    groups = (model.attachments, model.lights, model.emitters, model.ribbons, model.events, model.cameras)
    for group in groups:
        for each in group:
            bone = getattr(each, "bone", None)
            if bone is not None:
                yield bone
    for geometry in model.geometries:
        if geometry.center_bone is not None:
            yield geometry.center_bone


def _scaled(subject: Subject, wrong: object, what: str) -> Iterator[Found]:
    skeleton = subject.skeleton
    if skeleton is None or not len(skeleton) or not callable(wrong):
        return
    off = np.flatnonzero(wrong(skeleton.scales))
    if len(off):
        first = ", ".join(map(number, skeleton.scales[off[0]].tolist()))
        text = f"{counted(len(off), 'bone')} {what}: {_names(skeleton, off)}; the first has {first}"
        yield Found(text, _items(off))


def _items(bones: Iterable[int]) -> tuple[BoneItem, ...]:
    return tuple(BoneItem(int(bone)) for bone, _ in zip(bones, range(MOST_ITEMS), strict=False))


def _name(skeleton: Skeleton, bone: int) -> str:
    return skeleton.names[bone] or f"#{bone}"


def _names(skeleton: Skeleton, bones: Iterable[int]) -> str:
    return listed([_name(skeleton, bone) for bone in bones])


RULES = (
    Rule(
        "skeleton/duplicate-name",
        Severity.WARNING,
        "Several bones have the same name",
        duplicate_names,
        {
            "Urho3D": "Tracks and scene nodes find the first bone only; the others keep their rest pose.",
            "OGRE": "Loading the skeleton ends with an exception: bone names are unique.",
            "": "Tracks find the first bone only.",
        },
        "Give each bone a name of its own, and export model and animations again.",
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
        {"Urho3D": "The last root of the file counts; animations do not move the bones outside of it."},
        "Put one root bone above all bones.",
        "2 roots: 1 bone not below the root Body: Weapon",
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
            "Urho3D": "Rotated bones below it are sheared.",
            "OGRE": "Scales are kept apart from rotations: bones below it are scaled along their own axes, "
            "which looks different from the modelling program.",
            "": "Rotated bones below it may be sheared.",
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
        "the rotations of 1 bone are no unit quaternions: Jaw; that of Jaw has length 0.5",
    ),
    Rule(
        "skeleton/inverse-bind",
        Severity.NOTE,
        "The rest pose is not the pose that the mesh was bound in",
        inverse_bind,
        {"": "Without an animation the mesh does not have the shape in which it was modelled."},
        "Export with the skeleton in its bind pose, or ignore this if the other pose is intended.",
        "the rest pose moves 1 bone away from the bind pose: Arm; Arm by 0.3, 15 % of the model",
    ),
    Rule(
        "skeleton/too-many-bones",
        Severity.WARNING,
        "There are more bones than the engine takes",
        too_many_bones,
        {
            "Urho3D": "The default shaders have 64 matrices for a skinned geometry: vertices of other bones "
            "are placed at random, or the shader does not compile.",
            "OGRE": "Creating a bone past the 256th ends with an exception.",
        },
        "Split the geometry by bones, or remove bones that move nothing.",
        "Body uses 70 bones; the limit is 64",
    ),
    Rule(
        "skeleton/unused-bone",
        Severity.NOTE,
        "A bone moves nothing",
        unused_bones,
        {"": "The bone costs time in every frame. It may be meant for attaching things."},
        "Remove the bone, unless something is attached to it.",
        "3 of 40 bones move no vertices: Toe.L, Toe.R, Helper",
    ),
)
