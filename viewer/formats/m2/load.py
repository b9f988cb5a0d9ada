"""M2 files to documents: a model with its views, sequences and what is beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

import numpy as np

from viewer.binary import Cursor, Span
from viewer.binary.describe import rows_span
from viewer.binary.span import UNKNOWN
from viewer.errors import FormatError, Report
from viewer.formats.m2.cameras import cameras_of
from viewer.formats.m2.emitters import emitters_of
from viewer.formats.m2.extras import (
    attachments_of,
    collision_of,
    events_of,
    lights_of,
    ribbons_of,
)
from viewer.formats.m2.geometry import build_mesh, geometries
from viewer.formats.m2.materials import paint
from viewer.formats.m2.names import GEOSETS
from viewer.formats.m2.record import U32
from viewer.formats.m2.records import CHUNK_HEAD, CHUNKED, PLAIN, Chunk, Records, chunks_of, read_records
from viewer.formats.m2.references import Group, check, references
from viewer.formats.m2.sequences import Clips, build_animations, clips_of
from viewer.formats.m2.skeleton import build_skeleton
from viewer.formats.m2.tree import block_spans, fill, header_span
from viewer.formats.m2.views import View, inline_views, skins_beside
from viewer.scene.document import Document, Item, Origin
from viewer.scene.model import Model

Array = np.ndarray[Any, Any]

PATCH = b"PTCH"
TO_WORLD = np.array([[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
"""From +X forward, +Y left, +Z up to +Z forward, +X left, +Y up."""
TO_WORLD.flags.writeable = False
OLDEST, NEWEST_KNOWN, NEWEST_WHOLE = 256, 274, 264

FILE_IDS = {
    "TXID": "files of the textures",
    "SFID": "files of the views",
    "AFID": "sequence id, variation, file of its keys",
    "SKID": "file of the skeleton",
    "PFID": "file of physics",
    "BFID": "files of bones",
}
"""Chunks that are nothing but numbers of files."""

TABLES: dict[Item, str] = {
    ("bone",): "bones",
    ("vertex", 0): "vertices",
    ("geometry",): "views[0].submeshes",
    ("animation",): "sequences",
    ("texture",): "textures",
    ("attachment",): "attachments",
    ("event",): "events",
    ("light",): "lights",
    ("camera",): "cameras",
    ("emitter",): "particles",
    ("ribbon",): "ribbons",
}
"""Items, without their number, to the tables whose rows they are."""


def is_model(data: bytes, suffix: str) -> bool:
    """By magic; patches of models too, to say what they are."""
    return data.startswith((PLAIN, CHUNKED)) or (data.startswith(PATCH) and suffix == ".m2")


def load_model(path: PurePath, data: bytes) -> Document:
    """A model. What is broken is reported and empty; the rest is there."""
    report = Report()
    root = Span(path.name, 0, len(data), "model", None, "", _unread(data))
    try:
        with np.errstate(all="ignore"):  # a damaged file has any number
            document = _loaded(path, data, report)
    except FormatError as error:
        report.fail(error if error.path.startswith("model") else error.inside("model"))
        document = Document(str(path), "WoW M2 model", "", data, root, None, report)
    for each in report.errors:
        each.file = each.file or str(path)
    return document


def _loaded(path: PurePath, data: bytes, report: Report) -> Document:
    if data.startswith(PATCH):
        raise FormatError("is a patch of a model (PTCH), not a model", "model/magic", 0)
    whole = (Chunk("MD20", 0, len(data)),)
    chunks = chunks_of(data, report) if data.startswith(CHUNKED) else whole
    if not chunks:
        raise FormatError("not even one whole chunk", "model", 0)
    records = read_records(data, chunks[0].offset, chunks[0].size, report)
    groups = references(records)
    check(records, groups)
    root = _tree(path.name, data, chunks, records, groups)
    _say_what_is_new(records, chunks, report)
    skins: list[tuple[Document, View]] = []
    if records.generation.nested:
        skins = skins_beside(path, int(records.header["view_count"]), records.generation, report)
    views = [view for _, view in skins] if records.generation.nested else inline_views(records)
    clips = clips_of(path, records, report)
    model = _model(path, records, views, clips)
    return Document(
        path=str(path),
        format="WoW M2 model",
        version=f"{chunks[0].tag} version {records.generation.version}",
        data=data,
        root=root,
        content=model,
        report=report,
        origin=Origin(lambda: _tables(root, chunks[0].tag != "MD20")),
        animations=build_animations(clips, model.skeleton),
        attached=tuple(document for document, _ in skins),
    )


def _model(path: PurePath, records: Records, views: list[View], clips: Clips) -> Model:
    report = clips.report
    mesh = build_mesh(records, views, report)
    painting, painted = paint(path, records, [part.batches for part in mesh.parts], clips.at, report)
    return Model(
        name=records.text(records.header["name"]) or path.stem,
        vertex_buffers=tuple(mesh.vertices),
        index_buffers=tuple(mesh.indices),
        geometries=geometries(mesh, painted),
        skeleton=build_skeleton(records, report),
        materials=painting.materials,
        textures=painting.textures,
        cameras=cameras_of(records, clips.at),
        attachments=attachments_of(records),
        lights=lights_of(records),
        emitters=emitters_of(records, clips.at),
        ribbons=ribbons_of(records),
        events=events_of(records),
        collision=collision_of(records),
        geoset_groups=dict(enumerate(GEOSETS)),
        bounds=_bounds(records.header["bounds"]),
        to_world=TO_WORLD,
    )


def _bounds(box: Array) -> Array | None:
    corners = np.asarray(box, np.float64).reshape(2, 3)
    return corners if np.isfinite(corners).all() and (corners[0] <= corners[1]).all() else None


def _say_what_is_new(records: Records, chunks: tuple[Chunk, ...], report: Report) -> None:
    version = records.generation.version
    if not OLDEST <= version <= NEWEST_KNOWN:
        report.warn(f"version {version} is not known; it is read as the nearest that is")
    elif version > NEWEST_WHOLE:
        report.warn(f"version {version}: only what version 264 has as well is shown")
    ignored = [chunk.tag for chunk in chunks[1:]]
    if ignored:
        report.warn(f"chunks that are not supported: {', '.join(ignored[:20])}")


def _unread(data: bytes) -> list[Span]:
    return [Span("unreferenced", 0, len(data), UNKNOWN, None, "could not be read")] if data else []


def _tree(name: str, data: bytes, chunks: tuple[Chunk, ...], records: Records, groups: list[Group]) -> Span:
    """The tree over all bytes of the file."""
    head = header_span(records)

    def children() -> Sequence[Span]:
        block = block_spans(records, groups, head)
        if chunks[0].tag == "MD20":
            return block
        spans = [_chunk_span(data, chunk, block if chunk is chunks[0] else None) for chunk in chunks]
        return fill(data, spans, 0, len(data))

    return Span(name, 0, len(data), "model", None, "", children)


def _chunk_span(data: bytes, chunk: Chunk, block: Sequence[Span] | None) -> Span:
    begin = chunk.offset - CHUNK_HEAD
    head = [
        Span("tag", begin, 4, "text", chunk.tag),
        Span("size", begin + 4, 4, "u32", int.from_bytes(data[begin + 4 : begin + 8], "little"), "bytes"),
    ]
    if block is None and chunk.tag in FILE_IDS and chunk.size % U32.itemsize == 0:
        items = Cursor(data, chunk.offset).array(U32, chunk.size // U32.itemsize)
        block = [rows_span("ids", items, chunk.offset, FILE_IDS[chunk.tag])] if len(items) else []
    elif block is None:
        block = [Span("data", chunk.offset, chunk.size, UNKNOWN, None, "not supported")] if chunk.size else []
    return Span(chunk.tag, begin, CHUNK_HEAD + chunk.size, "chunk", None, "", [*head, *block])


def _tables(root: Span, chunked: bool) -> dict[Item, Span]:
    """Where bones, vertices and submeshes lie, for selecting them."""
    inside = root.children[0] if chunked else root
    named = {span.name: span for span in inside.children}
    return {item: named[name] for item, name in TABLES.items() if name in named}
