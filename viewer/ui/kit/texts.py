"""Values and names from files as short texts: escaped, shortened, and fitted to a width."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
from imgui_bundle import imgui

from viewer.errors import printable

ICON = re.compile("([\ue000-\uf8ff])")
"""Matches the private-use characters of the icon font."""
ID = re.compile("#(?=#)")


def visible(text: str) -> str:
    """Return a text as one line, with control characters escaped by `printable`. Icons stay."""
    if text.isprintable():
        return text
    return "".join(part if ICON.match(part) else printable(part) for part in ICON.split(text))


def visible_lines(text: str) -> str:
    """Return a text of several lines, with each line made `visible`."""
    return text if text.isprintable() else "\n".join(map(visible, text.split("\n")))


def label_text(name: str) -> str:
    """Return a name as a widget's label, in which ImGui does not read `##` as the start of an id."""
    return ID.sub("# ", visible(name))


SHOWN_LETTERS = 64
DIGITS = 6
COPIED_NUMBERS = 1 << 16
_TOLERANCE = re.compile(r"\s*(?:±|\+/?-)\s*")


def value_text(value: Any) -> str:
    """Return a value as a short line: `0.25 1 0`, `"Head"`. Long values end with an ellipsis."""
    if value is None:
        return ""
    return shortened(_text(value))


class ExactText(str):
    """A text with rounded numbers. Copying it copies the numbers with all their digits.

    `calculated` numbers may change from frame to frame.
    """

    values: Any = None
    calculated = False

    @classmethod
    def of(cls, text: str, values: Any) -> ExactText:
        """Make the text that shows `values`, a number or an array."""
        made = cls(text)
        made.values = values
        return made

    @property
    def exact(self) -> str:
        """The first COPIED_NUMBERS numbers with all digits of their type."""
        return " ".join(map(str, np.asarray(self.values).ravel()[:COPIED_NUMBERS]))


def exact_text(text: str) -> str:
    """Return the text for the clipboard. For an `ExactText`, this text has the exact numbers."""
    return text.exact if isinstance(text, ExactText) else text


def shortened(text: str) -> str:
    """Cut a text to SHOWN_LETTERS letters."""
    return text if len(text) <= SHOWN_LETTERS else text[: SHOWN_LETTERS - 1] + "…"


def middled(text: str, most: int) -> str:
    """Shorten a text in the middle to `most` letters (at least 3)."""
    if len(text) <= max(most, 3):
        return text
    front = max(most - 1, 2) // 2
    return f"{text[:front]}…{text[len(text) - max(most - 1 - front, 1) :]}"


def _text(value: Any) -> str:
    if type(value) is float:  # floats are the most frequent values by far
        return number_text(value)
    if isinstance(value, str):
        return f'"{printable(value)}"'
    if isinstance(value, np.ndarray | np.void) and value.dtype.names:
        return "  ".join(value_text(value[name]) for name in value.dtype.names)
    if isinstance(value, np.ndarray):
        return " ".join(map(_text, value.ravel()[:SHOWN_LETTERS].tolist()))
    if isinstance(value, bytes):
        return _bytes_text(value[:SHOWN_LETTERS])
    if isinstance(value, list | tuple):
        return " ".join([_text(each) for each in value[:SHOWN_LETTERS]])
    return number_text(value.item() if isinstance(value, np.generic) else value)


def _bytes_text(value: bytes) -> str:
    """The text of a byte string: `"MD20"`, or `4D 44 00 30` if a byte is not a printable ASCII character."""
    readable = value.isascii() and value.decode("latin-1").isprintable()
    return f'"{value.decode("ascii")}"' if value and readable else value.hex(" ").upper()


def number_text(value: Any) -> str:
    """Format a number: a float with six significant digits (0.25, 1.2e-07), an integer with all digits."""
    return f"{value:.{DIGITS}g}" if isinstance(value, float) else str(value)


def parse_number(text: str) -> tuple[float, float] | None:
    """Parse a number and its tolerance; None if the text is not a number.

    `0x1F` and `17` are exact. The tolerance of `0.25` covers all values that panels round to 0.25, with six
    digits. `1.5±0.01` and `1.5+-0.01` state the tolerance.
    """
    number, *rest = _TOLERANCE.split(text.strip(), maxsplit=1)
    try:
        if number.lower().lstrip("+-").startswith("0x"):
            return float(int(number, 16)), 0.0
        value = float(number)
        distance = abs(float(rest[0])) if rest else _rounding(number, value)
    except (ValueError, OverflowError):
        return None
    return (value, distance) if math.isfinite(value) else None


def _rounding(number: str, value: float) -> float:
    """The tolerance of a number: half a unit of its sixth digit, 0 for whole numbers."""
    if not value or not math.isfinite(value) or not set(number.lower()) & set(".e"):
        return 0.0
    return float(0.5000001 * 10.0 ** (math.floor(math.log10(abs(value))) - DIGITS + 1))


def grouped(number: int) -> str:
    """Format a whole number with spaces between groups of three digits: `12 345`."""
    return f"{number:,}".replace(",", " ")


SHORTEST = 3
"""The least number of letters of a shortened text."""
INDENT_SHARE = 0.5
"""The largest share of a row's width for its indentation."""


def fitted(text: str, room: float) -> str:
    """Shorten a text in the middle to a width of `room` points in the current font."""
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
    """Cut the end of a text to a width of `room` points in the current font."""
    width = imgui.calc_text_size(text).x
    return text if width <= room else text[: max(int(len(text) * room / width) - 2, 0)] + "…"


def indentation(depth: int, step: float, room: float, needed: float = 0.0) -> float:
    """The indentation in points of a row at `depth`: `step` per level, at most half of the `room`.

    The indentation leaves the room `needed` for the rest of the row if possible, but is at least one level.
    """
    full = min(depth * step, room * INDENT_SHARE)
    return max(min(full, room - needed), min(full, step))


def fitted_row(depth: int, name: str, icon: str = "") -> tuple[float, str]:
    """The indentation of a tree row in points, and its label: the icon, and the name fitted to the column."""
    style, room = imgui.get_style(), imgui.get_content_region_avail().x
    before = imgui.get_tree_node_to_label_spacing() + style.item_spacing.x
    before += imgui.calc_text_size(icon).x if icon else 0.0
    moved = indentation(depth, style.indent_spacing, room, before + imgui.calc_text_size(name).x)
    return moved, icon + fitted(name, room - moved - before)
