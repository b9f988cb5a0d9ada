"""Read views, which hold the vertices, triangles, submeshes and batches of a level of detail.

Up to version 263 views are in the model; since version 264 each view is a separate file, `NAME00.skin` to
`NAME03.skin`.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from viewer.arrays import Array
from viewer.binary import Cursor, Span
from viewer.binary.reference_tree import block_spans, header_span
from viewer.binary.references import check, references
from viewer.binary.tables import RecordTables, Reference
from viewer.budget import BUDGET
from viewer.errors import MISSING_PART, FormatError, Report
from viewer.families.wow.m2.layout.fields import FIRST_CATACLYSM, FIRST_NESTED, U8, U16, VersionTraits, vector
from viewer.families.wow.m2.layout.records import BATCH, SKIN, SUBMESH
from viewer.families.wow.m2.model_files import ModelFiles
from viewer.scene.document import Document
from viewer.storage.foreign_formats import stand_in
from viewer.storage.package_path import as_path
from viewer.storage.search import SOUND, Missing, needed

KIND = ".skin file"
VIEWS = 4


class SkinView(Struct, frozen=True, eq=False):
    """A view. `vertices` [V] are numbers of vertices in the model; `indices` [I] are numbers of vertices in
    the view. `joints` [V, 4] u8 are indices into the bone window of the submesh. `submeshes` and `batches`
    are records.
    """

    vertices: Array
    indices: Array
    joints: Array
    submeshes: Array
    batches: Array


def inline_views(records: RecordTables) -> list[SkinView]:
    """Return the views inside the model, at most the four that a client uses."""
    return [view_of(records, row) for row in records.tables.get("views", ())[:VIEWS]]


def view_of(records: RecordTables, row: Any) -> SkinView:
    """Read the view with the header `row`; tables outside the file are empty."""
    generation = records.generation
    return SkinView(
        vertices=records.items(row["vertices"], U16),
        indices=records.items(row["indices"], U16),
        joints=records.items(row["joints"], vector(4, U8)),
        submeshes=records.items(row["submeshes"], SUBMESH.dtype(generation))[: BUDGET.table_records],
        batches=records.items(row["batches"], BATCH.dtype(generation))[: BUDGET.table_records],
    )


def read_skin(path: str, data: bytes, generation: VersionTraits) -> tuple[Document, SkinView | None]:
    """Read a `.skin` as a document and as a view (None if the header is incomplete)."""
    report = Report()
    view, root = (
        None,
        Span(as_path(path).name, 0, len(data), "skin", None, "", (), "the header is incomplete"),
    )
    try:
        records = skin_records(data, generation, report)
        groups = references(records)
        check(records, groups)
        view = view_of(records, records.header)
        head = header_span(records)
        root = Span(
            as_path(path).name,
            0,
            len(data),
            "skin",
            None,
            SKIN.note,
            lambda: block_spans(records, groups, head),
        )
    except FormatError as error:
        report.fail(error.inside("skin"))
    for each in report.errors:
        each.file = each.file or path
    return Document(path, "WoW M2 view", "SKIN", data, root, None, report), view


def skin_records(data: bytes, generation: VersionTraits, report: Report) -> RecordTables:
    """Return the records of a `.skin`. FormatError if its header is incomplete."""
    generation = _skin_generation(data, generation)
    row = Cursor(data).array(SKIN.dtype(generation), 1)[0]
    return RecordTables(data, 0, len(data), report, generation, SKIN, row)


def _skin_generation(data: bytes, generation: VersionTraits) -> VersionTraits:
    """The generation of the view's file, which may differ from the generation of the model's file. The lowest
    offset of a table shows the generation, because the header is longer since version 265.
    """
    short, long = (VersionTraits(version, True, True) for version in (FIRST_NESTED, FIRST_CATACLYSM))
    row = Cursor(data).array(SKIN.dtype(short), 1)[0]
    offsets = [int(row[part.name]["offset"]) for part in SKIN.present(short) if isinstance(part, Reference)]
    known = [offset for offset in offsets if offset]
    if not known:
        return generation
    return long if min(known) >= SKIN.dtype(long).itemsize else short


def skins_beside(files: ModelFiles, count: int, generation: VersionTraits) -> list[tuple[Document, SkinView]]:
    """Read the views beside a model, at most four. If one of the first `count` files is missing, it is
    reported by name.
    """
    found, report, numbers = [], files.report, files.numbers.views
    for number in range(VIEWS):
        name = f"{files.path.stem}{number:02}.skin"
        part = files.part(name, numbers[number] if number < min(len(numbers), count) else 0)
        if isinstance(part, Missing):
            if number < max(count, 1):
                offered = files.offered(name, f"{number:02}.skin")
                file = needed(KIND, name, part, not number, offered)._replace(level=number)
                report.warn(f"{name} is missing beside the model", MISSING_PART, file)
            continue
        fault = SOUND
        try:
            data = part.read(BUDGET.part_bytes)
            fault = stand_in(data)
            if fault != SOUND:
                raise FormatError(fault[1], "skin", file=part.path)
            document, view = read_skin(part.path, data, generation)
            if view is None:
                raise document.report.errors[0]
            found.append((document, view))
        except FormatError as error:
            report.fail(error)
            fault = fault if fault != SOUND else ("unreadable", error.why)
        report.need(needed(KIND, name, part, not number, fault=fault)._replace(level=number))
    return found
