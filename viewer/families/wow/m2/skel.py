"""Read `.skel` files, which hold the bones, sequences and attachments of a chunked model.

Source: wowdev.wiki M2/.skel. Offsets count from the beginning of the chunk's content.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from viewer.binary import Cursor, Fixed, Span
from viewer.binary.reference_tree import block_spans, header_span
from viewer.binary.references import ReferenceGroup, check, references
from viewer.binary.tables import RecordTables, Reference, RowRecord
from viewer.errors import FormatError, Report
from viewer.families.wow.m2.clips.key_references import check_keys, inner_references
from viewer.families.wow.m2.clips.sequences import build_animations, clips_of
from viewer.families.wow.m2.effects.extras import attachments_of
from viewer.families.wow.m2.layout.chunks import chunk_spans
from viewer.families.wow.m2.layout.fields import CHAR, I16, U32, VersionTraits, vector
from viewer.families.wow.m2.layout.records import ATTACHMENT, BONE, EVENT, SEQUENCE
from viewer.families.wow.m2.layout.tables import M2Chunk, chunks_of
from viewer.families.wow.m2.mesh.skeleton import TO_WORLD, UNIT, YARD, build_skeleton
from viewer.families.wow.m2.model_files import FileNumbers, ModelFiles, file_numbers
from viewer.families.wow.m2.probe import SKELETON as FORMAT
from viewer.family.format import OpenedFile
from viewer.scene.document import Document
from viewer.scene.model import Model

GENERATION = VersionTraits(272, True, True)
CHUNKS = {
    "SKL1": RowRecord(
        "SKL1",
        Fixed("flags", U32, "meaning unknown"),
        Reference("name", CHAR, "name of the skeleton"),
        Fixed("padding", U32, "unused"),
    ),
    "SKA1": RowRecord(
        "SKA1",
        Reference("attachments", ATTACHMENT, "attachment points for other models"),
        Reference("attachment_lookup", I16, "number of the attachment for each attachment id, -1: none"),
    ),
    "SKB1": RowRecord(
        "SKB1",
        Reference("bones", BONE, "the skeleton"),
        Reference("key_bone_lookup", I16, "number of the bone for each key bone, -1: none"),
    ),
    "SKS1": RowRecord(
        "SKS1",
        Reference("global_sequences", U32, "lengths of loops that run independently of the sequence, ms"),
        Reference("sequences", SEQUENCE, "animation sequences"),
        Reference("sequence_lookup", I16, "number of the sequence for each animation id, -1: none"),
        Fixed("padding", vector(2, U32), "unused"),
    ),
    "SKPD": RowRecord(
        "SKPD",
        Fixed("unknown", vector(2, U32), "meaning unknown"),
        Fixed("parent", U32, "number of the skeleton file that this skeleton continues"),
        Fixed("padding", U32, "unused"),
    ),
}


class ModelRig(Struct, frozen=True, eq=False):
    """The tables from which a model is animated; they come from the model or from its `.skel`. `records` has
    the bones and sequences; `groups` has the references in these records. `numbers` has the numbers of the
    files with keys.
    """

    records: RecordTables
    groups: list[ReferenceGroup]
    numbers: FileNumbers


def load_skel(file: OpenedFile) -> Document:
    """Read a `.skel` without its model: a document of the bones and sequences."""
    path, data = file.path, file.data
    return read_skel(ModelFiles(path, file.context, Report()), data)[0]


def read_skel(around: ModelFiles, data: bytes) -> tuple[Document, ModelRig | None]:
    """Read a `.skel` as a document, and its rig (None if it has no bones)."""
    path, report = around.path, Report()
    chunks = chunks_of(data, report)
    read = {chunk.tag: found for chunk in chunks if (found := _records(data, chunk, report)) is not None}
    groups = {tag: references(records) for tag, records in read.items()}
    for tag, records in read.items():
        check(records, groups[tag])
    if "SKPD" in read:
        parent = int(read["SKPD"].header["parent"])
        report.warn(f"the skeleton continues file {parent}, which is not read")

    def children() -> list[Span]:
        known = read.items()
        inside = {
            own.base: block_spans(own, [*groups[tag], *inner_references(own, groups[tag])], header_span(own))
            for tag, own in known
        }
        return chunk_spans(data, chunks, inside)

    document = Document(
        path=str(path),
        format=FORMAT,
        version=chunks[0].tag if chunks else "",
        data=data,
        root=Span(path.name, 0, len(data), "skeleton", None, "", children),
        content=None,
        report=report,
    )
    own = file_numbers(data, chunks)
    rig = _rig(read, groups, own if own.keys else around.numbers, report)
    if rig is not None:
        check_keys(rig.records, rig.groups)
        _play(document, ModelFiles(path, around.context, report, rig.numbers), rig.records)
    for each in report.errors:
        each.file = each.file or str(path)
    return document, rig


def _play(document: Document, around: ModelFiles, records: RecordTables) -> None:
    """Set the document's content to a model of the bones, and its animations to the sequences."""
    skeleton = build_skeleton(records, document.report)
    document.content = Model(
        around.path.stem,
        skeleton=skeleton,
        attachments=attachments_of(records),
        to_world=TO_WORLD,
        unit=UNIT,
        metres=YARD,
    )
    document.animations = build_animations(clips_of(around, records), skeleton)


def _records(data: bytes, chunk: M2Chunk, report: Report) -> RecordTables | None:
    """Read the tables of a chunk. None for an unknown tag, or for an incomplete header, which is reported."""
    layout = CHUNKS.get(chunk.tag)
    if layout is None:
        return None
    try:
        row = Cursor(data, chunk.offset, chunk.offset + chunk.size).array(layout.dtype(GENERATION), 1)[0]
    except FormatError as error:
        report.fail(error.inside(chunk.tag))
        return None
    records = RecordTables(data, chunk.offset, chunk.size, report, GENERATION, layout, row)
    records.read()
    return records


def _rig(
    read: dict[str, RecordTables],
    groups: dict[str, list[ReferenceGroup]],
    numbers: FileNumbers,
    report: Report,
) -> ModelRig | None:
    """Join the tables of all chunks to the tables of the bones' chunk, because the offsets of tracks count
    from that chunk. If there are no bones, report it and return None.
    """
    bones = read.get("SKB1")
    if bones is None:
        report.warn("the file has no bones (chunk SKB1)")
        return None
    empty = {
        "sequences": np.empty(0, SEQUENCE.dtype(GENERATION)),
        "global_sequences": np.empty(0, U32),
        "attachments": np.empty(0, ATTACHMENT.dtype(GENERATION)),
        "events": np.empty(0, EVENT.dtype(GENERATION)),
    }
    joined = {name: table for records in read.values() for name, table in records.tables.items()}
    bones.tables = {**empty, **joined}
    return ModelRig(bones, groups["SKB1"], numbers)
