"""The rule of filters: what is typed is read in one way, and its field is drawn in one way."""

from __future__ import annotations

import ast

import pytest

from tests.meta.modules import modules

FILTER = "viewer.scene.text_filter"
FIELDS = {
    "viewer.ui.kit.widgets",  # the field of a filter
    "viewer.ui.files.header",  # a query with fields and operators
    "viewer.ui.dialogs.palette",  # the best match of letters
    "viewer.ui.dialogs.file_browser",  # a path, or the name of a file to write
    "viewer.ui.bytes.find_bar",  # bytes and offsets
    "viewer.ui.settings.controls",  # a value
    "viewer.ui.compiled.shader_page",  # names of defines
}
"""Modules with a text field that has a hint."""


def calls(source: str) -> list[str]:
    """The names of the called functions and methods, those of chained calls joined: `casefold.split`."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            inner = node.func.value
            chained = isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute)
            found.append(f"{inner.func.attr}.{node.func.attr}" if chained else node.func.attr)  # type: ignore[union-attr]
    return found


@pytest.mark.parametrize(
    ("call", "allowed"), [("casefold.split", {FILTER}), ("input_text_with_hint", FIELDS)]
)
def test_words_are_read_and_filters_drawn_in_one_place(call: str, allowed: set[str]) -> None:
    found = {name for name, module in modules().items() if call in calls(module.read_text("utf-8"))}
    assert found == allowed
