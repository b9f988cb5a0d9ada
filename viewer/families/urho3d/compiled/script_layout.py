"""The layout of the beginning of a compiled AngelScript module, `.asc` (ASBC).

AngelScript's serializer writes the bytes after the magic, without a version and without lengths of parts. The
layout of these bytes depends on the release of the library. The described fields are the same in all releases
that store a text as twice its length, followed by its bytes. Source: Urho3D `ScriptFile.cpp`, `SaveByteCode`;
AngelScript `as_restore.cpp`, asCReader.
"""

from __future__ import annotations

import numpy as np

from viewer.binary import ByteWriter, Cursor, Field, Fixed, Magic, Record, Repeat, Span, Struct, When
from viewer.binary.code_pages import decode
from viewer.budget import BUDGET

U8 = np.dtype("u1")
TEXT_BYTES = 1 << 20
"""Longest text in bytes that AngelScript's reader accepts."""


class VariableInteger(Field):
    """A field of one to nine bytes with a number; the first byte's leading bits give the number of bytes."""

    kind = "integer of 1 to 9 bytes"
    minimum = 1

    def __init__(self, name: str, note: str = "", most: int = TEXT_BYTES) -> None:
        self.name, self.note, self.most = name, note, most

    def read(self, cursor: Cursor, record: Struct) -> int:
        """Read the number. FormatError if it is larger than `most`."""
        value = read_encoded(cursor)
        if not 0 <= value <= self.most:
            cursor.fail(f"{value} is too large: at most {self.most} expected")
        return value

    def write(self, out: ByteWriter, value: int, record: Struct) -> None:
        """Write a number of up to 13 bits."""
        out += bytes([value]) if value < 0x40 else bytes([0x40 | value >> 8, value & 0xFF])

    def span(self, name: str, value: int, start: int, end: int) -> Span:
        """The node of the number."""
        return Span(name, start, end - start, "encoded", value, self.note)


class ScriptName(Field):
    """A field of text: a number, which is twice the length of the text, then the bytes of the text. An odd
    number has no bytes after it and refers to an earlier text; the value of the field is then the number of
    the earlier text.
    """

    kind = "text, preceded by its length times 2"
    minimum = 1

    def __init__(self, name: str, note: str = "") -> None:
        self.name, self.note = name, note

    def read(self, cursor: Cursor, record: Struct) -> str | int:
        """Read the text. FormatError if it is longer than the file."""
        number = read_encoded(cursor)
        if number < 0:
            cursor.fail(f"a text of {number} bytes is too long")
        if number & 1:
            return number // 2
        cursor.require(number // 2)
        raw = cursor.data[cursor.offset : cursor.offset + number // 2]
        cursor.offset += number // 2
        return decode(raw)

    def write(self, out: ByteWriter, value: str, record: Struct) -> None:
        """Write the length and the text."""
        raw = value.encode("utf-8")
        VariableInteger("").write(out, 2 * len(raw), record)
        out += raw

    def span(self, name: str, value: str | int, start: int, end: int) -> Span:
        """The node of the text, or of the number of an earlier text."""
        note = self.note if isinstance(value, str) else "number of an earlier text"
        return Span(name, start, end - start, "text", value, note)


class BigEndianFlags(Field):
    """A field of four bytes with flags, the highest byte first."""

    kind = "u32, big-endian"
    minimum = 4

    def __init__(self, name: str, note: str = "") -> None:
        self.name, self.note = name, note

    def read(self, cursor: Cursor, record: Struct) -> int:
        """Read four bytes as a number, the highest byte first."""
        return int.from_bytes(cursor.array(U8, self.minimum).tobytes(), "big")

    def write(self, out: ByteWriter, value: int, record: Struct) -> None:
        """Write the flags, the highest byte first."""
        out += value.to_bytes(self.minimum, "big")

    def span(self, name: str, value: int, start: int, end: int) -> Span:
        """The node of the flags, which are shown in hexadecimal."""
        return Span(name, start, end - start, "flags", f"0x{value:X}", self.note)


def read_encoded(cursor: Cursor) -> int:
    """Read an encoded number. Source: `as_restore.cpp`, asCReader::ReadEncodedUInt64."""
    first = int(cursor.scalar(U8))
    ones = next((count for count in range(7) if not first << count & 0x40), 8)
    value = first & 0x3F >> ones
    for _ in range(ones):
        value = value << 8 | int(cursor.scalar(U8))
    return -value if first & 0x80 else value


HEAD = Record(
    "script",
    Magic("magic", (b"ASBC",), note="AngelScript byte code"),
    Fixed("stripped", U8, note="1: without debug information"),
)

CLASS = Record(
    "class",
    ScriptName("name", note="name of the class or interface"),
    BigEndianFlags("flags", note="1: reference, 4: collected, 0x200000: script class, 0x400000: shared"),
    VariableInteger("size", note="size of an object, 0 for an interface, bytes"),
    ScriptName("namespace", note="namespace of the declaration"),
    title=lambda each: str(each.get("name", "")),
)

SCRIPT_START = Record(
    "module",
    VariableInteger(
        "enums", note="number of enumerations; if it is not 0, the bytes that follow are not described"
    ),
    When("enums == 0", VariableInteger("class_count", "classes and interfaces", BUDGET.script_classes)),
    When("enums == 0", Repeat("classes", CLASS, "class_count", note="declared classes and interfaces")),
)
