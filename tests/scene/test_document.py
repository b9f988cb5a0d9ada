"""Items and their bytes find each other."""

from __future__ import annotations

import numpy as np

from tests.synthetic import skeleton_of
from viewer.binary import Rows, Span
from viewer.errors import Report
from viewer.scene.document import Content, Document, Origin
from viewer.scene.items import BoneItem, Item, VertexItem
from viewer.scene.material import Image
from viewer.scene.model import Model


def origin() -> Origin:
    bones = [Span("count", 0, 4, is_count=True), Span("a", 4, 10, index=0), Span("b", 14, 6, index=1)]
    rows = Span("vertices", 20, 40, children=Rows(20, 4, 10, lambda row, at: Span("row", at, 4, index=row)))
    return Origin(lambda: {BoneItem(0): Span("bones", 0, 20, children=bones), VertexItem(0, 0): rows})


def test_an_item_s_span() -> None:
    span = origin().span(BoneItem(1))
    assert span is not None and span.offset == 14
    row = origin().span(VertexItem(0, 3))
    assert row is not None and row.offset == 32


def test_items_that_are_not_there() -> None:
    assert origin().span(BoneItem(2)) is None
    assert origin().span(BoneItem(-1)) is None
    assert origin().span(VertexItem(1, 0)) is None


def test_the_item_at_an_offset() -> None:
    assert origin().item(13) == BoneItem(0)
    assert origin().item(35) == VertexItem(0, 3)


def test_the_first_byte_of_a_table_belongs_to_its_first_row() -> None:
    assert origin().item(20) == VertexItem(0, 0)


def test_the_smallest_of_nested_items_is_found() -> None:
    rows = [Span(f"row {number}", 10 * number, 10, index=number) for number in range(4)]
    whole = [Span("whole", 0, 40, index=9)]
    nested = {
        VertexItem(0, 0): Span("vertices", 0, 40, children=rows),
        BoneItem(0): Span("all", 0, 40, children=whole),
    }
    assert Origin(lambda: nested).item(25) == VertexItem(0, 2)
    assert Origin(lambda: dict(reversed(nested.items()))).item(25) == VertexItem(0, 2)


def test_bytes_of_no_item() -> None:
    assert origin().item(2) is None
    assert origin().item(99) is None


def test_tables_are_made_when_somebody_asks() -> None:
    calls: list[int] = []

    def tables() -> dict[Item, Span]:
        calls.append(1)
        return {}

    lazy = Origin(tables)
    assert not calls
    lazy.item(0)
    lazy.item(1)
    assert calls == [1]


def test_a_document_shows_its_model_its_image_or_its_bones() -> None:
    model, bones = Model("m"), skeleton_of(2)
    assert document(model).model is model and document(None).model is None
    lone = document(bones).model
    assert lone is not None and lone.skeleton is bones and not lone.geometries
    flat = document(Image((np.zeros((2, 2, 4), np.uint8),)))
    assert flat.model is not None and len(flat.model.geometries) == 1 and flat.model is flat.model


def document(content: Content) -> Document:
    return Document("a", "", "", b"", Span("a", 0, 0), content, Report())
