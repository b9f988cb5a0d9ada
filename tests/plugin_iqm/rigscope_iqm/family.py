"""The family of Inter-Quake Models. Readers, pages and rules are imported when they are used."""

from __future__ import annotations

from viewer.plugin import Family, Format, later

MAGIC = b"INTERQUAKEMODEL\0"


def is_iqm(data: bytes, suffix: str) -> bool:
    """Whether a file is an Inter-Quake Model, by its magic."""
    return data[: len(MAGIC)] == MAGIC


FAMILY = Family(
    "IQM",
    (
        Format(
            "IQM model", (".iqm",), is_iqm, later("rigscope_iqm.load:load_iqm"), magics=(MAGIC,), gaps=True
        ),
    ),
    pages=later("rigscope_iqm.pages:pages"),
    rules=later("rigscope_iqm.rules:rules"),
    api=1,
)
