"""Write packages for tests and samples, as PackageTool does for the same files in the same order."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from viewer.binary import ByteWriter, Struct
from viewer.families.urho3d.checksum import sdbm
from viewer.families.urho3d.package.layout import (
    BLOCK,
    ENTRIES,
    ENTRY,
    FIXED_HEADER,
    MOVABLE,
    MOVABLE_HEADER,
    PACKAGE,
    PACKED,
)
from viewer.families.urho3d.package.probe import TAIL

BLOCK_SIZE = 32768


def package_bytes(files: Iterable[tuple[str, bytes]], magic: str = "UPAK", level: int = 9) -> bytes:
    """Write a whole package of files with their names. An LZ4 `level` of 3 and above is slow and dense."""
    listed = list(files)
    stored = [_blocks(data, level) if magic in PACKED else data for _, data in listed]
    names = sum(len(name.encode()) + ENTRY.itemsize + 1 for name, _ in listed)
    at = MOVABLE_HEADER if magic in MOVABLE else FIXED_HEADER + names
    entries, checksum = [], 0
    for (name, data), body in zip(listed, stored, strict=True):
        entries.append((name, at, len(data), sdbm(data)))
        checksum = sdbm(data, checksum)
        at += len(body)
    header = Struct(
        magic=magic,
        file_count=len(listed),
        checksum=checksum,
        version=0,
        directory_offset=at,
        entries=entries,
    )
    out = ByteWriter(PACKAGE.pack(header))
    for body in stored:
        out += body
    if magic in MOVABLE:
        ENTRIES.write(out, entries, header)
    return bytes(out) + np.uint32(len(out) + TAIL).tobytes()


def _blocks(data: bytes, level: int) -> bytes:
    """The LZ4 blocks of a file, each after its size fields."""
    import lz4.block

    out = bytearray()
    for start in range(0, len(data), BLOCK_SIZE):
        piece = data[start : start + BLOCK_SIZE]
        packed = lz4.block.compress(piece, mode="high_compression", compression=level, store_size=False)
        out += np.array((len(piece), len(packed)), BLOCK).tobytes() + packed
    return bytes(out)
