"""Report numbers of submeshes, vertex sets and levels of detail in a mesh that refer to nothing.

Source: OGRE `OgreMeshSerializerImpl.cpp`, `readExtremes`, `readEdgeList`, `readSubMeshNameTable`: no tests.
these numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from viewer.binary import StreamTree, Struct
from viewer.errors import Report, Topic, counted
from viewer.families.ogre.extras_layout import EXTREMES
from viewer.families.ogre.geometry_layout import GEOMETRY
from viewer.families.ogre.mesh_layout import EDGE_GROUP, EDGE_LIST, EDGE_LISTS, NAMES, SUBMESH, SUBMESH_NAME


def report_strays(chunks: StreamTree, levels: int, report: Report) -> None:
    """Report the numbers in the chunks of a mesh with `levels` levels of detail that refer to no part."""
    submeshes = chunks.number(SUBMESH)
    sets = submeshes + bool(chunks.number(GEOMETRY))
    lists = inside(chunks, EDGE_LISTS, EDGE_LIST)
    groups = [group for each in lists if each.get("chunks") for group in each.chunks.all(EDGE_GROUP)]
    names = inside(chunks, NAMES, SUBMESH_NAME)
    for what, rows, field, count, parts in (
        ("extremes of submesh", chunks.all(EXTREMES), "submesh", submeshes, ("submesh", "submeshes")),
        ("an edge list of level", lists, "level", levels, ("level", "levels")),
        ("an edge list of vertex set", groups, "vertex_set", sets, ("vertex set", "vertex sets")),
        ("a name of submesh", names, "submesh", submeshes, ("submesh", "submeshes")),
    ):
        stray = [row for row in rows if row.get(field, 0) >= count]
        if stray:
            report_stray(f"{what} {stray[0].get(field)} of {counted(count, *parts)}", stray, report)


def report_stray(text: str, stray: Sequence[Struct], report: Report) -> None:
    """Report records whose number refers to no part: the `text` about the first one, and how many more there
    are. In a mesh that was not read completely, the part may exist, and nothing is reported.
    """
    if report.complete:
        more = f", and {len(stray) - 1} more" if len(stray) > 1 else ""
        report.warn(f"{text}{more}", topic=Topic.NUMBER, offset=stray[0].marks[0])


def inside(chunks: StreamTree, around: Any, kind: Any) -> list[Struct]:
    """The chunks of a kind that are in the chunks of the kind `around`."""
    held = [outer.chunks for outer in chunks.all(around) if outer.get("chunks")]
    return [value for inner in held for value in inner.all(kind)]
