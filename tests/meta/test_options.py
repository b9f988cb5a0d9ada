"""The table of display options is the only place that lists them."""

from __future__ import annotations

import ast
from typing import get_type_hints

import msgspec
import pytest

from tests.meta.modules import modules
from viewer.commands.options.given_options import Options
from viewer.commands.options.parser import Option
from viewer.commands.options.table import PICTURE
from viewer.scene.display import DisplayOptions
from viewer.scene.model import Model
from viewer.scene.picture_options import PICTURE_OPTIONS, PICTURE_SETTINGS, SWITCHES, PictureTable
from viewer.session.preferences import Preferences

FOLLOWING = ("actions", "app", "commands.options", "session", "ui")
"""The packages in which everything about a display option follows from its row."""
FEW = 2
"""A pair may have a meaning of its own, such as the separators of a menu."""


def listed(source: str) -> list[list[str]]:
    """The names of switches in each tuple, list, set and dictionary of a module that has more than a few."""
    switches = {row.name for row in SWITCHES}
    found = []
    for node in ast.walk(ast.parse(source)):
        items = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", ())
        found.append([each.value for each in items if isinstance(each, ast.Constant)])
    return [names for names in ([*filter(switches.__contains__, each)] for each in found) if len(names) > FEW]


def test_no_module_lists_switches_again() -> None:
    prefixes = tuple(f"viewer.{name}." for name in FOLLOWING)
    sources = {name: path.read_text("utf-8") for name, path in modules().items() if name.startswith(prefixes)}
    assert len(sources) > 100
    assert {name: found for name, source in sources.items() if (found := listed(source))} == {}


@pytest.mark.parametrize("source", ['("grid", "axes", "shadow")', 'X = {"names": 1, "bounds": 2, "grid": 3}'])
def test_a_list_of_switches_is_found(source: str) -> None:
    assert len(listed(source)) == 1


def test_the_structs_have_the_fields_of_the_rows() -> None:
    rows = {name: row.default for name, row in PICTURE_OPTIONS.items()}
    made, settings = DisplayOptions(), Preferences()
    fields = {name: getattr(made, name) for name in DisplayOptions.__struct_fields__}
    assert fields == {**rows, "light_theme": False}
    assert {row.name: getattr(settings, row.name) for row in PICTURE_SETTINGS}.items() <= rows.items()
    assert not set(Options._fields) & set(rows)


@pytest.mark.parametrize("name", PICTURE_OPTIONS)
def test_the_default_of_a_row_is_of_the_type_of_its_field(name: str) -> None:
    default = PICTURE_OPTIONS[name].default
    assert msgspec.convert(default, get_type_hints(PictureTable)[name]) == default


def test_the_command_line_has_the_rows_with_a_help() -> None:
    given: dict[str, Option] = {option.name: option for option in PICTURE}
    assert {name for name in PICTURE_OPTIONS if name in given} == {
        name for name, row in PICTURE_OPTIONS.items() if row.help
    }
    assert len(given) == len(PICTURE)
    assert [row.name for row in SWITCHES if row.help and row.default and not row.negated] == []


@pytest.mark.parametrize("needs", sorted({row.needs for row in SWITCHES}))
def test_what_a_switch_needs_is_a_part_of_a_model(needs: str) -> None:
    assert needs in ("", "model", "skeleton", "animations") or hasattr(Model("A"), needs)
