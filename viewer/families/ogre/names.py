"""Read texts of OGRE files, which are lines without a stated encoding.

Game files use the code page of their authors. Users see the decoded text, but the bytes link a mesh with its
skeleton and materials.
"""

from __future__ import annotations

import os

from viewer.binary import ByteWriter, Cursor, Field, Span, Struct
from viewer.binary.cursor import decode

ENCODINGS = ("utf-8", "gb18030")
"""Encodings in the order in which they are tried; after them Latin-1, which fits all bytes."""


def local(text: str) -> str:
    """Convert a file name, whose bytes on disk are UTF-8, to Python's text for these bytes in the present
    locale.
    """
    return os.fsdecode(text.encode("utf-8", "surrogateescape"))


class BytesName(str):
    """A text with the bytes from which it was decoded."""

    raw: bytes

    @classmethod
    def of(cls, raw: bytes, encodings: tuple[str, ...] = ENCODINGS) -> BytesName:
        """Return the name for the bytes of a line without its line feed; a carriage return is left out."""
        text = raw.removesuffix(b"\r")
        name = cls(text.decode() if text.isascii() else decode(text, encodings))
        name.raw = raw
        return name

    @property
    def spellings(self) -> tuple[str, ...]:
        """The possible file names: the text, the text as UTF-8 on disk under any locale, and the exact bytes
        (for systems without a file name encoding).
        """
        return tuple(dict.fromkeys((str(self), local(self), os.fsdecode(self.raw.removesuffix(b"\r")))))


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


class TextLine(Field):
    """A field of text up to a line feed."""

    kind = "text up to a line feed"
    minimum = 1
    terminator = b"\n"

    def __init__(self, name: str, note: str = "") -> None:
        self.name, self.note = name, note

    def read(self, cursor: Cursor, record: Struct) -> BytesName:
        """Read up to the line feed. If a text is not UTF-8, no later text is read as UTF-8, because a short
        name in GB18030 may be valid UTF-8 by chance.
        """
        raw = cursor.until(b"\n", "line feed")
        if not cursor.encodings and not raw.isascii() and not _is_utf8(raw):
            cursor.encodings = ENCODINGS[1:]
        return BytesName.of(raw, cursor.encodings or ENCODINGS)

    def text_of(self, raw: bytes) -> str:
        """Decode the bytes of a line, without the line feed, in the first encoding that fits."""
        return str(BytesName.of(raw))

    def write(self, out: ByteWriter, value: str, record: Struct) -> None:
        """Append the stored bytes and a line feed; a text without stored bytes is written as UTF-8."""
        out += (value.raw if isinstance(value, BytesName) else value.encode()) + b"\n"

    def span(self, name: str, value: str, start: int, end: int) -> Span:
        """The node of the line, with the decoded text."""
        return Span(name, start, end - start, "line", str(value), self.note)
