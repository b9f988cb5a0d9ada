"""DBC, the tables of World of Warcraft clients."""

from __future__ import annotations

from viewer.formats.registry import Format, later
from viewer.scene.files import TABLE

MAGIC = b"WDBC"


def is_dbc(data: bytes, suffix: str) -> bool:
    """Whether a file is a table, by its magic."""
    return data.startswith(MAGIC)


FORMATS = (
    Format("WoW table", (".dbc",), is_dbc, later("viewer.formats.dbc.load:load_table"), TABLE, (MAGIC,)),
)
