"""Read the stored bone assignments of OGRE meshes. The engine keeps only the largest assignments of each
vertex.
"""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array
from viewer.binary.span import Rows, Span
from viewer.budget import BUDGET
from viewer.families.ogre.mesh_layout import MESH, OWN_ASSIGNMENTS, SHARED_ASSIGNMENTS
from viewer.scene.document import Assignments, Document
from viewer.scene.items import BoneItem, GeometryItem
from viewer.scene.parts import names_of


def stored_assignments(document: Document, geometry: int) -> Assignments | None:
    """Return the assignments in the chunks of a mesh for one of its geometries; None if there are none."""
    mesh = document.root.part(MESH)
    part = document.origin.span(GeometryItem(geometry))
    if mesh is None or part is None:
        return None
    shared = part.child("shared").value
    found = mesh.part(SHARED_ASSIGNMENTS) if shared else part.part(OWN_ASSIGNMENTS)
    chunks = found.children if found is not None else ()
    if not isinstance(chunks, Rows) or chunks.items is None:
        return None
    rows = chunks.items
    return Assignments(
        rows["vertex"], rows["bone"], rows["weight"], lambda handles: _numbers(document)[handles]
    )


def _numbers(document: Document) -> Array:
    """[65536]: the bone number of each bone handle; an unused handle has the number of bones instead."""
    count = len(names_of(document, BoneItem))
    if count > BUDGET.assigned_bones:
        return np.minimum(np.arange(1 << 16), count)
    numbers = np.full(1 << 16, count)
    holder = document.holder(BoneItem(0))
    for bone in range(count):
        span = holder.origin.span(BoneItem(bone))
        numbers[_handle(span) if span is not None else bone] = bone
    return numbers


def _handle(span: Span) -> int:
    return int(span.child("handle").value)
