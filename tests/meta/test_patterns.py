"""Patterns of modules in settings match modules: a folder that moves would leave them without effect."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from tests.fuzzing import INSTRUMENTED
from tests.meta.modules import PACKAGE, modules

STRICT = "disallow_untyped_defs"
"""A setting that only the strict part of mypy's settings has."""


def patterns(strict: bool) -> Iterator[str]:
    """The patterns of our own modules in the settings of mypy."""
    settings = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text("utf-8"))
    for each in settings["tool"]["mypy"]["overrides"]:
        if (STRICT in each) == strict:
            yield from (name for name in each["module"] if name.startswith("viewer"))


def matching(pattern: str) -> list[str]:
    """The modules that a pattern of mypy matches: `a.b.*` is `a.b` and all modules below it."""
    return [name for name in modules() if name == pattern.removesuffix(".*") or fnmatchcase(name, pattern)]


@pytest.mark.parametrize("pattern", [*patterns(strict=True), *patterns(strict=False)])
def test_patterns_of_mypy_match_modules(pattern: str) -> None:
    assert matching(pattern)


@pytest.mark.parametrize("name", INSTRUMENTED)
def test_what_guided_fuzzing_instruments_is_there(name: str) -> None:
    assert matching(f"{name}.*")


@pytest.mark.usefixtures("wow")
def test_readers_are_strict_and_instrumented() -> None:
    readers = {name for name, path in modules().items() if path.name in ("load.py", "probe.py")}
    strict = {name for pattern in patterns(strict=True) for name in matching(pattern)}
    traced = {name for pattern in INSTRUMENTED for name in matching(f"{pattern}.*")}
    assert len(readers) > 10
    assert readers - strict == set() and readers - traced == set()


def test_a_pattern_without_modules_is_seen() -> None:
    assert matching("viewer.gone.*") == [] and "viewer.scene.model" in matching("viewer.scene.*")


def test_guided_fuzzing_uses_the_list() -> None:
    source = Path(__file__).resolve().parents[1] / "fuzzing/guided.py"
    assert "include=[*INSTRUMENTED]" in source.read_text("utf-8")
