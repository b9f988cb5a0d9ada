"""Small meshes of OGRE-Next made with our own writer: a square of four vertices, in levels and passes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.ogre_files import COORDINATES, NORMALS, POSITIONS, TRIANGLES, Order
from viewer.binary import Struct, stream
from viewer.families.ogre.elements import vertex_dtype
from viewer.families.ogre.mesh_layout import NAMES, SKELETON_LINK, SUBMESH_NAME
from viewer.families.ogre.next import layout
from viewer.families.ogre.next.elements import declared
from viewer.families.ogre.versions import HEADER_ID, NEXT_R2

FLOATS = ((2, 1), (2, 4), (1, 7))
"""Type and semantic of positions, normals and texture coordinates as floats."""
COLUMNS = {"position": POSITIONS, "normal": NORMALS, "uv0": COORDINATES}
WEIGHTS = ((2, 2), (9, 3))
"""Type and semantic of three weights and four joints."""


def geometry(
    columns: dict[str, Any] | None = None, *sources: Sequence[tuple[int, int]], **fields: Any
) -> Struct:
    """Chunk 0x4330. `sources` have the elements of each vertex buffer; columns are given by semantic."""
    values = COLUMNS if columns is None else columns
    declaration = Struct(
        sources=[Struct(elements=np.array(list(each), layout.ELEMENT)) for each in sources or (FLOATS,)]
    )
    count = len(next(iter(values.values())))
    made = Struct(vertex_count=count, source_count=len(declaration.sources), **fields)
    made.__dict__["chunks"] = stream((layout.DECLARATION, declaration))
    rows = declared(made, layout.DECLARATION)
    buffers = []
    for number in range(made.source_count):
        stride = int(
            sum(np.dtype(vertex_dtype(rows, number, 255)[name]).itemsize for name in _names(rows, number))
        )
        vertices = np.zeros(count, vertex_dtype(rows, number, stride))
        for name in vertices.dtype.names or ():
            vertices[name] = values[name]
        buffers.append((layout.BUFFER, Struct(source=number, stride=stride, vertices=vertices)))
    made.__dict__["chunks"] = stream((layout.DECLARATION, declaration), *buffers)
    return made


def _names(rows: Any, number: int) -> tuple[str, ...]:
    return vertex_dtype(rows, number, 255).names or ()


def array(
    indices: Any = TRIANGLES, own: Struct | None = None, level: int | None = None, operation: int = 4
) -> Struct:
    """Chunk 0x4300: a level with a geometry of its own, else with the vertices of an earlier `level`."""
    chunks: list[tuple[Any, Struct]] = []
    if own is not None:
        chunks.append((layout.GEOMETRY, own))
    if level is not None:
        chunks.append((layout.SHARED_GEOMETRY, Struct(level=level)))
    if operation != 4:
        chunks.append((layout.OPERATION, Struct(operation=operation)))
    wide = indices.dtype.itemsize == 4
    return Struct(index_count=len(indices), wide=wide, indices=indices, chunks=stream(*chunks))


def submesh(
    *arrays: Struct, levels: int | None = None, bones: Sequence[int] = (), material: str = "stone"
) -> Struct:
    """Chunk 0x4000 with the levels of all passes; by default one pass."""
    return Struct(
        material=material,
        bone_map=np.array(bones, np.uint16),
        level_count=len(arrays) if levels is None else levels,
        arrays=stream(*((layout.VERTEX_ARRAY, each) for each in arrays)),
    )


def square(**fields: Any) -> Struct:
    """A submesh with one level."""
    return submesh(array(own=geometry()), **fields)


def mesh_bytes(
    *submeshes: Struct,
    more: Sequence[tuple[Any, Any]] = (),
    passes: int = 1,
    order: Order = "<",
    text: str = NEXT_R2,
) -> bytes:
    """A file with these submeshes and the chunks `more`."""
    chunks = stream(*((layout.SUBMESH, each) for each in submeshes), *more)
    whole = Struct(unused=0, strategy="distance_sphere", pass_count=passes, chunks=chunks)
    record = Struct(header=HEADER_ID, version=text, chunks=stream((layout.MESH, whole)))
    return layout.MESH_FILE.pack(record, order)


def distances(*values: float, strategy: str = "distance_sphere") -> tuple[Any, Struct]:
    """Chunk 0x8000."""
    return layout.LEVELS, Struct(strategy=strategy, values=np.array(values, np.float32))


def bounds(
    center: Sequence[float] = (0.5, 0.5, 0), half: Sequence[float] = (0.5, 0.5, 0)
) -> tuple[Any, Struct]:
    """Chunk 0x9000."""
    return layout.BOUNDS, Struct(center=center, half_size=half, radius=1.5)


def rich_mesh(order: Order = "<", text: str = NEXT_R2, link: str = "bones.skeleton") -> bytes:
    """A mesh with something of everything: two submeshes, one of them skinned, two levels and two passes."""
    skinned = COLUMNS | {
        "weights": np.array([(1, 0, 0)] * 4, np.float32),
        "joints": np.array([(1, 0, 0, 77)] * 4, np.uint8),
    }
    plain = {"position": POSITIONS}
    own = geometry(skinned, (*FLOATS, *WEIGHTS))
    shadow = geometry({name: skinned[name] for name in ("position", "weights", "joints")}, ((2, 1), *WEIGHTS))
    levels = [array(own=own), array(TRIANGLES[:3], level=0)]
    shadows = [array(own=shadow), array(TRIANGLES[:3], level=0)]
    still = [array(own=geometry()), array(TRIANGLES[:3], level=0)]
    casting = [array(own=geometry(plain, ((2, 1),))), array(TRIANGLES[:3], level=0)]
    if text != NEXT_R2 and text.endswith("v2.1]"):
        shadows, casting = [], []
    name = stream((SUBMESH_NAME, Struct(submesh=1, name="plain")))
    more = (
        (SKELETON_LINK, Struct(file=link)),
        distances(0, 100),
        bounds(),
        (NAMES, Struct(chunks=name)),
        (layout.HASH, Struct(hash=np.array((1, 2), np.uint64))),
    )
    return mesh_bytes(
        submesh(*levels, *shadows, levels=2, bones=(0, 1)),
        submesh(*still, *casting, levels=2),
        more=more,
        passes=2,
        order=order,
        text=text,
    )
