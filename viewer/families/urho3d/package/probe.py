"""Recognise packages, without importing their reader."""

from __future__ import annotations

from viewer.family.archive import Fetch

IDS = (b"UPAK", b"ULZ4", b"RPAK", b"RLZ4")
TAIL = 4
"""Size in bytes of the last field of a package. The field gives the package's size, so that a package after
another file is found.
"""


def package_start(fetch: Fetch, size: int) -> int | None:
    """Return the offset of the package in a file of `size` bytes; None if there is no package. The offset is
    0, or the offset that the file's last bytes give if the package is appended to another file.
    """
    if bytes(fetch(0, 4)) in IDS:
        return 0
    tail = bytes(fetch(max(size - TAIL, 0), TAIL))
    start = size - int.from_bytes(tail, "little")
    inside = len(tail) == TAIL and 0 < start <= size - TAIL
    return start if inside and bytes(fetch(start, 4)) in IDS else None


def is_package(data: bytes, suffix: str) -> bool:
    """Return whether a file is a package, or has a package appended to it."""
    return package_start(lambda at, size: data[at : at + size], len(data)) is not None
