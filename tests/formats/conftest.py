"""Limits for hostile files."""

from __future__ import annotations

import pytest

from tests.damage import SCALE
from viewer.binary import cursor, tables
from viewer.formats.m2 import references, views


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbers of records that are read whatever the size of the file, divided by `SCALE`."""
    monkeypatch.setattr(cursor, "FREE_RECORDS", cursor.FREE_RECORDS // SCALE)
    most = tables.MOST_RECORDS // SCALE
    for module in (tables, views):
        monkeypatch.setattr(module, "MOST_RECORDS", most)
    monkeypatch.setattr(references, "MOST_TABLES", references.MOST_TABLES // SCALE)
