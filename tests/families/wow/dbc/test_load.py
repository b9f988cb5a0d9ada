"""Tables: their columns by client, damage, and their tree."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from tests.opened import opened_file
from tests.table_files import displays, models, table_bytes
from viewer.binary import unexplained
from viewer.families.wow.dbc.columns import CLIENTS, TABLES, columns_of
from viewer.families.wow.dbc.load import load_table
from viewer.scene.document import Document
from viewer.scene.items import RowItem
from viewer.scene.table import Table

CORPUS = Path(__file__).resolve().parents[4] / "shared" / "corpus"
COUNTS = {
    "CreatureDisplayInfo": (12, 14, 16),
    "CreatureModelData": (16, 24, 28),
    "CreatureDisplayInfoExtra": (19, 21, 21),
    "CharSections": (10, 10, 10),
    "CharHairGeosets": (6, 6, 6),
    "CharacterFacialHairStyles": (9, 11, 8),
    "ChrRaces": (29, 69, 69),
    "HelmetGeosetVisData": (6, 8, 8),
    "ItemDisplayInfo": (23, 25, 25),
    "SpellVisualEffectName": (5, 5, 7),
    "GameObjectDisplayInfo": (12, 18, 19),
    "AnimationData": (7, 7, 8),
    "ParticleColor": (0, 10, 10),
    "ItemVisuals": (6, 6, 6),
    "ItemVisualEffects": (2, 2, 2),
}
"""The measured numbers of columns, by client."""


def load(data: bytes, name: str = "CreatureModelData") -> Document:
    return load_table(opened_file(Path(f"/nowhere/{name}.dbc"), data))


def table_of(document: Document) -> Table:
    assert isinstance(document.content, Table)
    return document.content


def column(table: Table, name: str) -> list[object]:
    return list(table.values([each.name for each in table.columns].index(name)))


@pytest.mark.parametrize("name", TABLES)
def test_the_layouts_have_the_measured_numbers_of_columns(name: str) -> None:
    found = [sum(len(list(each.names(client))) for each in columns_of(name, client)) for client in range(3)]
    assert tuple(found) == COUNTS[name]


@pytest.mark.parametrize("name", TABLES)
def test_references_name_known_tables(name: str) -> None:
    assert {each.reference for each in TABLES[name]} <= {"", *TABLES}


def test_the_columns_follow_from_name_and_size() -> None:
    document = load(models(), "creaturemodeldata")
    table = table_of(document)
    assert (table.name, document.version, document.report.messages) == ("CreatureModelData", "1.12.1", [])
    assert column(table, "model") == ["Creature\\Bear\\Bear.mdx", "Creature\\Frog\\Frog.mdx"]
    assert column(table, "scale") == [1.0, 0.7]
    assert unexplained(document.root) == 0


def test_moved_columns_are_told_apart_by_their_texts() -> None:
    old = table_bytes([(1, 1, 0, 0, 0, 2, "Skin", "Fur", "", 17)])
    new = table_bytes([(1, 1, 0, 0, "Skin", "Fur", "", 17, 0, 2)])
    found = [table_of(load(each, "CharSections")) for each in (old, new)]
    assert [each.clients for each in found] == [("1.12.1", "2.4.3"), ("3.3.5a",)]
    assert [column(each, "color") for each in found] == [[2], [2]]


def test_unknown_columns_are_texts_if_every_value_is_an_offset_of_a_text() -> None:
    table = table_of(load(table_bytes([(1, "a", 2, 1), (5, "bc", 9, 0)]), "Weather"))
    assert [each.type for each in table.columns] == ["number", "text", "number", "number"]
    assert column(table, "column_2") == ["a", "bc"] and table.clients == ()


def test_a_known_name_with_an_unknown_size_has_unknown_columns() -> None:
    assert table_of(load(table_bytes([(1, 2, 3)]))).columns[0].name == "column_1"


@pytest.mark.parametrize(("fields", "size", "columns"), [(2, 2, 2), (2, 6, 3), (41, 44, 11)])
def test_rows_with_cells_of_one_byte_open(fields: int, size: int, columns: int) -> None:
    data = struct.pack("<4s4I", b"WDBC", 1, fields, size, 1) + bytes(range(1, size + 1)) + b"\0"
    document = load(data, "CharBaseInfo")
    table = table_of(document)
    assert len(table.columns) == columns and unexplained(document.root) == 0
    last = table.columns[-1].offset
    assert table.value(0, columns - 1) == int.from_bytes(data[20 + last : 20 + size], "little")


@pytest.mark.parametrize(
    ("at", "value", "why"),
    [
        (4, 1 << 31, "2147483648 items declared, at most 2000000 expected"),
        (4, 9, "9 items declared, 5 are there"),
        (12, 0, "a row of 0 bytes: 1 to 2048 expected"),
        (12, 1 << 31, "a row of 2147483648 bytes: 1 to 2048 expected"),
        (8, 1 << 31, "2147483648 columns in a row of 64 bytes"),
        (16, 1 << 31, "2147483648 items declared, at most 134217728 expected"),
        (16, 99, "99 items declared, 47 are there"),
    ],
)
def test_lying_headers_are_one_line(at: int, value: int, why: str) -> None:
    data = bytearray(models())
    if value == 9:
        data += bytes(3 * 64)
    struct.pack_into("<I", data, at, value)
    document = load(bytes(data))
    assert [each.why for each in document.report.errors] == [why]
    assert sum(each.size for each in document.root.children) == len(data)


def test_a_cut_table_keeps_its_whole_rows() -> None:
    document = load(models()[: 20 + 64 + 10])
    assert [each.why for each in document.report.errors] == ["2 items declared, 1 is there"]
    assert column(table_of(document), "id") == [7] and column(table_of(document), "model") == [""]


@pytest.mark.parametrize("size", range(20))
def test_a_cut_header_is_an_error(size: int) -> None:
    document = load(models()[:size])
    assert document.content is None and not document.report.complete


def test_offsets_outside_the_texts_are_empty_and_reported() -> None:
    data = bytearray(models())
    struct.pack_into("<I", data, 20 + 8, 1 << 31)
    document = load(bytes(data))
    assert column(table_of(document), "model")[0] == ""
    assert document.report.warnings == ["model: 1 offset outside the texts, shown as empty texts"]


def test_without_texts_every_other_offset_than_0_is_outside() -> None:
    data = table_bytes([(1, 0), (2, 1)])
    document = load(data[:16] + bytes(4) + data[20:-1], "ItemVisualEffects")
    assert column(table_of(document), "model") == ["", ""]
    assert document.report.warnings == ["model: 1 offset outside the texts, shown as empty texts"]


def test_texts_are_utf_8_or_latin_1() -> None:
    data = table_bytes([(1, "Bär"), (2, "x")])
    assert column(table_of(load(data, "ItemVisualEffects")), "model") == ["Bär", "x"]
    changed = data.replace("Bär".encode(), b"B\xe4rs")
    assert column(table_of(load(changed, "ItemVisualEffects")), "model") == ["Bärs", "x"]


def test_the_last_of_equal_ids_counts() -> None:
    table = table_of(load(table_bytes([(5, "a"), (2, "b"), (5, "c")]), "ItemVisualEffects"))
    assert (table.row_of(5), table.row_of(2), table.row_of(3)) == (2, 1, None)


def test_a_table_knows_the_tables_that_refer_to_it() -> None:
    assert table_of(load(models())).referrers == ("CreatureDisplayInfo",)
    assert table_of(load(table_bytes([(1, 2)]), "Weather")).referrers == ()


def test_the_tree_shows_texts_and_points_at_their_bytes() -> None:
    data = models()
    span = load(data).root.child("records").children[1].child("model")
    assert span.value == "Creature\\Frog\\Frog.mdx" and span.target is not None
    assert data[span.target :].startswith(b"Creature\\Frog\\Frog.mdx\0")


def test_the_tree_lists_the_texts() -> None:
    texts = load(models()).root.child("strings").children
    assert [each.value for each in texts] == ["", "Creature\\Bear\\Bear.mdx", "Creature\\Frog\\Frog.mdx"]


def test_rows_and_bytes_select_each_other() -> None:
    origin = load(models()).origin
    span = origin.span(RowItem(1))
    assert span is not None and (span.offset, span.size) == (20 + 64, 64)
    assert origin.item(20 + 64 + 9) == RowItem(1)


def test_bytes_after_the_texts_are_noted() -> None:
    assert load(displays() + b"x", "CreatureDisplayInfo").report.notes


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus")
@pytest.mark.parametrize(
    "path", sorted(CORPUS.glob("**/*.dbc"), key=str) if CORPUS.is_dir() else [], ids=lambda path: path.stem
)
def test_real_tables_are_explained(path: Path) -> None:
    data = path.read_bytes()
    if not data.startswith(b"WDBC"):
        pytest.skip("a Git LFS pointer")
    document = load_table(opened_file(path, data))
    assert unexplained(document.root) in (0, 13) and document.report.complete
    if path.stem in TABLES:
        assert set(table_of(document).clients) <= set(CLIENTS) and table_of(document).clients
