"""Limits for hostile files."""

from __future__ import annotations

import pytest

from tests.damage import SCALE
from viewer.binary import cursor
from viewer.formats.m2 import records


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbers of records that are read whatever the size of the file, divided by `SCALE`."""
    monkeypatch.setattr(cursor, "FREE_RECORDS", cursor.FREE_RECORDS // SCALE)
    monkeypatch.setattr(records, "MOST_RECORDS", records.MOST_RECORDS // SCALE)
