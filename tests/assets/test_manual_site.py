"""The manual as a site: no warnings, no broken link, light and dark, on a phone, with a search."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from tests.chromium import Page
from tests.conftest import ROOT, made_once

PHONE = 390
"""The width of a phone in CSS pixels."""
WIDE = ("command-line", "keys", "window", "compare", "rules", "contributing", "layouts/m2")
"""The pages with wide tables and long lines of code."""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site; a warning of the generator is an error."""
    return made_once(tmp_path_factory, "manual", ROOT / "assets/manual/build.py")


@pytest.fixture
def page(browser: Any, site: Path) -> Iterator[Page]:
    """The index in a browser."""
    opened = browser.open((site / "index.html").as_uri())
    yield opened
    opened.close()


def test_no_link_of_the_site_is_broken(site: Path) -> None:
    pages = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    named = {path: set(re.findall(r'\sid="([^"]+)"', text)) for path, text in pages.items()}
    for path, text in pages.items():
        for link in re.findall(r'(?:href|src)="([^":]+)"', text):
            file, _, anchor = unquote(link).partition("#")
            target = (path.parent / file.partition("?")[0]).resolve() if file else path
            assert target.is_file(), f"{path.name}: {link}"
            assert not anchor or anchor in named[target], f"{path.name}: {link}"


def test_nothing_is_loaded_from_elsewhere(site: Path, page: Page) -> None:
    assert page.failures == []
    assert [url for url in page.requests if not url.startswith("file:")] == []


@pytest.mark.usefixtures("wow")
def test_a_phone_shows_pages_without_scrolling_sideways(site: Path, page: Page) -> None:
    page.resize(PHONE, 800)
    for name in WIDE:
        page.load((site / f"{name}.html").as_uri())
        assert page.run("document.documentElement.scrollWidth") <= PHONE, name


def test_the_dark_theme_has_another_background(page: Page) -> None:
    seen = []
    for scheme in ("light", "dark"):
        page.prefer(scheme)
        page.settle()
        seen.append(page.run("getComputedStyle(document.body).backgroundColor"))
    assert len(set(seen)) == 2


def test_the_search_finds_a_page(site: Path, page: Page) -> None:
    page.load((site / "search.html").as_uri() + "?q=baseline")
    page.until("[...document.querySelectorAll('#search-results a')].some(a => a.href.includes('check.html'))")
