"""The gallery in Chromium, from the disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chromium import Chromium, Page
from tests.gallery_entries import write_gallery


@pytest.fixture(scope="session")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_gallery(tmp_path_factory.mktemp("galerie #1") / "all models.html")


@pytest.fixture(scope="session")
def tab(browser: Chromium, gallery: Path) -> Iterator[Page]:
    page = browser.open(gallery.as_uri())
    yield page
    assert page.failures == []
    page.close()


@pytest.fixture
def page(tab: Page, gallery: Path) -> Page:
    """The gallery as somebody sees it for the first time."""
    tab.resize(1280, 800)
    tab.prefer("light")
    tab.run("localStorage.clear()")
    tab.run("location.hash = ''")
    tab.load(gallery.as_uri())
    tab.settle()
    return tab
