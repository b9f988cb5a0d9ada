"""Vertex elements of OGRE-Next meshes, converted to the elements of OGRE meshes."""

from __future__ import annotations

from collections import Counter

import numpy as np

from viewer.arrays import Array
from viewer.binary import Chunk, Struct
from viewer.errors import FormatError
from viewer.families.ogre.elements import ELEMENT, TYPES, next_type

MOST_ELEMENTS = 63
"""Largest number of elements of a vertex: a vertex has at most 255 bytes, an element at least 4."""


def declared(geometry: Struct, declaration: Chunk) -> Array:
    """Return the vertex declaration of a geometry as rows [N] of `elements.ELEMENT`, with the types of OGRE
    meshes. Empty if the declaration is missing.

    FormatError for an unknown type.
    """
    chunks = geometry.get("chunks") or None
    found = chunks.all(declaration) if chunks else []
    if len(found) > 1:
        raise FormatError("the geometry has a second declaration")
    rows: list[tuple[int, ...]] = []
    numbers: Counter[int] = Counter()
    for source, stored in enumerate(found[0].get("sources", ()) if found else ()):
        elements, offset = stored.get("elements", ()), 0
        if len(elements) > MOST_ELEMENTS:
            raise FormatError(f"a vertex has {len(elements)} elements; at most {MOST_ELEMENTS} are possible")
        for type, semantic in elements.tolist() if len(elements) else ():
            kind = next_type(type)
            rows.append((0, 0, source, kind, semantic, offset, numbers[semantic]))
            numbers[semantic] += 1
            offset += TYPES[kind].dtype.itemsize
    return np.array(rows, ELEMENT)
