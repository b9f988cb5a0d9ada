"""The referenced bytes of a model, each once, in bounded memory whatever the references claim."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from tests import m2_files
from tests.damage import SCALE, allowed, peak
from tests.m2_files import CLASSIC, WRATH
from tests.opened import opened_file
from viewer.binary.reference_tree import SHARED_LISTED, ReferencedBlocks
from viewer.binary.references import ReferenceGroup
from viewer.binary.span import unexplained, unused
from viewer.binary.tables import RecordTables, Reference
from viewer.errors import Report
from viewer.families.wow.m2.layout.fields import CHAR, VersionTraits
from viewer.families.wow.m2.layout.tables import read_records
from viewer.families.wow.m2.load import load_model


@pytest.fixture
def records() -> RecordTables:
    data = m2_files.model(CLASSIC)
    return read_records(data, 0, len(data), Report())


def group(records: RecordTables, label: str, *ranges: tuple[int, int], keys: bool = False) -> ReferenceGroup:
    """References to bytes, by their distance from the end of the header."""
    part = records.reference("name")
    begin = records.header.dtype.itemsize
    offsets, counts = np.array(ranges, np.int64).reshape(-1, 2).T
    sources = np.arange(len(ranges)) * 8
    return ReferenceGroup(label, label, part, "", sources, offsets + begin, counts, CHAR, keys=keys)


def places(records: RecordTables, blocks: ReferencedBlocks) -> list[tuple[int, int]]:
    begin = records.header.dtype.itemsize
    return [(each.offset - begin, each.size) for each in blocks]


def test_of_references_that_overlap_only_the_free_bytes_count(records: RecordTables) -> None:
    blocks = ReferencedBlocks(
        records, [group(records, "a[{}]", (0, 10), (30, 5)), group(records, "b", (4, 16))]
    )
    assert places(records, blocks) == [(0, 10), (10, 10), (30, 5)]
    assert [each.group.label for each in blocks] == ["a[{}]", "b", "a[{}]"]


def test_references_to_the_same_bytes_are_named_up_to_a_number(records: RecordTables) -> None:
    same = [(0, 10)] * 9
    (block,) = ReferencedBlocks(records, [group(records, "a[{}]", *same)])
    assert block.others == tuple(f"a[{number}]" for number in range(1, SHARED_LISTED + 2))
    assert block.sources == tuple(8 * number for number in range(SHARED_LISTED + 2))


def test_references_outside_the_file_or_of_nothing_are_no_blocks(records: RecordTables) -> None:
    blocks = ReferencedBlocks(records, [group(records, "a", (0, 0), (5, records.size))])
    assert len(blocks) == 0 and blocks.runs() == []


def test_neighbouring_keys_of_one_table_are_one_run(records: RecordTables) -> None:
    groups = [
        group(records, "a", (0, 4), (4, 4), keys=True),
        group(records, "b", (8, 4), (12, 4), keys=True),
        group(records, "c", (16, 4), (20, 4)),
    ]
    blocks = ReferencedBlocks(records, groups)
    assert blocks.runs() == [(0, 2), (2, 4), (4, 5), (5, 6)]
    assert blocks.range(0, 2) == (blocks[0].offset, blocks[1].end)


def hostile(nested: bool) -> bytes:
    """A model whose tables all cover the whole file, or whose tracks all have the whole file as a table."""
    generation = WRATH if nested else CLASSIC
    data = bytearray(m2_files.model(generation)) + bytes(4_000_000 // SCALE)
    header = read_records(bytes(data), 0, len(data), Report())
    for part in header.layout.present(header.generation):
        if isinstance(part, Reference) and (not nested or part.name == "transforms"):
            assert header.header.dtype.fields is not None
            at = header.header.dtype.fields[part.name][1]
            stride = part.target(header.generation).itemsize
            begin = header.header.dtype.itemsize
            count = (len(data) - begin) // stride
            data[at : at + 8] = np.array((min(count, 400) if nested else count, begin), "<u4").tobytes()
    if nested:
        rows = np.array((len(data) // 16, 0x200), "<u4").tobytes()
        begin = header.header.dtype.itemsize
        data[begin : begin + 40_000] = (rows * 5000)[:40_000]
    return bytes(data)


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("nested", [False, True])
def test_tables_that_overlap_stay_in_proportion(nested: bool) -> None:
    data = hostile(nested)

    def work() -> None:
        document = load_model(opened_file(Path("/nowhere/at/all/x.m2"), data))
        assert len(document.root.children) > 1

    work()  # the modules are imported
    assert peak(work) < allowed(data)


@pytest.mark.parametrize("generation", [CLASSIC, WRATH])
@pytest.mark.parametrize("table", ["bones", "sequences"])
def test_a_gap_that_repeats_a_table_is_an_earlier_copy(
    generation: VersionTraits, table: str, tmp_path: Path
) -> None:
    """The table moves to the end of the file with one more row; its first place is left as it was."""
    data = bytearray(m2_files.model(generation))
    found = read_records(bytes(data), 0, len(data), Report())
    rows = found.tables[table]
    at = int(found.header[table]["offset"])
    moved = np.concatenate((rows, rows[-1:])).tobytes()
    place = bytes(data).index(struct.pack("<2I", len(rows), at))
    data += bytes(-len(data) % 16)
    data[place : place + 8] = struct.pack("<2I", len(rows) + 1, len(data))
    data += moved
    tree = load_model(opened_file(tmp_path / "a.m2", bytes(data))).root
    copy = tree.at(at)[1]
    assert (copy.name, copy.type) == ("earlier copy", "free") and f"copy of {table}," in copy.note
    assert unexplained(tree) == 0 and unused(tree)[1] == copy.size >= rows.nbytes
    data[at] ^= 0x40
    changed = load_model(opened_file(tmp_path / "a.m2", bytes(data))).root
    assert changed.at(at)[1].type == "unknown" and unused(changed)[1] == 0
    assert unexplained(changed) == copy.size
