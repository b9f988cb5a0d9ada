"""The names that were replaced by the field's terms do not come back."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from viewer.paths import PACKAGE

REPLACED = frozenset(
    [
        "showing",
        "playable",
        "reel",
        "rests",
        "selecting",
        "emitting",
        "living",
        "wardrobe",
        "errands",
        "carry",
        "pointing",
        "pointed",
        "speck",
        "ball",
        "moment",
        "instant",
        "sight",
        "paint",
        "coat",
        "course",
        "chance",
        "named_lines",
        "spots",
        "uneven",
        "wear",
        "crowds",
    ]
)
"""The words in lower case, as whole identifiers: `_Speck` and `SPECK` count, `spotlight` does not."""


def identifiers(text: str) -> Iterator[str]:
    """Every name that a module defines, uses or imports, and every keyword of its calls."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case (
                ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name))
            ):
                yield name
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                yield name
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from ((each.asname or each.name).rpartition(".")[2] for each in names)


def replaced(text: str) -> set[str]:
    """The replaced words that a module still uses as names."""
    return {name for name in identifiers(text) if name.strip("_").lower() in REPLACED}


@pytest.mark.parametrize(
    "text",
    [
        "class Speck: ...",
        "def _sight(): ...",
        "x.moment = 1",
        "f(instant=1)",
        "def f(coat): ...",
        "from a import Paint",
        "BALL = 1",
    ],
)
def test_a_replaced_name_is_found(text: str) -> None:
    assert replaced(text)


def test_other_names_and_texts_are_left_alone() -> None:
    assert not replaced('"""A moment."""\nspotlight = effect_hit(clip_time)  # paint\n')


def test_no_module_uses_a_replaced_name() -> None:
    found = {
        str(path.relative_to(PACKAGE)): sorted(names)
        for path in sorted(Path(PACKAGE).rglob("*.py"))
        if (names := replaced(path.read_text(encoding="utf-8")))
    }
    assert not found
