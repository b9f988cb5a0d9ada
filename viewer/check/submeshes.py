"""Rules for the submeshes of M2 views, which say how many bones they use.

Source: measured on the files of the clients: in all of them `influences` is the largest number of weights
of a vertex of the submesh, and `bone_count` at most the `bone_limit` of the view.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from viewer.arrays import Array
from viewer.binary.span import Span
from viewer.check.rule import Found, Rule
from viewer.check.subject import Subject
from viewer.errors import FormatError, Report
from viewer.formats.m2.layout import SKIN, SUBMESHES
from viewer.formats.m2.record import FIRST_NESTED, VersionTraits
from viewer.formats.m2.records import M2Records, chunks_of, read_records
from viewer.formats.m2.views import SkinView, inline_views, read_skin
from viewer.scene.document import Document
from viewer.scene.finding import Severity

CHUNKED = b"MD21"
SKIN_FORMAT = "WoW M2 view"
HEAD = SKIN.dtype(VersionTraits(FIRST_NESTED, True, True))
"""The header of a `.skin` file, without the part that newer files add."""


class View(NamedTuple):
    """A view, the number of bones that it allows a submesh (0: unknown), its number, the document with its
    bytes, and the offset of its submeshes there.
    """

    view: SkinView
    bones: int
    number: int
    holder: Document
    offset: int

    def found(self, text: str, submesh: int) -> Found:
        """A finding of one submesh."""
        tables = (span for span in self.holder.root.children if span.layout is SUBMESHES)
        rows = next((span.children for span in tables if span.offset == self.offset), ())
        span: Span | None = rows[submesh] if submesh < len(rows) else None
        return Found(f"view {self.number}, submesh {submesh} {text}", file=self.holder.path, span=span)


def wide_windows(subject: Subject) -> Iterator[Found]:
    """Submeshes that use more bones than their view allows."""
    for view in subject.once(_views):
        for number, submesh in enumerate(view.view.submeshes):
            used = int(submesh["bone_count"])
            if used > view.bones > 0:
                yield view.found(f"uses {used} bones; its view allows {view.bones}", number)


def few_influences(subject: Subject) -> Iterator[Found]:
    """Submeshes with vertices of more weights than they declare."""
    weights = subject.once(_weight_counts)
    for view in subject.once(_views):
        for number, submesh in enumerate(view.view.submeshes):
            start, declared = int(submesh["vertex_start"]), int(submesh["influences"])
            rows = view.view.vertices[start : start + int(submesh["vertex_count"])]
            counts = weights[rows[rows < len(weights)]]
            off = int(np.count_nonzero(counts > declared))
            if off:
                text = f"declares {declared} influences; {off} of {len(counts)} vertices have up to"
                yield view.found(f"{text} {int(counts.max())}", number)


def _records(subject: Subject) -> M2Records | None:
    """The tables of an M2 model; None for other files."""
    document = subject.document
    if document.format != "WoW M2 model":
        return None
    data = document.data
    try:
        chunks = chunks_of(data, Report()) if data.startswith(CHUNKED) else ()
        base, size = (chunks[0].offset, chunks[0].size) if chunks else (0, len(data))
        return read_records(data, base, size, Report())
    except FormatError:
        return None


def _weight_counts(subject: Subject) -> Array:
    """[V] the number of weights of each vertex that are not 0."""
    records = subject.once(_records)
    if records is None:
        return np.empty(0, np.int64)
    return np.asarray((records.tables["vertices"]["weights"] > 0).sum(axis=1))


def _views(subject: Subject) -> tuple[View, ...]:
    """All views of an M2 model: its own, or those of the `.skin` files beside it."""
    records, document = subject.once(_records), subject.document
    if records is None:
        return ()
    if not records.generation.nested:
        rows: Any = records.tables.get("views", ())
        views = enumerate(zip(inline_views(records), rows, strict=False))
        return tuple(_view(view, row, at, document, records.base) for at, (view, row) in views)
    found: list[View] = []
    for skin in document.attached:
        view = read_skin(skin.path, skin.data, records.generation)[1] if skin.format == SKIN_FORMAT else None
        if view is not None:
            row = np.frombuffer(skin.data, HEAD, 1)[0]
            found.append(_view(view, row, len(found), skin, 0))
    return tuple(found)


def _view(view: SkinView, row: Any, number: int, holder: Document, base: int) -> View:
    return View(view, int(row["bone_limit"]), number, holder, base + int(row["submeshes"]["offset"]))


RULES = (
    Rule(
        "skeleton/view-bones",
        Severity.WARNING,
        "A submesh uses more bones than its view allows",
        wide_windows,
        {
            "WoW": "The client chooses the view by the bones that the graphics card takes: the matrices past "
            "the limit are not there, and their vertices fly about.",
        },
        "Split the submesh by bones, or raise the limit of the view.",
        "view 3, submesh 0 uses 24 bones; its view allows 21",
    ),
    Rule(
        "weights/few-influences",
        Severity.WARNING,
        "A submesh declares fewer influences than its vertices have",
        few_influences,
        {
            "WoW": "The client chooses the shader by this number: the other weights are dropped, and "
            "vertices move towards the origin.",
        },
        "Set the number to the most weights that a vertex of the submesh has.",
        "view 0, submesh 1 declares 1 influences; 96 of 800 vertices have up to 4",
    ),
)
