"""Small OGRE files made with our own writer: a square of four vertices on two bones, in every version."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np

from viewer.binary import Run, StreamTree, Struct, stream
from viewer.families.ogre import extras_layout as extras
from viewer.families.ogre import geometry_layout as geometry
from viewer.families.ogre import mesh_layout as mesh
from viewer.families.ogre.elements import vertex_dtype
from viewer.families.ogre.versions import HEADER_ID, MESH_VERSIONS, MeshVersion
from viewer.scene.document import Document
from viewer.scene.model import Model
from viewer.storage.documents import open_document

Order = Literal["<", ">"]

VERSIONS = {version: text for text, version in MESH_VERSIONS.items()}
POSITIONS = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)], np.float32)
NORMALS = np.tile(np.array((0, 0, 1), np.float32), (4, 1))
COORDINATES = np.array([(0, 1), (1, 1), (0, 0.25), (1, 0.25)], np.float32)
TRIANGLES = np.array((0, 1, 2, 2, 1, 3), np.uint16)
DECLARED = ((0, 2, 1, 0, 0), (0, 2, 4, 12, 0), (0, 1, 7, 24, 0))
"""Source, type, meaning, offset, index: positions, normals and texture coordinates as floats."""
ASSIGNED = ((0, 0, 1.0), (1, 0, 0.5), (1, 1, 1.5), (2, 1, 1.0), (3, 1, 0.25))


def rows(kind: Run, *values: tuple[Any, ...]) -> Any:
    """Records of a run, their headers left to the writer."""
    assert isinstance(kind.dtype, np.dtype)
    return np.array([(0, 0, *value) for value in values], kind.dtype)


def declared_geometry(
    columns: dict[str, Any] | None = None, elements: tuple[tuple[int, ...], ...] = DECLARED, stride: int = 32
) -> Struct:
    """Chunk 0x5000 since v1.30 with one buffer."""
    declaration = rows(geometry.ELEMENTS, *elements)
    values = {"position": POSITIONS, "normal": NORMALS, "uv0": COORDINATES} if columns is None else columns
    vertices = np.zeros(len(next(iter(values.values()))), vertex_dtype(declaration, 0, stride))
    for name, column in values.items():
        vertices[name] = column
    data = stream((geometry.DATA, Struct(vertices=vertices)))
    return Struct(
        vertex_count=len(vertices),
        chunks=stream(
            (geometry.DECLARATION, Struct(chunks=stream((geometry.ELEMENTS, declaration)))),
            (geometry.VERTEX_BUFFER, Struct(bind=0, stride=stride, chunks=data)),
        ),
    )


def planar_geometry() -> Struct:
    """Chunk 0x5000 before v1.30."""
    return Struct(
        vertex_count=4,
        positions=POSITIONS,
        chunks=stream(
            (geometry.NORMALS, Struct(values=NORMALS)),
            (geometry.COORDINATES, Struct(dimensions=2, values=COORDINATES)),
        ),
    )


def geometry_of(version: MeshVersion) -> Struct:
    """The square as the version holds it."""
    return planar_geometry() if version < MeshVersion.V1_30 else declared_geometry()


def submesh(
    own: Struct | None, *chunks: tuple[Any, Any], indices: Any = TRIANGLES, material: str = "stone"
) -> Struct:
    """A submesh with geometry of its own, or with None one that draws from the shared one."""
    wide = indices.dtype.itemsize == 4
    return Struct(
        material=material,
        shared=own is None,
        face_count=len(indices) // 3,
        index_count=len(indices),
        wide=wide,
        indices=indices,
        own=stream((geometry.GEOMETRY, own)) if own is not None else StreamTree(),
        chunks=stream(*chunks),
    )


def mesh_bytes(
    version: MeshVersion, *chunks: tuple[Any, Any], order: Order = "<", text: str | None = None
) -> bytes:
    """A file with these chunks in its mesh."""
    whole = Struct(skeletally_animated=0, pass_count=1, chunks=stream(*chunks))
    record = Struct(header=HEADER_ID, version=text or VERSIONS[version], chunks=stream((mesh.MESH, whole)))
    return mesh.MESH_FILE.pack(record, order)


def assigned(kind: Run = mesh.OWN_ASSIGNMENTS) -> tuple[Run, Any]:
    """Bone assignments of the square."""
    return kind, rows(kind, *ASSIGNED)


def lods(version: MeshVersion, *levels: tuple[Any, Any], strategy: str = "Distance") -> tuple[Any, Struct]:
    """Levels of detail."""
    return extras.LODS, Struct(
        strategy=strategy, level_count=len(levels) + 1, manual=0, chunks=stream(*levels)
    )


def level(version: MeshVersion, value: float, indices: Any = TRIANGLES[:3]) -> tuple[Any, Struct]:
    """A generated level of one submesh."""
    if version < MeshVersion.V1_100:
        faces = Struct(index_count=len(indices), wide=0, indices=indices)
        return extras.OLD_LEVEL, Struct(value=value, chunks=stream((extras.OLD_FACES, faces)))
    faces = Struct(
        index_count=len(indices),
        start=0,
        buffer=extras.OWN_BUFFER,
        wide=0,
        buffer_count=len(indices),
        indices=indices,
    )
    return extras.GENERATED, Struct(value=value, faces=[faces])


def rich_mesh(version: MeshVersion, order: Order = "<", link: str = "bones.skeleton") -> bytes:
    """A mesh with something of everything that its version can hold."""
    bounds = Struct(min=(0, 0, 0), max=(1, 1, 0), radius=1.5)
    name = stream((mesh.SUBMESH_NAME, Struct(submesh=0, name="square")))
    chunks: list[tuple[Any, Any]] = [
        (geometry.GEOMETRY, geometry_of(version)),
        (mesh.SUBMESH, submesh(geometry_of(version), assigned())),
        (mesh.SKELETON_LINK, Struct(file=link)),
        assigned(mesh.SHARED_ASSIGNMENTS),
        lods(version, level(version, 100.0)),
        (mesh.BOUNDS, bounds),
        (mesh.NAMES, Struct(chunks=name)),
        (extras.POSES, Struct(chunks=stream((extras.POSE_SHAPE, pose("up", version))))),
        (extras.ANIMATIONS, Struct(chunks=stream((extras.VERTEX_ANIMATION, talk())))),
    ]
    return mesh_bytes(version, *chunks, order=order)


def pose(name: str, version: MeshVersion, normals: bool = False, target: int = 1) -> Struct:
    """Vertex 2 half a unit up; with `normals` its normal turned to +X."""
    dtype = extras.OFFSETS.dtype(Struct(normals=normals))  # type: ignore[operator]
    moved = np.zeros(1, dtype)
    moved["vertex"], moved["offset"] = 2, (0, 0.5, 0)
    if normals:
        moved["normal"] = (1, 0, 0)
    return Struct(name=name, target=target, normals=normals, chunks=stream((extras.OFFSETS, moved)))


def talk(base: tuple[str, float] | None = None) -> Struct:
    """Pose 0 from nothing to 1 in two seconds."""
    keys = [
        (
            extras.POSE_KEY,
            Struct(time=time, chunks=stream((extras.INFLUENCES, rows(extras.INFLUENCES, (0, w))))),
        )
        for time, w in ((0.0, 0.0), (2.0, 1.0))
    ]
    track = Struct(kind=extras.POSE, target=1, chunks=stream(*keys))
    head = [(extras.BASE, Struct(animation=base[0], time=base[1]))] if base else []
    return Struct(name="talk", length=2.0, chunks=stream(*head, (extras.VERTEX_TRACK, track)))


def wave(version: MeshVersion, normals: bool = False) -> Struct:
    """The square moved by 1 along Z and back in two seconds, as whole shapes."""
    dtype = np.dtype([("position", "<f4", 3), *([("normal", "<f4", 3)] if normals else [])])
    keys = []
    for time, z in ((0.0, 0.0), (1.0, 1.0), (2.0, 0.0)):
        vertices = np.zeros(4, dtype)
        vertices["position"] = POSITIONS + np.float32((0, 0, z))
        if normals:
            vertices["normal"] = (1, 0, 0) if z else (0, 0, 1)
        keys.append((extras.MORPH_KEY, Struct(time=time, normals=normals, vertices=vertices)))
    track = Struct(kind=extras.MORPH, target=1, chunks=stream(*keys))
    return Struct(name="wave", length=2.0, chunks=stream((extras.VERTEX_TRACK, track)))


NEWEST = MeshVersion.V1_100


def opened(folder: Path, data: bytes, name: str = "square.mesh") -> Document:
    (folder / name).write_bytes(data)
    return open_document(folder / name)


def model_of(document: Document) -> Model:
    assert document.model is not None
    return document.model


def simple(*chunks: tuple[Any, Any], version: MeshVersion = NEWEST) -> bytes:
    """One submesh with these chunks behind it."""
    return mesh_bytes(version, (mesh.SUBMESH, submesh(declared_geometry())), *chunks)


def column(model: Model, semantic: str, geometry: int = 0) -> Any:
    streams = model.geometries[geometry].lods[0].streams
    held = (model.vertex_buffers[number].column(semantic) for number in streams)
    return next(found for found in held if found is not None)
