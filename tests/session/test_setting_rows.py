"""The rows of the settings window: each has what its control needs, and words find it."""

from __future__ import annotations

import pytest

from viewer.session.preferences import Group, Preferences
from viewer.session.setting_rows import SettingRow, rows_by_name, setting_rows


@pytest.mark.parametrize("row", setting_rows(), ids=lambda row: row.name)
def test_a_row_has_texts_and_what_its_control_needs(row: SettingRow) -> None:
    assert row.title[0].isupper() and row.note[0].isupper()
    assert not row.title.endswith(".") and "`" not in row.note
    assert row.control != "number" or row.least < row.default < row.most
    assert row.control != "choice" or row.default in dict(row.choices)


def test_every_group_has_rows() -> None:
    assert {row.group for row in setting_rows()} == set(Group)


def test_the_control_follows_from_the_type() -> None:
    controls = {name: row.control for name, row in rows_by_name().items()}
    expected = {
        "grid": "switch",
        "scale": "number",
        "theme": "choice",
        "quality": "choice",
        "preset": "choice",
        "max_size": "size",
        "films": "text",
        "resources": "list",
        "keys": "keys",
    }
    assert expected.items() <= controls.items()


def test_what_the_window_remembers_is_no_row() -> None:
    assert not {"layout", "closed", "recent", "window"} & rows_by_name().keys()


def test_choices_keep_the_order_of_their_type() -> None:
    assert rows_by_name()["files_sort"].choices[:2] == (("name", "Name"), ("kind", "Kind"))


@pytest.mark.parametrize(("word", "name"), [("sensitivity", "turn_speed"), ("textures", "resources")])
def test_more_words_find_a_row(word: str, name: str) -> None:
    assert word in rows_by_name()[name].text and word not in rows_by_name()[name].title


def test_a_changed_value_is_seen() -> None:
    row = rows_by_name()["resources"]
    assert not row.is_changed(Preferences()) and row.is_changed(Preferences(resources=["/a"]))
