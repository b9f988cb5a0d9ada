"""The facts of a gallery as a script."""

from __future__ import annotations

import json

from tests.gallery_entries import entry
from viewer.library.gallery.page_data import FIELDS, NameNumbers, row, script
from viewer.scene.files import FileEntry


def test_names_are_stored_once() -> None:
    names = NameNumbers()
    rows = [row(entry(each, bone_names=("Head", "Jaw")), "", names) for each in ("a", "b")]
    assert list(names.names) == ["Head", "Jaw"]
    assert [each[FIELDS.index("bone_names")] for each in rows] == [[0, 1], [0, 1]]


def test_times_are_in_milliseconds_and_facts_under_their_fields() -> None:
    values = dict(
        zip(FIELDS, row(entry("a", modified=5_000_000, bones=7), "pic", NameNumbers()), strict=True)
    )
    assert (values["modified"], values["bones"], values["picture"]) == (5.0, 7, "pic")


def test_a_file_that_could_not_be_read_has_its_error_among_the_errors() -> None:
    names = NameNumbers()
    values = dict(zip(FIELDS, row(FileEntry("/a", "a", 0, 0, None, "it hangs"), "", names), strict=True))
    assert values["errors"] == [names.names["it hangs"]]


def test_the_script_is_ascii_and_has_no_numbers_that_json_has_not() -> None:
    names = NameNumbers()
    text = script([row(entry("模\udcff", length=float("nan")), "", names)], names, {})
    assert text.isascii() and "NaN" not in text
    data = json.loads(text.removeprefix("window.rigscopeGallery = ").rstrip(";\n"))
    (values,) = data["entries"]
    assert values[FIELDS.index("name")] == "模\udcff"
    assert values[FIELDS.index("length")] is None


def test_numbers_that_are_not_finite_are_null() -> None:
    names, numbers = NameNumbers(), (0.0, 1.5, -2.0, float("inf"), float("-inf"), float("nan"))
    text = script([row(entry("a", length=each), "", names) for each in numbers], names, {})
    entries = json.loads(text.removeprefix("window.rigscopeGallery = ").rstrip(";\n"))["entries"]
    assert [each[FIELDS.index("length")] for each in entries] == [0.0, 1.5, -2.0, None, None, None]
