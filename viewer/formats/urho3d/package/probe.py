"""The probe of packages, without their reader."""

from __future__ import annotations

from collections.abc import Callable

Bytes = bytes | memoryview
Fetch = Callable[[int, int], Bytes]
"""A function of offset and size in the package's file that returns bytes: fewer at the end of the file."""

IDS = (b"UPAK", b"ULZ4", b"RPAK", b"RLZ4")
TAIL = 4
"""Bytes of the package's size at its very end, by which a package behind another file is found."""


def package_start(fetch: Fetch, size: int) -> int | None:
    """The offset of the package in a file of `size` bytes: 0, or after another file, by the last bytes; None
    if the file has no package.
    """
    if bytes(fetch(0, 4)) in IDS:
        return 0
    tail = bytes(fetch(max(size - TAIL, 0), TAIL))
    start = size - int.from_bytes(tail, "little")
    inside = len(tail) == TAIL and 0 < start <= size - TAIL
    return start if inside and bytes(fetch(start, 4)) in IDS else None


def is_package(data: bytes, suffix: str) -> bool:
    """Whether a file is a package: its magic is at the beginning, or at the offset from the last
    four bytes."""
    return package_start(lambda at, size: data[at : at + size], len(data)) is not None
