"""Peak memory of a piece of work, cheaply from the kernel, exactly when it is suspicious."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable

from tests.damage import BESIDE_A_LARGE_FILE, TIMES_THE_FILE, peak

SUSPICIOUS = 2
"""A peak above the limit divided by this is measured again, exactly: memory that was freed before is used
again without a trace in the kernel's numbers.
"""


def allowed(size: int, pixels: int = 0) -> int:
    """The promise: bytes of memory for files of `size` bytes, and for `pixels` that are shown."""
    return BESIDE_A_LARGE_FILE + TIMES_THE_FILE * size + 4 * pixels


class MemoryPeak:
    """The growth of this process since `begin`."""

    def __init__(self) -> None:
        self._start = 0
        self._resets = True

    def begin(self) -> None:
        """Begin to measure."""
        if self._resets:
            try:
                with open("/proc/self/clear_refs", "wb", buffering=0) as file:
                    file.write(b"5")
            except OSError:
                self._resets = False
        self._start = resident()

    def growth(self) -> int:
        """Bytes above the beginning at most since then; since the process began where Linux keeps no other
        record.
        """
        return max(_highest() - self._start, 0) if self._resets else max(_maximum() - self._start, 0)


def exact(work: Callable[[], object]) -> int:
    """Bytes that the work holds at most. Only what Python and numpy allocate is seen."""
    return peak(work)


def resident() -> int:
    """The memory of this process in bytes."""
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _highest() -> int:
    with open("/proc/self/status", "rb") as file:
        text = file.read()
    at = text.index(b"VmHWM:") + 6
    return int(text[at : text.index(b"kB", at)]) << 10


def _maximum() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
