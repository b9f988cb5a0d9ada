"""The mark in the metadata of views, which are the pictures of models that Rigscope draws. A texture that a
file does not name is never guessed among them, and a batch replaces no other pictures.

Sources: Portable Network Graphics (PNG) Specification, Third Edition; CompuServe GIF89a; ITU-T T.81 (JPEG);
RFC 9649 (WebP); the XMP packet of ISO 16684-1.
"""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal

from viewer.scene.names import FRAME, any_frame
from viewer.scene.reading_context import ReadingContext
from viewer.storage.package_path import split
from viewer.storage.png import HEADER_BYTES, SIGNATURE, png_chunk
from viewer.storage.reading import open_regular
from viewer.storage.versions import Version, file_version

MARK = b"A view of a model, drawn by Rigscope"
PACKET = (
    b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
    b'<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreatorTool="'
    + MARK
    + b'"/></rdf:RDF></x:xmpmeta>'
)
"""The metadata of a WebP with the mark."""
SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".apng")
"""The suffixes of pictures that can have the mark."""
MOVING = (b"acTL", b"NETSCAPE2.0", b"ANIM")
"""Bytes at the beginning of a film: of an APNG, a GIF and a WebP."""
ENDS = 4096
"""How many bytes at the beginning and at the end of a file are searched for the mark."""
HAS_XMP, HAS_ALPHA = 4, 16
"""Bits in the header of a WebP."""
KEPT = 1 << 14


def marked(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the pieces of an encoded picture with the mark. The first piece has the whole header. A picture
    without a place for the mark, such as a BMP, stays as it is.
    """
    rest = iter(pieces)
    head, end = next(rest, b""), b""
    if head.startswith(SIGNATURE):
        head = head[:HEADER_BYTES] + png_chunk(b"tEXt", b"Comment\0" + MARK) + head[HEADER_BYTES:]
    elif head.startswith(b"\xff\xd8"):
        has_jfif = head[2:4] == b"\xff\xe0"
        at = 4 + int.from_bytes(head[4:6], "big") if has_jfif else 2
        head = head[:at] + b"\xff\xfe" + struct.pack(">H", 2 + len(MARK)) + MARK + head[at:]
    elif head.startswith(b"GIF8"):
        at = 13 + (6 << (head[10] & 7) if head[10] & 128 else 0)
        head = b"GIF89a" + head[6:at] + b"!\xfe" + bytes((len(MARK),)) + MARK + b"\0" + head[at:]
    elif head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        end = b"XMP " + struct.pack("<I", len(PACKET)) + PACKET + bytes(len(PACKET) % 2)
        chunks = _extended(head)
        size = int.from_bytes(head[4:8], "little") + len(chunks) - len(head[12:]) + len(end)
        head = b"RIFF" + struct.pack("<I", size) + b"WEBP" + chunks
    yield head
    yield from rest
    yield end


def _extended(head: bytes) -> bytes:
    """The chunks at the beginning of a WebP after a header that announces the mark; a simple WebP has no such
    header.
    """
    if head[12:16] == b"VP8X":
        return head[12:20] + bytes((head[20] | HAS_XMP,)) + head[21:]
    if head[12:16] == b"VP8L":
        bits = int.from_bytes(head[21:25], "little")
        flags = HAS_XMP | (HAS_ALPHA if bits >> 28 & 1 else 0)
        width, height = bits & 0x3FFF, bits >> 14 & 0x3FFF
    else:
        flags = HAS_XMP
        width, height = (each & 0x3FFF for each in struct.unpack("<HH", head[26:30]))
        width, height = width - 1, height - 1
    canvas = width.to_bytes(3, "little") + height.to_bytes(3, "little")
    return b"VP8X" + struct.pack("<IB3x", 10, flags) + canvas + head[12:]


def is_view(path: str, context: ReadingContext) -> bool:
    """Whether a picture is no texture, because Rigscope drew it, or because the running command writes it.

    Ask only for a picture that a guess would take. Of a file only the ends are read. A file in a package is
    never a view.
    """
    if not path.lower().endswith(SUFFIXES) or split(path) is not None:
        return False
    if context.outputs and _is_output(os.path.realpath(path), context.outputs):
        return True
    version = file_version(path)
    return version is not None and _kind(path, version) == "view"


def is_replaceable(path: str) -> bool:
    """Whether a batch may replace the file that is at a path: Rigscope drew it, it is a film, or it is no
    picture.
    """
    version = file_version(path) if path.lower().endswith(SUFFIXES) else None
    return version is None or _kind(path, version) != "picture"


@lru_cache(KEPT)
def _kind(path: str, version: Version) -> Literal["view", "film", "picture"]:
    """What a picture with this version is: a view with the mark, another film, or another picture."""
    try:
        with open_regular(path) as file:
            head = file.read(ENDS)
            file.seek(max(len(head), version.size - ENDS))
            ends = head + file.read(ENDS)
    except OSError:
        return "picture"
    if MARK in ends:
        return "view"
    return "film" if any(each in head for each in MOVING) else "picture"


def _is_output(path: str, outputs: tuple[str, ...]) -> bool:
    files, frames = _outputs(outputs)
    return path in files or any(each.fullmatch(path) for each in frames)


@lru_cache(4)
def _outputs(outputs: tuple[str, ...]) -> tuple[frozenset[str], tuple[re.Pattern[str], ...]]:
    """The real paths of outputs, and patterns for those with a frame number in their names."""
    real = [os.path.realpath(each) for each in outputs]
    return frozenset(real), tuple(any_frame(each) for each in real if FRAME.search(os.path.basename(each)))
