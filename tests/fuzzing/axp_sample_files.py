"""The AXP archives behind the samples, by name."""

from __future__ import annotations

from collections.abc import Mapping

from viewer.families.ogre.axp.writer import axp_bytes

Named = Mapping[str, bytes]
TEXT = b"linglong tianlong " * 30
ENCRYPTED = b"\x84\xcc\xfa\x75" + bytes(range(100))
FILES = {"Model/龙.mesh": TEXT, "Model/B.txt": b"b", "Empty": b"", "Model/Monster/E.mesh": ENCRYPTED}


def small_axp(files: Named = FILES, summed: bool = True, listed: bool = True, edited: bool = False) -> bytes:
    """An archive whose tables are smaller than usual."""
    return axp_bytes(files, summed, listed, edited, room=240, hash_count=64)


def axp_archives() -> dict[str, bytes]:
    """Archives with checksums, with hashes of names, and one without names."""
    return {
        "summed.axp": small_axp(),
        "named.axp": small_axp(summed=False),
        "nameless.axp": small_axp(listed=False),
    }
