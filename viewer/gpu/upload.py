"""Uploads the buffers of a model in the file's layout, and makes the vertex arrays that read them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

import moderngl
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from viewer.arrays import Array
from viewer.gpu.drawable import Part
from viewer.gpu.program import Program
from viewer.scene.mesh.vertices import four_floats
from viewer.scene.model import IndexBuffer, Lod, VertexBuffer, VertexElement

DEFAULTS = {
    "position": (0.0, 0.0, 0.0, 1.0),
    "normal": (0.0, 0.0, 0.0, 0.0),
    "tangent": (0.0, 0.0, 0.0, 1.0),
    "color0": (1.0, 1.0, 1.0, 1.0),
    "uv0": (0.0, 0.0, 0.0, 0.0),
    "second_uv": (0.0, 0.0, 0.0, 0.0),
    "joints": (0.0, 0.0, 0.0, 0.0),
    "weights": (1.0, 0.0, 0.0, 0.0),
}
"""The default values of attributes that a model's vertices do not have. With a zero normal the shader uses
the face normal.
"""

FORMATS = {
    "f32": "f4",
    "f16": "f2",
    "u8": "u1",
    "i8": "i1",
    "u16": "u2",
    "i16": "i2",
    "u32": "u4",
    "i32": "i4",
}
"""moderngl's names of the component types. Integers reach a float attribute with their numeric value."""


def attribute(semantic: str) -> str:
    """The name of the vertex shader input for a semantic."""
    return f"in_{semantic}"


def direct(element: VertexElement) -> bool:
    """Whether GL can deliver this element to the shader without conversion.

    Two types of elements need a conversion. Normalised integers other than u8 need it because moderngl has no
    format for them. Weights with fewer than four components need it because GL would set the fourth component
    to 1.
    """
    if element.normalized and element.type != "u8":
        return False
    return element.semantic != "weights" or element.components == 4


def layout(elements: Iterable[VertexElement], stride: int, suffix: str = "") -> tuple[str, list[str]]:
    """Return the moderngl format of these elements, and the names of the shader inputs. A vertex has `stride`
    bytes; the format includes its gaps.
    """
    tokens, names, at = [], [], 0
    for element in sorted(elements, key=lambda element: element.offset):
        if element.offset > at:
            tokens.append(f"{element.offset - at}x")
        kind = "f1" if element.normalized else FORMATS[element.type]
        tokens.append(f"{element.components}{kind}")
        names.append(attribute(element.semantic))
        at = element.offset + element.dtype.itemsize
    if at < stride:
        tokens.append(f"{stride - at}x")
    return " ".join(tokens) + suffix, names


UV_INPUTS = ("uv0", "second_uv")
"""The shader inputs for texture coordinates. `uv0` is used for all textures; if the second texture has its
own UV set, it uses `second_uv`.
"""

SLICE = 1 << 22
"""The number of bytes per upload step, which takes a few milliseconds."""

WHOLE = 1 << 24
"""A vertex buffer of at most this number of bytes becomes one GL buffer. A larger vertex buffer becomes one
GL buffer for each element, because the driver clears a new buffer at once: 64 MiB take longer than a frame
may.
"""


class VertexColumn(Struct, frozen=True):
    """A range of the bytes of each vertex, from `start` on, `stride` bytes long."""

    start: int
    stride: int

    def has(self, element: VertexElement) -> bool:
        """Whether the element is in the range."""
        end = element.offset + element.dtype.itemsize
        return self.start <= element.offset and end <= self.start + self.stride


def vertex_columns(vertices: VertexBuffer) -> tuple[VertexColumn, ...]:
    """Return the ranges that become a GL buffer each: the whole vertex, or one range for each element of a
    vertex buffer larger than `WHOLE`. GL reads elements that are not a multiple of 4 bytes slowly if they are
    alone, so a vertex buffer with such an element stays whole.
    """
    ranges = {VertexColumn(each.offset, each.dtype.itemsize) for each in vertices.elements}
    if vertices.data.nbytes <= WHOLE or not ranges or any(each.stride % 4 for each in ranges):
        return (VertexColumn(0, vertices.stride),)
    return tuple(sorted(ranges, key=lambda each: each.start))


class Buffers:
    """The GL buffers of a model's vertex and index buffers; vertex arrays are made on demand.

    Unless the buffers are `filled` at once, `fill` must run to its end before the first draw. The shader gets
    the default values of the semantics `unread`.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        vertices: tuple[VertexBuffer, ...],
        indices: tuple[IndexBuffer, ...],
        filled: bool = True,
        unread: tuple[str, ...] = (),
    ) -> None:
        self.ctx = ctx
        self._unread = unread
        self._vertices = vertices
        self._indices = indices
        self._vertex_data: list[dict[VertexColumn, moderngl.Buffer]] = [{} for _ in vertices]
        self._index_data: list[moderngl.Buffer | None] = [None] * len(indices)
        self._converted: dict[tuple[int, str], moderngl.Buffer] = {}
        self._constants = ctx.buffer(np.array(list(DEFAULTS.values()), np.float32))
        self._arrays: dict[tuple[Any, ...], moderngl.VertexArray] = {}
        self._counts: dict[Lod, int] = {}
        if filled:
            deque(self.fill(), maxlen=0)

    def fill(self) -> Iterator[float]:
        """Upload slice by slice; yield the finished share 0..1 after each slice. A large buffer needs an
        extra step at the beginning, in which the driver clears its memory.
        """
        vertices = [
            (self._vertex_data[number], column, _column_rows(each, column))
            for number, each in enumerate(self._vertices)
            for column in vertex_columns(each)
        ]
        indices = [(self._index_data, n, _bytes(each.data)) for n, each in enumerate(self._indices)]
        sources: list[tuple[Any, Any, Array]] = [*vertices, *indices]
        total, done = max(sum(rows.size for _, _, rows in sources), 1), 0
        for buffers, key, rows in sources:
            if not rows.size:
                continue  # GL has no buffers of 0 bytes
            if rows.size > SLICE:
                yield from (done / total, done / total)
            buffer = buffers[key] = self.ctx.buffer(reserve=rows.size)
            if rows.size > SLICE:
                yield done / total
            width = rows.shape[1]
            step = max(SLICE // width, 1)
            for start in range(0, len(rows), step):
                written = np.ascontiguousarray(rows[start : start + step])
                buffer.write(written, offset=start * width)
                done += written.size
                yield done / total

    def vertex_array(
        self,
        program: Program,
        lod: Lod,
        extra: tuple[Part, ...] = (),
        uv_set: int = 0,
        second_set: int | None = None,
    ) -> moderngl.VertexArray:
        """Return the vertex array that feeds `program` from the streams of `lod`. It is cached until the
        program changes.

        `extra` has the vertex attributes in further buffers. Every call with the same streams must pass the
        same `extra`. `uv_set` and `second_set` are the numbers of the sets of texture coordinates that the
        shader reads. If set `uv_set` does not exist, the first set is read; if `second_set` is None, no
        second set is read.
        """
        key = (program, lod.streams, lod.indices, uv_set, second_set)
        found = self._arrays.get(key)
        if found is not None and found.program is program.handle:
            return found
        if found is not None:
            found.release()
        parts = self._parts(program, lod.streams, (uv_set, second_set)) + [
            p for p in extra if p[-1] in program.members
        ]
        index = None if lod.indices is None else self._index_data[lod.indices]
        size = 4 if lod.indices is None else self._indices[lod.indices].data.itemsize
        made = self.ctx.vertex_array(program.handle, parts, index_buffer=index, index_element_size=size)
        self._arrays[key] = made
        return made

    def count(self, stream: int) -> int:
        """The number of vertices of a vertex buffer."""
        return self._vertices[stream].count

    def vertex_count(self, lod: Lod) -> int:
        """The number of vertices that every stream of the level has."""
        return min(map(self.count, lod.streams), default=0)

    def index_range(self, lod: Lod) -> Array:
        """[N]: the indices of the level that lie inside the buffer."""
        if lod.indices is None:
            return np.arange(lod.start, max(lod.start, min(lod.start + lod.count, self.vertex_count(lod))))
        return self._indices[lod.indices].data[lod.start : lod.start + lod.count]

    def drawn_count(self, lod: Lod) -> int:
        """The number of indices to draw; 0 if an index is past the last vertex.

        GL must never read out of bounds. Loaders already drop such primitives with a warning; this function
        is the last guard.
        """
        if lod not in self._counts:
            indices = self.index_range(lod)
            sound = len(indices) > 0 and int(indices.max()) < self.vertex_count(lod)
            self._counts[lod] = len(indices) if sound else 0
        return self._counts[lod]

    def elements(self, streams: tuple[int, ...]) -> dict[str, tuple[int, VertexElement]]:
        """The number of the vertex buffer and the element for each semantic that is read. If several elements
        have the same semantic, the first element is used.
        """
        found: dict[str, tuple[int, VertexElement]] = {}
        for stream in streams:
            for element in self._vertices[stream].elements:
                if element.semantic not in self._unread:
                    found.setdefault(element.semantic, (stream, element))
        return found

    def release(self) -> None:
        """Release the vertex arrays and buffers."""
        stored = (buffer for columns in self._vertex_data for buffer in columns.values())
        held = (*self._arrays.values(), *stored, *self._index_data, *self._converted.values())
        for item in (*held, self._constants):
            if item is not None:
                item.release()

    def _parts(
        self, program: Program, streams: tuple[int, ...], uv_sets: tuple[int, int | None]
    ) -> list[Part]:
        stored = self.elements(streams)
        sets = {each: f"uv{number}" for each, number in zip(UV_INPUTS, uv_sets, strict=True)}
        sources = {each: each for each in stored} | {each: uv for each, uv in sets.items() if uv in stored}
        wanted = [semantic for semantic in DEFAULTS if attribute(semantic) in program.members]
        left = {semantic: sources[semantic] for semantic in wanted if semantic in sources}
        parts: list[Part] = []
        while left:  # each pass of the loop feeds an element to one input
            read = {source: semantic for semantic, source in reversed(left.items())}
            left = {semantic: source for semantic, source in left.items() if read[source] != semantic}
            names = {attribute(source): attribute(semantic) for source, semantic in read.items()}
            for stream in dict.fromkeys(streams):
                mine = [stored[source][1] for source in read if stored[source][0] == stream]
                for buffer, text, *inputs in self._stream(stream, mine):
                    parts.append((buffer, text, *(names[each] for each in inputs)))
        missing = [
            VertexElement(s, "f32", 4, 16 * i)
            for i, s in enumerate(DEFAULTS)
            if s in wanted and s not in sources
        ]
        if missing:
            text, names_of = layout(missing, 16 * len(DEFAULTS), "/r")
            parts.append((self._constants, text, *names_of))
        return parts

    def _stream(self, stream: int, elements: list[VertexElement]) -> list[Part]:
        """The attributes of one vertex buffer for a vertex array. Converted elements have buffers of their
        own; all other elements are read from the stored data.
        """
        parts: list[Part] = []
        plain = [element for element in elements if direct(element)]
        for column, buffer in self._vertex_data[stream].items():
            inside = [each for each in plain if column.has(each)]
            if inside:
                placed = [replace(each, offset=each.offset - column.start) for each in inside]
                text, names = layout(placed, column.stride)
                parts.append((buffer, text, *names))
            plain = [each for each in plain if each not in inside]
        for element in elements:
            if not direct(element):
                parts.append((self._convert(stream, element), "4f4", attribute(element.semantic)))
        return parts

    def _convert(self, stream: int, element: VertexElement) -> moderngl.Buffer:
        key = (stream, element.semantic)
        if key not in self._converted:
            column = self._vertices[stream].column(element.semantic)
            assert column is not None, "elements without a conversion come from the buffer"
            self._converted[key] = self.ctx.buffer(four_floats(column, element))
        return self._converted[key]


def _bytes(data: Array) -> Array:
    """[N, 1] u8: the bytes of an array."""
    return np.ascontiguousarray(data).reshape(-1).view(np.uint8)[:, None]


def _column_rows(vertices: VertexBuffer, column: VertexColumn) -> Array:
    """The bytes of a column of the vertices, [N, width] u8. If the column is the whole vertex, all bytes as
    [N, 1].
    """
    if column.stride == vertices.stride:
        return _bytes(vertices.data)
    rows = _bytes(vertices.data)[: vertices.count * vertices.stride].reshape(-1, vertices.stride)
    return rows[:, column.start : column.start + column.stride]
