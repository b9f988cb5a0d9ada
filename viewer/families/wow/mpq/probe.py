"""Recognise MPQ archives, without importing their reader."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.family.archive import Fetch

HEADER_ID, USER_DATA_ID = b"MPQ\x1a", b"MPQ\x1b"
IDS = (HEADER_ID, USER_DATA_ID)
ALIGNMENT = 0x200
"""A header begins at a multiple of this offset."""
NEAR, FAR = 1 << 16, 16 << 20
"""The number of bytes in which the header is searched: NEAR to recognise a file without the suffix of an
archive; FAR to recognise a file with such a suffix, and to read an archive.
"""
SUFFIXES = (".mpq", ".w3m", ".w3x", ".w3n", ".sc2map", ".sc2mod")


def header_offsets(fetch: Fetch, limit: int) -> Iterator[int]:
    """Yield the offsets of all magics at multiples of `ALIGNMENT` before the offset `limit`."""
    for base in range(0, limit, NEAR):
        block = bytes(fetch(base, NEAR))
        at = block.find(b"MPQ")
        while at >= 0:
            if not at % ALIGNMENT and block[at : at + 4] in IDS and base + at < limit:
                yield base + at
            at = block.find(b"MPQ", at + 1)
        if len(block) < NEAR:
            return


def has_header(path: str, fetch: Fetch, end: int) -> bool:
    """Return whether a file of `end` bytes has the header of an archive. A header far into the file counts
    only if the file has the suffix of an archive.
    """
    near = FAR if path.lower().endswith(SUFFIXES) else NEAR
    return next(header_offsets(fetch, min(near, end)), None) is not None


def is_mpq(data: bytes, suffix: str) -> bool:
    """Return whether a file is an MPQ archive: by its bytes, or by its suffix if it has no near header."""
    if suffix:
        return suffix in SUFFIXES
    return next(header_offsets(lambda at, size: data[at : at + size], NEAR), None) is not None
