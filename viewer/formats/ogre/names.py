"""Texts of OGRE files: lines without a stated encoding.

Game files use the code page of their authors. The text is for users; the bytes link a mesh with its skeleton
and materials.
"""

from __future__ import annotations

import os

from viewer.binary import ByteWriter, Cursor, Field, Span, Struct
from viewer.binary.cursor import decode

ENCODINGS = ("utf-8", "gb18030")
"""The encodings, in the order in which they are tried; Latin-1 is the last resort."""


def local(text: str) -> str:
    """A UTF-8 file name as Python reads it from the disk under the present locale."""
    return os.fsdecode(text.encode("utf-8", "surrogateescape"))


class BytesName(str):
    """A text and the bytes it was read from."""

    raw: bytes

    @classmethod
    def of(cls, raw: bytes, encodings: tuple[str, ...] = ENCODINGS) -> BytesName:
        """The name of these bytes (without the line's end); a carriage return is not part of it."""
        text = raw.removesuffix(b"\r")
        name = cls(text.decode() if text.isascii() else decode(text, encodings))
        name.raw = raw
        return name

    @property
    def spellings(self) -> tuple[str, ...]:
        """The possible file names: the text, which is UTF-8 on disk in any locale, or the exact bytes (on
        systems without an encoding of their own).
        """
        return tuple(dict.fromkeys((str(self), local(self), os.fsdecode(self.raw.removesuffix(b"\r")))))


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


class TextLine(Field):
    """A text up to a line feed."""

    kind = "text up to a line feed"
    minimum = 1
    terminator = b"\n"

    def __init__(self, name: str, note: str = "") -> None:
        self.name, self.note = name, note

    def read(self, cursor: Cursor, record: Struct) -> BytesName:
        """See Field. After a text that is not UTF-8 the following texts are not UTF-8 either: short names in
        GB18030 may be valid UTF-8 by chance.
        """
        raw = cursor.until(b"\n", "line feed")
        if not cursor.encodings and not raw.isascii() and not _is_utf8(raw):
            cursor.encodings = ENCODINGS[1:]
        return BytesName.of(raw, cursor.encodings or ENCODINGS)

    def text_of(self, raw: bytes) -> str:
        """See Field."""
        return str(BytesName.of(raw))

    def write(self, out: ByteWriter, value: str, record: Struct) -> None:
        """A plain text is written as UTF-8."""
        out += (value.raw if isinstance(value, BytesName) else value.encode()) + b"\n"

    def span(self, name: str, value: str, start: int, end: int) -> Span:
        """See Field."""
        return Span(name, start, end - start, "line", str(value), self.note)
