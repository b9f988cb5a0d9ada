"""A finding keeps its fingerprint while its numbers change, and no other finding has it."""

from __future__ import annotations

import pytest

from viewer.check.fingerprint import fingerprint, numbered, stable_path, stable_text

SUM = "the weights of 12 of 800 vertices of Body (first #31) do not add up to 1; one sum is 0.7"


@pytest.mark.parametrize(
    "text",
    [
        "the weights of 3 of 9000 vertices of Body (first #2) do not add up to 1; one sum is -1.5e-07",
        f"{SUM}; searched: /home/one/models",
    ],
)
def test_numbers_and_searched_places_do_not_matter(text: str) -> None:
    assert stable_text(text) == stable_text(SUM)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2 bones are called 'Bone01': #0, #1", "2 bones are called 'Bone02': #0, #1"),
        ("2 bones are called '1': #0, #1", "2 bones are called '2': #0, #1"),
        ("texture skin.1.png is missing", "texture skin.2.png is missing"),
        ("chunk 0x4000", "chunk 0x5000"),
    ],
)
def test_numbers_in_names_do(one: str, other: str) -> None:
    assert stable_text(one) != stable_text(other)


def test_rows_of_bulk_data_do_not_matter_in_a_path() -> None:
    assert stable_path("vertex_buffers[1]/vertices[892]") == "vertex_buffers[1]/vertices[N]"
    assert stable_path("bones[3]") == "bones[3]"


def test_each_part_of_a_finding_counts() -> None:
    parts = ("mesh/zero-normal", "a.mdl", "bones[3]", "text")
    made = fingerprint(*parts)
    assert made == fingerprint(*parts) and len(made) == 32
    for place in range(4):
        changed = list(parts)
        changed[place] += "x"
        assert fingerprint(*changed) != made
    assert fingerprint("a", "\udcff", "", "")


def test_equal_findings_are_numbered() -> None:
    assert list(numbered(["a", "b", "a"])) == ["a:1", "b:1", "a:2"]
