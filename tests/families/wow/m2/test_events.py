"""Events of sequences: their bounds, and the number of them that is read."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.m2_block import Block
from tests.m2_files import CLASSIC, WRATH
from viewer.binary.tables import REF, RecordTables
from viewer.budget import BUDGET
from viewer.families.wow.m2.clips.events import EventTimes, event_times
from viewer.families.wow.m2.clips.tracks import SequenceSpan
from viewer.families.wow.m2.layout.records import EVENT

FIRST, SECOND = SequenceSpan(0), SequenceSpan(1, 2000)


def opened(records: RecordTables, fired: list[Any], *starts: int, same_row: bool = False) -> EventTimes:
    """The events A, B … of a model with sequences of 1 s that start at these times. `same_row`: all have the
    first row of the nested arrays.
    """
    rows = np.zeros(len(fired), EVENT.dtype(WRATH if records.generation.nested else CLASSIC))
    rows["id"], rows["fired"] = [bytes([65 + number]) for number in range(len(fired))], fired
    records.tables["events"] = rows
    records.header = np.zeros(1, [("events", REF)])[0]
    records.header["events"]["offset"] = 7
    rows = np.arange(len(starts)) * (not same_row)
    return event_times(records, np.array(starts), np.full(len(starts), 1000), rows)


def seen(events: EventTimes, sequence: SequenceSpan) -> list[tuple[float, str]]:
    return [(event.time, event.name) for event in events.of(sequence, 1.0)]


def test_events_of_the_single_timeline_belong_to_the_clip_from_its_start_to_its_end() -> None:
    block = Block()
    late, early = block.put([1999, 2500, 3000, 3001]), block.put([2000, 2500])
    events = opened(block.records(False), [(0, -1, (0, 0), late), (0, -1, (0, 0), early)], 0, 2000)
    assert seen(events, SECOND) == [(0, "B"), (0.5, "A"), (0.5, "B"), (1, "A")]


@pytest.mark.parametrize(("number", "sequence", "times"), [(-1, 1, [0.25, 0.5]), (-1, 2, []), (0, 1, [])])
def test_nested_events_are_those_of_the_row(number: int, sequence: int, times: list[float]) -> None:
    block = Block()
    table = block.put(np.array([block.put([100]), block.put([250, 500])], REF), REF)
    events = opened(block.records(True, base=8), [(0, number, table)], 0, 0)
    assert seen(events, SequenceSpan(sequence)) == [(time, "A") for time in times]


@pytest.mark.parametrize("cut", [0, 1])
def test_nested_events_may_end_with_the_file_and_not_behind_it(cut: int) -> None:
    block = Block()
    table = block.put([(2, 12)], REF)
    block.put([250, 500])
    events = opened(block.records(True, cut=cut), [(0, -1, table)], 0)
    assert seen(events, FIRST) == ([] if cut else [(0.25, "A"), (0.5, "A")])


def test_events_of_a_separate_file_lie_in_it() -> None:
    block = Block()
    table = block.put([(1, 4)], REF)
    events = opened(block.records(True, base=8), [(0, -1, table)], 0)
    assert seen(events, SequenceSpan(0, outside=np.array([9, 500], "<u4").tobytes())) == [(0.5, "A")]


@pytest.mark.parametrize("nested", [False, True])
def test_events_that_share_their_times_are_limited_and_told(
    monkeypatch: pytest.MonkeyPatch, nested: bool
) -> None:
    monkeypatch.setattr("viewer.families.wow.m2.clips.events.BUDGET", replace(BUDGET, events=12))
    block = Block()
    times = block.put([100, 200, 300])
    shared = (0, -1, block.put([times, times], REF)) if nested else (0, -1, (0, 0), times)
    records = block.records(nested)
    events = opened(records, [shared] * 2, 0, 0)
    assert (len(seen(events, FIRST)), records.report.errors) == (6, [])
    events = opened(records, [shared] * 3, 0, 0)
    assert len(seen(events, FIRST)) == 6, "half of twelve"
    (error,) = records.report.errors
    assert (error.path, error.offset) == ("events", 7) and "18 events declared" in error.why


def test_events_of_sequences_that_share_a_row_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.families.wow.m2.clips.events.BUDGET", replace(BUDGET, events=12))
    block = Block()
    shared = (0, -1, block.put([block.put([100, 200, 300])], REF))
    records = block.records(True)
    events = opened(records, [shared] * 2, *[0] * 4, same_row=True)
    assert len(seen(events, FIRST)) == 3
    (error,) = records.report.errors
    assert "24 events declared" in error.why


def test_events_of_an_array_that_leaves_the_file_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.families.wow.m2.clips.events.BUDGET", replace(BUDGET, events=4))
    block = Block()
    times = block.put([100, 200, 300])
    _, at = block.put([times, times], REF)
    records = block.records(True)
    events = opened(records, [(0, -1, (1 << 30, at))], 0, 0)
    assert len(seen(events, FIRST)) == 0 and "6 events declared" in records.report.errors[0].why
