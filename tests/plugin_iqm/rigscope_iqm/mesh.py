"""Builds the model: vertex arrays, triangles, and meshes with their materials."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

import numpy as np

from rigscope_iqm.layout import CUSTOM, FORMATS, MESHES, TRIANGLES, TYPES, VERTEX_ARRAYS
from rigscope_iqm.tables import Numbers, Tables
from viewer.plugin import (
    Cursor,
    FormatError,
    Geometry,
    IndexBuffer,
    Lod,
    Material,
    Model,
    OpenedFile,
    Primitive,
    Report,
    Skeleton,
    Span,
    Texture,
    Topic,
    VertexBuffer,
    VertexElement,
    counted,
    find_texture,
    rows_span,
)

TO_WORLD = np.array([[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
"""Matrix [4, 4] from the axes of the file to viewer axes: +X → +Z, +Y → +X, +Z → +Y.

The format does not say where a model faces. It comes from engines in the line of Quake, whose models stand on
+Z and face +X with +Y on their left; the camera of the development kit's demo stands on +X too.
"""
TO_WORLD.flags.writeable = False

TURNED = [0, 2, 1]
"""The stored corner of each corner of a drawn triangle: the front is clockwise in the file, counter-clockwise
in the viewer. A triangle that is turned twice is as it was.
"""
PICTURES = (".png", ".tga", ".jpg", ".jpeg", ".dds", ".bmp", ".webp")
MOST_COMPONENTS = 4
REPEATED = ("uv", "color")
"""The attributes of which a vertex may have several."""


class VertexArrays:
    """The vertex buffers of a file, and for each of them the span of its values in the file."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self.buffers: list[VertexBuffer] = []
        self.spans: list[Span] = []
        self._counts = dict.fromkeys(TYPES, 0)
        rows = tables.table(VERTEX_ARRAYS, "ofs_vertexarrays")
        for number, row in enumerate(rows if tables.header.num_vertexes else ()):
            try:
                self._add(row)
            except FormatError as error:
                tables.fail_in(VERTEX_ARRAYS, number, error)

    def has(self, semantic: str) -> bool:
        """Whether the vertices have an attribute."""
        return any(buffer.element(semantic) is not None for buffer in self.buffers)

    def _add(self, row: Any) -> None:
        """Add the buffer of an array. FormatError if its values cannot be read."""
        kind, form, size, offset = (int(row[name]) for name in ("type", "format", "size", "offset"))
        if form >= len(FORMATS) or not size:
            raise FormatError(f"has {counted(size, 'component')} of format {form}")
        number = np.dtype(f"<{FORMATS[form][0]}{int(FORMATS[form][1:]) // 8}")
        count = int(self._tables.header.num_vertexes)
        cursor = Cursor(self._tables.data, offset)
        cursor.require(count * size * number.itemsize)  # before numpy sees the size
        values = cursor.array(np.dtype((number, (size,))), count)
        name = self._semantic(kind)
        self.spans.append(rows_span(name, values, offset, f"values of vertex array {len(self.buffers)}"))
        self._tables.spans.append(self.spans[-1])
        drawn = self._drawn(values, name) if kind < len(TYPES) else values
        elements: tuple[VertexElement, ...] = ()
        if size <= MOST_COMPONENTS:
            # The development kit scales the integers of every attribute but bone numbers to 0..1 or -1..1.
            scaled = number.kind in "ui" and kind < len(TYPES) and name != "joints"
            type = FORMATS[form] if drawn.dtype == number else "f32"
            elements = (VertexElement(name, type, size, 0, scaled),)
        else:
            self._tables.report.warn(f"{name}: of {size} components at most {MOST_COMPONENTS} can be drawn")
        flat = drawn.reshape(-1).view(np.uint8)
        self.buffers.append(VertexBuffer(flat, count, size * drawn.dtype.itemsize, elements))

    def _semantic(self, kind: int) -> str:
        """The name of an attribute by its type."""
        if kind >= CUSTOM:
            return f"custom {self._tables.name(kind - CUSTOM) or kind - CUSTOM}"
        if kind >= len(TYPES):
            return f"type {kind}"
        name, number = TYPES[kind], self._counts[TYPES[kind]]
        self._counts[name] += 1
        if name in REPEATED:
            return f"{name}{number}"
        if number:
            self._tables.report.warn(f"several vertex arrays have the type {name}; the first one is used")
        return f"{name} {number}" if number else name

    def _drawn(self, values: Numbers, name: str) -> Numbers:
        """The values [V, C] as they can be drawn: doubles become floats, and positions are finite."""
        drawn = values.astype(np.float32) if values.dtype.itemsize == 8 else values
        odd = np.logical_not(np.isfinite(drawn).all(axis=1))
        if name != "position" or not odd.any():
            return drawn
        number = counted(int(odd.sum()), "vertex", "vertices")
        self._tables.report.warn(f"{number} without a finite position: 0 is used instead")
        return np.where(odd[:, None], drawn.dtype.type(0), drawn)


def build_model(tables: Tables, arrays: VertexArrays, file: OpenedFile, skeleton: Skeleton | None) -> Model:
    """Return the model of a file, with the numbers of its meshes and vertex arrays."""
    triangles = _triangles(tables)
    streams = tuple(range(len(arrays.buffers))) if arrays.has("position") else ()
    if len(triangles) and arrays.buffers and not streams:
        tables.fail("num_vertexarrays", "the vertices have no positions: the meshes are not drawn")
    meshes = tables.table(MESHES, "ofs_meshes")
    names = [tables.name(number) for number in meshes["material"].tolist()]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(filter(None, names)))}
    textures: list[Texture] = []
    materials = []
    for name in numbers:
        texture = find_picture(file, name, tables.report)
        units = {} if texture is None else {"diffuse": len(textures)}
        textures += [] if texture is None else [texture]
        materials.append(Material(name, units=units, vertex_color=arrays.has("color0")))
    geometries = []
    for number, (row, material) in enumerate(zip(meshes, names, strict=True)):
        lods: tuple[Lod, ...] = ()
        try:
            first, count = _range(tables, row)
            if len(triangles) and streams:
                lods = (Lod(0.0, streams, 0, 3 * first, 3 * count, Primitive.TRIANGLES),)
        except FormatError as error:
            tables.fail_in(MESHES, number, error)
        geometries.append(Geometry(tables.name(int(row["name"])), lods, material=numbers.get(material)))
    return Model(
        name=file.path.stem,
        vertex_buffers=tuple(arrays.buffers),
        index_buffers=(IndexBuffer(triangles[:, TURNED].reshape(-1)),),
        geometries=tuple(geometries),
        skeleton=skeleton,
        materials=tuple(materials),
        textures=tuple(textures),
        to_world=TO_WORLD,
    )


def _triangles(tables: Tables) -> Numbers:
    """The vertex numbers [T, 3] u32. Triangles with missing vertices become points, which are not drawn."""
    stored = tables.table(TRIANGLES, "ofs_triangles")["vertices"]
    stray = (stored >= tables.header.num_vertexes).any(axis=1)
    if not stray.any():
        return stored
    text = (
        f"{counted(int(stray.sum()), 'triangle')} with missing vertices: {tables.header.num_vertexes} exist"
    )
    tables.report.warn(text, topic=Topic.INDEX, offset=tables.header.ofs_triangles)
    return np.where(stray[:, None], np.uint32(0), stored)


def _range(tables: Tables, row: Any) -> tuple[int, int]:
    """The first triangle of a mesh and their number. FormatError if they do not exist."""
    first, count = int(row["first_triangle"]), int(row["num_triangles"])
    triangles = tables.header.num_triangles
    if first + count > triangles:
        raise FormatError(f"has the triangles from {first} to {first + count}, of {triangles}")
    if int(row["first_vertex"]) + int(row["num_vertexes"]) > tables.header.num_vertexes:
        tables.report.warn("a mesh has more vertices than exist", offset=tables.header.ofs_meshes)
    return first, count


def find_picture(file: OpenedFile, name: str, report: Report) -> Texture | None:
    """Return the picture of a material. A name without the suffix of a picture is a name that only the game
    knows: a picture of this name beside the model is shown, and none is missed.
    """
    if PurePath(name).suffix.lower() in PICTURES:
        return find_texture(file, name, report)
    stem = name.replace("\\", "/").rpartition("/")[2]
    names = (file.place.find(stem + suffix) for suffix in (PICTURES if stem else ()))
    found = next((each for each in names if each is not None), None)
    return None if found is None else find_texture(file, found, report)
