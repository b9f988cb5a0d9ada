"""Vertex deformation on the GPU: skin matrices, bone maps and morphs, uploaded once per frame."""

from __future__ import annotations

from collections.abc import Mapping

import moderngl
import numpy as np
from msgspec import Struct

from viewer.animation.pose import Pose
from viewer.arrays import Array
from viewer.gpu.bindings import Bindings
from viewer.gpu.program import Program
from viewer.gpu.table import TexelTable
from viewer.gpu.upload import Buffers, Part
from viewer.render.mesh.morphs import RecordsByStreams, model_records
from viewer.render.mesh.shapes import ShapeTable, shape_table
from viewer.scene.maths import IDENTITY
from viewer.scene.mesh.vertices import ShapeBlend, column_of, lacks_weights
from viewer.scene.model import Geometry, Lod, Model

BONE_TEXELS = 3
"""Number of texels of a skin matrix: one texel for each row."""
REST = object()
"""Value in place of the last pose if no pose was uploaded yet."""


class MorphBuffers(Struct, frozen=True, eq=False):
    """Morph records of a set of vertex buffers. A record has `each` texels. The records of a vertex are
    consecutive.
    """

    spans: moderngl.Buffer
    records: TexelTable
    each: int

    @property
    def part(self) -> Part:
        """The vertex attribute with the first record and the number of records of each vertex."""
        return self.spans, "2i4", "in_span"

    def release(self) -> None:
        """Release the buffer and the table."""
        self.spans.release()
        self.records.release()


class Deformation:
    """The skin matrices, bone maps and morphs of one model on the GPU.

    A joint outside the bone map and a bone outside the pose leave their vertices unmoved. `records` are the
    morph records if the caller has built them already.
    """

    def __init__(self, ctx: moderngl.Context, model: Model, records: RecordsByStreams) -> None:
        self.ctx = ctx
        self._records = records
        self.bones = len(model.skeleton) if model.skeleton else 0
        self._model = model
        self._pose: object = REST
        self._weights: Array | None = None
        self._skin = TexelTable(ctx, max(self.bones, 1) * BONE_TEXELS, 4)
        self._weight_table = TexelTable(ctx, max(len(model.morphs), 1), 1)
        self._morphs: dict[tuple[int, ...], MorphBuffers | None] = {}
        self._shapes: dict[tuple[int, ...], ShapeTable | None] = {}
        self._blends: Mapping[int, ShapeBlend] = {}
        self._ranges, maps = bone_maps(model.geometries, self.bones, lacks_weights(model))
        self._mapped = any(start for start, _ in self._ranges)
        self._maps = TexelTable(ctx, len(maps), 1, "i4")
        self._maps.write(maps[:, None])

    def write(self, pose: Pose | None, morphs: Mapping[int, float]) -> None:
        """Upload the skin matrices and morph weights of this frame if they changed.

        `morphs` are weights by morph number. A morph without an entry has the file's weight plus the weight
        in the pose.
        """
        if pose is not self._pose:
            rest = np.broadcast_to(IDENTITY, (max(self.bones, 1), 3, 4))
            self._skin.write((rest if pose is None or not len(pose.skin) else pose.skin).reshape(-1, 4))
            self._pose = pose
        played: Mapping[int, float] = pose.morphs if pose is not None else {}
        self._blends = pose.shapes if pose is not None else {}
        weights = np.array(
            [morphs.get(n, m.weight + played.get(n, 0.0)) for n, m in enumerate(self._model.morphs)],
            np.float32,
        )
        if len(weights) and (self._weights is None or not np.array_equal(weights, self._weights)):
            self._weight_table.write(weights[:, None])
            self._weights = weights

    def morph(self, buffers: Buffers, lod: Lod) -> MorphBuffers | None:
        """Return the morph records for the vertex buffers of this level, built on the first call."""
        if lod.streams not in self._morphs:
            known = lod.streams in self._records
            records = self._records[lod.streams] if known else model_records(self._model, lod.streams)
            made = None
            if records is not None:
                table = TexelTable(self.ctx, len(records.texels), 4)
                table.write(records.texels)
                made = MorphBuffers(self.ctx.buffer(records.spans), table, records.each)
            self._morphs[lod.streams] = made
        return self._morphs[lod.streams]

    def shape(self, buffers: Buffers, lod: Lod) -> ShapeTable | None:
        """Return the keyed shapes for the vertex buffers of this level, built on the first call."""
        if lod.streams not in self._shapes:
            count = buffers.vertex_count(lod)
            self._shapes[lod.streams] = shape_table(self.ctx, self._model.shapes, lod.streams, count)
        return self._shapes[lod.streams]

    def defines(self, buffers: Buffers, lod: Lod) -> tuple[str, ...]:
        """Return the defines of `mesh.vert` for this level."""
        skinned = self.bones > 0 and column_of(self._model, lod, "joints") is not None
        morphed = self.morph(buffers, lod) is not None
        whole = morphed and self._model.morph_normals == "whole"
        shaped = self.shape(buffers, lod) is not None
        flags = {"SKINNED": skinned, "MAPPED": skinned and self._mapped, "MORPHED": morphed}
        flags |= {"WHOLE_NORMALS": whole, "SHAPED": shaped}
        return tuple(name for name, wanted in flags.items() if wanted)

    def parts(self, buffers: Buffers, lod: Lod) -> tuple[Part, ...]:
        """Return the vertex attributes of this level that are not in the model's own buffers."""
        morph = self.morph(buffers, lod)
        return () if morph is None else (morph.part,)

    def bindings(self, buffers: Buffers, lod: Lod) -> Bindings:
        """Return the textures from which the shader deforms this level. They are the same in every frame."""
        found = {
            "skin_matrices": self._skin.texture,
            "bone_maps": self._maps.texture,
            "morph_weights": self._weight_table.texture,
        }
        morph, shape = self.morph(buffers, lod), self.shape(buffers, lod)
        if morph is not None:
            found["morph_records"] = morph.records.texture
        if shape is not None:
            found["shape_vertices"] = shape.texture
        return found

    def apply(self, program: Program, number: int, buffers: Buffers, lod: Lod) -> None:
        """Set the uniforms of geometry `number`: its bone map's offset, its morph record size, its shape
        blend.
        """
        morph = self.morph(buffers, lod)
        program.set(bone_map=self._ranges[number])
        if morph is not None:
            program.set(morph_texels=morph.each)
        shape = self.shape(buffers, lod)
        if shape is not None:
            shape.apply(program, self._blends)

    def release(self) -> None:
        """Release all tables."""
        for item in (
            self._skin,
            self._maps,
            self._weight_table,
            *self._morphs.values(),
            *self._shapes.values(),
        ):
            if item is not None:
                item.release()


def bone_maps(
    geometries: tuple[Geometry, ...], bones: int, unmapped: bool = False
) -> tuple[list[tuple[int, int]], Array]:
    """Join all bone maps to one array [N] i32; return the start and length of each geometry's map, and the
    array.

    The array begins with the numbers of all bones in order: 0, 1, 2 … A geometry uses this part if it has no
    map or an empty map, or if its map lists the first bone numbers in order. All other maps follow. With
    `unmapped`, every geometry uses this part.
    """
    maps: list[Array] = [np.arange(max(bones, 1), dtype=np.int32)]
    ranges: list[tuple[int, int]] = []
    end = len(maps[0])
    for geometry in geometries:
        if unmapped or geometry.bone_map is None or not len(geometry.bone_map):
            ranges.append((0, bones))
            continue
        mapped = np.asarray(geometry.bone_map).astype(np.int64)
        if len(mapped) <= bones and np.array_equal(mapped, maps[0][: len(mapped)]):
            ranges.append((0, len(mapped)))
            continue
        maps.append(np.where((mapped >= 0) & (mapped < bones), mapped, bones).astype(np.int32))
        ranges.append((end, len(mapped)))
        end += len(mapped)
    return ranges, np.concatenate(maps)
