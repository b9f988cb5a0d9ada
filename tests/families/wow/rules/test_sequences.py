"""The rules for sequences: the lookup by id, aliases and variations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.check.m2_folder import told, write_model
from viewer.scene.items import AnimationItem


def rows(**columns: list[Any]) -> list[dict[str, Any]]:
    """Sequences with their keys inside."""
    names = list(columns)
    usual = {"flags": 0x20, "next_variation": -1, "duration": 100}
    return [usual | dict(zip(names, each, strict=True)) for each in zip(*columns.values(), strict=True)]


def texts(
    folder: Path, rule: str, sequences: list[dict[str, Any]], lookup: tuple[int, ...] = ()
) -> list[str]:
    path = write_model(folder, sequences=sequences, sequence_lookup=list(lookup))
    return [each.text for each in told(path, rule)]


@pytest.mark.parametrize(
    ("lookup", "lost"),
    [
        ((0, -1, -1, -1, 1), ""),
        ((), ""),
        ((0, -1, -1, -1, -1), "1 animation id: 4"),
        ((0, 1, -1, -1), ""),
        ((0, -1, -1, -1), "1 animation id: 4"),
        ((1,), "1 animation id: 0"),
    ],
)
def test_ids_are_found_in_the_lookup(tmp_path: Path, lookup: tuple[int, ...], lost: str) -> None:
    """With 4 entries, id 4 comes first at entry 0; where that is of another id, at entry 1."""
    found = texts(tmp_path, "m2/sequence-lookup", rows(id=[0, 4]), lookup)
    assert found == ([f"sequence_lookup leads to no sequence for {lost}"] if lost else [])


@pytest.mark.parametrize(
    ("flags", "alias", "text"),
    [
        ([0x20, 0x40, 0x40], [0, 0, 1], ""),
        ([0x20, 0x20, 0x20], [9, 9, 9], ""),
        ([0x20, 0x20, 0x40], [0, 0, 7], "sequence 2 is an alias of sequence 7; there are 3"),
        ([0x20, 0x20, 0x40], [0, 0, 3], "sequence 2 is an alias of sequence 3; there are 3"),
        ([0x20, 0x40, 0x40], [0, 2, 1], "2 aliases lead in a circle: sequences 1, 2"),
        ([0x20, 0x20, 0x40], [0, 0, 2], "1 alias lead in a circle: sequences 2"),
    ],
)
def test_aliases_lead_to_a_sequence(tmp_path: Path, flags: list[int], alias: list[int], text: str) -> None:
    found = texts(tmp_path, "m2/alias", rows(id=[0, 1, 2], flags=flags, alias=alias))
    assert found == ([text] if text else [])


def test_an_alias_has_its_item_and_place(tmp_path: Path) -> None:
    sequences = rows(id=[0, 1], flags=[0x20, 0x40], alias=[0, 5])
    (found,) = told(write_model(tmp_path, sequences=sequences), "m2/alias")
    assert found.items == (AnimationItem(1),) and found.path == "sequences[1]/alias"


@pytest.mark.parametrize(
    ("ids", "ahead", "text"),
    [
        ([0, 0, 0], [1, 2, -1], ""),
        ([0, 0, 4], [1, 2, -1], "the next variation of sequence 1 (id 0) is sequence 2 (id 4)"),
        ([0, 0, 4], [1, -1, 3], ""),
        ([0, 0, 4], [1, 0, -1], "the next variations of sequences 0, 1 lead in a circle"),
    ],
)
def test_variations_are_of_one_id(tmp_path: Path, ids: list[int], ahead: list[int], text: str) -> None:
    found = texts(tmp_path, "m2/variation", rows(id=ids, next_variation=ahead))
    assert found == ([text] if text else [])
