"""A model: the file's buffers unchanged, geometries that draw from them, morphs, a skeleton, and points on
bones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
from msgspec import Struct, field

from viewer.arrays import Array
from viewer.scene.camera import Camera
from viewer.scene.emitter import Emitter, ModelReference, Point, Ribbon
from viewer.scene.material import ClipTime, Material, MaterialCandidate, Texture
from viewer.scene.skeleton import Skeleton


class Attachment(Struct, frozen=True):
    """A point to which other models are attached. `position` is in model space; it follows `bone`."""

    id: int
    name: str
    bone: int
    position: Point


class Light(Struct, frozen=True):
    """A light of the file. `type` is `directional` or `point`; the light follows `bone` (-1: no bone).

    `diffuse` and `ambient` are rgb, multiplied by their intensities; `attenuation` are two distances in the
    file's unit: where the light begins to fade, and where it ends. All these fields and `visible` hold the
    initial values; `motion` gives the values at a time (None: they never change).
    """

    type: str
    bone: int
    position: Point
    diffuse: Point = (1.0, 1.0, 1.0)
    ambient: Point = (0.0, 0.0, 0.0)
    attenuation: tuple[float, float] = (0.0, 0.0)
    visible: bool = True
    motion: Callable[[ClipTime], Light] | None = None

    def at(self, clip_time: ClipTime) -> Light:
        """The light with the values of its `motion` at a time."""
        return self if self.motion is None else self.motion(clip_time)


class EventPoint(Struct, frozen=True):
    """The point at which the event `name` happens. `position` is in model space and follows `bone`."""

    name: str
    bone: int
    position: Point


class Collision(Struct, frozen=True, eq=False):
    """The collision mesh: `vertices` [V, 3] in model space, `triangles` [T, 3] of vertex numbers."""

    vertices: np.ndarray[Any, Any]
    triangles: np.ndarray[Any, Any]


AnyPicture = TypeVar("AnyPicture")

WORLD = np.eye(4)
WORLD.flags.writeable = False


class Primitive(Enum):
    """The primitive type of a geometry's indices."""

    TRIANGLES = "triangles"
    LINES = "lines"
    POINTS = "points"
    TRIANGLE_STRIP = "triangle strip"
    LINE_STRIP = "line strip"
    TRIANGLE_FAN = "triangle fan"


TRIANGULAR = {Primitive.TRIANGLES: (3, 0), Primitive.TRIANGLE_STRIP: (1, 2), Primitive.TRIANGLE_FAN: (1, 2)}
"""Two numbers for each primitive type of triangles: the indices that each triangle needs, and the additional
indices that the first triangle needs.
"""


def triangle_count(primitive: Primitive, indices: int) -> int:
    """The number of triangles of this primitive type that a number of `indices` makes; 0 for lines and
    points.
    """
    each, before = TRIANGULAR.get(primitive, (0, 0))
    return max(indices - before, 0) // each if each else 0


LINES = (Primitive.LINES, Primitive.LINE_STRIP)


SEMANTICS = {
    "position": "in model space; 3 components",
    "normal": "3 components of length 1",
    "tangent": "4 components: of length 1, then the sign of the binormal",
    "binormal": "3 components, if a format stores it",
    "color0": "3 or 4 components, 0 to 1; integers are normalized",
    "uv0": "2 components; (0, 0) is the upper left corner of the picture",
    "uv1": "a second set; further sets are uv2, uv3 and so on",
    "joints": "up to 4 whole numbers: of bones, or of the entries of `Geometry.bone_map`",
    "weights": "as many numbers as joints, 0 to 1; integers are normalized; the sum is 1",
}
"""The meanings of vertex attributes, and their components."""


class VertexElement(Struct, frozen=True):
    """One attribute of a vertex. `semantic` is its meaning, one of `SEMANTICS`; attributes of other meanings
    are shown and compared, but not drawn. `offset` is in bytes.

    `type` is the component's type: u8 u16 u32 i8 i16 i32 f16 f32; `normalized` integers mean 0..1 (or -1..1).
    """

    semantic: str
    type: str
    components: int
    offset: int
    normalized: bool = False

    @property
    def dtype(self) -> np.dtype[Any]:
        """The numpy dtype of one vertex's value, of shape [components]."""
        return _element_dtype(self.type, self.components)


@lru_cache(256)
def _element_dtype(type: str, components: int) -> np.dtype[Any]:
    return np.dtype((np.dtype(f"{type[0]}{int(type[1:]) // 8}"), (components,)))


class VertexBuffer(Struct, frozen=True, eq=False):
    """The vertices of a file: `data` [count × stride] u8 are the stored bytes."""

    data: Array
    count: int
    stride: int
    elements: tuple[VertexElement, ...]

    def element(self, semantic: str) -> VertexElement | None:
        """The first element with this meaning."""
        return next((element for element in self.elements if element.semantic == semantic), None)

    def column(self, semantic: str) -> Array | None:
        """[count, components]: the values of one semantic in the stored type, as a view of `data`."""
        element = self.element(semantic)
        if element is None:
            return None
        base, components = element.dtype.base, element.components
        if not self.count:
            return np.empty((0, components), base)  # numpy refuses strides over an empty buffer
        strides = (self.stride, base.itemsize)
        return np.ndarray((self.count, components), base, self.data, element.offset, strides)


class IndexBuffer(Struct, frozen=True, eq=False):
    """The vertex indices of a file: `data` [count] u16 or u32."""

    data: Array


LOD_UNITS = {
    "distance": "distance",
    "pixels": "pixels",
    "screen": "screen ratio",
    "unknown": "value of an unknown strategy",
}
"""What the values of levels of detail count, by strategy: the distance of the camera, the pixels that the
model covers, the share of the screen that it covers, or something unknown.
"""


class Lod(Struct, frozen=True):
    """One level of detail: a range of an index buffer over one or more vertex buffers.

    It is drawn from `distance` on (in the engine's unit, see `Model.lod_rule` and `Model.lod_strategy`).
    `streams` are numbers of vertex buffers; `indices` is the number of the index buffer (None: vertices are
    drawn in order). `material` is the name of the material in the level's own file (empty: none). This name
    is only shown in lists; the level is drawn with the geometry's material.
    """

    distance: float
    streams: tuple[int, ...]
    indices: int | None
    start: int
    count: int
    primitive: Primitive
    material: str = ""


class Geometry(Struct, frozen=True, eq=False):
    """A submesh. Joint k of its vertices means bone `bone_map[k]`, or bone k if there is no map.

    `material` and `layers` are numbers of materials; the layers are drawn over `material`, one after another.
    `geoset` is the id by which submeshes are shown or hidden (None: the format has no geosets). `shown`: the
    submesh is drawn by default. `center` sorts blended geometries; it follows `center_bone`. `owner` is the
    name of the attached model to which the submesh belongs (empty: the model itself). `stored` is False for
    points that the program made of the vertices of a file without readable geometries.
    """

    name: str
    lods: tuple[Lod, ...]
    bone_map: Array | None = None
    material: int | None = None
    center: tuple[float, float, float] | None = None
    bounds: Array | None = None
    layers: tuple[int, ...] = ()
    geoset: int | None = None
    shown: bool = True
    center_bone: int | None = None
    owner: str = ""
    stored: bool = True


class MorphTarget(Struct, frozen=True, eq=False):
    """Deltas for one vertex buffer: `vertices` [N] u32 and the deltas of their attributes, [N, 3] f32 or
    None.
    """

    buffer: int
    vertices: Array
    positions: Array | None = None
    normals: Array | None = None
    tangents: Array | None = None


class Morph(Struct, frozen=True):
    """A named set of deltas of vertices. `weight` is the initial weight in the file."""

    name: str
    targets: tuple[MorphTarget, ...]
    weight: float = 0.0

    @property
    def vertices(self) -> int:
        """The number of vertices that the morph moves."""
        return sum(len(target.vertices) for target in self.targets)


class Shape(Struct, frozen=True, eq=False):
    """A shape of the vertex buffer with the number `buffer`: positions [V, 3] f32, and normals or None. While
    a clip shows the shape, the shape replaces the positions and normals of the buffer.
    """

    buffer: int
    positions: Array
    normals: Array | None = None


class Model(Struct, frozen=True, eq=False, weakref=True):
    """The drawable content of a model file.

    `to_world` [4, 4] goes from the file's axes to viewer space: right-handed, +Y up, facing +Z. `metres` is
    the length of a unit of viewer space, and `unit` is the name of the file's unit.
    `bounds` [2, 3] is the file's bounding box (None: the file has no finite box). `lod_rule` names the rule
    by which the level of detail follows the distance (`urho3d`, `ogre`, or empty: always the first level).
    `lod_strategy` says what `Lod.distance` counts, one of `LOD_UNITS`.

    `morph_normals` is how morphs store normals. `delta`: they are added to the base normal. `whole` (OGRE):
    they are full normals, blended with the base normal, which has the remaining weight. `geoset_groups` are
    the names of the geoset groups by number (geoset id // 100). Each group shows one variant at a time.
    `candidates` are the different materials that scenes give to the model.
    """

    name: str
    vertex_buffers: tuple[VertexBuffer, ...] = ()
    index_buffers: tuple[IndexBuffer, ...] = ()
    geometries: tuple[Geometry, ...] = ()
    morphs: tuple[Morph, ...] = ()
    skeleton: Skeleton | None = None
    materials: tuple[Material, ...] = ()
    textures: tuple[Texture, ...] = ()
    cameras: tuple[Camera, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    lights: tuple[Light, ...] = ()
    emitters: tuple[Emitter, ...] = ()
    ribbons: tuple[Ribbon, ...] = ()
    bounds: Array | None = None
    to_world: Array = field(default_factory=lambda: WORLD)
    lod_rule: str = ""
    lod_strategy: str = "distance"
    shapes: tuple[Shape, ...] = ()
    morph_normals: str = "delta"
    unit: str = "units"
    metres: float = 1.0
    candidates: tuple[MaterialCandidate, ...] = ()

    @property
    def has_surface(self) -> bool:
        """Whether the model draws anything besides bones."""
        return bool(self.geometries) or self.effects

    @property
    def has_content(self) -> bool:
        """Whether the model draws anything: geometries with vertices, bones, particles or ribbons."""
        vertices = self.geometries and any(buffer.count for buffer in self.vertex_buffers)
        return bool(vertices or self.effects or (self.skeleton is not None and len(self.skeleton)))

    @property
    def effects(self) -> bool:
        """Whether the model has emitters or ribbons."""
        return bool(self.emitters or self.ribbons)

    events: tuple[EventPoint, ...] = ()
    collision: Collision | None = None
    geoset_groups: Mapping[int, str] = field(default_factory=dict)

    @property
    def references(self) -> tuple[ModelReference[Model], ...]:
        """The models that the emitters refer to, each once."""
        named = (each for emitter in self.emitters for each in (emitter.shape, emitter.carries))
        return tuple(dict.fromkeys(each for each in named if each is not None))


def pictured(model: Model | None) -> tuple[Texture, ...]:
    """All textures that a model needs: its own textures, then the textures of each model that its emitters
    refer to. A decoded image has the number of its texture in this list.
    """
    if model is None:
        return ()
    named = (each.model.textures for each in model.references if each.model is not None)
    return (*model.textures, *(texture for textures in named for texture in textures))


def pictures_of(
    model: Model, pictures: Mapping[int, AnyPicture]
) -> dict[ModelReference[Model], dict[int, AnyPicture]]:
    """Group pictures by the models that the emitters refer to. `pictures` has the numbers of `pictured` as
    keys. The result has one dictionary for each referenced model; its keys are the numbers of this model's
    own textures.
    """
    found, first = {}, len(model.textures)
    for each in model.references:
        count = len(each.model.textures) if each.model is not None else 0
        found[each] = {n: pictures[first + n] for n in range(count) if first + n in pictures}
        first += count
    return found


class ModelSize(Struct, frozen=True):
    """The size of a model: its vertices and triangles at the finest levels of detail, and its bones."""

    vertices: int
    triangles: int
    bones: int


def model_size(model: Model) -> ModelSize:
    """Count bones, triangles, and the vertices in all buffers of the finest levels."""
    finest = [geometry.lods[0] for geometry in model.geometries if geometry.lods]
    drawn = {stream for lod in finest for stream in lod.streams[:1]}
    return ModelSize(
        sum(model.vertex_buffers[stream].count for stream in drawn),
        sum(triangle_count(each.primitive, each.count) for each in finest),
        len(model.skeleton) if model.skeleton is not None else 0,
    )


GROUP = 100
"""The number of geoset ids in a group: an id is group × 100 + variant. Id 0 is the body, which is always
shown.
"""

Variants = dict[int, dict[int, list[int]]]


def variants(model: Model) -> Variants:
    """Group geometries by geoset, in ascending order. The outer keys are geoset groups, and the inner keys
    are geoset ids. The values are numbers of geometries. The body (id 0) has the group -1.
    """
    found: Variants = {}
    for number, geometry in enumerate(model.geometries):
        if geometry.geoset is not None:
            group = -1 if geometry.geoset == 0 else geometry.geoset // GROUP
            found.setdefault(group, {}).setdefault(geometry.geoset, []).append(number)
    return {group: dict(sorted(found[group].items())) for group in sorted(found)}


def members(model: Model | None, geoset: int) -> list[int]:
    """The numbers of the geometries with this geoset id."""
    geometries = model.geometries if model else ()
    return [number for number, each in enumerate(geometries) if each.geoset == geoset]


def hidden_by_default(model: Model | None) -> set[int]:
    """The numbers of the geometries that the file hides."""
    geometries = model.geometries if model else ()
    return {number for number, each in enumerate(geometries) if not each.shown}


def is_free(model: Model, number: int, hidden: set[int]) -> bool:
    """Whether no other variant of the geometry's group is shown while the geometries `hidden` are not."""
    own = model.geometries[number].geoset
    others = (each.geoset for other, each in enumerate(model.geometries) if other not in hidden)
    return not own or all(not each or each == own or each // GROUP != own // GROUP for each in others)


def show_alone(model: Model, geoset: int, hidden: set[int]) -> None:
    """Change `hidden` (numbers of geometries) to show a geoset and hide the other variants of its group."""
    for number, geometry in enumerate(model.geometries):
        if geometry.geoset == geoset:
            hidden.discard(number)
        elif geometry.geoset and geometry.geoset // GROUP == geoset // GROUP:
            hidden.add(number)


NO_MODEL = Model("")
"""The model of a view that has none."""
