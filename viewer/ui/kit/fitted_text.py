"""Texts and indentations that fit the room they have."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.ui.value_text import middled

SHORTEST = 3
"""The letters that a shortened text keeps at least."""
INDENT_SHARE = 0.5
"""The largest share of the room for the indentation of a row."""


def fitted(text: str, room: float) -> str:
    """The text, shortened in the middle to `room` points of the current font."""
    if imgui.calc_text_size(text).x <= room:
        return text
    low, high = SHORTEST, len(text) - 1
    while low < high:
        count = (low + high + 1) // 2
        if imgui.calc_text_size(middled(text, count)).x <= room:
            low = count
        else:
            high = count - 1
    return middled(text, low)


def cut(text: str, room: float) -> str:
    """The text, shortened at its end to `room` points of the current font."""
    width = imgui.calc_text_size(text).x
    return text if width <= room else text[: max(int(len(text) * room / width) - 2, 0)] + "…"


def indentation(depth: int, step: float, room: float, needed: float = 0.0) -> float:
    """The indentation in points of a row at that depth: `step` for each level, at most half of the `room`.

    A row that needs more room gives up its indentation, down to one level.
    """
    full = min(depth * step, room * INDENT_SHARE)
    return max(min(full, room - needed), min(full, step))


def fitted_row(depth: int, name: str, icon: str = "") -> tuple[float, str]:
    """The indentation in points of a tree row at that depth, and its label with the name as it fits into the
    column.
    """
    style, room = imgui.get_style(), imgui.get_content_region_avail().x
    before = imgui.get_tree_node_to_label_spacing() + style.item_spacing.x
    before += imgui.calc_text_size(icon).x if icon else 0.0
    moved = indentation(depth, style.indent_spacing, room, before + imgui.calc_text_size(name).x)
    return moved, icon + fitted(name, room - moved - before)
