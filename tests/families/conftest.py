"""Limits for hostile files."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.damage import SCALE
from viewer.binary import cursor, tables
from viewer.budget import BUDGET
from viewer.families.wow.m2.clips import key_references as references
from viewer.families.wow.m2.mesh import views


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbers of records that are read whatever the size of the file, divided by `SCALE`."""
    monkeypatch.setattr(cursor, "FREE_RECORDS", cursor.FREE_RECORDS // SCALE)
    records, keys = BUDGET.table_records // SCALE, BUDGET.key_tables // SCALE
    small = replace(BUDGET, table_records=records, key_tables=keys)
    for module in (tables, references, views):
        monkeypatch.setattr(module, "BUDGET", small)
