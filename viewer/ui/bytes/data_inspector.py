"""The data inspector: the first selected bytes as a value of each type, in both byte orders."""

from __future__ import annotations

from itertools import takewhile

import numpy as np
from imgui_bundle import ImVec4, imgui
from msgspec import Struct

from viewer.ui.bytes.byte_selection import ByteSelection
from viewer.ui.kit.texts import number_text
from viewer.ui.kit.theme import FAINT
from viewer.ui.kit.widgets import Memo, clipped, colored, copy_text, hint, mono

NUMBERS = {
    "u8": "u1",
    "i8": "i1",
    "u16": "u2",
    "i16": "i2",
    "u32": "u4",
    "i32": "i4",
    "u64": "u8",
    "i64": "i8",
    "f16": "f2",
    "f32": "f4",
    "f64": "f8",
}
VECTORS = {"vec3": 3, "quaternion": 4}
TEXT_BYTES = 64
LAST_LETTER = "\u0530"
"""The first code point after Latin, Greek and Cyrillic."""
NUMBER_BYTES = 16
"""Size in bytes of the widest number or vector."""


class Reading(Struct, frozen=True):
    """A type, and the values that the bytes have as this type in little-endian and in big-endian order."""

    type: str
    little: str
    big: str
    note: str = ""


def readings(data: bytes, offset: int) -> list[Reading]:
    """Read the bytes from `offset` on as each type that is not longer than the rest of the data."""
    head = data[offset : offset + NUMBER_BYTES]
    if not head:
        return []
    found = [Reading("bits", f"{head[0]:08b}", "")]
    for name, code in NUMBERS.items():
        little, big = _both(head, code)
        if little:
            found.append(Reading(name, little, big if np.dtype(code).itemsize > 1 else ""))
    found += [
        Reading(name, *_both(head, f"{count}f4"), "x y z w" if count == 4 else "")
        for name, count in VECTORS.items()
        if len(head) >= 4 * count
    ]
    return found + _texts(data, offset)


def _both(head: bytes, code: str) -> tuple[str, str]:
    """Read a value in both byte orders, as two texts. A text is empty if there are too few bytes."""
    orders = np.dtype(code).newbyteorder("<"), np.dtype(code).newbyteorder(">")
    if len(head) < orders[0].itemsize:
        return "", ""
    little, big = (np.frombuffer(head, dtype, 1).ravel().tolist() for dtype in orders)
    return " ".join(map(number_text, little)), " ".join(map(number_text, big))


def _texts(data: bytes, offset: int) -> list[Reading]:
    narrow = data[offset : offset + TEXT_BYTES]
    wide = data[offset : offset + 2 * TEXT_BYTES]
    wide = wide[: len(wide) // 2 * 2]
    both = (wide.decode(f"utf-16-{order}e", "replace") for order in "lb")
    return [
        Reading("text", _printable(narrow.decode("utf-8", "replace")), ""),
        Reading("UTF-16", *map(_printable, both)),
    ]


def _printable(text: str) -> str:
    """The start of a text, before the first character that is not printable or not in the font."""
    return "".join(takewhile(lambda letter: letter.isprintable() and letter < LAST_LETTER, text))


class DataInspector:
    """The table of values. A click on a value copies it."""

    def __init__(self) -> None:
        self._readings = Memo()

    def __call__(self, view: ByteSelection) -> None:
        """Draw the values of the first selected bytes."""
        flags = (
            imgui.TableFlags_.scroll_y
            | imgui.TableFlags_.resizable
            | imgui.TableFlags_.row_bg
            | imgui.TableFlags_.no_borders_in_body
            | imgui.TableFlags_.pad_outer_x
        )
        found = self._readings.get((view.document, view.first), lambda: readings(view.data, view.first))
        if imgui.begin_table("inspector", 3, flags):
            _header()
            for number in clipped(len(found)):
                _row(found[number])
            _color(view.data[view.first : view.first + 4])
            imgui.end_table()


def _header() -> None:
    imgui.table_setup_scroll_freeze(0, 1)
    imgui.table_setup_column("Type", imgui.TableColumnFlags_.width_fixed, imgui.get_font_size() * 5)
    imgui.table_setup_column("Little-endian")
    imgui.table_setup_column("Big-endian")
    imgui.table_headers_row()


def _row(reading: Reading) -> None:
    imgui.table_next_row()
    imgui.table_next_column()
    colored(reading.type, FAINT)
    with mono():
        for text in (reading.little, reading.big):
            imgui.table_next_column()
            if not text:
                continue
            imgui.text_unformatted(text)
            if imgui.is_item_clicked():
                copy_text(text)
            hint(f"{text}\n{reading.note}\nClick to copy")


def _color(data: bytes) -> None:
    """Draw four bytes as a colour, in RGBA and in BGRA order."""
    if len(data) < 4:
        return
    red, green, blue, alpha = (byte / 255 for byte in data)
    imgui.table_next_row()
    imgui.table_next_column()
    colored("Colour", FAINT)
    for name, rgb in (("RGBA", (red, green, blue)), ("BGRA", (blue, green, red))):
        imgui.table_next_column()
        flags = imgui.ColorEditFlags_.alpha_preview_half | imgui.ColorEditFlags_.no_drag_drop
        imgui.color_button(f"{name}##swatch", ImVec4(*rgb, alpha), flags)
        imgui.same_line()
        colored(name, FAINT)
