"""Vertex elements of Urho3D: element lists of UMD2 and UMD3, masks of earlier generations.

Source: Urho3D `GraphicsDefs.h` (`VertexElementType`, `VertexElementSemantic`, `LegacyVertexElement`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from viewer.binary import Struct, record_dtype
from viewer.errors import FormatError
from viewer.scene.model import VertexElement

Dtype = np.dtype[Any]

U8 = np.dtype("u1")
ELEMENT = record_dtype(
    ("type", U8, "0 i32, 1 f32, 2 f32×2, 3 f32×3, 4 f32×4, 5 u8×4, 6 u8×4 as 0 to 1"),
    (
        "semantic",
        U8,
        "0 position, 1 normal, 2 binormal, 3 tangent, 4 uv, 5 color, 6 weights, 7 joints, 8 object",
    ),
    ("index", U8, "set of the semantic, such as 1 for a second uv"),
    ("unused", U8, "ignored"),
)


class ElementType(NamedTuple):
    """The storage of an element: `type` is as in `scene.model.VertexElement`."""

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
"""Bit k of a legacy mask is the k-th element, in this order in the vertex; higher bits have no meaning."""


def elements_of(buffer: Struct) -> tuple[VertexElement, ...]:
    """The elements of a vertex buffer record, from its list or its mask; offsets are the running sum."""
    mask = buffer.get("mask")
    if mask is not None:
        return _laid_out(LEGACY[bit] for bit in range(len(LEGACY)) if mask >> bit & 1)
    return _laid_out((item["type"], item["semantic"], item["index"]) for item in buffer.elements)


def vertex_dtype(buffer: Struct) -> Dtype:
    """One vertex as a numpy record; a repeated semantic gets a prime."""
    fields: dict[str, Dtype] = {}
    for element in elements_of(buffer):
        name = element.semantic
        while name in fields:
            name += "'"
        fields[name] = element.dtype if element.components > 1 else element.dtype.base
    return np.dtype(list(fields.items()))


def semantic_name(semantic: int, index: int) -> str:
    """The name of a semantic: `position`, `uv0`, `color1`; an unknown code keeps its number."""
    name = SEMANTICS[semantic] if semantic < len(SEMANTICS) else f"semantic{semantic}_"
    return f"{name}{index}" if index or name in NUMBERED else name


def _laid_out(codes: Iterable[tuple[int, int, int]]) -> tuple[VertexElement, ...]:
    elements: list[VertexElement] = []
    offset = 0
    for kind, semantic, index in codes:
        if kind >= len(TYPES):
            raise FormatError(f"vertex element type {kind} is unknown, and so is its size")
        stored = TYPES[kind]
        name = semantic_name(semantic, index)
        elements.append(VertexElement(name, stored.type, stored.components, offset, stored.normalized))
        offset += elements[-1].dtype.itemsize
    return tuple(elements)
