"""The geometries of one model on the GPU, as they are drawn: buffers, what moves them, materials."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from viewer.animation.pose import Pose
from viewer.arrays import Array
from viewer.dataclass import dataclass
from viewer.gpu.bindings import BLOCKS
from viewer.gpu.shader import Composer, Program
from viewer.gpu.upload import Buffers, Part
from viewer.render.blocks import FRAME, frame_block
from viewer.render.camera import Matrices
from viewer.render.deform import Deformation
from viewer.render.lights import lights_in
from viewer.render.lod import levels, view_distance, world_box
from viewer.render.materials import GpuMaterial, GpuMaterials
from viewer.render.morphs import NONE, RecordsByStreams
from viewer.scene.display import DisplayOptions
from viewer.scene.material import AT_FIRST, ClipTime, Image, Material
from viewer.scene.model import TRIANGULAR, Lod, Model


@dataclass(frozen=True, slots=True, eq=False)
class DrawItem:
    """A geometry at one level of detail and with one of its materials, ready to draw: `count` indices of the
    buffer."""

    number: int
    level: int
    lod: Lod
    coat: GpuMaterial
    program: Program
    count: int

    @property
    def triangles(self) -> int:
        """How many triangles it draws."""
        each, before = TRIANGULAR.get(self.lod.primitive, (0, 0))
        return max(self.count - before, 0) // each if each else 0


class GeometryResources:
    """Everything that it takes to draw the geometries of one model. Unless `filled` at once, `arrive` has to
    end first."""

    def __init__(
        self,
        composer: Composer,
        model: Model,
        images: Mapping[int, Image],
        records: RecordsByStreams = NONE,
        filled: bool = True,
    ) -> None:
        ctx = composer.ctx
        self.composer = composer
        self.model = model
        self.buffers = Buffers(ctx, model.vertex_buffers, model.index_buffers, filled)
        self.deformation = Deformation(ctx, model, records)
        self.frame = ctx.buffer(reserve=FRAME.itemsize)
        self.box = world_box(model)
        self.paint = GpuMaterials(ctx, model, images)
        self._items: dict[tuple[int, int, int], DrawItem] = {}

    def arrive(self) -> Iterator[float]:
        """Upload it in small steps, textures and programs too; the share that is done after each."""
        yield from self.buffers.fill()
        for number, geometry in enumerate(self.model.geometries):
            for layer in range(1 + len(geometry.layers)) if geometry.lods else ():
                self.item(number, 0, layer)
                yield 1.0

    def item(self, number: int, level: int, layer: int = 0) -> DrawItem:
        """Geometry `number` at `level` with its material, or the one of a `layer` above that; made once."""
        if (number, level, layer) not in self._items:
            self._items[number, level, layer] = self._make(number, level, layer)
        return self._items[number, level, layer]

    def wear(self, number: int, image: Image | None) -> None:
        """Take another picture for a texture, None: the checker."""
        self.paint.wear(number, image)
        self._items.clear()

    def write(
        self,
        pose: Pose | None,
        look: DisplayOptions,
        view: Array,
        projection: Array,
        moment: ClipTime = AT_FIRST,
    ) -> None:
        """Upload what changes with every frame; `view` and `projection` [4, 4] from the file's axes to clip
        space, eye space as GL's. `moment` is that of the file's lights."""
        self.deformation.write(pose, look.morphs)
        self.write_frame(look, view, projection, self.lights(look, pose, view, moment))

    def write_frame(self, look: DisplayOptions, view: Array, projection: Array, lights: Array) -> None:
        """Upload the `Frame` block alone."""
        bones = self.deformation.bones
        block = frame_block(view, projection, self.model.to_world, look.shading, look.bone, bones, lights)
        self.frame.write(block)

    def lights(
        self, look: DisplayOptions, pose: Pose | None, view: Array, moment: ClipTime = AT_FIRST
    ) -> Array:
        """[n] of `LIGHT`: those of the file, where they are to shine, as they are at that moment."""
        return lights_in(self.model.lights if look.file_lights else (), pose, view, moment)

    def use(self) -> None:
        """Bind what all geometries share."""
        self.frame.bind_to_uniform_block(BLOCKS["Frame"])
        self.deformation.use()

    def release(self) -> None:
        """Release all of it."""
        self.buffers.release()
        self.deformation.release()
        self.paint.release()
        self.frame.release()

    def defines(self, lod: Lod, coat: GpuMaterial) -> tuple[str, ...]:
        """The variant of the mesh shaders that a geometry with a material needs."""
        bumpy = coat.normal_map and "tangent" in self.buffers.elements(lod.streams)
        own = {"NORMAL_MAP": bumpy, "SECOND_UV": second_set(coat.material) is not None}
        return (*self.deformation.defines(self.buffers, lod), *(name for name, on in own.items() if on))

    def _make(self, number: int, level: int, layer: int) -> DrawItem:
        geometry = self.model.geometries[number]
        lod = geometry.lods[level]
        material = (geometry.material, *geometry.layers)[layer]
        coat = self.paint.coat(material, lod.primitive not in TRIANGULAR)
        program = self.composer.program("mesh.vert", "mesh.frag", self.defines(lod, coat))
        return DrawItem(number, level, lod, coat, program, self.buffers.drawn_count(lod))


def visible(mesh: GeometryResources, look: DisplayOptions, matrices: Matrices) -> Iterator[DrawItem]:
    """The geometries that are not hidden, each at the level that is due, as the file orders them."""
    distance = view_distance(mesh.model, mesh.box, matrices)
    for number, level in enumerate(levels(mesh.model, distance, look.lod)):
        if level < 0 or number in look.hidden:
            continue
        geometry = mesh.model.geometries[number]
        for layer in range(1 + len(geometry.layers)) if geometry.lods[level].count else ():
            item = mesh.item(number, level, layer)
            if item.count:
                yield item


def prepared(mesh: GeometryResources, item: DrawItem, program: Program, more: tuple[Part, ...] = ()) -> Any:
    """The vertex array of the item for `program`, its uniforms set; `more` is what only the program takes."""
    mesh.deformation.apply(program, item.number, mesh.buffers, item.lod)
    parts = (*mesh.deformation.parts(mesh.buffers, item.lod), *more)
    material = item.coat.material
    return mesh.buffers.vertex_array(program, item.lod, parts, material.uv_set, second_set(material))


def second_set(material: Material) -> int | None:
    """The set of texture coordinates that the second texture has for itself."""
    second = material.second
    return None if second is None or second.sphere or second.uv_set == material.uv_set else second.uv_set
