"""A kind of part is one row, and one entry in the table of each room that has something of its own for it."""

from __future__ import annotations

import ast
from collections.abc import Mapping

import pytest

from tests.meta.modules import PACKAGE, modules
from viewer.compare.diff.comparing import PART_DIFFERENCES
from viewer.library.index.facts import INDEXED
from viewer.scene import items
from viewer.scene.files import FileFacts
from viewer.scene.items import Item
from viewer.scene.parts import MODEL_PARTS, PART_KINDS
from viewer.ui.properties.properties_panel import PAGES

CLASSES = {name for name, each in vars(items).items() if isinstance(each, type) and "kind" in vars(each)}
"""The names of the classes of items that have a kind."""
MANY, MOST_MODULES = 5, 6
"""Few modules name many classes of items: the rows, the tables of pages, comparison and index, the
geometries of items, and the needs.
"""
LOADERS = ("viewer.families", "viewer.plugin")
"""Loaders say which bytes belong to which items, and `viewer.plugin` is what loaders of others import."""


def named_classes(source: str) -> set[str]:
    """The classes of items that a module names, by themselves or in `items`."""
    nodes = list(ast.walk(ast.parse(source)))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    names |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return names & CLASSES


def test_few_modules_name_many_kinds_of_parts() -> None:
    counts = {
        name: len(named_classes(path.read_text("utf-8")))
        for name, path in modules().items()
        if not name.startswith(LOADERS) and path != PACKAGE / "scene/items.py"
    }
    many = {name for name, count in counts.items() if count >= MANY}
    assert "viewer.scene.parts" in many
    assert len(many) <= MOST_MODULES, sorted(many)


def test_named_classes_are_seen() -> None:
    source = "PAGES = {BoneItem: 1, items.LodItem: 2, items.Item: 3}\nisinstance(a, KeyItem | MarkerItem)"
    assert named_classes(source) == {"BoneItem", "LodItem", "KeyItem"}


@pytest.mark.parametrize("table", [PAGES, PART_DIFFERENCES, INDEXED], ids=["page", "comparison", "index"])
def test_every_kind_of_part_has_an_entry(table: Mapping[type[Item], object]) -> None:
    assert [kind.item.__name__ for kind in MODEL_PARTS if kind.item not in table] == []


def test_every_kind_that_is_compared_or_indexed_has_a_row() -> None:
    assert {*PART_DIFFERENCES, *INDEXED} == {kind.item for kind in MODEL_PARTS}


def test_the_index_has_the_fields_of_kinds() -> None:
    named = {field for fields in INDEXED.values() for field in fields} - {""}
    assert named <= set(FileFacts.__struct_fields__)


def test_every_kind_has_texts_of_its_own() -> None:
    for texts in ([kind.item for kind in PART_KINDS.values()], [kind.key for kind in PART_KINDS.values()]):
        assert len(set(texts)) == len(PART_KINDS)
