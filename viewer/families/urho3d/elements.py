"""Vertex elements of Urho3D, from the element lists of UMD2 and UMD3 or the masks of earlier files.

Source: Urho3D `GraphicsDefs.h` (`VertexElementType`, `VertexElementSemantic`, `LegacyVertexElement`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from viewer.binary import Struct, record_dtype
from viewer.binary.cursor import Dtype
from viewer.errors import FormatError
from viewer.scene.model import VertexElement

U8 = np.dtype("u1")
ELEMENT = record_dtype(
    ("type", U8, "0: i32, 1: f32, 2: f32×2, 3: f32×3, 4: f32×4, 5: u8×4, 6: normalised u8×4"),
    (
        "semantic",
        U8,
        "0: position, 1: normal, 2: binormal, 3: tangent, 4: uv, 5: color, 6: weights, 7: joints, 8: object",
    ),
    ("index", U8, "number among the elements of this semantic, such as 1 for a second uv"),
    ("unused", U8, "ignored"),
)


class ElementType(NamedTuple):
    """The storage of an element; it has the same fields as `scene.model.VertexElement`."""

    type: str
    components: int
    normalized: bool = False


TYPES = (
    ElementType("i32", 1),
    ElementType("f32", 1),
    ElementType("f32", 2),
    ElementType("f32", 3),
    ElementType("f32", 4),
    ElementType("u8", 4),
    ElementType("u8", 4, True),
)
INT, FLOAT, VEC2, VEC3, VEC4, UBYTE4, UBYTE4_NORM = range(len(TYPES))

SEMANTICS = ("position", "normal", "binormal", "tangent", "uv", "color", "weights", "joints", "object")
POSITION, NORMAL, BINORMAL, TANGENT, TEXCOORD, COLOR, WEIGHTS, JOINTS, OBJECT = range(len(SEMANTICS))
NUMBERED = ("uv", "color")

LEGACY = (
    (VEC3, POSITION, 0),
    (VEC3, NORMAL, 0),
    (UBYTE4_NORM, COLOR, 0),
    (VEC2, TEXCOORD, 0),
    (VEC2, TEXCOORD, 1),
    (VEC3, TEXCOORD, 0),
    (VEC3, TEXCOORD, 1),
    (VEC4, TANGENT, 0),
    (VEC4, WEIGHTS, 0),
    (UBYTE4, JOINTS, 0),
    (VEC4, TEXCOORD, 4),
    (VEC4, TEXCOORD, 5),
    (VEC4, TEXCOORD, 6),
    (INT, OBJECT, 0),
)
"""Type, semantic and index of the element of each bit in a legacy mask. A vertex has its elements in this
order; higher bits have no meaning.
"""


def elements_of(buffer: Struct) -> tuple[VertexElement, ...]:
    """Return the elements of a vertex buffer record, from its element list or its mask. The elements follow
    each other without gaps.

    FormatError for an unknown type.
    """
    mask = buffer.get("mask")
    if mask is not None:
        return _laid_out(LEGACY[bit] for bit in range(len(LEGACY)) if mask >> bit & 1)
    return _laid_out((item["type"], item["semantic"], item["index"]) for item in buffer.elements)


def vertex_dtype(buffer: Struct) -> Dtype:
    """Return the dtype of a vertex. The field of a repeated semantic gets a prime (`normal'`)."""
    fields: dict[str, Dtype] = {}
    for element in elements_of(buffer):
        name = element.semantic
        while name in fields:
            name += "'"
        fields[name] = element.dtype if element.components > 1 else element.dtype.base
    return np.dtype(list(fields.items()))


def semantic_name(semantic: int, index: int) -> str:
    """Return the name of a semantic: `position`, `uv0`, `color1`; `semantic9_` for an unknown code."""
    name = SEMANTICS[semantic] if semantic < len(SEMANTICS) else f"semantic{semantic}_"
    return f"{name}{index}" if index or name in NUMBERED else name


def _laid_out(codes: Iterable[tuple[int, int, int]]) -> tuple[VertexElement, ...]:
    elements: list[VertexElement] = []
    offset = 0
    for kind, semantic, index in codes:
        if kind >= len(TYPES):
            raise FormatError(f"vertex element type {kind} is unknown, so its size is unknown too")
        stored = TYPES[kind]
        name = semantic_name(semantic, index)
        elements.append(VertexElement(name, stored.type, stored.components, offset, stored.normalized))
        offset += elements[-1].dtype.itemsize
    return tuple(elements)
