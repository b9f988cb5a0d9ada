"""The texts of the outline's rows, fitted to the width of the panel."""

from __future__ import annotations

import re
from collections.abc import Iterator

from imgui_bundle import imgui
from msgspec import Struct

from viewer.ui.kit.texts import fitted, indentation, label_text
from viewer.ui.kit.widgets import mono
from viewer.ui.outline.tree import OutlineNode

COUNT = re.compile(r"([\d ]+(?:\.\d+)?) [a-z]+")
"""Matches a count with its noun."""
LETTERS = (8, 4)
"""The least number of letters of a shortened name: first for a name beside an exact count, then for a name
beside a rounded count.
"""
SHORT = 12
"""Names of at most this number of letters are not shortened beside a count."""
KEPT = 4096
"""The largest number of rows whose texts are cached."""


class RowText(Struct, frozen=True):
    """The texts of a row: the label with its indentation in points, and the detail with its width in points.

    If a text is shortened, `whole` has the complete texts for the tooltip; otherwise it is empty.
    """

    label: str
    indentation: float
    detail: str
    width: float
    whole: str


class RowTexts:
    """Fits the texts of rows to a panel, and caches them until its width or the font size changes."""

    def __init__(self) -> None:
        self._known: dict[object, RowText] = {}
        self._size = (0.0, 0.0)

    def get(self, node: OutlineNode, depth: int, room: float, eye: float, offset: str = "") -> RowText:
        """Fit the texts of a row to a width of `room` points. The eye takes `eye` points of this room.

        If the texts are too long, the count first loses its noun, then it is rounded, then the name is
        shortened. If there is no other detail, the `offset` of the bytes is shown if it fits.
        """
        size = (room, imgui.get_font_size())
        if size != self._size or len(self._known) > KEPT:
            self._size, self._known = size, {}
        key = (node, depth, eye, offset)
        if key not in self._known:
            self._known[key] = _row_text(node, depth, room - eye, offset)
        return self._known[key]


def _row_text(node: OutlineNode, depth: int, room: float, offset: str) -> RowText:
    style, size = imgui.get_style(), imgui.get_font_size()
    name, icon = label_text(node.label), f"{node.icon}  "
    before = imgui.get_tree_node_to_label_spacing() + style.item_spacing.x + imgui.calc_text_size(icon).x
    own = before + imgui.calc_text_size(name).x
    for detail, letters in _choices(node.detail, offset, len(name)):
        taken = _width(detail) + size / 2 if detail else 0.0
        needed = own + (taken if node.detail else 0.0)  # an offset never reduces the indentation
        moved = indentation(depth, style.indent_spacing, room, needed)
        label = fitted(name, room - moved - before - taken)
        if len(label) >= letters and imgui.calc_text_size(label).x <= room - moved - before - taken:
            break
    cut = label != name or detail not in (node.detail, offset)
    whole = f"{name}\n{node.detail}".rstrip() if cut else ""
    return RowText(icon + label, moved, detail, _width(detail), whole)


def _choices(detail: str, offset: str, name: int) -> Iterator[tuple[str, int]]:
    """Yield the possible forms of a detail, the best first.

    With each form comes the number of letters that the name beside it must keep; the name has `name` letters.
    The last form is empty.
    """
    found = COUNT.fullmatch(detail)
    forms = [detail or offset]
    if found:
        forms += [found[1], _rough(found[1])]
    yield from ((form, name) for form in forms)
    if detail and name > SHORT:
        yield from ((form, min(letters, name)) for form, letters in zip(forms[-2:], LETTERS, strict=False))
    yield "", 0


def _rough(count: str) -> str:
    """Round a count to a few letters: `4.9k`."""
    number = float(count.replace(" ", ""))
    return f"{number / 1000:.2g}k" if 1000 <= number < 99_500 else count


def _width(text: str) -> float:
    with mono():
        return float(imgui.calc_text_size(text).x) if text else 0.0
