"""Keys of tracks: the bounds of their tables and of the keys, on blocks that end with the last of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.m2_block import Block
from viewer.binary.tables import REF, RecordTables
from viewer.families.wow.m2.clips.tracks import SequenceSpan, TrackKeys, read_keys
from viewer.families.wow.m2.layout.fields import NESTED_TRACK, OLD_TRACK, RANGE, U32
from viewer.families.wow.m2.layout.records import PACKED_QUATERNION

TIMES, VALUES = [0, 1000, 2000, 3000], [10, 11, 12, 13]
FIRST, SECOND = SequenceSpan(0), SequenceSpan(1, 2000)


def flat(block: Block, ranges: tuple[int, int], number: int = -1, interpolation: int = 1) -> Any:
    """A track of four keys on the single timeline, whose ranges are elsewhere."""
    times, values = block.put(TIMES), block.put(VALUES)
    return np.array([(interpolation, number, ranges, times, values)], OLD_TRACK)


def keys(records: RecordTables, tracks: Any, sequence: SequenceSpan, dtype: Any = U32) -> TrackKeys:
    (found,) = read_keys(records, tracks, np.dtype(dtype), sequence)
    assert found is not None
    return found


def ranged(rows: list[tuple[int, int]]) -> tuple[Block, Any]:
    """A block that ends with the ranges of its track."""
    block = Block()
    track = flat(block, (0, 0))
    track["ranges"] = block.put(rows, RANGE)
    return block, track


@pytest.mark.parametrize("base", [0, 8])
def test_a_sequence_has_the_keys_of_its_range_which_may_end_with_the_file(base: int) -> None:
    block, track = ranged([(0, 1), (2, 3)])
    assert keys(block.records(False, base=base), track, FIRST).values.tolist() == [10, 11]
    assert keys(block.records(False, base=base), track, SECOND).values.tolist() == [12, 13]


def test_a_range_that_is_cut_off_is_not_read() -> None:
    block, track = ranged([(0, 1), (2, 3)])
    assert keys(block.records(False, cut=1), track, FIRST).values.tolist() == [10, 11]
    assert keys(block.records(False, cut=1), track, SECOND).values.tolist() == VALUES


def test_a_sequence_without_a_range_has_all_keys() -> None:
    block, track = ranged([(0, 1)])
    assert keys(block.records(False), track, SECOND).values.tolist() == VALUES


@pytest.mark.parametrize(
    ("stored", "read"), [((1, 9), [11, 12, 13]), ((3, 1), [13]), ((7, 9), [13]), ((0, 0), [10])]
)
def test_a_range_is_limited_to_the_keys_that_there_are(stored: tuple[int, int], read: list[int]) -> None:
    block, track = ranged([stored])
    assert keys(block.records(False), track, FIRST).values.tolist() == read


def test_times_count_from_the_start_of_the_sequence_in_seconds() -> None:
    block, track = ranged([(0, 1), (2, 3)])
    assert keys(block.records(False), track, SECOND).times.tolist() == [0, 1]


def test_a_global_sequence_has_all_keys_its_own_times_and_its_period() -> None:
    block, track = ranged([(0, 1), (2, 3)])
    track["global_sequence"] = 1
    found = keys(block.records(False), track, SECOND)
    assert (found.times.tolist(), found.period) == ([0, 1, 2, 3], 0.5)


@pytest.mark.parametrize(
    ("number", "period"), [(0, 4.0), (1, 0.5), (2, 0.0), (3, 0.0), (32767, 0.0), (-1, None), (-32768, None)]
)
def test_a_missing_global_sequence_stands_still(number: int, period: float | None) -> None:
    block = Block()
    track = flat(block, (0, 0), number)
    assert keys(block.records(False), track, FIRST).period == period


@pytest.mark.parametrize(("interpolation", "stepped"), [(0, True), (1, False), (2, False)])
def test_only_interpolation_0_is_stepped(interpolation: int, stepped: bool) -> None:
    block = Block()
    track = flat(block, (0, 0), interpolation=interpolation)
    assert keys(block.records(False), track, FIRST).stepped is stepped


@pytest.mark.parametrize("last", ["times", "values"])
def test_keys_may_end_with_the_file_and_not_behind_it(last: str) -> None:
    block = Block()
    parts = {name: block.put(VALUES) for name in sorted(("times", "values"), key=lambda name: name == last)}
    track = np.array([(1, -1, (0, 0), parts["times"], parts["values"])], OLD_TRACK)
    assert len(keys(block.records(False), track, FIRST).values) == 4
    assert read_keys(block.records(False, cut=1), track, U32, FIRST) == [None]


def test_the_shorter_of_times_and_values_counts() -> None:
    block = Block()
    track = flat(block, (0, 0))
    track["values"]["count"] = 3
    assert keys(block.records(False), track, FIRST).values.tolist() == [10, 11, 12]


def test_a_single_key_holds_in_every_sequence() -> None:
    block, track = ranged([(0, 0), (5, 5)])
    track["times"]["count"] = 1
    assert keys(block.records(False), track, SECOND).values.tolist() == [10]


def test_tracks_that_share_their_keys_cannot_ask_for_more_than_the_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("viewer.families.wow.m2.clips.tracks.SHARED_BYTES", 300)
    block = Block()
    tracks = np.repeat(flat(block, (0, 0)), 12)
    found = read_keys(block.records(False), tracks, U32, FIRST)
    assert [each is not None for each in found] == [True] * 9 + [False] * 3, "36 bytes, four keys each"


@pytest.mark.parametrize("at_once", [1, 5, 8, 100])
def test_keys_that_are_read_in_several_parts_are_the_same(
    monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr("viewer.families.wow.m2.clips.tracks.KEYS_AT_ONCE", at_once)
    block = Block()
    tracks = np.concatenate([flat(block, (0, 0)) for _ in range(5)])
    tracks["times"]["count"] = 4, 0, 3, 1, 4
    found = read_keys(block.records(False), tracks, U32, FIRST)
    assert [each and each.values.tolist() for each in found] == [VALUES, None, VALUES[:3], VALUES[:1], VALUES]


def test_packed_rotations_come_out_from_minus_1_to_1() -> None:
    block = Block()
    track = flat(block, (0, 0))
    track["values"] = 1, block.put([0, 32767, 65534, 0], "<u2")[1]
    assert keys(block.records(False), track, FIRST, PACKED_QUATERNION).values.tolist() == [[-1, 0, 1, -1]]


def nested(number: int = -1) -> tuple[Block, Any]:
    """A track with keys of two sequences, whose table of values ends the block."""
    block = Block()
    times = block.put([block.put([0, 1000]), block.put([0, 500])], REF)
    values = block.put([block.put([10, 11]), block.put([12, 13])], REF)
    return block, np.array([(1, number, times, values)], NESTED_TRACK)


@pytest.mark.parametrize("base", [0, 8])
def test_each_sequence_has_its_row_of_keys_which_may_end_with_the_file(base: int) -> None:
    block, track = nested()
    found = keys(block.records(True, base=base), track, SequenceSpan(1))
    assert (found.times.tolist(), found.values.tolist()) == ([0, 0.5], [12, 13])


def test_a_row_that_is_cut_off_has_no_keys() -> None:
    block, track = nested()
    assert keys(block.records(True, cut=1), track, FIRST).values.tolist() == [10, 11]
    assert read_keys(block.records(True, cut=1), track, U32, SequenceSpan(1)) == [None]


@pytest.mark.parametrize(("number", "sequence"), [(-1, 2), (0, 1)])
def test_the_first_row_stands_for_missing_rows_and_global_sequences(number: int, sequence: int) -> None:
    block, track = nested(number)
    assert keys(block.records(True), track, SequenceSpan(sequence)).values.tolist() == [10, 11]


def test_only_listed_rows_of_the_clip_lie_in_its_separate_file() -> None:
    block, track = nested()
    track["times"]["count"] = 1
    outside = np.array([1, 2, 3, 4], "<u4").tobytes()
    found = keys(block.records(True), track, SequenceSpan(1, outside=outside))
    assert found.values.tolist() == [12, 13], "the table lists no row 1 of times"


def test_keys_of_a_separate_file_may_end_with_it_and_not_behind_it() -> None:
    block = Block()
    times, values = block.put([(2, 0)], REF), block.put([(2, 8)], REF)
    track = np.array([(1, -1, times, values)], NESTED_TRACK)
    outside = np.array([0, 1000, 7, 8], "<u4").tobytes()
    found = keys(block.records(True, base=8), track, SequenceSpan(0, outside=outside))
    assert (found.times.tolist(), found.values.tolist()) == ([0, 1], [7, 8])
    assert read_keys(block.records(True), track, U32, SequenceSpan(0, outside=outside[:-1])) == [None]
