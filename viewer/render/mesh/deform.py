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
from viewer.gpu.table import Table
from viewer.gpu.upload import Buffers, Part
from viewer.render.mesh.morphs import NONE, RecordsByStreams, model_records
from viewer.render.mesh.shapes import ShapeTable, shape_table
from viewer.scene.maths import IDENTITY
from viewer.scene.mesh.vertices import ShapeBlend
from viewer.scene.model import Geometry, Lod, Model

BONE_TEXELS = 3
"""Texels of a skin matrix: its rows."""
REST = object()
"""Marks the absence of an uploaded pose."""


class MorphBuffers(Struct, frozen=True, eq=False):
    """The morph records of some streams: `each` texels per record, a span per vertex."""

    spans: moderngl.Buffer
    records: Table
    each: int

    @property
    def part(self) -> Part:
        """The attribute that a vertex array needs for them."""
        return self.spans, "2i4", "in_span"

    def release(self) -> None:
        """Release the buffer and the table."""
        self.spans.release()
        self.records.release()


class Deformation:
    """The skin matrices, bone maps and morphs of one model.

    Joints that are not in the bone map and bones that are not in the pose leave vertices in place. `records`
    are the morph records that were already built.
    """

    def __init__(self, ctx: moderngl.Context, model: Model, records: RecordsByStreams = NONE) -> None:
        self.ctx = ctx
        self._records = records
        self.bones = len(model.skeleton) if model.skeleton else 0
        self._model = model
        self._pose: object = REST
        self._weights: Array | None = None
        self._skin = Table(ctx, max(self.bones, 1) * BONE_TEXELS, 4)
        self._weight_table = Table(ctx, max(len(model.morphs), 1), 1)
        self._morphs: dict[tuple[int, ...], MorphBuffers | None] = {}
        self._shapes: dict[tuple[int, ...], ShapeTable | None] = {}
        self._blends: Mapping[int, ShapeBlend] = {}
        self._ranges, maps = bone_maps(model.geometries, self.bones)
        self._mapped = any(start for start, _ in self._ranges)
        self._maps = Table(ctx, len(maps), 1, "i4")
        self._maps.write(maps[:, None])

    def write(self, pose: Pose | None, morphs: Mapping[int, float]) -> None:
        """Upload the skin matrices and morph weights of this frame if they changed.

        `morphs` are weights by morph number; every other morph has the file's weight plus the pose's.
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
        """The morph records for the streams of this level; built once."""
        if lod.streams not in self._morphs:
            known = lod.streams in self._records
            records = self._records[lod.streams] if known else model_records(self._model, lod.streams)
            made = None
            if records is not None:
                table = Table(self.ctx, len(records.texels), 4)
                table.write(records.texels)
                made = MorphBuffers(self.ctx.buffer(records.spans), table, records.each)
            self._morphs[lod.streams] = made
        return self._morphs[lod.streams]

    def shape(self, buffers: Buffers, lod: Lod) -> ShapeTable | None:
        """The shapes for the streams of this level; built once."""
        if lod.streams not in self._shapes:
            count = buffers.vertex_count(lod)
            self._shapes[lod.streams] = shape_table(self.ctx, self._model.shapes, lod.streams, count)
        return self._shapes[lod.streams]

    def defines(self, buffers: Buffers, lod: Lod) -> tuple[str, ...]:
        """The variant of `mesh.vert` that this level needs."""
        skinned = self.bones > 0 and "joints" in buffers.elements(lod.streams)
        morphed = self.morph(buffers, lod) is not None
        whole = morphed and self._model.morph_normals == "whole"
        shaped = self.shape(buffers, lod) is not None
        flags = {"SKINNED": skinned, "MAPPED": skinned and self._mapped, "MORPHED": morphed}
        flags |= {"WHOLE_NORMALS": whole, "SHAPED": shaped}
        return tuple(name for name, wanted in flags.items() if wanted)

    def parts(self, buffers: Buffers, lod: Lod) -> tuple[Part, ...]:
        """The buffers besides the model's own that the vertex array of this level needs."""
        morph = self.morph(buffers, lod)
        return () if morph is None else (morph.part,)

    def bindings(self, buffers: Buffers, lod: Lod) -> Bindings:
        """The textures that move the vertices of this level. They never change."""
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
        """Set the uniforms of this geometry: the position of its bone map, its morph records, its shapes."""
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


def bone_maps(geometries: tuple[Geometry, ...], bones: int) -> tuple[list[tuple[int, int]], Array]:
    """All bone maps in one array, [N] i32, and the start and length of each geometry's.

    The array begins with the identity of all bones. Geometries without a map, with an empty map or with the
    first bone numbers in order use the identity; every other range follows it.
    """
    maps: list[Array] = [np.arange(max(bones, 1), dtype=np.int32)]
    ranges: list[tuple[int, int]] = []
    end = len(maps[0])
    for geometry in geometries:
        if geometry.bone_map is None or not len(geometry.bone_map):
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
