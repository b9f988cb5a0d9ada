"""Reads an Inter-Quake Model into a document: a model with its animations, or only animations."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

from rigscope_iqm.layout import ADJACENCY, ANIMS, COMMENT, JOINTS, MESHES, TEXT, TRIANGLES
from rigscope_iqm.mesh import TURNED, VertexArrays, build_model
from rigscope_iqm.motion import read_clips, read_motion
from rigscope_iqm.skeleton import build_skeleton
from rigscope_iqm.tables import Tables
from viewer.plugin import (
    Animation,
    AnimationItem,
    BoneItem,
    Document,
    FormatError,
    GeometryItem,
    IndexItem,
    Model,
    OpenedFile,
    Origin,
    Report,
    ResourceError,
    Rows,
    Span,
    VertexItem,
    damaged_numbers,
)

SUFFIX = ".iqm"
BESIDE = 8
"""How many models beside a file of animations are read for the names of their joints."""
BESIDE_BYTES = 64 << 20
"""The largest size in bytes of such a model."""
NUMBER = 4
"""The size of a vertex number in bytes."""


@damaged_numbers()
def load_iqm(file: OpenedFile) -> Document:
    """Read a file. Broken parts are reported, and the rest is kept."""
    tables = Tables(file, Report())
    content: Model | Animation | None = None
    clips: list[Animation | None] = []
    vertices: list[Span] = []
    if tables.readable():
        tables.table(TEXT, "ofs_text")
        tables.table(COMMENT, "ofs_comment")
        tables.table(ADJACENCY, "ofs_adjacency")
        tables.read_extensions()
        skeleton, arrays, motion = build_skeleton(tables), VertexArrays(tables), read_motion(tables)
        vertices = arrays.spans
        content = build_model(tables, arrays, file, skeleton)
        if motion is not None and (skeleton is not None or not tables.header.num_joints):
            names = skeleton.names if skeleton is not None else joint_names(file, len(motion.poses), tables)
            clips = list(read_clips(tables, motion._replace(names=names)))
        if not content.geometries and skeleton is None:
            content = next((clip for clip in clips if clip is not None), content)
    return Document(
        path=str(file.path),
        format="IQM model",
        version=f"version {tables.header.get('version', '?')}",
        data=file.data,
        root=tables.root("IQM model"),
        content=content,
        report=tables.report,
        origin=Origin(lambda: _origin(tables, vertices, clips)),
        animations=tuple(clip for clip in clips if clip is not None),
    )


def joint_names(file: OpenedFile, count: int, tables: Tables) -> tuple[str, ...]:
    """Return names for the `count` poses of a file without joints, which move joints of a model by number.
    They are the names of the joints of a model beside the file, whose name begins as the file's does for the
    most letters; without such a model they are numbers.
    """
    own = file.path.name
    others = (name for name in file.place.names() if name.lower().endswith(SUFFIX) and name != own)
    for name in sorted(others, key=lambda name: (-_alike(name, own), name))[:BESIDE]:
        try:
            data = file.place.read(name, BESIDE_BYTES)
        except (FormatError, ResourceError):
            continue
        other = Tables(OpenedFile(data, file.path.with_name(name), file.place, file.context), Report())
        skeleton = build_skeleton(other) if other.readable() else None
        if skeleton is not None and len(skeleton) == count:
            tables.report.note(f"the animations move the joints of {name} by number")
            return skeleton.names
    return tuple(f"#{number}" for number in range(count))


def _alike(name: str, other: str) -> int:
    """The number of letters at the beginning of two names that are the same."""
    same = (one == another for one, another in zip(name, other, strict=False))
    return sum(takewhile(bool, same))


def _origin(tables: Tables, vertices: list[Span], clips: list[Animation | None]) -> dict[Any, Span]:
    """The spans of joints, meshes, vertices, indices and animations, each under its first item."""
    parts = {span.layout: span for span in tables.spans if span.layout is not None}
    # If an animation is left out, those behind it have other numbers than their rows.
    kept = ANIMS if None not in clips and clips else None
    firsts = ((BoneItem(0), JOINTS), (GeometryItem(0), MESHES), (AnimationItem(0), kept))
    found: dict[Any, Span] = {first: parts[field] for first, field in firsts if field in parts}
    found |= {VertexItem(number, 0): span for number, span in enumerate(vertices)}
    return found | ({IndexItem(0, 0): _indices(parts[TRIANGLES], tables.data)} if TRIANGLES in parts else {})


def _indices(triangles: Span, data: bytes) -> Span:
    """The vertex numbers of the triangles, as rows in the order in which they are drawn. The row of a drawn
    corner has the bytes and the number of the stored corner. So the bytes of a stored corner find the drawn
    one too, because a triangle that is turned twice is as it was.
    """

    def row(number: int, at: int) -> Span:
        corner = number - number % 3 + TURNED[number % 3]
        place = triangles.offset + NUMBER * corner
        value = int.from_bytes(data[place : place + NUMBER], "little")
        return Span(f"[{corner}]", place, NUMBER, "u32", value, index=corner)

    rows = Rows(triangles.offset, NUMBER, triangles.size // NUMBER, row)
    return Span(triangles.name, triangles.offset, triangles.size, "u32", children=rows)
