"""Limits for hostile files."""

from __future__ import annotations

import pytest

from tests.damage import SCALE
from viewer.binary import cursor
from viewer.formats.m2 import records, references, views


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbers of records that are read whatever the size of the file, divided by `SCALE`."""
    monkeypatch.setattr(cursor, "FREE_RECORDS", cursor.FREE_RECORDS // SCALE)
    most = records.MOST_RECORDS // SCALE
    for module in (records, views):
        monkeypatch.setattr(module, "MOST_RECORDS", most)
    monkeypatch.setattr(references, "MOST_TABLES", references.MOST_TABLES // SCALE)
