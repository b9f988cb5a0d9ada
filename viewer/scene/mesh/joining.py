"""Puts the buffers, materials, effects and bones of a second model behind those of a first model, with new
numbers. `hanging` and `uniting` join models in this way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from viewer.arrays import Array
from viewer.scene.animation import Animation
from viewer.scene.emitter import Curves, Emitter, Point, Ribbon
from viewer.scene.material import Appearance, ClipTime, Flipbook, Material
from viewer.scene.model import Geometry, IndexBuffer, Lod, Model, VertexBuffer
from viewer.scene.skeleton import Skeleton

Clips = Callable[[Animation | None], Animation | None]
"""A function that returns the other model's clip for the clip of the joined model."""


class JoinedNumbers(Struct, frozen=True):
    """Converts numbers of the other model to numbers of the joined model. The numbers of buffers are shifted.
    The numbers of materials, textures and bones are looked up. An unknown bone becomes `unknown_bone`, an
    unknown texture becomes `unknown_texture`.
    """

    vertices: int
    indices: int
    materials: Array
    textures: Array
    bones: Array
    unknown_texture: int
    unknown_bone: int = -1

    def bone(self, number: int | None) -> int:
        """Convert the number of a bone."""
        inside = number is not None and 0 <= number < len(self.bones)
        return int(self.bones[number]) if inside else self.unknown_bone

    def material(self, number: int) -> int:
        """Convert the number of a material."""
        return int(self.materials[number])

    def texture(self, number: int) -> int:
        """Convert the number of a texture."""
        inside = 0 <= number < len(self.textures)
        return int(self.textures[number]) if inside else self.unknown_texture


def with_parts(model: Model, other: Model, add: JoinedNumbers, shift: Array, clips: Clips) -> Model:
    """The model with the buffers, emitters and ribbons of the other model."""
    return replace(
        model,
        vertex_buffers=(*model.vertex_buffers, *(_moved(each, shift) for each in other.vertex_buffers)),
        index_buffers=(*model.index_buffers, *(IndexBuffer(each.data) for each in other.index_buffers)),
        emitters=(*model.emitters, *(_emitter(each, add, shift, clips) for each in other.emitters)),
        ribbons=(*model.ribbons, *(_ribbon(each, add, shift, clips) for each in other.ribbons)),
    )


def _moved(buffer: VertexBuffer, shift: Array) -> VertexBuffer:
    """The buffer with its positions moved; a buffer without positions stays as it is."""
    if not shift.any() or buffer.element("position") is None:
        return buffer
    moved = replace(buffer, data=np.array(buffer.data))
    column = moved.column("position")
    if column is not None:
        column[:, :3] += shift[: column.shape[1]].astype(column.dtype)
    moved.data.flags.writeable = False
    return moved


def joined_lods(geometry: Geometry, add: JoinedNumbers) -> tuple[Lod, ...]:
    """The levels of detail with the numbers of the joined buffers."""
    return tuple(
        replace(
            lod,
            streams=tuple(each + add.vertices for each in lod.streams),
            indices=None if lod.indices is None else lod.indices + add.indices,
        )
        for lod in geometry.lods
    )


def moved_point(point: Sequence[float], shift: Array) -> Point:
    """A point [3] moved by `shift` [3], in model units."""
    x, y, z = (np.asarray(point, np.float64) + shift).tolist()
    return x, y, z


def extended_skeleton(
    below: Skeleton, above: Skeleton, rows: Array, names: Sequence[str], parents: Array, shift: Array
) -> Skeleton:
    """The first skeleton with the bones `rows` [N] of the second behind its own, under these names and with
    these parents [N]; their pivots are moved by `shift`.
    """
    count, positions, inverse_bind = len(below), above.positions[rows], above.inverse_bind
    pivots, boxes = below.pivots, (below.hitboxes, above.hitboxes)
    if pivots is not None and above.pivots is not None:
        pivots = np.concatenate((pivots, above.pivots[rows] + shift))
        positions = pivots[count:] - np.where(parents[:, None] < 0, 0.0, pivots[parents])
        inverse_bind = np.tile(np.eye(3, 4), (len(above), 1, 1))
        inverse_bind[rows, :, 3] = -pivots[count:]
    binds = None
    if below.inverse_bind is not None and inverse_bind is not None:
        binds = np.concatenate((below.inverse_bind, inverse_bind[rows]))
    top = max(below.handles, default=0) + 1
    return replace(
        below,
        names=(*below.names, *names),
        parents=np.concatenate((below.parents, parents)).astype(below.parents.dtype),
        positions=np.concatenate((below.positions, positions)),
        rotations=np.concatenate((below.rotations, above.rotations[rows])),
        scales=np.concatenate((below.scales, above.scales[rows])),
        inverse_bind=binds,
        hitboxes=()
        if not any(boxes)
        else (*(boxes[0] or (None,) * count), *((boxes[1] or (None,) * len(above))[row] for row in rows)),
        pivots=pivots,
        ignores=_flags(below.ignores, above.ignores, count, rows),
        billboards=_flags(below.billboards, above.billboards, count, rows),
        handles=(*below.handles, *range(top, top + len(rows))) if below.handles else (),
    )


def _flags(one: Array | None, other: Array | None, first: int, rows: Array) -> Array | None:
    if one is None and other is None:
        return None
    begin = np.zeros(first, np.uint8) if one is None else one
    return np.concatenate((begin, np.zeros(len(rows), np.uint8) if other is None else other[rows]))


def joined_material(material: Material, add: JoinedNumbers, clips: Clips) -> Material:
    """The material with the joined numbers of its textures, and its motion in the clip of `clips`."""
    flipbook = material.flipbook
    motion = material.motion

    def moving(time: ClipTime) -> Appearance:
        assert motion is not None, "a moving material has a motion"
        return motion(_own_time(time, clips(time.animation)))

    return replace(
        material,
        units={unit: add.texture(number) for unit, number in material.units.items()},
        cube=tuple(map(add.texture, material.cube)),
        flipbook=None
        if flipbook is None
        else Flipbook(tuple(map(add.texture, flipbook.textures)), flipbook.duration),
        motion=None if motion is None else moving,
    )


def _own_time(time: ClipTime, clip: Animation | None) -> ClipTime:
    """The time in the clip of the joined model. This clip always loops."""
    duration = clip.duration if clip is not None else 0.0
    return ClipTime(time.time, clip, time.time % duration if duration > 0 else 0.0)


def _emitter(emitter: Emitter, add: JoinedNumbers, shift: Array, clips: Clips) -> Emitter:
    return replace(
        emitter,
        bone=add.bone(emitter.bone),
        position=moved_point(emitter.position, shift),
        texture=add.texture(emitter.texture),
        curves=_curves(emitter.curves, clips),
    )


def _ribbon(ribbon: Ribbon, add: JoinedNumbers, shift: Array, clips: Clips) -> Ribbon:
    return replace(
        ribbon,
        bone=add.bone(ribbon.bone),
        position=moved_point(ribbon.position, shift),
        textures=tuple(map(add.texture, ribbon.textures)),
        materials=tuple(add.material(each) for each in ribbon.materials if each < len(add.materials)),
        layers=tuple(joined_material(each, add, clips) for each in ribbon.layers),
        curves=_curves(ribbon.curves, clips),
    )


def _curves(own: Callable[[Animation | None], Curves], clips: Clips) -> Callable[[Animation | None], Curves]:
    return lambda clip: own(clips(clip))
