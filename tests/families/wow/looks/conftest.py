"""Fixtures for tests of looks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from viewer.storage.resource_folders import give_resources, give_search


@pytest.fixture(autouse=True)
def own_places() -> Iterator[None]:
    """Each test begins without resource folders and with the usual search."""
    yield
    give_resources(())
    give_search(None)
