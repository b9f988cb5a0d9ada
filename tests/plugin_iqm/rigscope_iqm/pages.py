"""The page of `rigscope formats` about Inter-Quake Models."""

from __future__ import annotations

from rigscope_iqm import layout
from viewer.plugin import FormatPage, page_of_records


def pages() -> tuple[FormatPage, ...]:
    """Return the only page of the family."""
    tables = (
        "Each table lies at its offset in the header; the values of vertices at the offsets of their arrays."
    )
    return (
        page_of_records("iqm", "IQM model", ".iqm", layout, (layout.HEADER, ""), (layout.TABLES, tables)),
    )
