"""The query language: what texts find in the index, and where they are wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.gallery_entries import ENTRIES
from tests.library.query_cases import CASES, names, pieces
from viewer.library.file_sources import SourceFile
from viewer.library.index.facts import IndexedFile
from viewer.library.index.index import Index
from viewer.library.index.query import DEEPEST, MOST, parse
from viewer.library.index.query_terms import QueryError
from viewer.library.index.ratings import Ratings
from viewer.library.outcome import Outcome
from viewer.scene.files import UNMARKED, FileEntry, FileFacts


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
    ratings = Ratings(Path(f"{place}-ratings.sqlite"))
    ratings.put({f"{place}/{each.name}": each.mark for each in ENTRIES if each.mark != UNMARKED})
    made = Index(Path(f"{place}.sqlite"), ratings=ratings)
    paths = {f"{place}/{each.name}": each for each in ENTRIES}
    files = [SourceFile(path, each.name, place, each.size, each.modified) for path, each in paths.items()]
    list(made.update(files, [place], ReadFiles(paths)))
    yield made
    made.close()


@pytest.mark.parametrize("query", CASES)
def test_a_query_finds_its_files(query: str, index: Index, place: str) -> None:
    assert sorted(each.name for each in index.query(query, [place])) == names(query)


def test_the_queries_differ_in_what_they_find() -> None:
    assert len(set(CASES.values())) > 20


def test_every_field_operator_unit_and_word_is_in_a_case() -> None:
    def is_in(piece: str, query: str) -> bool:
        begin = r"(?<![\w:=<>])" if piece[0].isalpha() else ""
        end = r"(?!\w)" if piece[-1].isalpha() else ""
        return re.search(f"{begin}{piece}{end}", query) is not None

    assert [piece for piece in pieces() if not any(is_in(piece, query) for query in CASES)] == []


def test_of_several_places_each_has_its_names(index: Index, place: str) -> None:
    both = [f"{place}/orcs", f"{place}/模型"]
    for folder in both:
        Path(folder).mkdir()
    assert {each.name for each in index.query("*.mesh", both)} == {"Grunt.mesh", "Shaman.mesh", "白骆驼.mesh"}
    assert [each.name for each in index.query("grunt clip:walk", both)] == ["Grunt.mesh"]
    assert not index.query("orcs or 模型", both)


def test_a_day_is_from_midnight_to_midnight() -> None:
    (low, high) = parse("modified:2026-01-31").parameters
    assert isinstance(low, float) and isinstance(high, float)
    assert 86399e9 < high - low < 86400e9


def test_a_week_is_seven_times_24_hours() -> None:
    (week,), (hours,) = parse("modified<1w").parameters, parse("modified<168h").parameters
    assert isinstance(week, float) and isinstance(hours, float)
    assert abs(week - hours) < 1e9


@pytest.mark.parametrize(
    ("text", "at", "why"),
    [
        ("bones>", 6, "bones takes numbers"),
        ("walk bones>many", 11, "bones takes numbers"),
        ("bones:head", 6, "bone:head looks for names"),
        ("bones:..", 6, "a number is missing"),
        ("bone>5", 4, "bones>… counts"),
        ("clip:", 5, "a text is missing"),
        ("modified:7d..2026-01-01", 9, "one end of the range"),
        ("modified:2026-13-01", 9, "modified takes numbers"),
        ("modified:0000-01-01", 9, "modified takes numbers"),
        ("size:1e999999", 5, "size takes numbers"),
        ("has:wings", 4, "has: takes one of"),
        ("a bonse>5", 2, "no field 'bonse'; near: "),
        ("(a", 0, "the bracket is not closed"),
        ("a (b (c)", 2, "the bracket is not closed"),
        ("a)", 1, "no bracket is open"),
        ("()", 1, "is missing here"),
        ("not", 3, "is missing here"),
        ("a or", 4, "is missing here"),
        ("or a", 0, "is missing here"),
        ('a "b', 2, "the quote is not closed"),
        ('bone:"Bip', 5, "the quote is not closed"),
        (">5", 0, "a field, such as bones, is missing"),
    ],
)
def test_an_error_points_at_the_character(text: str, at: int, why: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse(text)
    assert (caught.value.at, why in caught.value.why) == (at, True), caught.value.why


@pytest.mark.parametrize("text", ["(" * 9999, "not " * 9999, "a " * (MOST + 1), "(" * DEEPEST + "(a"])
def test_a_query_without_end_is_refused(text: str) -> None:
    with pytest.raises(QueryError):
        parse(text)
