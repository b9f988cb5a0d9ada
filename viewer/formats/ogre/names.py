"""Texts of OGRE files: lines whose encoding nobody states.

Game files are written in the code page of their makers. The text is what people see; the bytes are what links
a mesh with its skeleton and materials.
"""

from __future__ import annotations

import os

from viewer.binary import ByteWriter, Cursor, Field, Span, Struct
from viewer.binary.cursor import decode

ENCODINGS = ("utf-8", "gb18030")
"""In this order; what fits none of them is Latin-1."""


def local(text: str) -> str:
    """A file name in UTF-8 as Python reads it from the disk under the locale that there is."""
    return os.fsdecode(text.encode("utf-8", "surrogateescape"))


class BytesName(str):
    """A text and the bytes it was read from."""

    raw: bytes

    @classmethod
    def of(cls, raw: bytes, encodings: tuple[str, ...] = ENCODINGS) -> BytesName:
        """The name that these bytes (without the line's end) mean; a carriage return is no part of it."""
        name = cls(decode(raw.removesuffix(b"\r"), encodings))
        name.raw = raw
        return name

    @property
    def spellings(self) -> tuple[str, ...]:
        """How a file of that name may be called: by its text, which is UTF-8 on disk whatever the locale, or
        by the very bytes (on systems without an encoding of their own)."""
        return tuple(dict.fromkeys((str(self), local(self), os.fsdecode(self.raw.removesuffix(b"\r")))))


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


class TextLine(Field):
    """A text up to a line feed."""

    minimum = 1

    def __init__(self, name: str, note: str = "") -> None:
        self.name, self.note = name, note

    def read(self, cursor: Cursor, record: Struct) -> BytesName:
        """See Field. Once a text is not UTF-8, those behind it are not either: short names in GB18030 may
        look like it by chance."""
        raw = cursor.until(b"\n", "line feed")
        if not cursor.encodings and not _is_utf8(raw):
            cursor.encodings = ENCODINGS[1:]
        return BytesName.of(raw, cursor.encodings or ENCODINGS)

    def write(self, out: ByteWriter, value: str, record: Struct) -> None:
        """A plain text is written as UTF-8."""
        out += (value.raw if isinstance(value, BytesName) else value.encode()) + b"\n"

    def span(self, name: str, value: str, start: int, end: int) -> Span:
        """See Field."""
        return Span(name, start, end - start, "line", str(value), self.note)
