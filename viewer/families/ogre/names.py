"""Read texts of OGRE files, which are lines without a stated encoding.

Game files use the code page of their authors. Users see the decoded text, but the bytes link a mesh with its
skeleton and materials.
"""

from __future__ import annotations

import os

from viewer.binary import ByteWriter, Cursor, Field, Span, Struct
from viewer.binary.code_pages import StoredText, decode, encoded, page_of, raws_of, spellings


def local(text: str) -> str:
    """Convert a file name, whose bytes on disk are UTF-8, to Python's text for these bytes in the present
    locale.
    """
    return os.fsdecode(text.encode("utf-8", "surrogateescape"))


def names_on_disk(text: str) -> tuple[str, ...]:
    """Return the names that a file may have on disk if a text names it: the text, what its bytes are in other
    code pages, each of them as UTF-8 under any locale, and the exact bytes (for systems without a file name
    encoding).
    """
    if text.isascii():
        return (text,)
    texts, raws = spellings(text), raws_of(text)
    return tuple(dict.fromkeys((*texts, *map(local, texts), *map(os.fsdecode, raws))))


class BytesName(StoredText):
    """A text of an OGRE file, whose bytes may name a file in several ways."""

    @classmethod
    def of(cls, raw: bytes, page: str = "") -> BytesName:
        """Return the name for the bytes of a line without its line feed; a carriage return is left out.
        `page` is the code page of the bytes; it is guessed if it is empty.
        """
        text = raw.removesuffix(b"\r")
        return cls.from_raw(text.decode(page) if page else decode(text), raw)

    @property
    def spellings(self) -> tuple[str, ...]:
        """The possible file names, as `names_on_disk` lists them."""
        return names_on_disk(str(self))


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
        if raw.isascii() or (not cursor.page and _is_utf8(raw)):
            return BytesName.of(raw)
        cursor.page = page_of(raw, cursor.page)
        return BytesName.of(raw, cursor.page)

    def text_of(self, raw: bytes) -> str:
        """Decode the bytes of a line, without the line feed, in the first encoding that fits."""
        return str(BytesName.of(raw))

    def write(self, out: ByteWriter, value: str, record: Struct) -> None:
        """Append the stored bytes and a line feed; a text without stored bytes is written as UTF-8."""
        out += encoded(value) + b"\n"

    def span(self, name: str, value: str, start: int, end: int) -> Span:
        """The node of the line, with the decoded text."""
        return Span(name, start, end - start, "line", str(value), self.note, layout=self)
