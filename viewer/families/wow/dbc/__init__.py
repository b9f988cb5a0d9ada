"""DBC, the tables of World of Warcraft clients."""

from __future__ import annotations

MAGIC = b"WDBC"
SUFFIX = ".dbc"


def is_dbc(data: bytes, suffix: str) -> bool:
    """Whether a file is a table, by its magic."""
    return data.startswith(MAGIC)
