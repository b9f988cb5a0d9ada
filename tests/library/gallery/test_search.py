"""The search of a gallery: the written cases of the query language in the page."""

from __future__ import annotations

import json

import pytest

from tests.chromium import Page
from tests.gallery_entries import PLACE
from tests.library.query_cases import CASES, MISTAKES, names
from viewer.library.index.query import parse
from viewer.library.index.query_terms import QueryError


@pytest.fixture(scope="module")
def found(tab: Page) -> dict[str, list[str]]:
    code = f"Object.fromEntries({json.dumps([*CASES])}.map(each => [each, rigscopeGallery.find(each)]))"
    return dict(tab.run(code))


@pytest.mark.parametrize("query", CASES)
def test_a_query_finds_its_files(query: str, found: dict[str, list[str]]) -> None:
    assert sorted(path.removeprefix(f"{PLACE}/") for path in found[query]) == names(query)


@pytest.mark.parametrize("query", MISTAKES)
def test_a_mistake_is_at_the_same_place(query: str, tab: Page) -> None:
    code = f"(() => {{ try {{ rigscopeGallery.find({json.dumps(query)}) }} catch (e) {{ return e.at }} }})()"
    with pytest.raises(QueryError) as wrong:
        parse(query)
    assert tab.run(code) == wrong.value.at
