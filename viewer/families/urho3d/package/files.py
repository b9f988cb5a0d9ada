"""Read the files of a package, whose LZ4 blocks are unpacked on demand.

Sizes are checked before memory is allocated. A block unpacks to at most 64 KiB.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, NoReturn

import msgspec
import numpy as np
from lz4.block import LZ4BlockError, decompress

from viewer.binary import Struct
from viewer.binary.cursor import NdArray
from viewer.errors import FormatError, Topic
from viewer.families.urho3d.checksum import sdbm
from viewer.families.urho3d.package.layout import MOVABLE_HEADER, PACKED, Directory
from viewer.families.urho3d.package.probe import TAIL
from viewer.family.archive import Fetch
from viewer.scene.package import BROKEN, GOOD, WRONG

HEADS = struct.Struct("<HH")
LARGEST = HEADS.size + 0xFFFF
"""Largest size of a block in bytes, including its size fields."""
READ = 1 << 20
"""Number of bytes of a packed file that are read at a time."""
TOGETHER = 8
"""Number of blocks in a piece, so that a piece stays in the processor's cache."""
PIECE = 1 << 18
"""Number of bytes in a piece of a file that is not packed: about the size of `TOGETHER` unpacked blocks."""


class PackedBlock(NamedTuple):
    """A block of a file. `offset` is the offset of its two size fields; `unpacked` and `packed` are the
    values of these fields, in bytes. The packed bytes follow the size fields.
    """

    offset: int
    unpacked: int
    packed: int

    @property
    def end(self) -> int:
        """Offset after the block."""
        return self.offset + HEADS.size + self.packed


class PackageFiles(msgspec.Struct, frozen=True, eq=False):
    """The files in a package's directory. `offsets` [N] i64 count from the beginning of the file on disk.
    `start` is the offset of the package in this file, `end` the size of the file.
    """

    directory: Directory
    offsets: NdArray
    start: int
    end: int
    compressed: bool

    @classmethod
    def of(cls, header: Struct, directory: Directory, start: int, end: int) -> PackageFiles:
        """Make the files from a header and a directory; `start` and `end` are offsets as in the class."""
        offsets = directory.items["offset"].astype(np.int64) + start
        return cls(directory, offsets, start, end, header.get("magic") in PACKED)

    @property
    def names(self) -> Sequence[str]:
        """The names in the directory, made on demand."""
        return self.directory.all

    @property
    def sizes(self) -> NdArray:
        """The unpacked sizes [N] u4 of the files in bytes."""
        return self.directory.items["size"]

    def read(self, number: int, fetch: Fetch) -> Iterator[bytes]:
        """Yield the bytes of a file in pieces. FormatError after the last good piece of a broken file."""
        pieces = self._unpacked(number, fetch) if self.compressed else self._plain(number, fetch)
        try:
            yield from pieces
        except FormatError as error:
            raise error.inside(f"entries[{number}]") from None

    def verify(self, number: int, fetch: Fetch) -> tuple[int, FormatError | None]:
        """Compare a file with its checksum. Return GOOD, WRONG or BROKEN, and the error (None if good)."""
        value, stated = 0, int(self.directory.items["checksum"][number])
        try:
            for piece in self.read(number, fetch):
                value = sdbm(piece, value)
        except FormatError as error:
            return BROKEN, error
        if value == stated:
            return GOOD, None
        why = f"the checksum is {value:08X}, the directory has {stated:08X}"
        return WRONG, FormatError(why, f"entries[{number}]", int(self.offsets[number]))

    def blocks(self, number: int, fetch: Fetch) -> Iterator[PackedBlock]:
        """Yield the blocks of a file without unpacking them. FormatError for a bad block."""
        at, left, count = int(self.offsets[number]), int(self.directory.items["size"][number]), 0
        while left:
            try:
                block = self.block(at, left, fetch)
            except FormatError as error:
                raise error.inside(f"blocks[{count}]") from None
            yield block
            at, left, count = block.end, left - block.unpacked, count + 1

    def block(self, at: int, left: int, fetch: Fetch) -> PackedBlock:
        """Return the block at an offset of a file, of which `left` bytes are left. FormatError for a block
        that is truncated, empty or too large.
        """
        head = fetch(at, HEADS.size)
        if len(head) < HEADS.size:
            raise _cut(left, "", min(at, self.end))
        block = PackedBlock(at, *HEADS.unpack(head))
        if block.end > self.end:
            raise _cut(left, "", at)
        if not block.unpacked:
            raise FormatError("a block is empty", "", at)
        if block.unpacked > left:
            raise FormatError(f"a block of {block.unpacked} bytes exceeds the {left} bytes left", "", at)
        return block

    def _plain(self, number: int, fetch: Fetch) -> Iterator[bytes]:
        at, left = int(self.offsets[number]), int(self.directory.items["size"][number])
        if at + left > self.end:
            why = f"{left} bytes declared, {max(self.end - at, 0)} left"
            raise FormatError(why, "", min(at, self.end), topic=Topic.CUT)
        while left:
            piece = fetch(at, min(PIECE, left))
            if not piece:
                raise _cut(left, "", at)
            yield bytes(piece)
            at, left = at + len(piece), left - len(piece)

    def _unpacked(self, number: int, fetch: Fetch) -> Iterator[bytes]:
        """Read many blocks at a time, unpack them one by one, and yield `TOGETHER` blocks at a time."""
        at, left, count = int(self.offsets[number]), int(self.directory.items["size"][number]), 0
        base, held = at, memoryview(b"")
        pieces: list[bytes] = []
        while left:
            here = at - base
            if here + LARGEST > len(held) and base + len(held) < self.end:
                base, here = at, 0
                held = memoryview(fetch(at, min(stored_at_most(left) + LARGEST, READ)))
            head = HEADS.unpack_from(held, here) if here + HEADS.size <= len(held) else (0, 0)
            end = here + HEADS.size + head[1]
            if not 0 < head[0] <= left or end > len(held):
                self._fail(at, left, count, fetch)
            pieces.append(_piece(held[here + HEADS.size : end], head[0], at, count))
            at, left, count = base + end, left - head[0], count + 1
            if len(pieces) == TOGETHER:
                yield b"".join(pieces)
                pieces = []
        yield b"".join(pieces)

    def _fail(self, at: int, left: int, count: int, fetch: Fetch) -> NoReturn:
        """Raise the error of the bad block at an offset."""
        try:
            self.block(at, left, fetch)
        except FormatError as error:
            raise error.inside(f"blocks[{count}]") from None
        raise _cut(left, f"blocks[{count}]", at)


def _cut(left: int, path: str, offset: int) -> FormatError:
    """The error of a file whose last `left` bytes are missing because the package ends."""
    return FormatError(
        f"the package ends {left} bytes before the end of this file", path, offset, topic=Topic.CUT
    )


def _piece(packed: memoryview, size: int, at: int, count: int) -> bytes:
    """The unpacked bytes of a block. FormatError if it is broken or does not unpack to `size` bytes."""
    try:
        piece: bytes = decompress(packed, uncompressed_size=size)
    except LZ4BlockError as error:
        raise FormatError(f"broken LZ4 block: {error}", f"blocks[{count}]", at) from None
    if len(piece) != size:
        raise FormatError(f"the block unpacks to {len(piece)} bytes, not {size}", f"blocks[{count}]", at)
    return piece


def stored_at_most(size: int) -> int:
    """Return the largest packed size of a file with `size` bytes, in LZ4 blocks of the usual size."""
    return size + size // 250 + HEADS.size * (size // 16384 + 1) + 16


def find_directory(
    header: Struct, start: int, end: int, read: Callable[[int], Directory]
) -> tuple[Directory, int]:
    """Find the directory of a package whose header gives its offset. Return the directory and its offset in
    the file. The engine counts the offset in the header from the beginning of the file, but the tools count
    it from the beginning of the package. The two counts differ if the package is appended to another file.
    The right directory ends where the package ends. `read` reads a directory at an offset. FormatError if
    both offsets lie outside the file.
    """
    stated, least = int(header.directory_offset), start + MOVABLE_HEADER
    found = [(read(at), at) for at in dict.fromkeys((stated, stated + start)) if least <= at <= end]
    if not found:
        raise FormatError(f"the directory lies outside the file, at {stated}", "directory_offset", start)

    def fits(directory: Directory) -> tuple[bool, bool, int]:
        whole = len(directory) == header.file_count
        return whole and directory.end in (end, end - TAIL), whole, len(directory)

    return max(found, key=lambda each: fits(each[0]))
