"""What recognises packages, without what reads them."""

from __future__ import annotations

from collections.abc import Callable

Bytes = bytes | memoryview
Fetch = Callable[[int, int], Bytes]
"""Offset and size in the package's own file to bytes: fewer where the file ends."""

IDS = (b"UPAK", b"ULZ4", b"RPAK", b"RLZ4")
TAIL = 4
"""Bytes of the package's size at the very end of it, from which one behind another file is found."""


def package_start(fetch: Fetch, size: int) -> int | None:
    """Where the package begins in a file of `size` bytes: at 0, or behind another file, as its last bytes
    say; None where there is none."""
    if bytes(fetch(0, 4)) in IDS:
        return 0
    tail = bytes(fetch(max(size - TAIL, 0), TAIL))
    start = size - int.from_bytes(tail, "little")
    inside = len(tail) == TAIL and 0 < start <= size - TAIL
    return start if inside and bytes(fetch(start, 4)) in IDS else None


def is_package(data: bytes, suffix: str) -> bool:
    """By the magic at the beginning, or where the last four bytes say that a package begins."""
    return package_start(lambda at, size: data[at : at + size], len(data)) is not None
