"""Hangs a model on a bone of another, as a helmet on a head."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from viewer.arrays import Array
from viewer.errors import ResourceError
from viewer.scene.animation import Animation
from viewer.scene.emitter import Point
from viewer.scene.mesh.joining import (
    JoinedNumbers,
    extended_skeleton,
    joined_lods,
    joined_material,
    moved_point,
    with_parts,
)
from viewer.scene.model import Geometry, Model
from viewer.scene.skeleton import Skeleton


class Mount(NamedTuple):
    """A point of a model: it follows `bone`, and its `position` is in model space."""

    bone: int
    position: Point


def joined(model: Model, other: Model, mount: Mount, name: str, clip: Animation | None = None) -> Model:
    """Return the model with the geometries, bones, materials, textures, emitters and ribbons of another model
    of the same axes behind its own. The other model moves with the mount; its materials and emitters play
    `clip`. `name` is the owner of the new geometries and follows the names of the new bones.

    ResourceError if one of the models has no bones with pivots.
    """
    below, above = model.skeleton, other.skeleton
    if below is None or below.pivots is None or not 0 <= mount.bone < len(below):
        raise ResourceError("the model has no bone to which it can be attached")
    if above is None or above.pivots is None or not len(above):
        raise ResourceError("it has no bones")
    shift = np.array(mount.position, np.float64)
    count = len(model.textures) + len(other.textures)
    add = JoinedNumbers(
        len(model.vertex_buffers),
        len(model.index_buffers),
        len(model.materials) + np.arange(len(other.materials)),
        len(model.textures) + np.arange(len(other.textures)),
        len(below) + np.arange(len(above)),
        count,
        len(below),
    )
    return replace(
        with_parts(model, other, add, shift, lambda _: clip),
        geometries=(*model.geometries, *_hung_geometries(other, add, shift, name)),
        skeleton=_hung_skeleton(below, above, mount.bone, shift, name),
        materials=(
            *model.materials,
            *(joined_material(each, add, lambda _: clip) for each in other.materials),
        ),
        textures=(*model.textures, *other.textures),
    )


def _hung_geometries(other: Model, add: JoinedNumbers, shift: Array, name: str) -> list[Geometry]:
    return [
        replace(
            each,
            name=name if len(other.geometries) == 1 else f"{name} {number}",
            lods=joined_lods(each, add),
            bone_map=_bone_map(each.bone_map, add),
            material=None if each.material is None else add.material(each.material),
            layers=tuple(map(add.material, each.layers)),
            center=None if each.center is None else moved_point(each.center, shift),
            center_bone=add.bone(each.center_bone),
            bounds=None if each.bounds is None else each.bounds + shift,
            geoset=None,
            shown=True,
            owner=name,
        )
        for number, each in enumerate(other.geometries)
    ]


def _bone_map(bones: Array | None, add: JoinedNumbers) -> Array:
    """The numbers [P] of the joined bones; a joint without a bone means the first bone."""
    count = len(add.bones)
    numbers = np.arange(count) if bones is None or not len(bones) else np.asarray(bones, np.int64)
    return add.bones[np.where((numbers >= 0) & (numbers < count), numbers, 0)]


def _hung_skeleton(below: Skeleton, above: Skeleton, bone: int, shift: Array, name: str) -> Skeleton:
    """The bones of both skeletons. The roots of the second skeleton become children of `bone`, a bone of the
    first skeleton.
    """
    return extended_skeleton(
        below,
        above,
        np.arange(len(above)),
        tuple(f"{each} of {name}" for each in above.names),
        np.where(above.parents < 0, bone, above.parents + len(below)),
        shift,
    )
