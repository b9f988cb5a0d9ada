"""Build vertex buffers from geometry records. Elements whose stored form GL cannot read are converted into a
separate buffer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

import msgspec
import numpy as np

from viewer.arrays import Array
from viewer.binary import Chunk, StreamTree, Struct
from viewer.errors import FormatError, Report
from viewer.families.ogre.elements import COLOR_TYPES, ELEMENT, TYPES, ElementStorage, semantic_name
from viewer.families.ogre.geometry_layout import COLORS, COORDINATES, DATA, NORMALS, VERTEX_BUFFER, declared
from viewer.families.ogre.versions import MeshVersion, version_of
from viewer.families.ogre.weights import Blending, blend
from viewer.scene.model import VertexBuffer, VertexElement

ASSIGNED = ("joints", "weights")
"""Semantics that are ignored in OGRE meshes: their values refer to a list of bones that no file contains, so
the bone assignments are used instead.
"""
HEADER_FIELDS = 3
"""Number of fields that come before the type in the chunk of an element: the chunk's number, its length, and
the number of the vertex buffer.
"""


class Vertices(msgspec.Struct, frozen=True, eq=False):
    """A geometry in the model: the numbers of its vertex buffers, the number of vertices, the blend weights.

    `positions` is the number of the buffer with positions (None if there is none). `joined` is True if this
    buffer has the normals too.
    """

    streams: tuple[int, ...]
    count: int
    positions: int | None
    joined: bool
    blending: Blending | None = None


def build_vertices(
    geometry: Struct, assigned: Array | None, buffers: list[VertexBuffer], report: Report, owner: str
) -> Vertices:
    """Append the buffers of a geometry record, which may be incomplete. `assigned` are its bone assignments.
    `owner` is the name of the geometry in warnings.
    """
    first = len(buffers)
    if version_of(geometry) < MeshVersion.V1_30:
        buffers += _planar(geometry)
    else:
        buffers += _declared(geometry, report)
    # Count the vertices read, because a damaged file may store a wrong count.
    count = min((buffer.count for buffer in buffers[first:]), default=0)
    blending = None if assigned is None else blend(assigned, count, report, owner)
    if blending is not None:
        buffers.append(blending.buffer)
    streams = tuple(range(first, len(buffers)))
    holding = [stream for stream in streams if buffers[stream].element("position")]
    joined = bool(holding) and buffers[holding[0]].element("normal") is not None
    return Vertices(streams, count, holding[0] if holding else None, joined, blending)


def _planar(geometry: Struct) -> list[VertexBuffer]:
    """A buffer for each attribute, as stored before v1.30."""
    parts = geometry.get("chunks") or None
    columns: dict[str, Array] = {}
    if geometry.get("positions") is not None:
        columns["position"] = geometry.positions
    if parts is None:
        return [plain_buffer({name: column}) for name, column in columns.items()]
    for values in _values(parts, NORMALS):
        columns["normal"] = values
    for values in _values(parts, COLORS):
        columns["color0"] = _rgba(values)
    upside_down = version_of(geometry) < MeshVersion.V1_20
    for number, values in enumerate(_values(parts, COORDINATES)):
        columns[f"uv{number}"] = _upright(values, upside_down)
    return [plain_buffer({name: column}) for name, column in columns.items()]


def _values(parts: StreamTree, kind: Chunk) -> list[Array]:
    return [chunk.values for chunk in parts.all(kind) if chunk.get("values") is not None]


def _upright(values: Array, upside_down: bool) -> Array:
    """Texture coordinates whose v points down. If `upside_down`, v points up in the file and is inverted."""
    if not upside_down or values.shape[1:] != (2,):
        return values
    return np.stack((values[:, 0], np.float32(1) - values[:, 1]), axis=1)


def _declared(geometry: Struct, report: Report) -> list[VertexBuffer]:
    stored = []
    for buffer in (geometry.get("chunks") or ()) and geometry.chunks.all(VERTEX_BUFFER):
        data = (buffer.get("chunks") or None) and buffer.chunks.first(DATA)
        vertices = data.get("vertices") if data is not None else None
        if vertices is not None and buffer.stride:
            stored.append((buffer.bind, vertices))
    return declared_buffers(declaration_of(lambda: declared(geometry)), stored, report, ASSIGNED)


def declaration_of(read: Callable[[], Array]) -> Array:
    """Return the vertex declaration that `read` returns. If the declaration is not valid, the result is
    empty: the reader of the vertices reports the error, and there are no vertices.
    """
    try:
        return read()
    except FormatError:
        return np.empty(0, ELEMENT)


def declared_buffers(
    elements: Array, buffers: Iterable[tuple[int, Array]], report: Report, unused: tuple[str, ...] = ()
) -> list[VertexBuffer]:
    """Return the vertex buffers of a declaration, rows [N] of `ELEMENT`. `buffers` has the number and the
    vertices of each buffer. `unused` are semantics that are not used as stored.
    """
    made: list[VertexBuffer] = []
    converted: dict[str, Array] = {}
    seen: set[str] = set()
    for number, vertices in buffers:
        mine = elements[elements["source"] == number]
        rows: list[tuple[int, ...]] = mine.tolist()
        listed = [_element(row[HEADER_FIELDS:], vertices, converted, seen, unused) for row in rows]
        made.append(VertexBuffer(_bytes(vertices), len(vertices), vertices.dtype.itemsize, tuple(listed)))
    if COLOR_TYPES[0] in elements["type"].tolist():
        report.note("the order of the vertex colours is not stated: A R G B is used")
    if converted:
        made.append(plain_buffer(converted))
    return made


def _bytes(vertices: Array) -> Array:
    return np.ascontiguousarray(vertices).view(np.uint8)


def _element(
    row: tuple[int, ...],
    vertices: Array,
    converted: dict[str, Array],
    semantics: set[str],
    unused: tuple[str, ...],
) -> VertexElement:
    """The element of a declaration row. For an element that shaders cannot read, converted values are added
    to `converted` under the element's semantic, and the stored element gets another name.
    """
    type, semantic, offset, index = row
    kind = TYPES[type]
    name = semantic_name(semantic, index)
    if name in semantics:
        return _vertex_element(f"{name} again", type, offset)
    semantics.add(name)
    if name in unused:
        return _vertex_element(f"stored {name}", type, offset)
    if kind.special in ("bgra", "packed") or kind.type == "f64":
        shape = len(vertices), *kind.dtype.shape
        place = _bytes(vertices) if len(vertices) else bytes(vertices.dtype.itemsize)
        column = np.ndarray(shape, kind.dtype.base, place, offset, _strides(vertices, kind))
        converted[name] = _readable(column, kind)
        return _vertex_element(f"stored {name}", type, offset)
    return _vertex_element(name, type, offset)


@lru_cache(256)
def _vertex_element(name: str, type: int, offset: int) -> VertexElement:
    """An element, cached because most submeshes of a model have the same elements."""
    return VertexElement(name, *_shape(TYPES[type]), offset, TYPES[type].normalized)


def _strides(vertices: Array, kind: ElementStorage) -> tuple[int, ...]:
    stride = vertices.dtype.itemsize
    return (stride, kind.dtype.base.itemsize) if kind.dtype.shape else (stride,)


def _shape(kind: ElementStorage) -> tuple[str, int]:
    return ("u32", 1) if kind.special == "packed" else (kind.type, kind.components)


def _readable(column: Array, kind: ElementStorage) -> Array:
    if kind.special == "bgra":
        return _rgba(column)
    return _unpacked(column) if kind.special == "packed" else column.astype(np.float32)


def _rgba(packed: Array) -> Array:
    """Colours [V, 4] u8 from 32-bit numbers [V] with A, R, G, B from the highest byte to the lowest."""
    shifts = np.array((16, 8, 0, 24), np.uint32)
    return np.asarray(packed.astype(np.uint32)[:, None] >> shifts & 0xFF, np.uint8)


def _unpacked(packed: Array) -> Array:
    """Directions [V, 3] f32 from 32-bit numbers [V] with signed x, y, z of 10 bits each, x lowest."""
    shifted = packed.astype(np.uint32)[:, None] << np.array((22, 12, 2), np.uint32)
    return np.maximum((shifted.view(np.int32) >> 22) / np.float32(511), np.float32(-1)).astype(np.float32)


def plain_buffer(columns: dict[str, Array]) -> VertexBuffer:
    """Return a buffer of interleaved columns [V, N], f32 or u8 (0 to 255 means 0 to 1)."""
    dtype = np.dtype([(name, column.dtype, column.shape[1:]) for name, column in columns.items()])
    count = len(next(iter(columns.values())))
    rows = np.empty(count, dtype)
    elements = []
    for name, column in columns.items():
        rows[name] = column
        kind = f"{column.dtype.kind}{8 * column.dtype.itemsize}"
        assert dtype.fields is not None, "there is at least one column"
        elements.append(VertexElement(name, kind, column.shape[1], dtype.fields[name][1], kind == "u8"))
    return VertexBuffer(rows.view(np.uint8), count, dtype.itemsize, tuple(elements))
