"""Read M2 files into documents: a model together with the files beside it, or only a view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from viewer.binary import Cursor, Span
from viewer.binary.reference_tree import block_spans, header_span
from viewer.binary.references import ReferenceGroup, check, references
from viewer.binary.tables import RecordTables, RowField
from viewer.budget import BUDGET
from viewer.errors import MISSING_PART, FormatError, Report, Topic
from viewer.families.wow.m2.clips.key_references import check_keys, inner_references
from viewer.families.wow.m2.clips.sequences import Sequences, build_animations, clips_of, usable_box
from viewer.families.wow.m2.effects.cameras import cameras_of
from viewer.families.wow.m2.effects.emitters import emitters_of
from viewer.families.wow.m2.effects.extras import attachments_of, collision_of, events_of
from viewer.families.wow.m2.effects.lights import lights_of
from viewer.families.wow.m2.effects.named_models import CARRIED, SHAPES, named_models
from viewer.families.wow.m2.effects.ribbons import ribbons_of
from viewer.families.wow.m2.layout.chunks import chunk_spans, unread
from viewer.families.wow.m2.layout.fields import U32, VersionTraits
from viewer.families.wow.m2.layout.header import (
    ATTACHMENTS,
    BONES,
    CAMERAS,
    EVENTS,
    LIGHTS,
    PARTICLES,
    RIBBONS,
    SEQUENCES,
    TEXTURES,
    VERTICES,
)
from viewer.families.wow.m2.layout.records import SUBMESHES
from viewer.families.wow.m2.layout.tables import M2Chunk, chunks_of, read_records
from viewer.families.wow.m2.mesh.geometry import build_mesh, geometries
from viewer.families.wow.m2.mesh.materials import read_materials
from viewer.families.wow.m2.mesh.skeleton import TO_WORLD, UNIT, YARD, build_skeleton
from viewer.families.wow.m2.mesh.textures import TEXTURE_FILES
from viewer.families.wow.m2.mesh.views import SkinView, inline_views, read_skin, skins_beside
from viewer.families.wow.m2.model_files import FACES, KEYS, SKELETON, VIEWS, ModelFiles, file_numbers
from viewer.families.wow.m2.names import GEOSETS
from viewer.families.wow.m2.probe import CHUNKED, MODEL, PLAIN, model_called
from viewer.families.wow.m2.probe import SKELETON_SUFFIX as SUFFIX
from viewer.families.wow.m2.skel import ModelRig, read_skel
from viewer.family.format import OpenedFile
from viewer.scene.document import Document, Origin
from viewer.scene.items import (
    AnimationItem,
    AttachmentItem,
    BoneItem,
    CameraItem,
    EmitterItem,
    EventItem,
    GeometryItem,
    Item,
    LightItem,
    RibbonItem,
    TextureItem,
    VertexItem,
)
from viewer.scene.model import Model
from viewer.scene.names import path_key
from viewer.scene.reading_context import ReadingContext
from viewer.storage.foreign_formats import stand_in
from viewer.storage.package_path import as_path, folder_of
from viewer.storage.search import SOUND, Missing, needed

NUMBERED_FILES = {"TXID": TEXTURE_FILES, "GPID": SHAPES, "RPID": CARRIED}
"""Chunks of file numbers, and for each chunk the name of the table that keeps its numbers."""
OLDEST, NEWEST_KNOWN, NEWEST_WHOLE = 256, 274, 264

TABLES: dict[Item, RowField] = {
    BoneItem(0): BONES,
    VertexItem(0, 0): VERTICES,
    GeometryItem(0): SUBMESHES,
    AnimationItem(0): SEQUENCES,
    TextureItem(0): TEXTURES,
    AttachmentItem(0): ATTACHMENTS,
    EventItem(0): EVENTS,
    LightItem(0): LIGHTS,
    CameraItem(0): CAMERAS,
    EmitterItem(0): PARTICLES,
    RibbonItem(0): RIBBONS,
}
"""The header field that refers to each table of items. The key is the first item of the table."""


def load_model(file: OpenedFile) -> Document:
    """Read a model. A broken part is reported and left empty; the rest is read."""
    return read_model(file.path, file.context, file.data)[0]


def read_model(
    path: PurePath, context: ReadingContext, data: bytes, named: bool = False
) -> tuple[Document, ModelRig | None]:
    """Read a model and its rig (None if the file cannot be read). With `named`, this model is one that an
    emitter of another model names. Then the models that its own emitters name are not read.
    """
    report, rig = Report(), None
    try:
        document, rig = _loaded(path, context, data, report, named)
    except FormatError as error:
        report.fail(error if error.path.startswith("model") else error.inside("model"))
        root = unread(path.name, "model", data)
        document = Document(str(path), MODEL, "", data, root, None, report)
    for each in report.errors:
        each.file = each.file or str(path)
    return document, rig


def _loaded(
    path: PurePath, context: ReadingContext, data: bytes, report: Report, named: bool
) -> tuple[Document, ModelRig]:
    chunks, records = model_records(data, report)
    groups = references(records)
    check(records, groups)
    check_keys(records, groups)
    root = _tree(path.name, data, chunks, records, groups)
    _number_files(records, chunks)
    files = ModelFiles(path, context, report, file_numbers(data, chunks))
    skeleton_file, rig = rig_of(files, records, groups, chunks)
    _say_what_is_new(records, chunks, report)
    skins: list[tuple[Document, SkinView]] = []
    if records.generation.nested:
        skins = skins_beside(files, int(records.header["view_count"]), records.generation)
    views = [view for _, view in skins] if records.generation.nested else inline_views(records)
    around = files if rig.numbers is files.numbers else ModelFiles(path, context, report, rig.numbers)
    clips = clips_of(around, rig.records)
    model = _model(files, records, views, clips, named)
    document = Document(
        path=str(path),
        format=MODEL,
        version=f"{chunks[0].tag} version {records.generation.version}",
        data=data,
        root=root,
        content=model,
        report=report,
        origin=Origin(lambda: _tables(root, chunks[0].tag != "MD20", records, groups)),
        animations=build_animations(clips, model.skeleton),
        attached=(
            *([skeleton_file] if skeleton_file else ()),
            *(document for document, _ in skins),
            *_faces(files),
        ),
    )
    return document, rig


def model_records(data: bytes, report: Report) -> tuple[tuple[M2Chunk, ...], RecordTables]:
    """Return the chunks of a model and the records of its first chunk. A plain `MD20` file is returned as a
    single chunk. FormatError if the header is missing.
    """
    if not data.startswith((PLAIN, CHUNKED)):
        raise FormatError("the file has no header of a model (MD20 or MD21)", "model/magic", 0)
    whole = (M2Chunk("MD20", 0, len(data)),)
    chunks = chunks_of(data, report) if data.startswith(CHUNKED) else whole
    if not chunks:
        raise FormatError("the file has no complete chunk", "model", 0)
    return chunks, read_records(data, chunks[0].offset, chunks[0].size, report)


def rig_of(
    files: ModelFiles,
    records: RecordTables,
    groups: list[ReferenceGroup],
    chunks: Sequence[M2Chunk],
) -> tuple[Document | None, ModelRig]:
    """Return the model's rig, and the `.skel` beside the model if the bones are in it (else None)."""
    own = ModelRig(records, groups, files.numbers)
    if not any(chunk.tag == SKELETON for chunk in chunks) or len(records.tables["bones"]):
        return None, own
    name = f"{files.path.stem}{SUFFIX}"
    found = files.part(name, files.numbers.skeleton)
    if isinstance(found, Missing):
        text = "the bones are in a separate .skel file, which is missing beside the model"
        offered = files.offered(name, SUFFIX)
        records.report.warn(text, MISSING_PART, needed(".skel file", name, found, True, offered))
        return None, own
    fault = SOUND
    try:
        data = found.read(BUDGET.model_bytes)
        fault = stand_in(data)
        if fault != SOUND:
            raise FormatError(fault[1], "skel", file=found.path)
        around = ModelFiles(as_path(found.path), files.context, files.report, files.numbers)
        document, rig = read_skel(around, data)
    except FormatError as error:
        records.report.fail(error)
        fault = fault if fault != SOUND else ("unreadable", error.why)
        document, rig = None, own
    records.report.need(needed(".skel file", name, found, True, fault=fault))
    return document, rig or own


def _faces(files: ModelFiles) -> Iterator[Document]:
    """Yield the `.bone` files beside a model. They are not read, but belong to it when it is extracted."""
    for name in files.faces():
        path = files.folder.where(name)
        try:
            data = files.folder.read(name, BUDGET.part_bytes)
        except FormatError as error:
            files.report.warn(str(error), topic=Topic.UNUSED)
            continue
        root = unread(name, "file", data, "not supported")
        yield Document(path, "WoW M2 face", "", data, root, None, Report())
    if files.numbers.faces:
        files.report.note("the .bone files of faces (chunk BFID) are not read")


def _number_files(records: RecordTables, chunks: Sequence[M2Chunk]) -> None:
    """Add the chunks of file numbers to the tables; these files are given by number instead of by name."""
    for chunk in chunks:
        if chunk.tag in NUMBERED_FILES:
            count = chunk.size // U32.itemsize
            records.tables[NUMBERED_FILES[chunk.tag]] = Cursor(records.data, chunk.offset).array(U32, count)


def _model(
    files: ModelFiles,
    records: RecordTables,
    views: list[SkinView],
    clips: Sequences,
    named: bool,
) -> Model:
    path, report = files.path, clips.report

    def reader(each: PurePath, data: bytes) -> Document:
        return read_model(each, files.context, data, named=True)[0]

    skeleton = build_skeleton(clips.records, report)
    mesh = build_mesh(records, views, len(skeleton) if skeleton else 0, report)
    groups = [part.batches for part in mesh.parts]
    material_set, part_materials = read_materials(files, records, groups, clips.at)
    return Model(
        name=records.text(records.header["name"]) or path.stem,
        vertex_buffers=tuple(mesh.vertices),
        index_buffers=tuple(mesh.indices),
        geometries=geometries(mesh, part_materials),
        skeleton=skeleton,
        materials=material_set.materials,
        textures=material_set.textures,
        cameras=cameras_of(records, clips.at),
        attachments=attachments_of(clips.records),
        lights=lights_of(records, clips.at),
        emitters=emitters_of(records, clips.at, named_models(files, records, None if named else reader)),
        ribbons=ribbons_of(path, records, material_set.textures, clips.at),
        events=events_of(records),
        collision=collision_of(records),
        geoset_groups=dict(enumerate(GEOSETS)),
        bounds=usable_box(records.header["bounds"]),
        to_world=TO_WORLD,
        unit=UNIT,
        metres=YARD,
    )


def _say_what_is_new(records: RecordTables, chunks: Sequence[M2Chunk], report: Report) -> None:
    version = records.generation.version
    if not OLDEST <= version <= NEWEST_KNOWN:
        text = f"version {version} is unknown; the file is read as the nearest known version"
        report.warn(text, topic=Topic.VERSION)
    elif version > NEWEST_WHOLE:
        text = f"version {version}: only the parts that version 264 has are shown"
        report.warn(text, topic=Topic.PARTLY)
    known = {*NUMBERED_FILES, VIEWS, KEYS, SKELETON, FACES}
    ignored = [chunk.tag for chunk in chunks[1:] if chunk.tag not in known]
    if ignored:
        report.note(f"unsupported chunks: {', '.join(ignored[:20])}")


def _tree(
    name: str, data: bytes, chunks: tuple[M2Chunk, ...], records: RecordTables, groups: list[ReferenceGroup]
) -> Span:
    """The root span over all bytes of the file."""
    head = header_span(records)

    def children() -> Sequence[Span]:
        block = block_spans(records, [*groups, *inner_references(records, groups)], head)
        if chunks[0].tag == "MD20":
            return block
        return chunk_spans(data, chunks, {chunks[0].offset: block})

    return Span(name, 0, len(data), "model", None, "", children)


def _tables(
    root: Span, chunked: bool, records: RecordTables, groups: Sequence[ReferenceGroup]
) -> dict[Item, Span]:
    """Find the spans of the tables in `TABLES`. The table of submeshes is found in the first view only."""
    inside = root.children[0] if chunked else root
    begins = {id(each.part): records.base + int(each.offsets[0]) for each in groups if len(each.offsets)}
    spans = {(id(span.layout), span.offset): span for span in inside.children}
    found = {first: spans.get((id(part), begins.get(id(part), -1))) for first, part in TABLES.items()}
    return {first: span for first, span in found.items() if span is not None}


def load_skin(file: OpenedFile) -> Document:
    """Read a view without its model: only a tree, because the vertices are in the model. A warning names the
    model that uses the view, if that model is beside the view.
    """
    path, data = file.path, file.data
    document = read_skin(str(path), data, VersionTraits(264, True, True))[0]
    model = model_of(path, file.context)
    uses = "no model in its folder uses this view" if model is None else f"open {model}, which uses this view"
    topic = Topic.PART if model else Topic.UNUSED
    document.report.warn(f"a view has no vertices: {uses}", MISSING_PART, topic=topic)
    return document


def model_of(path: PurePath, context: ReadingContext) -> str | None:
    """Return the file name of the model that uses the view at `path`; None if its folder has no such
    model.
    """
    folder = folder_of(path, context)
    model = model_called(folder, path.stem[:-2]) if path.stem[-2:].isdecimal() else None
    if model is None:
        return None
    try:
        data = folder.read(model, BUDGET.model_bytes)
        document = read_model(path.with_name(model), context, data, named=True)[0]
    except FormatError:
        return None
    keys = {path_key(each.path) for each in document.attached}
    return model if path_key(str(path)) in keys else None
