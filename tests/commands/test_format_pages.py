"""The specification pages that layouts make."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.binary import Array, Chunk, ChunkStream, Fixed, Magic, Record
from viewer.binary.specification import SpecificationRow, specification
from viewer.commands.formats import page
from viewer.errors import ResourceError
from viewer.family.page import FormatPage
from viewer.family.registry import formats, pages

PLAIN_NAMES = {"name", "red", "green", "blue"}
"""Names of fields that say everything."""


def rows(of: FormatPage) -> list[SpecificationRow]:
    return [row for section in of.sections for row in section.rows]


def row(of: str, name: str) -> SpecificationRow:
    return next(each for each in rows(page(of)) if each.name == name)


def test_every_format_that_opens_has_a_page() -> None:
    assert {each.name for each in formats()} <= {each.format for each in pages()}
    assert {suffix for each in formats() for suffix in each.suffixes} <= {
        suffix for each in pages() for suffix in each.suffixes
    }


@pytest.mark.parametrize("each", pages(), ids=lambda each: each.name)
def test_every_field_has_a_note_or_a_name_that_says_everything(each: FormatPage) -> None:
    silent = [one for one in rows(each) if not one.note and one.name not in PLAIN_NAMES]
    assert silent == []


@pytest.mark.usefixtures("wow")
def test_names_that_say_everything_are_names_of_fields_without_a_note() -> None:
    assert {one.name for each in pages() for one in rows(each) if not one.note} == PLAIN_NAMES


@pytest.mark.parametrize("each", pages(), ids=lambda each: each.name)
def test_a_page_names_its_source(each: FormatPage) -> None:
    assert each.source
    assert each.about


@pytest.mark.parametrize("each", pages(), ids=lambda each: each.name)
def test_no_type_or_condition_is_a_function(each: FormatPage) -> None:
    told = [text for one in rows(each) for text in (one.type, one.condition)]
    assert not [text for text in told if "<" in text or "lambda" in text]


def test_fields_are_in_file_order_with_their_offsets_where_fixed() -> None:
    fields = rows(page("urho3d-model"))
    assert [each.name for each in fields[:4]] == ["magic", "version", "vertex_buffers", "vertex_count"]
    assert row("urho3d-model", "offset").offset == "0x28"
    assert row("urho3d-model", "vertices").offset == ""


def test_a_condition_is_that_of_the_layout() -> None:
    assert row("urho3d-model", "radius").presence == "if collision & 1"
    assert row("ogre-mesh", "strategy").presence == "since v1.41"


@pytest.mark.usefixtures("wow")
def test_offsets_of_a_wow_header_are_those_of_every_generation() -> None:
    assert row("m2", "sequences").offset == "0x1C"
    assert row("m2", "bones").offset == "0x34, 0x2C from 264"


@pytest.mark.usefixtures("wow")
def test_a_unit_is_told_apart_from_the_meaning() -> None:
    radius = row("urho3d-model", "radius")
    assert (radius.meaning, radius.unit) == ("radius of the sphere around the bone's origin", "model units")
    assert row("m2", "speed").unit == "yards a second"


@pytest.mark.parametrize("name", ["urho3d-model", "mdl", ".MDL", "Urho3D model"])
def test_a_page_is_found_by_name_suffix_or_title(name: str) -> None:
    assert page(name).name == "urho3d-model"


def test_a_misspelt_name_lists_the_near_ones() -> None:
    with pytest.raises(ResourceError, match="no format 'ogre-meh'; near: ogre-mesh"):
        page("ogre-meh")


def test_the_fields_of_a_field_are_a_level_deeper() -> None:
    names = ("bones", "name", "pose", "rotation")
    found = {each.name: each.level for each in rows(page("urho3d-model")) if each.name in names}
    assert found == {"bones": 0, "name": 1, "pose": 1, "rotation": 2}


@pytest.mark.parametrize(("most", "count"), [(1, "one"), (None, "any number")])
def test_a_stream_tells_how_many_chunks_it_holds(most: int | None, count: str) -> None:
    layout = Record("file", ChunkStream("things", (Chunk(0x1, "thing", many=True),), most=most))
    (thing,) = specification(layout).rows
    assert thing.type == f"chunk 0x0001, {count}"


def test_offsets_are_told_as_long_as_every_field_before_has_a_fixed_size() -> None:
    number, one, several = Fixed("number", np.dtype("<u2")), (b"ONE!",), (b"A", b"LONG")
    fields = (
        number,
        Array("three", np.dtype("<f4"), 3),
        number,
        Array("some", np.dtype("u1"), "number"),
        number,
    )
    assert [each.offset for each in specification(Record("file", Magic("magic", one), *fields)).rows] == [
        *("0x00", "0x04", "0x06", "0x12", "0x14", ""),
    ]
    for magic in (Magic("magic", several), Magic("magic", one, optional=True)):
        assert [each.offset for each in specification(Record("file", magic, number)).rows] == ["0x00", ""]
