"""Vertex elements of OGRE meshes: types, semantics, and the dtype of a vertex.

Source: OGRE `OgreHardwareVertexBuffer.h`, `VertexElementType`, `VertexElementSemantic`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.binary import chunk_dtype
from viewer.errors import FormatError
from viewer.families.ogre.versions import U16

KEPT, KEPT_ELEMENTS = 32, 64
"""Number of cached vertex dtypes. Dtypes are cached only for geometries with at most KEPT_ELEMENTS elements.
"""

ELEMENT = chunk_dtype(
    ("source", U16, "number of the vertex buffer"),
    ("type", U16, "VertexElementType; 0 to 3: f32×1 to f32×4, 4: color, 5 to 8: i16×1 to i16×4, 9: u8×4 …"),
    (
        "semantic",
        U16,
        "1: position, 2: weights, 3: joints, 4: normal, 5: color, 6: second color, 7: uv, 8: binormal, 9: "
        "tangent",
    ),
    ("offset", U16, "offset in the vertex, bytes"),
    ("index", U16, "number among the elements of this semantic, such as 1 for a second uv"),
)


class ElementStorage(Struct, frozen=True):
    """The storage of an element. `special` names a conversion: `bgra` or `rgba` for a colour packed in that
    order, `packed` for a packed direction.
    """

    type: str
    components: int
    normalized: bool = False
    special: str = ""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype in the file. A packed colour or direction is one u32, because it is byte-swapped as a
        whole.
        """
        if self.special:
            return np.dtype("<u4")
        kind, size = self.type[0], int(self.type[1:]) // 8
        return np.dtype((np.dtype(f"<{kind}{size}"), (self.components,)))


def _series(kind: str, counts: tuple[int, ...] = (1, 2, 3, 4)) -> list[ElementStorage]:
    return [ElementStorage(kind, count) for count in counts]


TYPES: tuple[ElementStorage, ...] = (
    *_series("f32"),
    ElementStorage("u8", 4, True, "bgra"),
    *_series("i16"),
    ElementStorage("u8", 4),
    ElementStorage("u8", 4, True, "bgra"),
    ElementStorage("u8", 4, True, "rgba"),
    *_series("f64"),
    *_series("u16"),
    *_series("i32"),
    *_series("u32"),
    ElementStorage("i8", 4),
    ElementStorage("i8", 4, True),
    ElementStorage("u8", 4, True),
    ElementStorage("i16", 2, True),
    ElementStorage("i16", 4, True),
    ElementStorage("u16", 2, True),
    ElementStorage("u16", 4, True),
    ElementStorage("i10", 4, True, "packed"),
    *_series("f16"),
)
COLOR_TYPES = (4, 10, 11)
"""The types of packed colours, whose order in big-endian files depends on the writing engine."""

HALVES = {35: 37, 36: 39}
"""The types of half floats in OGRE meshes by their numbers in OGRE-Next."""
REFUSED = (5, 7, 16, 18)
"""Types of one or three 16-bit integers, which OGRE-Next refuses."""
LAST_NEXT = 36
"""The largest number of a type in OGRE-Next."""


def next_type(number: int) -> int:
    """Return the number that an element type of OGRE-Next has in OGRE meshes. FormatError if OGRE-Next has no
    such type.

    Source: OGRE-Next `OgreHardwareVertexBuffer.h`, `VertexElementType`.
    """
    if number > LAST_NEXT or number in REFUSED:
        raise FormatError(f"vertex element type {number} is unknown")
    return HALVES.get(number, number)


SEMANTICS = {
    1: "position",
    2: "weights",
    3: "joints",
    4: "normal",
    5: "color0",
    6: "color1",
    7: "uv",
    8: "binormal",
    9: "tangent",
    10: "more weights",
    11: "more joints",
}


def semantic_name(semantic: int, index: int) -> str:
    """Return the name of a semantic: `position`, `uv0`, `uv1`, or `normal1` for a second normal."""
    base = SEMANTICS.get(semantic, f"semantic {semantic}")
    return f"{base}{index}" if semantic == 7 or index else base


def vertex_dtype(elements: Array, source: int, stride: int) -> np.dtype[Any]:
    """Return the dtype of a vertex in buffer `source`. If elements overlap, only the first of them becomes a
    field.

    FormatError for an unknown type or an element that exceeds the stride.
    """
    kept = len(elements) <= KEPT_ELEMENTS
    return (_kept_dtype if kept else _vertex_dtype)(elements.tobytes(), source, stride)


def _vertex_dtype(declaration: bytes, source: int, stride: int) -> np.dtype[Any]:
    """Return the dtype of a vertex in buffer `source`. A vertex has `stride` bytes.

    `declaration` is the vertex declaration, rows of `ELEMENT` for all buffers, as bytes. Bytes can be the key
    of a cache.
    """
    elements = np.frombuffer(declaration, ELEMENT)
    mine = elements[elements["source"] == source]
    mine = mine[np.argsort(mine["offset"], kind="stable")]
    names, formats, offsets, end = [], [], [], 0
    for number, element in enumerate(mine):
        if element["type"] >= len(TYPES):
            raise FormatError(f"vertex element type {element['type']} is unknown")
        kind = TYPES[element["type"]].dtype
        if int(element["offset"]) + kind.itemsize > stride:
            raise FormatError(f"a vertex element reaches past the {stride} bytes of a vertex")
        if element["offset"] < end:
            continue
        end = int(element["offset"]) + kind.itemsize
        name = semantic_name(int(element["semantic"]), int(element["index"]))
        names.append(name if name not in names else f"{name} #{number}")
        formats.append(kind)
        offsets.append(int(element["offset"]))
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": stride})


_kept_dtype = lru_cache(KEPT)(_vertex_dtype)
"""`_vertex_dtype` with a cache, because the submeshes of a file mostly have the same elements."""
