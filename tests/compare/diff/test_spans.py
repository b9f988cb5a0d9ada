"""The parts of two files that differ."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compared_files import opened
from tests.synthetic import animation_bytes, bone, model_bytes, track
from viewer.compare.diff.spans import LISTED_SPANS, SpanDifference, span_differences, unequal_bytes

BASE, TIP = bone("base", 0, 0, 0), bone("tip", 0, 0.5, 0.5)


def differences(folder: Path, one: bytes, other: bytes, name: str) -> list[SpanDifference]:
    """The spans that differ between two files of these bytes."""
    return list(span_differences(opened(folder, one, name), opened(folder, other, name)))


def test_equal_files_have_none(tmp_path: Path) -> None:
    assert differences(tmp_path, model_bytes(), model_bytes(), "a.mdl") == []


def test_a_field_differs_with_both_values(tmp_path: Path) -> None:
    one, other = animation_bytes("Bend", 1.0), animation_bytes("Bend", 2.0)
    (found,) = differences(tmp_path, one, other, "a.ani")
    assert (found.path, found.value, found.other_value) == ("length", 1.0, 2.0)
    assert found.offset == found.other_offset == 9


def test_a_row_of_bulk_data_is_found(tmp_path: Path) -> None:
    one, other = (
        animation_bytes(tracks=[track("tip", [0, 1, 2], position=[(0, 0, 0), (0, y, 0), (0, 0, 0)])])
        for y in (1, 2)
    )
    (found,) = differences(tmp_path, one, other, "a.ani")
    assert found.path == "tracks[0]/keys/keys[1]/position" and found.other_value == [0.0, 2.0, 0.0]


def test_what_follows_an_inserted_part_is_compared_with_its_counterpart(tmp_path: Path) -> None:
    one, other = model_bytes(), model_bytes(bones=[BASE, TIP, bone("ear", 1, 0.7, 0.2)])
    found = differences(tmp_path, one, other, "a.mdl")
    assert [each.path for each in found] == ["bones/count", "bones[2]"]
    assert found[1].offset is None and found[1].other_offset is not None


@pytest.mark.parametrize("place", [0, 1, 3])
def test_rows_after_an_inserted_row_belong_together(tmp_path: Path, place: int) -> None:
    times = [0.0, 1.0, 2.0]
    longer = [*times[:place], 0.5, *times[place:]]
    one, other = (
        animation_bytes(tracks=[track("tip", keys, position=[(key, 0, 0) for key in keys])])
        for keys in (times, longer)
    )
    count, row = differences(tmp_path, one, other, "a.ani")
    assert (count.value, count.other_value) == (3, 4)
    assert row.path == f"tracks[0]/keys/keys[{place}]"
    assert row.offset is None and row.other_offset is not None
    shorter = differences(tmp_path, other, one, "a.ani")
    assert shorter[1].path == row.path and shorter[1].other_offset is None


def test_the_number_of_parts_is_bounded(tmp_path: Path) -> None:
    keys = [float(time) for time in range(3000)]
    one, other = (animation_bytes(tracks=[track("tip", keys, position=[(x, 0, 0)] * 3000)]) for x in (1, 2))
    assert len(differences(tmp_path, one, other, "a.ani")) == LISTED_SPANS


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [
        (b"abc", b"abc", 0),
        (b"abc", b"axc", 1),
        (b"abcd", b"abXcd", 1),
        (b"abXYcd", b"abcd", 2),
        (b"", b"abc", 3),
        (b"aaa", b"aaaa", 1),
    ],
)
def test_bytes_that_differ_are_counted(one: bytes, other: bytes, count: int) -> None:
    assert unequal_bytes(one, other) == count


def test_parts_at_the_same_place_belong_together_where_sizes_agree(tmp_path: Path) -> None:
    one, other = model_bytes(bones=[BASE, TIP]), model_bytes(bones=[TIP, BASE])
    found = differences(tmp_path, one, other, "a.mdl")
    assert found and all(each.offset is not None and each.other_offset is not None for each in found)
