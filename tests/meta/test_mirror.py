"""Tests mirror the tree: the tests of the modules in `viewer/a/b` lie in `tests/a/b`, or one folder above."""

from __future__ import annotations

from pathlib import Path

from tests.meta.modules import PACKAGE

TESTS = Path(__file__).resolve().parents[1]
HELPERS = {"plugin_iqm", "assets", "benchmarks", "fuzzing", "golden", "meta", "soaking"}
"""Folders of `tests` that test no room."""


def folders_with(root: Path, pattern: str) -> set[str]:
    """Every folder below `root` that has such files itself, relative to `root`."""
    return {each.parent.relative_to(root).as_posix() for each in root.rglob(pattern)}


def test_every_folder_of_tests_has_its_folder_of_modules() -> None:
    tested = {each for each in folders_with(TESTS, "test_*.py") if each.split("/")[0] not in HELPERS}
    assert tested - folders_with(PACKAGE, "*.py") == set()


def test_every_folder_of_modules_has_tests_below_or_beside_it() -> None:
    modules = {each.parent for each in PACKAGE.rglob("*.py") if each.name != "__init__.py"}
    folders = {each.relative_to(PACKAGE).as_posix() for each in modules}
    tested = folders_with(TESTS, "test_*.py")
    assert {each for each in folders if each not in tested and each.rpartition("/")[0] not in tested} == set()
