"""The memory of this process by its kinds: they tell what grows if the whole grows."""

from __future__ import annotations

import ctypes
import re
from collections import Counter

AREA = re.compile(r"[0-9a-f]+-[0-9a-f]+ (\S+) \S+ \S+ \S+ *(.*)")
"""The first line of an area in `/proc/self/smaps`: its permissions and its name."""
COUNTS = ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks")
"""The first fields of glibc's `struct mallinfo2`."""


class MallocCounts(ctypes.Structure):
    """glibc's `struct mallinfo2`, in bytes: `uordblks` small blocks in use, `hblkhd` large ones, `fordblks`
    free ones."""

    _fields_ = tuple((name, ctypes.c_size_t) for name in (*COUNTS, "keepcost"))


def memory_kinds() -> dict[str, int]:
    """Bytes by kind. The blocks of the C library lie in the memory that is written, those of Python too."""
    return _blocks() | _areas()


def _blocks() -> dict[str, int]:
    """The bytes in blocks of the C library; nothing if it is another than glibc."""
    try:
        count = ctypes.CDLL(None).mallinfo2
    except (AttributeError, OSError):
        return {}
    count.restype = MallocCounts
    found = count()
    return {
        "small C blocks in use": found.uordblks,
        "small C blocks free": found.fordblks,
        "large C blocks": found.hblkhd,
    }


def _areas() -> dict[str, int]:
    """The resident bytes of areas of one kind."""
    found, kind = Counter[str](), ""
    with open("/proc/self/smaps", encoding="utf-8") as file:
        for line in file:
            if area := AREA.match(line):
                kind = _kind(area[1], area[2])
            elif line.startswith("Rss:"):
                found[kind] += int(line.split()[1]) << 10
    return dict(sorted(found.items()))


def _kind(permissions: str, name: str) -> str:
    if name.startswith("/"):
        return "mapped files"
    if "x" in permissions:
        return "code that the driver made"
    return "heap" if name == "[heap]" else "other memory"
