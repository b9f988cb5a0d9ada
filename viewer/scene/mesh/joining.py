"""Joins a model to a point on a bone of another model: a helmet to a head, a sword to a hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from viewer.arrays import Array
from viewer.errors import ResourceError
from viewer.scene.animation import Animation
from viewer.scene.emitter import Curves, Emitter, Point, Ribbon
from viewer.scene.material import Appearance, ClipTime, Flipbook, Material
from viewer.scene.model import Geometry, IndexBuffer, Lod, Model, VertexBuffer
from viewer.scene.skeleton import Skeleton


class Mount(NamedTuple):
    """A point of a model: it follows `bone`, and its `position` is in model space."""

    bone: int
    position: Point


class _Offsets(NamedTuple):
    """The sizes of the first model's lists. They are added to the numbers of the other model's elements when
    the lists are joined.
    """

    vertices: int
    indices: int
    materials: int
    textures: int
    bones: int
    joints: int

    def bone(self, number: int | None) -> int:
        """Convert a bone number of the other model to the number in the joined model. A number without a bone
        becomes the number of the first bone.
        """
        return self.bones + (number if number is not None and 0 <= number < self.joints else 0)


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
    add = _Offsets(
        len(model.vertex_buffers),
        len(model.index_buffers),
        len(model.materials),
        len(model.textures),
        len(below),
        len(above),
    )
    materials = tuple(_material(each, add, clip) for each in other.materials)
    return replace(
        model,
        vertex_buffers=(*model.vertex_buffers, *(_moved(each, shift) for each in other.vertex_buffers)),
        index_buffers=(*model.index_buffers, *(IndexBuffer(each.data) for each in other.index_buffers)),
        geometries=(*model.geometries, *_geometries(other, add, shift, name)),
        skeleton=_skeleton(below, above, mount.bone, shift, name),
        materials=(*model.materials, *materials),
        textures=(*model.textures, *other.textures),
        emitters=(*model.emitters, *(_emitter(each, add, shift, clip) for each in other.emitters)),
        ribbons=(*model.ribbons, *(_ribbon(each, add, shift, clip) for each in other.ribbons)),
    )


def _moved(buffer: VertexBuffer, shift: Array) -> VertexBuffer:
    """The buffer with its positions moved; a buffer without positions stays as it is."""
    if buffer.element("position") is None:
        return buffer
    moved = replace(buffer, data=np.array(buffer.data))
    column = moved.column("position")
    if column is not None:
        column[:, :3] += shift[: column.shape[1]].astype(column.dtype)
    moved.data.flags.writeable = False
    return moved


def _geometries(other: Model, add: _Offsets, shift: Array, name: str) -> list[Geometry]:
    def level(lod: Lod) -> Lod:
        """The level of detail with the numbers of the joined buffers."""
        return replace(
            lod,
            streams=tuple(each + add.vertices for each in lod.streams),
            indices=None if lod.indices is None else lod.indices + add.indices,
        )

    return [
        replace(
            each,
            name=name if len(other.geometries) == 1 else f"{name} {number}",
            lods=tuple(map(level, each.lods)),
            bone_map=_bone_map(each.bone_map, add),
            material=None if each.material is None else each.material + add.materials,
            layers=tuple(layer + add.materials for layer in each.layers),
            center=None if each.center is None else _point(each.center, shift),
            center_bone=add.bone(each.center_bone),
            bounds=None if each.bounds is None else each.bounds + shift,
            geoset=None,
            shown=True,
            owner=name,
        )
        for number, each in enumerate(other.geometries)
    ]


def _bone_map(bones: Array | None, add: _Offsets) -> Array:
    """The numbers [P] of the joined bones; a joint without a bone means the first bone."""
    numbers = np.arange(add.joints) if bones is None or not len(bones) else np.asarray(bones, np.int64)
    return np.where((numbers >= 0) & (numbers < add.joints), numbers, 0) + add.bones


def _point(point: Sequence[float], shift: Array) -> Point:
    x, y, z = (np.asarray(point, np.float64) + shift).tolist()
    return x, y, z


def _skeleton(below: Skeleton, above: Skeleton, bone: int, shift: Array, name: str) -> Skeleton:
    """The bones of both skeletons. The roots of the second skeleton become children of `bone`, a bone of the
    first skeleton.
    """
    assert below.pivots is not None and above.pivots is not None, "the caller has checked the pivots"
    count = len(below)
    parents = np.where(above.parents < 0, bone, above.parents + count)
    pivots = np.concatenate((below.pivots, above.pivots + shift))
    inverse_bind = np.tile(np.eye(3, 4), (len(above), 1, 1))
    inverse_bind[:, :, 3] = -pivots[count:]
    boxes = (below.hitboxes, above.hitboxes)
    return replace(
        below,
        names=(*below.names, *(f"{each} of {name}" for each in above.names)),
        parents=np.concatenate((below.parents, parents)).astype(below.parents.dtype),
        positions=np.concatenate((below.positions, pivots[count:] - pivots[parents])),
        rotations=np.concatenate((below.rotations, above.rotations)),
        scales=np.concatenate((below.scales, above.scales)),
        inverse_bind=None
        if below.inverse_bind is None
        else np.concatenate((below.inverse_bind, inverse_bind)),
        hitboxes=()
        if not any(boxes)
        else (*(boxes[0] or (None,) * count), *(boxes[1] or (None,) * len(above))),
        pivots=pivots,
        ignores=_flags(below.ignores, above.ignores, count, len(above)),
        billboards=_flags(below.billboards, above.billboards, count, len(above)),
    )


def _flags(one: Array | None, other: Array | None, first: int, second: int) -> Array | None:
    if one is None and other is None:
        return None
    parts = (np.zeros(first, np.uint8) if one is None else one, np.zeros(second, np.uint8))
    return np.concatenate((parts[0], parts[1] if other is None else other))


def _material(material: Material, add: _Offsets, clip: Animation | None) -> Material:
    flipbook = material.flipbook
    motion = material.motion

    def moving(time: ClipTime) -> Appearance:
        assert motion is not None, "a moving material has a motion"
        return motion(_own_time(time, clip))

    return replace(
        material,
        units={unit: number + add.textures for unit, number in material.units.items()},
        flipbook=None
        if flipbook is None
        else Flipbook(tuple(each + add.textures for each in flipbook.textures), flipbook.duration),
        cube=tuple(each + add.textures for each in material.cube),
        motion=None if motion is None else moving,
    )


def _own_time(time: ClipTime, clip: Animation | None) -> ClipTime:
    """The time in the clip of the joined model. This clip always loops."""
    duration = clip.duration if clip is not None else 0.0
    return ClipTime(time.time, clip, time.time % duration if duration > 0 else 0.0)


def _emitter(emitter: Emitter, add: _Offsets, shift: Array, clip: Animation | None) -> Emitter:
    return replace(
        emitter,
        bone=add.bone(emitter.bone),
        position=_point(emitter.position, shift),
        texture=emitter.texture + add.textures,
        curves=_curves(emitter.curves, clip),
    )


def _ribbon(ribbon: Ribbon, add: _Offsets, shift: Array, clip: Animation | None) -> Ribbon:
    return replace(
        ribbon,
        bone=add.bone(ribbon.bone),
        position=_point(ribbon.position, shift),
        textures=tuple(each + add.textures for each in ribbon.textures),
        materials=tuple(each + add.materials for each in ribbon.materials),
        layers=tuple(_material(each, add, clip) for each in ribbon.layers),
        curves=_curves(ribbon.curves, clip),
    )


def _curves(
    own: Callable[[Animation | None], Curves], clip: Animation | None
) -> Callable[[Animation | None], Curves]:
    return lambda _: own(clip)
