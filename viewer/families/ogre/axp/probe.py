"""Recognise AXP archives, without importing their reader."""

from __future__ import annotations

MAGIC = b"AXPK"
SUFFIX = ".axp"


def is_axp(data: bytes, suffix: str) -> bool:
    """Return whether a file is an AXP archive, by its magic."""
    return data[: len(MAGIC)] == MAGIC
