"""Rules for skinning: the bind pose, the number of bones, and unused bones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, Rule, bone_items, bone_name, bone_names, rounded
from viewer.errors import counted
from viewer.scene.finding import Severity
from viewer.scene.items import GeometryItem
from viewer.scene.maths import compose, invert

BIND_ERROR = 0.02
"""How far the rest pose may move a bone's vertices away from the bind pose, as a fraction of the model's
diagonal.
"""


def inverse_bind(context: CheckContext) -> Iterator[Found]:
    """Report bones whose rest pose differs from the bind pose that their inverse bind matrix gives. A
    difference that all bones share is ignored.
    """
    skeleton, made = context.skeleton, context.rest
    if skeleton is None or made is None or skeleton.inverse_bind is None or not context.extent:
        return
    size = context.extent
    bones = np.flatnonzero(context.carried)
    offsets = skeleton.inverse_bind[bones].astype(np.float64)
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
        share = rounded(100 * distance[worst] / size)
        yield Found(
            f"the rest pose moves {counted(int(off.sum()), 'bone')} away from the bind pose: "
            f"{bone_names(skeleton, bones[off])}; {bone_name(skeleton, bones[worst])} moves "
            f"by {rounded(distance[worst])}, {share} % of the model",
            bone_items(bones[off]),
        )


def too_many_bones(context: CheckContext) -> Iterator[Found]:
    """Report skinned geometries with more bones than the limit; in OGRE, skeletons with more bones than the
    limit.
    """
    skeleton, limit = context.skeleton, context.limits.bones
    if skeleton is None or limit is None:
        return
    if context.family == "OGRE":
        if len(skeleton) > limit:
            yield Found(f"the skeleton has {len(skeleton)} bones; the limit is {limit}")
        return
    for surface in context.surfaces:
        mapped = surface.geometry.bone_map
        bones = len(mapped) if mapped is not None and len(mapped) else len(skeleton)
        if bones > limit and surface.influences is not None:
            text = f"{surface.name} uses {bones} bones; the limit is {limit}"
            yield Found(text, (GeometryItem(surface.number),))


def unused_bones(context: CheckContext) -> Iterator[Found]:
    """Report bones that move no vertices and have no bone below them that moves vertices."""
    skeleton, carried = context.skeleton, context.carried.copy()
    if skeleton is None or not carried.any():
        return
    carried[[bone for bone in _carriers(context) if 0 <= bone < len(carried)]] = True
    parents, needed = skeleton.parents.tolist(), carried.tolist()
    for bone in reversed(context.by_depth):
        if needed[bone] and parents[bone] >= 0:
            needed[parents[bone]] = True
    unused = [bone for bone, each in enumerate(needed) if not each]
    if unused:
        text = f"{len(unused)} of {len(skeleton)} bones move no vertices: {bone_names(skeleton, unused)}"
        yield Found(text, bone_items(unused))


def _carriers(context: CheckContext) -> Iterator[int]:
    """Yield the bones to which items such as attachments, emitters and cameras are attached."""
    model = context.shapes
    groups = (model.attachments, model.lights, model.emitters, model.ribbons, model.events, model.cameras)
    for group in groups:
        for each in group:
            bone = getattr(each, "bone", None)
            if bone is not None:
                yield bone
    for geometry in model.geometries:
        if geometry.center_bone is not None:
            yield geometry.center_bone


RULES = (
    Rule(
        "skeleton/inverse-bind",
        Severity.NOTE,
        "The rest pose differs from the bind pose of the mesh",
        inverse_bind,
        {"": "Without an animation the mesh does not have the shape in which it was modelled."},
        "Export with the skeleton in its bind pose, or ignore this if the rest pose is meant to differ.",
        "the rest pose moves 1 bone away from the bind pose: Arm; Arm moves by 0.3, 15 % of the model",
    ),
    Rule(
        "skeleton/too-many-bones",
        Severity.WARNING,
        "More bones than the engine supports",
        too_many_bones,
        {
            "Urho3D": (
                "The default shaders have 64 matrices for a skinned geometry: vertices of further bones "
                "are drawn at random positions, or the shader does not compile."
            ),
            "OGRE": "Creating the 257th bone ends with an exception.",
        },
        "Split the geometry by bones, or remove bones that move nothing.",
        "Body uses 70 bones; the limit is 64",
    ),
    Rule(
        "skeleton/unused-bone",
        Severity.NOTE,
        "A bone moves nothing",
        unused_bones,
        {"": "The bone costs time in every frame. It may be meant as an attachment point."},
        "Remove the bone, unless something is attached to it.",
        "3 of 40 bones move no vertices: Toe.L, Toe.R, Helper",
    ),
)
