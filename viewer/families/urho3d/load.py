"""Read Urho3D files into documents: a model with its materials and animations, or only an animation."""

from __future__ import annotations

import os
from collections.abc import Callable

from viewer.binary import Field, Span, Struct
from viewer.binary.whole_file import read_whole, root_span
from viewer.errors import FormatError, Report
from viewer.families.urho3d.animation import build_animation, triggers_beside
from viewer.families.urho3d.animation_layout import ANIMATION, KEYS, TRACKS
from viewer.families.urho3d.elements import elements_of
from viewer.families.urho3d.materials import resolve_materials
from viewer.families.urho3d.model import NO_MATERIALS, build_model
from viewer.families.urho3d.model_layout import (
    BONES,
    GEOMETRIES,
    INDEX_BUFFERS,
    INDICES,
    LODS,
    MODEL,
    MORPHS,
    VERTEX_BUFFERS,
    VERTICES,
)
from viewer.families.urho3d.probe import is_animation
from viewer.family.format import OpenedFile
from viewer.scene.animation import match
from viewer.scene.document import Document, Origin
from viewer.scene.items import (
    BoneItem,
    GeometryItem,
    IndexBufferItem,
    IndexItem,
    Item,
    KeyItem,
    LodItem,
    MorphItem,
    TrackItem,
    VertexBufferItem,
    VertexItem,
)
from viewer.scene.reading_context import ReadingContext
from viewer.scene.skeleton import Skeleton
from viewer.storage.search import SearchPath
from viewer.storage.versions import KeptAnswers

SUFFIX = ".ani"
PARSED = 3
"""Approximate memory in bytes of a parsed animation for each byte of its file."""
_CLIPS: KeptAnswers[tuple[str, ReadingContext], Document | None] = KeptAnswers(16 << 20)
"""The animations beside models, by their paths; None for a file that is no animation."""


def load_model(file: OpenedFile) -> Document:
    """Read a model, its materials, and the animations in its folder that move its bones."""
    path, data = file.path, file.data
    report = Report()
    record = read_whole(MODEL, data, path, report)
    root = root_span(MODEL, record, data, path, report)
    count = len(record.get("geometries", ()))
    material_set = NO_MATERIALS
    if count:
        search = SearchPath.around(path, file.context, report)
        material_set = resolve_materials(path, count, search, report, _has_colors(record))
    model = build_model(path.stem, record, report, material_set)
    for error in report.errors:
        error.file = error.file or str(path)
    attached = _animations_beside(file, model.skeleton)
    return Document(
        path=str(path),
        format="Urho3D model",
        version=_version(record),
        data=data,
        root=root,
        content=model,
        report=report,
        origin=Origin(lambda: _model_tables(root)),
        animations=tuple(animation for document in attached for animation in document.animations),
        attached=attached,
    )


def load_animation(file: OpenedFile) -> Document:
    """Read an animation without its model, and the triggers in its sidecar file."""
    path, data = file.path, file.data
    report = Report()
    record = read_whole(ANIMATION, data, path, report)
    root = root_span(ANIMATION, record, data, path, report)
    events = triggers_beside(file.place, path, float(record.get("length", 0.0)), report)
    animation = build_animation(record, events, str(path), report)
    return Document(
        path=str(path),
        format="Urho3D animation",
        version=_version(record),
        data=data,
        root=root,
        content=animation,
        report=report,
        origin=Origin(lambda: _animation_tables(root), lambda: _tracks(record)),
        animations=(animation,),
    )


def _has_colors(record: Struct) -> bool:
    """Whether the vertices of a model have colours."""
    buffers = (each for each in record.get("vertex_buffers", ()) if each.get("vertices") is not None)
    return any(element.semantic == "color0" for each in buffers for element in elements_of(each))


def _version(record: Struct) -> str:
    version = record.get("version")
    magic = record.get("magic") or "headerless"
    return f"{magic} version {version}" if version is not None else magic


def _animations_beside(file: OpenedFile, skeleton: Skeleton | None) -> tuple[Document, ...]:
    """The animations in the model's folder that move at least one of its bones."""
    if skeleton is None:
        return ()
    names = [name for name in file.place.names() if name.lower().endswith(SUFFIX)]
    found = (_animation_beside(file, name) for name in names)
    return tuple(
        document
        for document in found
        if document is not None
        and any(match(animation, skeleton.names, prefixes=False).bones for animation in document.animations)
    )


def _animation_beside(file: OpenedFile, name: str) -> Document | None:
    """The animation of this name beside a model, cached for all models in the folder; None if it cannot be
    read.
    """
    path, context = file.path.with_name(name), file.context

    def load() -> Document | None:
        try:
            data = file.place.read(name)
        except FormatError:
            return None
        opened = OpenedFile(data, path, file.place, context)
        return load_animation(opened) if is_animation(data, SUFFIX) else None

    key = os.path.abspath(path), context.of_archives
    return _CLIPS.get(key, load, lambda document: PARSED * len(document.data) if document else 0)


def _model_tables(root: Span) -> dict[Item, Span]:
    """The spans of bones, geometries, LODs, morphs, buffers, and of vertices and indices in buffers."""
    fields: dict[Item, Field] = {
        BoneItem(0): BONES,
        GeometryItem(0): GEOMETRIES,
        MorphItem(0): MORPHS,
        VertexBufferItem(0): VERTEX_BUFFERS,
        IndexBufferItem(0): INDEX_BUFFERS,
    }
    tables = {first: span for first, field in fields.items() if (span := root.part(field)) is not None}
    _add_rows(tables, VertexBufferItem(0), VERTICES, lambda number: VertexItem(number, 0))
    _add_rows(tables, IndexBufferItem(0), INDICES, lambda number: IndexItem(number, 0))
    _add_rows(tables, GeometryItem(0), LODS, lambda number: LodItem(number, 0))
    return tables


def _animation_tables(root: Span) -> dict[Item, Span]:
    tracks = root.part(TRACKS)
    tables: dict[Item, Span] = {} if tracks is None else {TrackItem(None, 0): tracks}
    _add_rows(tables, TrackItem(None, 0), KEYS, lambda number: KeyItem(TrackItem(None, number), 0))
    return tables


def _tracks(record: Struct) -> dict[str, dict[str, TrackItem]]:
    """The track items by animation name and bone name. If several tracks have the same name, the last track
    is used.
    """
    named = enumerate(each.get("name", "") for each in record.get("tracks", ()))
    return {record.get("name", ""): {name: TrackItem(None, number) for number, name in named}}


def _add_rows(tables: dict[Item, Span], owner: Item, field: Field, first: Callable[[int], Item]) -> None:
    """Add a table of rows for each owner. `first` returns the item of an owner's first row."""
    for item in tables[owner].children if owner in tables else ():
        rows = None if item.index is None else item.part(field)
        if rows is not None and item.index is not None:
            tables[first(item.index)] = rows
