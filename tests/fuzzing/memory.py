"""Peak memory of a piece of work, cheaply from the kernel."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from tests.damage import BESIDE_A_LARGE_FILE, TIMES_THE_FILE


def allowed(size: int, pixels: int = 0) -> int:
    """The promise: bytes of memory for files of `size` bytes, and for `pixels` that are shown."""
    return BESIDE_A_LARGE_FILE + TIMES_THE_FILE * size + 4 * pixels


def measured(work: Callable[[], Any]) -> tuple[Any, int]:
    """The result of the work, and the bytes by which this process grew at most.

    Where the kernel does not forget the earlier peak, that peak counts.
    """
    with suppress(OSError), open("/proc/self/clear_refs", "wb", buffering=0) as file:
        file.write(b"5")
    start = resident()
    result = work()
    return result, _highest() - start


def resident() -> int:
    """The memory of this process in bytes."""
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _highest() -> int:
    with open("/proc/self/status", "rb") as file:
        text = file.read()
    at = text.index(b"VmHWM:") + 6
    return int(text[at : text.index(b"kB", at)]) << 10
