"""Bytes of an M2 model without a header, for tests of what its records point at."""

from __future__ import annotations

from typing import Any

import numpy as np

import tests.wow  # noqa: F401
from tests.m2_files import CLASSIC, WRATH
from viewer.binary.tables import RecordTables
from viewer.errors import Report
from viewer.families.wow.m2.layout.fields import U32
from viewer.families.wow.m2.layout.header import HEADER


class Block:
    """Bytes to which arrays are appended; `cut` bytes at the end are missing."""

    def __init__(self) -> None:
        self.data = bytearray(b"head")

    def put(self, items: Any, dtype: Any = U32) -> tuple[int, int]:
        """Count and offset of items that are appended."""
        offset, stored = len(self.data), np.array(items, dtype)
        self.data += stored.tobytes()
        return len(stored), offset

    def records(self, nested: bool, cut: int = 0, base: int = 0) -> RecordTables:
        data = bytes(base) + bytes(self.data)
        data = data[: len(data) - cut]
        made = RecordTables(
            data, base, len(data) - base, Report(), WRATH if nested else CLASSIC, HEADER, None
        )
        made.tables["global_sequences"] = np.array([4000, 500], "<u4")
        return made
