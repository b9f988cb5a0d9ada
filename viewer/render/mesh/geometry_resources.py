"""The GPU data of a model's geometries: buffers, deformation, materials."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from viewer.animation.pose import Pose
from viewer.arrays import Array
from viewer.gpu.bindings import NO_BINDINGS, Bindings
from viewer.gpu.program import Program
from viewer.gpu.shader import Composer
from viewer.gpu.upload import Buffers, Part
from viewer.render.mesh.deform import Deformation
from viewer.render.mesh.distances import DistanceBuffers
from viewer.render.mesh.lights import FrameLights, frame_lights
from viewer.render.mesh.material_block import FRAME, frame_block
from viewer.render.mesh.materials import GpuMaterial, GpuMaterials
from viewer.render.mesh.mesh_programs import MeshPrograms
from viewer.render.mesh.morphs import NO_RECORDS, RecordsByStreams
from viewer.scene.choices import MissingTextures
from viewer.scene.display import DisplayOptions, ModelDisplay
from viewer.scene.material import AT_FIRST, ClipTime, Image, Material
from viewer.scene.mesh.flat_geometry import has_no_area
from viewer.scene.mesh.vertices import lacks_weights
from viewer.scene.model import LINES, TRIANGULAR, Lod, Model, Primitive, triangle_count
from viewer.view.camera import Matrices
from viewer.view.framing import geometry_corners
from viewer.view.lod import levels, view_distance, world_box

STEP = 0.008
"""The shortest time in seconds that a step of an upload takes if more work is left."""


class DrawItem(Struct, frozen=True, eq=False):
    """One draw: a geometry at one level of detail with one of its materials.

    `count` is the number of indices. `defines` and the geometry shader `stage` choose the program.
    """

    number: int
    level: int
    lod: Lod
    gpu_material: GpuMaterial
    count: int
    defines: tuple[str, ...]
    stage: str | None = None

    @property
    def triangles(self) -> int:
        """The number of triangles; 0 for lines and points."""
        return triangle_count(self.lod.primitive, self.count)


class GeometryResources:
    """The GPU data of a model's geometries.

    Unless `filled` is True, `arrive` must run to its end before the first draw.
    """

    def __init__(
        self,
        composer: Composer,
        model: Model,
        images: Mapping[int, Image],
        records: RecordsByStreams = NO_RECORDS,
        filled: bool = True,
    ) -> None:
        ctx = composer.ctx
        self.composer = composer
        self.model = model
        unread = ("joints", "weights") if lacks_weights(model) else ()
        self.buffers = Buffers(ctx, model.vertex_buffers, model.index_buffers, filled, unread)
        self.deformation = Deformation(ctx, model, records)
        self.distances = DistanceBuffers(ctx)
        self.frame = ctx.buffer(reserve=FRAME.itemsize)
        self.environment = self.occlusion = NO_BINDINGS
        self._written: object = None
        self.box = world_box(model)
        self.materials = GpuMaterials(ctx, model, images)
        self._items: dict[tuple[int, int, int], DrawItem] = {}
        self._bindings: dict[tuple[int, ...], Bindings] = {}
        self._programs: MeshPrograms | None = None

    @cached_property
    def corners(self) -> Array:
        """The corners [G, 8, 3] of the box around each geometry at rest, in the file's axes."""
        return geometry_corners(self.model)

    def arrive(self) -> Iterator[float]:
        """Upload buffers, textures and programs in small steps. A step of a buffer yields the uploaded share
        0..1 of the buffer; any other step yields 1. Geometries whose textures and programs exist take no time
        and make no step.
        """
        yield from self.buffers.fill()
        begun = time.perf_counter()
        for number, geometry in enumerate(self.model.geometries):
            for layer in range(1 + len(geometry.layers)) if geometry.lods else ():
                self.program(self.item(number, 0, layer))
                if time.perf_counter() - begun > STEP:
                    yield 1.0
                    begun = time.perf_counter()
        yield 1.0

    def item(self, number: int, level: int, layer: int = 0) -> DrawItem:
        """Return geometry `number` at `level` with its material, made on the first call.

        `layer` 0 is the geometry's own material; a higher layer is a material drawn above it.
        """
        if (number, level, layer) not in self._items:
            self._items[number, level, layer] = self._make(number, level, layer)
        return self._items[number, level, layer]

    @property
    def programs(self) -> MeshPrograms:
        """The programs for the current materials of the model."""
        if self._programs is None:
            used = {
                (material, lod.primitive not in TRIANGULAR)
                for geometry in self.model.geometries
                for material in (geometry.material, *geometry.layers)
                for lod in geometry.lods
            }
            self._programs = MeshPrograms(self.composer, self.materials.kinds(used))
        return self._programs

    def program(self, item: DrawItem) -> Program:
        """Return the program that draws the item with its material in this frame."""
        return self.programs.program(item.defines, item.gpu_material.features, item.stage)

    def replace_texture(self, number: int, image: Image | None) -> None:
        """Replace the image of a texture; None marks the texture as missing."""
        self.materials.replace_texture(number, image)
        self._forget()

    def dress(self, model: Model, images: Mapping[int, Image], changed: Iterable[int]) -> None:
        """Show the model in another look, see `GpuMaterials.dress`. All buffers stay."""
        self.model = model
        self.materials.dress(model, images, changed)
        self._forget()

    def show_missing(self, missing: MissingTextures) -> None:
        """Choose the placeholders of missing textures."""
        if self.materials.show_missing(missing):
            self._forget()

    def show_surroundings(self, environment: Bindings, occlusion: Bindings) -> None:
        """Choose the environment's block and texture, and the texture of the occlusion; empty for none."""
        if self.environment is not environment or self.occlusion is not occlusion:
            self.environment, self.occlusion = environment, occlusion
            self._bindings.clear()

    def write(
        self,
        pose: Pose | None,
        options: DisplayOptions,
        display: ModelDisplay,
        view: Array,
        projection: Array,
        clip_time: ClipTime = AT_FIRST,
    ) -> None:
        """Upload the data of a frame.

        `view` and `projection` [4, 4] together convert from the file's axes to clip space, with eye space as
        in OpenGL. `clip_time` is the time in the clip, at which
        the lights of the file are evaluated.
        """
        self.deformation.write(pose, display.morphs)
        lights = self.lights(options, pose, view, clip_time)
        self.write_frame(options, display.bone, view, projection, display.to_world(self.model), lights)

    def write_frame(
        self,
        options: DisplayOptions,
        bone: int | None,
        view: Array,
        projection: Array,
        to_world: Array,
        lights: FrameLights,
    ) -> None:
        """Upload only the `Frame` block, if it changed.

        `bone` is the bone whose weights are shown. `to_world` [4, 4] converts from the file's axes to viewer
        space.
        """
        arrays = tuple(each.tobytes() for each in (view, projection, to_world, lights.rows))
        key = arrays, lights.kind, lights.sky, options.shading, bone, options.tone, options.exposure
        if self._written != key:
            bones = self.deformation.bones
            toned = options.tone, options.exposure
            block = frame_block(view, projection, to_world, options.shading, bone, bones, lights, *toned)
            self.frame.write(block)
            self._written = key

    def lights(
        self, options: DisplayOptions, pose: Pose | None, view: Array, clip_time: ClipTime = AT_FIRST
    ) -> FrameLights:
        """Return the lights that `options` choose. Lights of the file have their values at `clip_time`."""
        known = bool(self.environment)
        return frame_lights(options.lighting, self.model.lights, pose, view, clip_time, known)

    def bindings(self, lod: Lod) -> Bindings:
        """Return the `Frame` block, the environment, and the textures that deform this level; they are the
        same in every frame.
        """
        if lod.streams not in self._bindings:
            moved = self.deformation.bindings(self.buffers, lod)
            self._bindings[lod.streams] = {"Frame": self.frame, **self.environment, **self.occlusion, **moved}
        return self._bindings[lod.streams]

    def release(self) -> None:
        """Release all GPU data of the geometries."""
        self.buffers.release()
        self.deformation.release()
        self.distances.release()
        self.materials.release()
        self.frame.release()

    def defines(self, lod: Lod, gpu_material: GpuMaterial) -> tuple[str, ...]:
        """Return the defines of the mesh shaders for a level with a material."""
        bumpy = (
            gpu_material.normal_map
            and lod.primitive in TRIANGULAR
            and "tangent" in self.buffers.elements(lod.streams)
        )
        own = {"NORMAL_MAP": bumpy, "SECOND_UV": second_set(gpu_material.material) is not None}
        return (*self.deformation.defines(self.buffers, lod), *(name for name, on in own.items() if on))

    def _forget(self) -> None:
        """Drop the items and programs of the previous materials."""
        self._items.clear()
        self._programs = None

    def _make(self, number: int, level: int, layer: int) -> DrawItem:
        geometry = self.model.geometries[number]
        lod = geometry.lods[level]
        if has_no_area(self.model, lod):
            lod = replace(lod, primitive=Primitive.POINTS)
        material = (geometry.material, *geometry.layers)[layer]
        gpu_material = self.materials.gpu_material(material, lod.primitive not in TRIANGULAR)
        thick = lod.primitive in LINES and gpu_material.material.fill != "point"
        defines, stage = (("THICK_LINES",), "thick_lines.geom") if thick else ((), None)
        defines = (*self.defines(lod, gpu_material), *defines)
        left_out = layer and gpu_material.placeholder and gpu_material.placeholder.optional
        count = 0 if left_out else self.buffers.drawn_count(lod)
        return DrawItem(number, level, lod, gpu_material, count, defines, stage)


def visible(mesh: GeometryResources, display: ModelDisplay, matrices: Matrices) -> Iterator[DrawItem]:
    """Yield the draws of all shown geometries, each at its current level, in file order."""
    distance = view_distance(mesh.model, mesh.box, matrices)
    for number, level in enumerate(levels(mesh.model, distance, display.lod)):
        if level < 0 or number in display.hidden:
            continue
        geometry = mesh.model.geometries[number]
        for layer in range(1 + len(geometry.layers)) if geometry.lods[level].count else ():
            item = mesh.item(number, level, layer)
            if item.count:
                yield item


def prepared(mesh: GeometryResources, item: DrawItem, program: Program, more: tuple[Part, ...] = ()) -> Any:
    """Set the uniforms of `program` for the item, and return the item's vertex array.

    `more` are further vertex attributes of this program.
    """
    mesh.deformation.apply(program, item.number, mesh.buffers, item.lod)
    measured = mesh.distances.parts(program, mesh.buffers, item.lod)
    parts = (*mesh.deformation.parts(mesh.buffers, item.lod), *measured, *more)
    material = item.gpu_material.material
    return mesh.buffers.vertex_array(program, item.lod, parts, material.uv_set, second_set(material))


def second_set(material: Material) -> int | None:
    """Return the UV set of the second texture; None if there is no second texture, or if it uses the UV set
    of the first texture.
    """
    second = material.second
    return None if second is None or second.sphere or second.uv_set == material.uv_set else second.uv_set
