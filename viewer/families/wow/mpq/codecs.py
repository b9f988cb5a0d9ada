"""Unpack the sectors of MPQ archives. No result is larger than the size that the caller expects."""

from __future__ import annotations

import bz2
import zlib
from collections.abc import Callable
from contextlib import suppress

from viewer.errors import FormatError
from viewer.families.wow.mpq.explode import explode

LZMA = 0x12
"""The mask of LZMA, which is not combined with other methods."""
SMALL = 1 << 14
"""Zlib data of at most this size in bytes are unpacked at once, which is faster. The result has at most about
16 MiB, because zlib unpacks a byte to at most 1032 bytes.
"""


def unpack(data: bytes, size: int) -> bytes:
    """Unpack a sector to `size` bytes. The first byte of the sector is the mask of its methods. FormatError
    if the sector is broken or uses a method that is not supported.
    """
    mask = data[0] if data else 0
    single = SINGLE.get(mask)
    if single is not None:
        return of_size(single(data[1:], size), size)
    if mask == LZMA:
        raise FormatError("LZMA compression is not supported")
    unknown = mask & ~sum(bit for bit, _ in METHODS)
    for bit, name in SOUND:
        if mask & bit:
            raise FormatError(f"{name} compression of sounds is not supported")
    if unknown or not mask:
        raise FormatError(f"compression method 0x{mask:02X} is unknown")
    out = data[1:]
    for bit, method in METHODS:
        if mask & bit:
            out = method(out, size)
    return of_size(out, size)


def unpack_imploded(data: bytes, size: int) -> bytes:
    """Unpack to `size` bytes a sector that PKWARE's implode packed. Such a sector has no mask."""
    return of_size(explode(data, size), size)


def of_size(data: bytes, size: int) -> bytes:
    """Return `data`; FormatError if it has another size."""
    if len(data) != size:
        more = "more than " if len(data) > size else ""
        raise FormatError(f"unpacks to {more}{min(len(data), size)} bytes, not {size}")
    return data


def _bzip2(data: bytes, size: int) -> bytes:
    try:
        return bz2.BZ2Decompressor().decompress(data, size + 1)
    except (OSError, EOFError, ValueError) as error:
        raise FormatError("broken bzip2 data") from error


def _zlib(data: bytes, size: int) -> bytes:
    if len(data) <= SMALL:
        with suppress(zlib.error):  # the code below also unpacks data without an end
            return zlib.decompress(data)
    try:
        return zlib.decompressobj().decompress(data, size + 1)
    except zlib.error as error:
        raise FormatError("broken zlib data") from error


def _sparse(data: bytes, size: int) -> bytes:
    """Unpack runs of zeros. The first four bytes are the size, with the highest byte first."""
    end = min(int.from_bytes(data[:4], "big"), size)
    out, at = bytearray(), 4
    while len(out) < end and at < len(data):
        control = data[at]
        count = (control & 0x7F) + (1 if control & 0x80 else 3)
        out += data[at + 1 : at + 1 + count] if control & 0x80 else bytes(count)
        at += 1 + (count if control & 0x80 else 0)
    return bytes(out[:end])


METHODS: tuple[tuple[int, Callable[[bytes, int], bytes]], ...] = (
    (0x10, _bzip2),
    (0x08, explode),
    (0x02, _zlib),
    (0x20, _sparse),
)
"""The supported methods by their bits, in the order of unpacking."""
SINGLE = dict(METHODS)
"""The methods by the masks of sectors with one method, as most sectors are."""
SOUND = ((0x80, "ADPCM"), (0x40, "ADPCM"), (0x01, "Huffman"))
"""The methods for sounds, which are not supported."""
