"""Values and names from files as short lines of text: escaped, shortened, fitted."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from imgui_bundle import imgui

from viewer.errors import printable

ICON = re.compile("([\ue000-\uf8ff])")
"""The private letters of the icon font."""
ID = re.compile("#(?=#)")


def visible(text: str) -> str:
    """A text as one line: control characters are escaped as by `printable`, icons stay."""
    if text.isprintable():
        return text
    return "".join(part if ICON.match(part) else printable(part) for part in ICON.split(text))


def visible_lines(text: str) -> str:
    """A text of several lines; each is made `visible`."""
    return text if text.isprintable() else "\n".join(map(visible, text.split("\n")))


def containing(texts: Iterable[str], words: Sequence[str]) -> list[int]:
    """Return the indices of the texts that contain all `words`, which are case-folded."""
    folded = map(str.casefold, texts)
    return [number for number, text in enumerate(folded) if all(word in text for word in words)]


def label_text(name: str) -> str:
    """A name as a widget's label: `##` in it begins no id."""
    return ID.sub("# ", visible(name))


SHOWN_LETTERS = 64
UNITS = ("B", "KB", "MB", "GB", "TB")
DIGITS = 6
COPIED_NUMBERS = 1 << 16
_TOLERANCE = re.compile(r"\s*(?:±|\+/?-)\s*")


def value_text(value: Any) -> str:
    """A value in one short line: `0.25 1 0`, `"Head"`; long values end in an ellipsis."""
    if value is None:
        return ""
    return shortened(_text(value))


class ExactText(str):
    """A text with rounded numbers. Copying it copies the numbers with all their digits."""

    values: Any = None

    @classmethod
    def of(cls, text: str, values: Any) -> ExactText:
        """The text that shows `values`, a number or an array."""
        made = cls(text)
        made.values = values
        return made

    @property
    def exact(self) -> str:
        """The numbers with as many digits as their type has, at most COPIED_NUMBERS of them."""
        return " ".join(map(str, np.asarray(self.values).ravel()[:COPIED_NUMBERS]))


def exact_text(text: str) -> str:
    """The text to copy."""
    return text.exact if isinstance(text, ExactText) else text


def shortened(text: str) -> str:
    """A text, cut to SHOWN_LETTERS letters."""
    return text if len(text) <= SHOWN_LETTERS else text[: SHOWN_LETTERS - 1] + "…"


def middled(text: str, most: int) -> str:
    """A text of at most `most` letters (at least 3), shortened in the middle."""
    if len(text) <= max(most, 3):
        return text
    front = max(most - 1, 2) // 2
    return f"{text[:front]}…{text[len(text) - max(most - 1 - front, 1) :]}"


def _text(value: Any) -> str:
    if type(value) is float:  # the most frequent values by far
        return number_text(value)
    if isinstance(value, str):
        return f'"{printable(value)}"'
    if isinstance(value, np.ndarray | np.void) and value.dtype.names:
        return "  ".join(value_text(value[name]) for name in value.dtype.names)
    if isinstance(value, np.ndarray):
        return " ".join(map(number_text, value.ravel()[:SHOWN_LETTERS].tolist()))
    if isinstance(value, bytes):
        return _bytes_text(value[:SHOWN_LETTERS])
    if isinstance(value, list | tuple):
        return " ".join([_text(each) for each in value[:SHOWN_LETTERS]])
    return number_text(value.item() if isinstance(value, np.generic) else value)


def _bytes_text(value: bytes) -> str:
    """`"MD20"`, or `4D 44 00 30` if a byte is not a printable ASCII character."""
    readable = value.isascii() and value.decode("latin-1").isprintable()
    return f'"{value.decode("ascii")}"' if value and readable else value.hex(" ").upper()


def number_text(value: Any) -> str:
    """A number as short as its size allows: 0.25, 1.2e-07, 4294967295."""
    return f"{value:.{DIGITS}g}" if isinstance(value, float) else str(value)


def parse_number(text: str) -> tuple[float, float] | None:
    """The number in a text, and its tolerance; None if the text is not a number.

    `0x1F` and `17` are exact. `0.25` matches all values that panels print as 0.25, with six digits.
    `1.5±0.01` (also `1.5+-0.01`) states the tolerance.
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
    """Half a unit of the sixth digit; whole numbers are exact."""
    if not value or not math.isfinite(value) or not set(number.lower()) & set(".e"):
        return 0.0
    return float(0.5000001 * 10.0 ** (math.floor(math.log10(abs(value))) - DIGITS + 1))


def size_text(count: float) -> str:
    """A size in the unit that needs at most three digits: `12.3 MB`."""
    for unit in UNITS[:-1]:
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} {UNITS[-1]}"


SHORTEST = 3
"""The least number of letters of a shortened text."""
INDENT_SHARE = 0.5
"""The largest share of the room for a row's indentation."""


def fitted(text: str, room: float) -> str:
    """A text, shortened in the middle to `room` points of the current font."""
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
    """A text, cut at its end to `room` points of the current font."""
    width = imgui.calc_text_size(text).x
    return text if width <= room else text[: max(int(len(text) * room / width) - 2, 0)] + "…"


def indentation(depth: int, step: float, room: float, needed: float = 0.0) -> float:
    """The indentation in points of a row at a depth: `step` for each level, at most half of the `room`.

    A row that needs more room loses indentation, down to one level.
    """
    full = min(depth * step, room * INDENT_SHARE)
    return max(min(full, room - needed), min(full, step))


def fitted_row(depth: int, name: str, icon: str = "") -> tuple[float, str]:
    """The indentation in points of a tree row at a depth, and its label with the name shortened to the
    column.
    """
    style, room = imgui.get_style(), imgui.get_content_region_avail().x
    before = imgui.get_tree_node_to_label_spacing() + style.item_spacing.x
    before += imgui.calc_text_size(icon).x if icon else 0.0
    moved = indentation(depth, style.indent_spacing, room, before + imgui.calc_text_size(name).x)
    return moved, icon + fitted(name, room - moved - before)
