"""The fields and units of the query language, for the search of the page."""

from __future__ import annotations

from typing import Any

from viewer.library.index.query_terms import (
    AGES,
    ALONE,
    BYTES,
    COUNTED,
    HAS,
    MISSING_KINDS,
    READERS,
    SECONDS,
    TEXTS,
    THOUSANDS,
)

UNITS = {**dict.fromkeys(COUNTED, THOUSANDS), "size": BYTES, "length": SECONDS, "modified": AGES}
"""The factors of the units of each field that takes numbers."""


def language() -> dict[str, Any]:
    """The fields of texts, those of numbers with units and an example, the values of `has:`, the words that
    are conditions by themselves, and the kinds of missing files.
    """
    numbers = {field: {"units": UNITS[field], "example": example} for field, (_, example) in READERS.items()}
    return {"texts": TEXTS, "numbers": numbers, "has": HAS, "alone": ALONE, "missing": MISSING_KINDS}
