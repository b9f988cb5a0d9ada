"""The displays that tables give a model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import m2_files
from tests.creature_files import creature_tables, wrath_tables, write_creature
from viewer.errors import ResourceError
from viewer.families.wow.looks.displays import geosets_of
from viewer.scene.looks import Display, Displays
from viewer.storage.documents import open_document, wearing


@pytest.fixture
def displays(tmp_path: Path) -> Displays:
    return open_document(write_creature(tmp_path)).displays


def test_displays_come_in_the_order_of_their_ids(displays: Displays) -> None:
    assert [each.id for each in displays.listed] == [20, 21, 30, 40, 50]


def test_displays_that_look_alike_are_one_distinct_display(displays: Displays) -> None:
    assert [each.ids for each in displays.distinct] == [(20, 21), (30,), (40,), (50,)]
    assert displays.number_of(displays.listed[1]) == 0 and displays.number_of(None) is None


def test_the_first_display_whose_files_exist_is_worn(displays: Displays) -> None:
    assert [each.complete for each in displays.listed] == [True, True, False, True, True]
    assert displays.worn is displays.listed[0]


def test_the_scale_is_that_of_the_display_times_that_of_the_model(tmp_path: Path) -> None:
    found = open_document(write_creature(tmp_path, creature_tables(scale=0.5))).displays
    assert [each.scale for each in found.listed] == [1.0, 0.75, 0.5, 0.5, 0.5]


@pytest.mark.parametrize("scale", [0.0, -1.0, float("nan"), float("inf")])
def test_a_scale_that_no_size_has_is_one(tmp_path: Path, scale: float) -> None:
    tables = creature_tables([(20, 7, 0, 0, scale, 255, "MadeBlack")])
    assert open_document(write_creature(tmp_path, tables)).displays.listed[0].scale == 1.0


def test_of_several_rows_with_one_id_the_last_counts(tmp_path: Path) -> None:
    rows = [(20, 7, 0, 0, 1.0, 255, "MadeBlack"), (20, 7, 0, 0, 1.0, 255, "MadeWhite")]
    (display,) = open_document(write_creature(tmp_path, creature_tables(rows))).displays.listed
    assert display.textures == ("MadeWhite", "", "")


def test_alpha_and_character_are_read(displays: Displays) -> None:
    assert (displays.listed[-1].alpha, displays.listed[-1].extra) == (128, 5)


def test_a_model_without_skins_wears_its_first_display(tmp_path: Path) -> None:
    path = write_creature(tmp_path, textures=[{"type": 0, "name": "Creature\\Made\\MadeEyes.blp"}])
    assert open_document(path).displays.worn_id == 20


def test_a_character_wears_no_display(tmp_path: Path) -> None:
    """Its body and hair come from other tables."""
    rows = [(20, 7, 0, 9, 1.1, 255)]
    path = write_creature(tmp_path, creature_tables(rows), textures=[{"type": 1}, {"type": 6}])
    assert open_document(path).displays.worn is None


def test_a_display_that_names_no_skin_of_the_model_is_incomplete(tmp_path: Path) -> None:
    path = write_creature(tmp_path, textures=[{"type": 13}])
    assert open_document(path).displays.worn is None


@pytest.mark.parametrize(
    ("packed", "geosets"),
    [
        (0, []),
        (0x1111, [101, 201, 301, 401]),
        (0x20, [202]),
        (0xF0000000, [815]),
        (0x21, [101, 202]),
        (1 << 32, []),
    ],
)
def test_packed_geosets(packed: int, geosets: list[int]) -> None:
    assert list(geosets_of(packed)) == geosets


def test_later_clients_have_geosets_and_particle_colors(tmp_path: Path) -> None:
    row = (20, 7, 0, 0, 1.0, 255, "MadeBlack", "", "", "", 0, 0, 0, 4, 0x21, 0)
    (display,) = open_document(write_creature(tmp_path, wrath_tables(row), m2_files.WRATH)).displays.listed
    assert (display.geosets, display.colors) == ((101, 202), 4)


@pytest.mark.parametrize(
    ("text", "id"), [("", 20), ("40", 40), ("21", 21), ("#0", 20), ("#1", 30), ("#3", 50), ("none", None)]
)
def test_a_text_chooses_a_display(displays: Displays, text: str, id: int | None) -> None:
    found = displays.choose(text)
    assert (None if found is None else found.id) == id


@pytest.mark.parametrize("text", ["7", "#4", "black", "-1", "#", "²"])
def test_an_unknown_display_is_refused_with_the_known_ids(displays: Displays, text: str) -> None:
    with pytest.raises(ResourceError, match="its displays are 20, 30, 40, 50 and 1 more"):
        displays.choose(text)


def test_a_model_that_no_table_knows_says_so(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="no table of the game has displays of this model"):
        wearing(open_document(write_creature(tmp_path, {})), "20")


def test_a_title_says_what_a_display_changes() -> None:
    assert Display(1, ("Skin", "", "Eyes")).title == "Skin, Eyes"
    assert Display(1, ("", "", ""), 2.0, 9, (101, 202), 4).title == (
        "no textures, alpha 9, geosets 101 202, particle colours 4"
    )
