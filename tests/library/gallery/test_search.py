"""The search of a gallery finds what the index finds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.chromium import Page
from tests.gallery_entries import ENTRIES, PLACE
from viewer.library.conditions import QueryError
from viewer.library.index import Index
from viewer.library.index_task import IndexedFile
from viewer.library.places import SourceFile
from viewer.library.query import parse
from viewer.library.worker_pool import Outcome
from viewer.scene.file_entry import FileEntry, FileFacts

QUERIES = (
    "",
    "skin",
    "ORCS",
    "orcs/gr",
    "*.mesh",
    "orcs/*.mesh",
    "gr?nt.*",
    "[1]",
    "模型",
    '"skin 1"',
    "bones>60",
    "bones>=60",
    "bones:60..",
    "triangles:..5000 triangles:1..",
    "bones!=60",
    "triangles<4.2k",
    "format:ogre",
    "format=ogre",
    'format="ogre mesh"',
    "version:264",
    "kind:picture",
    "clip:walk",
    "clip:wal or clip:stand",
    'bone:"bip01 head"',
    "bone:bi",
    "bone:ea",
    "bone=jaw",
    "bone!=jaw",
    "bone:*head",
    "texture:*.tga",
    "material:skin/*",
    "missing",
    "missing:texture",
    "missing:robe",
    "missing:material",
    "missing:skeleton",
    "has:particles",
    "has:skeleton",
    "error",
    '"error"',
    "error:ends",
    "warning:robe",
    "warnings>0",
    "errors:0",
    "size>1M",
    "size<1kb",
    "length>2s",
    "length:500ms",
    "modified<7d",
    "modified>7d",
    "modified:2024-10-05",
    "modified:..2024-10-04",
    "not format:ogre",
    "not (orcs or skin)",
    "orcs and not grunt or campfire",
    'name:skin "10"',
    "path:orcs name:s*",
    "constructor",
)
MISTAKES = (
    "bones>",
    "bones>x",
    "bone>3",
    "colour:red",
    "(a",
    "a)",
    "a or",
    "or a",
    "not",
    '"open',
    "has:wings",
    "clip:",
    "bones:..",
    ">3",
    "size>3q",
    "modified:2024-13-01",
    "modified:2024-02-30",
    "modified:7d..2024-01-01",
    "((((((((((((((((((((((((((((((((((((((((((((((((((a",
    "a " * 201,
    "constructor:3",
    "has:constructor",
    "bones>3constructor",
)


@pytest.fixture(scope="module")
def found(tab: Page) -> dict[str, list[str]]:
    code = f"Object.fromEntries({json.dumps(QUERIES)}.map(each => [each, rigscopeGallery.find(each)]))"
    return dict(tab.run(code))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("library"))


class ReadFiles:
    """Gives the facts of entries as if it had read their files."""

    def __init__(self, entries: dict[str, FileEntry]) -> None:
        self._entries = entries

    def run(self, task: object, arguments: Iterable[tuple[Any, ...]]) -> Iterator[Outcome]:
        for path, *_ in arguments:
            facts = self._entries[path].facts or FileFacts()
            yield Outcome(path, IndexedFile(facts, bytes(16)))


@pytest.fixture(scope="module")
def index(place: str) -> Iterator[Index]:
    """The index of the program, with the same files."""
    made = Index(Path(f"{place}.sqlite"))
    paths = {f"{place}/{each.name}": each for each in ENTRIES}
    files = [SourceFile(path, each.name, place, each.size, each.modified) for path, each in paths.items()]
    list(made.update(files, [place], ReadFiles(paths)))
    yield made
    made.close()


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_finds_what_the_index_finds(
    query: str, found: dict[str, list[str]], index: Index, place: str
) -> None:
    names = sorted(path.removeprefix(f"{PLACE}/") for path in found[query])
    assert names == sorted(each.name for each in index.query(query, [place]))


def test_the_queries_tell_the_files_apart(found: dict[str, list[str]]) -> None:
    assert len({tuple(paths) for paths in found.values()}) > 20


@pytest.mark.parametrize("query", MISTAKES)
def test_a_mistake_is_at_the_same_place(query: str, tab: Page) -> None:
    code = f"(() => {{ try {{ rigscopeGallery.find({json.dumps(query)}) }} catch (e) {{ return e.at }} }})()"
    with pytest.raises(QueryError) as wrong:
        parse(query)
    assert tab.run(code) == wrong.value.at
