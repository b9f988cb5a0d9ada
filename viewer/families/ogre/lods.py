"""Read the levels of detail of every mesh version: the distances of the levels, and the indices of each
submesh.
"""

from __future__ import annotations

import math

import msgspec
from msgspec.structs import replace

from viewer.binary import Struct
from viewer.errors import Report, Topic
from viewer.families.ogre.extras_layout import GENERATED, MANUAL, OLD_FACES, OLD_LEVEL, OLD_MANUAL, OWN_BUFFER
from viewer.families.ogre.names import BytesName
from viewer.families.ogre.versions import MeshVersion, version_of
from viewer.scene.mesh.primitives import drop_stray_indices
from viewer.scene.model import IndexBuffer, Lod

STRATEGIES = {
    **dict.fromkeys(("", "distance", "distance_box", "distance_sphere"), "distance"),
    **dict.fromkeys(("pixelcount", "pixel_count"), "pixels"),
    "screen_ratio_pixel_count": "screen",
}
"""What the values of a strategy count, see `scene.model.LOD_UNITS`. An unknown strategy is treated as one of
distances. Source: OGRE `OgrePixelCountLodStrategy.cpp`, `OgreDistanceLodStrategy.cpp`.
"""


class LodLevel(msgspec.Struct, frozen=True, eq=False):
    """A level of detail that starts at `value`: the `faces` of each submesh, or the mesh file `manual`."""

    value: float
    faces: tuple[Struct, ...] = ()
    manual: BytesName | None = None


def levels_of(lods: Struct) -> list[LodLevel]:
    """Return the levels after the full level."""
    chunks = lods.get("chunks")
    if not chunks:
        return []
    if version_of(lods) < MeshVersion.V1_100:
        return [_old_level(level) for level in chunks.all(OLD_LEVEL) if level.get("value") is not None]
    made: list[LodLevel] = []
    levels = int(lods.get("level_count", 1)) - 1
    for piece in chunks:
        if version_of(lods) is MeshVersion.LEGACY and len(made) == levels:
            break  # the following levels belong to pass 1, which casts shadows
        if piece.kind is GENERATED:
            made.append(LodLevel(float(piece.value.get("value", 0.0)), tuple(piece.value.get("faces", ()))))
        elif piece.kind is MANUAL and piece.value.get("mesh") is not None:
            made.append(LodLevel(float(piece.value.value), manual=piece.value.mesh))
    return made


def _old_level(level: Struct) -> LodLevel:
    value = float(level.value)
    if version_of(level) <= MeshVersion.V1_40:
        value = math.sqrt(max(value, 0.0))
    chunks = level.get("chunks") or None
    manual = chunks.first(OLD_MANUAL) if chunks else None
    return LodLevel(value, tuple(chunks.all(OLD_FACES)) if chunks else (), manual and manual.get("mesh"))


def strategy_of(name: str, report: Report) -> str:
    """Return what the values of the levels count. Note if the user must choose levels by hand, or if the
    strategy is unknown.
    """
    strategy = STRATEGIES.get(name.casefold(), "unknown")
    if strategy == "unknown":
        report.note(f"the level of detail strategy {name!r} is unknown and treated as distance")
    elif strategy != "distance":
        report.note(f"levels of detail follow the strategy {name!r}, not the distance: choose them by hand")
    return strategy


def rule_of(strategy: str) -> str:
    """Return the rule by which levels follow the distance, see `Model.lod_rule`."""
    return "ogre" if strategy in ("distance", "unknown") else ""


def generated_lods(
    full: Lod, submesh: int, levels: list[LodLevel], vertices: int, indices: list[IndexBuffer], report: Report
) -> list[Lod]:
    """Return the generated levels of one submesh, and append their index buffers to `indices`."""
    made: list[Lod] = []
    own: dict[int, int] = {}
    for number, level in enumerate(levels, 1):
        where = f"submesh {submesh}, level {number}"
        faces = level.faces[submesh] if submesh < len(level.faces) else None
        if level.manual is not None or faces is None:
            continue
        stretch = _stretch(faces, number, own, indices)
        if stretch is None:
            report.warn(f"{where}: its indices are missing")
            continue
        buffer, start = stretch
        lod = replace(full, distance=level.value, indices=buffer, start=start, count=int(faces.index_count))
        if lod.count:
            lod, dropped = drop_stray_indices(lod, indices, vertices)
            if dropped:
                text = f"{where}: {dropped} primitives use missing vertices: only {vertices} exist"
                report.warn(text, topic=Topic.INDEX)
        made.append(lod)
    return made


def _stretch(
    faces: Struct, level: int, own: dict[int, int], indices: list[IndexBuffer]
) -> tuple[int, int] | None:
    """Return the number of a level's index buffer, and the position of the level's first index in this
    buffer. None if the buffer does not contain all indices of the level. `own` collects the buffers by level.
    """
    shared = int(faces.get("buffer", OWN_BUFFER))
    if shared != OWN_BUFFER and shared >= level:
        return None
    stored = faces.get("indices")
    if shared == OWN_BUFFER and stored is not None:
        indices.append(IndexBuffer(stored))
        own[level] = len(indices) - 1
    buffer = own.get(level if shared == OWN_BUFFER else shared)
    start = int(faces.get("start", 0))
    if buffer is None or start + int(faces.get("index_count", 0)) > len(indices[buffer].data):
        return None
    own[level] = buffer
    return buffer, start
