"""The context menu of a row in the chunk tree: its reference, and its referrers."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.ui.bytes.byte_selection import ByteSelection
from viewer.ui.bytes.span_rows import SpanRow, path_name, path_to


def references(view: ByteSelection, line: SpanRow) -> None:
    """Draw entries that go to the row's target and to its referrers."""
    span = line.span
    if span.target is not None and imgui.menu_item_simple(f"Go to its target   0x{span.target:X}", "Enter"):
        view.choose(line.path)
        view.follow()
    for number, source in enumerate(span.sources):
        key = "Shift+Enter" if not number else ""
        if imgui.menu_item_simple(f"Go to {_where(view, source)}, which refers to this", key):
            view.go(source)


def _where(view: ByteSelection, offset: int) -> str:
    """The path and offset of a referrer, such as `bones/[3]/rotation/times`."""
    return f"{path_name(view.root, path_to(view.root, offset, offset))}  0x{offset:X}"
