"""The mesh pass: a model's geometries with their materials, opaque ones first, then blended ones from far to
near."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from viewer.animation.pose import Pose
from viewer.gpu.bindings import BLOCKS
from viewer.gpu.pipeline import Pipeline
from viewer.gpu.shader import Composer, Program
from viewer.gpu.upload import Buffers
from viewer.render.blocks import FRAME, frame_block
from viewer.render.camera import Matrices
from viewer.render.deform import Deformation
from viewer.render.lod import levels, view_distance, world_box
from viewer.render.morphs import NONE, RecordsByStreams
from viewer.render.paint import Coat, Paint
from viewer.scene.look import Look, Shading
from viewer.scene.material import Appearance, Image, Material, Moment
from viewer.scene.model import TRIANGULAR, Geometry, Lod, Model, Primitive

Array = np.ndarray[Any, Any]

PAINTED = (Shading.LIT, Shading.UNLIT)
"""The shadings that show materials as they are; the others are opaque."""
Tint = tuple[float, float, float, float]
NO_TINTS: Mapping[int, Tint] = MappingProxyType({})
NOW = Moment(0.0)
WIRE = (0.03, 0.06, 0.10, 0.6)
WIRE_OFFSET = (-1.0, -1.0)


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a frame drew."""

    triangles: int = 0
    draws: int = 0

    def __add__(self, other: Statistics) -> Statistics:
        return Statistics(self.triangles + other.triangles, self.draws + other.draws)


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """A geometry at one level of detail and with one of its materials, ready to draw: `count` indices of the
    buffer."""

    number: int
    level: int
    lod: Lod
    coat: Coat
    program: Program
    count: int

    @property
    def triangles(self) -> int:
        """How many triangles it draws."""
        each, before = TRIANGULAR.get(self.lod.primitive, (0, 0))
        return max(self.count - before, 0) // each if each else 0


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """An item as it looks at a moment; without an appearance of its own, as its material says."""

    item: Item
    appearance: Appearance | None

    @property
    def alpha(self) -> float:
        """The material's own; at 0 there is nothing to draw."""
        return 1.0 if self.appearance is None else self.appearance.diffuse[3]

    @property
    def blend(self) -> str:
        """The material's; one that replaces fades by blending."""
        blend = self.item.coat.material.blend
        return "alpha" if blend == "replace" and self.alpha < 1 else blend


class MeshResources:
    """Everything of one model that is on the GPU; unless `filled` at once, `arrive` has to end first."""

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
        self._paint = Paint(ctx, model, images)
        self._items: dict[tuple[int, int, int], Item] = {}

    def arrive(self) -> Iterator[float]:
        """Upload it in small steps, textures and programs too; the share that is done after each."""
        yield from self.buffers.fill()
        for number, geometry in enumerate(self.model.geometries):
            for layer in range(1 + len(geometry.layers)) if geometry.lods else ():
                self.item(number, 0, layer)
                yield 1.0

    def item(self, number: int, level: int, layer: int = 0) -> Item:
        """Geometry `number` at `level` with its material, or the one of a `layer` above that; made once."""
        if (number, level, layer) not in self._items:
            self._items[number, level, layer] = self._make(number, level, layer)
        return self._items[number, level, layer]

    def write(self, pose: Pose | None, look: Look, view: Array, projection: Array) -> None:
        """Upload what changes with every frame; `view` and `projection` [4, 4] from the file's axes to clip
        space, eye space as GL's."""
        self.deformation.write(pose, look.morphs)
        bones = self.deformation.bones
        block = frame_block(view, projection, self.model.to_world, look.shading, look.bone, bones)
        self.frame.write(block)

    def use(self) -> None:
        """Bind what all geometries share."""
        self.frame.bind_to_uniform_block(BLOCKS["Frame"])
        self.deformation.use()

    def release(self) -> None:
        """Release all of it."""
        self.buffers.release()
        self.deformation.release()
        self._paint.release()
        self.frame.release()

    def _make(self, number: int, level: int, layer: int) -> Item:
        geometry = self.model.geometries[number]
        lod = geometry.lods[level]
        material = (geometry.material, *geometry.layers)[layer]
        coat = self._paint.coat(material, lod.primitive not in TRIANGULAR)
        bumpy = coat.normal_map and "tangent" in self.buffers.elements(lod.streams)
        own = {"NORMAL_MAP": bumpy, "SECOND_UV": second_set(coat.material) is not None}
        defines = (*self.deformation.defines(self.buffers, lod), *(name for name, on in own.items() if on))
        program = self.composer.program("mesh.vert", "mesh.frag", defines)
        return Item(number, level, lod, coat, program, self.buffers.drawn_count(lod))


def draw_mesh(
    mesh: MeshResources,
    pose: Pose | None,
    look: Look,
    matrices: Matrices,
    moment: Moment = NOW,
    tints: Mapping[int, Tint] = NO_TINTS,
) -> Statistics:
    """Draw the visible geometries on the bound framebuffer, their materials as they are at that moment,
    those of `tints` (by number) under a colour."""
    view, projection = towards_viewer(matrices)
    mesh.write(pose, look, view, projection)
    mesh.use()
    items = [Shown(item, item.coat.appearance(moment)) for item in visible(mesh, look, matrices)]
    drawn = _ordered(
        [each for each in items if each.alpha > 0 or look.shading not in PAINTED], mesh, pose, look, view
    )
    total = Statistics()
    for each in drawn:
        item = each.item
        item.coat.use(moment.time, each.appearance)
        _draw(mesh, each, look, matrices.front_face)
        total += Statistics(item.triangles, 1)
        if look.wireframe and item.lod.primitive in TRIANGULAR:
            _draw_over(mesh, item, matrices.front_face, WIRE, wireframe=True)
            total += Statistics(0, 1)
    for item in (each.item for each in drawn):
        if item.number in tints:
            _draw_over(mesh, item, matrices.front_face, tints[item.number])
            total += Statistics(0, 1)
    return total


def towards_viewer(matrices: Matrices) -> tuple[Array, Array]:
    """`view` and `projection` [4, 4] of the same whole, with z towards the viewer in eye space: the light
    comes from there, and cameras given as matrices often look along +z."""
    view, projection = matrices.view, matrices.projection
    along = projection[3, 2] if projection[3, :3].any() else projection[2, 2]
    if along < 0:
        return view, projection
    turn = np.diag((1.0, 1.0, -1.0, 1.0))
    return turn @ view, projection @ turn


def _ordered(
    items: list[Shown], mesh: MeshResources, pose: Pose | None, look: Look, view: Array
) -> list[Shown]:
    """Those that replace what is there, then those that blend, from far to near."""
    painted = look.shading in PAINTED

    def place(each: Shown) -> tuple[bool, int, float, int]:
        material = each.item.coat.material
        blends = painted and each.blend != "replace"
        depth = _depth(mesh.model, each.item, pose, view) if blends else 0.0
        return blends, material.render_order, depth, material.layer

    return sorted(items, key=place)


def visible(mesh: MeshResources, look: Look, matrices: Matrices) -> Iterator[Item]:
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


def _depth(model: Model, item: Item, pose: Pose | None, view: Array) -> float:
    """Of the geometry's centre as it is posed, in eye space: the farthest is the lowest."""
    geometry = model.geometries[item.number]
    center = _center(model, geometry)
    if pose is not None and geometry.center_bone is not None and geometry.center_bone < len(pose.skin):
        center = pose.skin[geometry.center_bone] @ (*center, 1.0)
    return float(view[2, :3] @ center + view[2, 3])


def _center(model: Model, geometry: Geometry) -> Array:
    """[3] in the file's axes."""
    if geometry.center is not None:
        return np.array(geometry.center)
    box = geometry.bounds if geometry.bounds is not None else model.bounds
    return np.zeros(3) if box is None else np.asarray(box.mean(axis=0))


def _draw(mesh: MeshResources, shown: Shown, look: Look, front_face: str) -> None:
    item, material = shown.item, shown.item.coat.material
    painted = look.shading in PAINTED
    pipeline = Pipeline(
        prepared(mesh, item, item.program),
        blend=shown.blend if painted else "replace",
        depth="<=" if material.depth_test or not painted else None,
        depth_write=material.depth_write or not painted,
        cull=material.cull,
        front_face=front_face,
        wireframe=material.fill == "wireframe",
    )
    primitive = Primitive.POINTS if material.fill == "point" else item.lod.primitive
    pipeline.draw(primitive, item.count, item.lod.start)


def _draw_over(
    mesh: MeshResources, item: Item, front_face: str, color: Tint, wireframe: bool = False
) -> None:
    """The item once more, in one colour: its edges or all of it."""
    program = mesh.composer.program(
        "mesh.vert", "wire.frag", mesh.deformation.defines(mesh.buffers, item.lod)
    )
    program.set(wire_color=color)
    pipeline = Pipeline(
        prepared(mesh, item, program),
        blend="alpha",
        depth_write=False,
        cull=item.coat.material.cull,
        front_face=front_face,
        wireframe=wireframe,
        offset=WIRE_OFFSET,
    )
    pipeline.draw(item.lod.primitive, item.count, item.lod.start)


def prepared(mesh: MeshResources, item: Item, program: Program) -> Any:
    """The vertex array of the item for `program`, its uniforms set."""
    mesh.deformation.apply(program, item.number, mesh.buffers, item.lod)
    parts = mesh.deformation.parts(mesh.buffers, item.lod)
    material = item.coat.material
    return mesh.buffers.vertex_array(program, item.lod, parts, material.uv_set, second_set(material))


def second_set(material: Material) -> int | None:
    """The set of texture coordinates that the second texture has for itself."""
    second = material.second
    return None if second is None or second.sphere or second.uv_set == material.uv_set else second.uv_set
