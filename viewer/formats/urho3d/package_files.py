"""The files of a package: where each lies, its LZ4 blocks, and its bytes, unpacked when they are asked for.

Every claim is checked before memory is set aside: a block makes 64 KiB at most, and a file never more than
its blocks do.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from viewer.binary import Struct
from viewer.binary.cursor import NdArray
from viewer.errors import FormatError
from viewer.formats.urho3d.checksum import sdbm
from viewer.formats.urho3d.package_layout import MOVABLE_HEADER, PACKED, Directory
from viewer.formats.urho3d.package_probe import TAIL, Fetch
from viewer.scene.package import BROKEN, GOOD, WRONG
from viewer.values import dataclass

HEADS = struct.Struct("<HH")
CUT = "the package ends {} bytes before the end of the file"
PIECE = 1 << 18
"""Bytes that are read, and about as many that are unpacked, at once."""


class Block(NamedTuple):
    """Where a block's sizes stand, and what they are: the packed bytes follow them."""

    offset: int
    unpacked: int
    packed: int

    @property
    def end(self) -> int:
        """Behind its last byte."""
        return self.offset + HEADS.size + self.packed


@dataclass(frozen=True, slots=True, eq=False)
class Files:
    """The files that a directory lists. `offsets` [N] i8 are from the beginning of the file that the package
    is in, `start` is where the package begins in it and `end` the file's size."""

    directory: Directory
    offsets: NdArray
    start: int
    end: int
    compressed: bool

    @classmethod
    def of(cls, header: Struct, directory: Directory, start: int, end: int) -> Files:
        """Those of a header and its directory."""
        offsets = directory.items["offset"].astype(np.int64) + start
        return cls(directory, offsets, start, end, header.get("magic") in PACKED)

    def read(self, number: int, fetch: Fetch) -> Iterator[bytes]:
        """The bytes of a file in pieces. FormatError, with what came before already given, where they end or
        break."""
        pieces = self._unpacked(number, fetch) if self.compressed else self._plain(number, fetch)
        try:
            yield from pieces
        except FormatError as error:
            raise error.inside(f"entries[{number}]") from None

    def verify(self, number: int, fetch: Fetch) -> tuple[int, FormatError | None]:
        """GOOD, WRONG or BROKEN, and why: the bytes against their checksum."""
        value, stated = 0, int(self.directory.items["checksum"][number])
        try:
            for piece in self.read(number, fetch):
                value = sdbm(piece, value)
        except FormatError as error:
            return BROKEN, error
        if value == stated:
            return GOOD, None
        why = f"the checksum is {value:08X}, not {stated:08X} as the directory says"
        return WRONG, FormatError(why, f"entries[{number}]", int(self.offsets[number]))

    def blocks(self, number: int, fetch: Fetch) -> Iterator[Block]:
        """The blocks of a file, not unpacked. FormatError where they end too early or claim too much."""
        at, left, count = int(self.offsets[number]), int(self.directory.items["size"][number]), 0
        while left:
            try:
                block = self.block(at, left, fetch)
            except FormatError as error:
                raise error.inside(f"blocks[{count}]") from None
            yield block
            at, left, count = block.end, left - block.unpacked, count + 1

    def block(self, at: int, left: int, fetch: Fetch) -> Block:
        """The block at an offset, of a file of which `left` bytes are missing. FormatError for a bad one."""
        head = fetch(at, HEADS.size)
        if len(head) < HEADS.size:
            raise FormatError(CUT.format(left), "", min(at, self.end))
        block = Block(at, *HEADS.unpack(head))
        if block.end > self.end:
            raise FormatError(CUT.format(left), "", at)
        if not block.unpacked:
            raise FormatError("a block without bytes", "", at)
        if block.unpacked > left:
            raise FormatError(f"a block of {block.unpacked} bytes where {left} are left", "", at)
        return block

    def _plain(self, number: int, fetch: Fetch) -> Iterator[bytes]:
        at, left = int(self.offsets[number]), int(self.directory.items["size"][number])
        if at + left > self.end:
            raise FormatError(
                f"{left} bytes claimed, {max(self.end - at, 0)} are there", "", min(at, self.end)
            )
        while left:
            piece = fetch(at, min(PIECE, left))
            if not piece:
                raise FormatError(CUT.format(left), "", at)
            yield bytes(piece)
            at, left = at + len(piece), left - len(piece)

    def _unpacked(self, number: int, fetch: Fetch) -> Iterator[bytes]:
        from lz4.block import LZ4BlockError, decompress

        window = Window(fetch, stored_at_most(int(self.directory.items["size"][number])))
        pieces: list[bytes] = []
        size = 0
        for count, block in enumerate(self.blocks(number, window)):
            body = window(block.offset + HEADS.size, block.packed)
            try:
                piece = decompress(body, uncompressed_size=block.unpacked)
            except LZ4BlockError as error:
                raise FormatError(f"broken LZ4 block: {error}", f"blocks[{count}]", block.offset) from None
            if len(piece) != block.unpacked:
                why = f"the block makes {len(piece)} bytes, not {block.unpacked}"
                raise FormatError(why, f"blocks[{count}]", block.offset)
            pieces.append(piece)
            size += len(piece)
            if size >= PIECE:
                yield b"".join(pieces)
                pieces, size = [], 0
        yield b"".join(pieces)


def stored_at_most(size: int) -> int:
    """Bytes that a file takes in LZ4 blocks of the usual size where nothing of it can be packed."""
    return size + size // 250 + HEADS.size * (size // 16384 + 1) + 16


class Window:
    """Small reads of neighbouring bytes out of large ones, of `most` bytes."""

    def __init__(self, fetch: Fetch, most: int) -> None:
        self._fetch, self._most, self._at, self._held = fetch, min(most, PIECE), 0, memoryview(b"")

    def __call__(self, offset: int, size: int) -> memoryview:
        """See Fetch."""
        begin = offset - self._at
        if not 0 <= begin <= len(self._held) - size:
            self._at, begin = offset, 0
            self._held = memoryview(self._fetch(offset, max(self._most, size)))
        return self._held[begin : begin + size]


def find_directory(
    header: Struct, start: int, end: int, read: Callable[[int], Directory]
) -> tuple[Directory, int]:
    """The directory of a package whose header says where it is, and its offset. The engine counts from the
    beginning of the file, the tools from that of the package: the same unless it is behind another file.
    What ends where the package does is it; `read` gives what there is at an offset.
    """
    stated, least = int(header.directory_offset), start + MOVABLE_HEADER
    found = [(read(at), at) for at in dict.fromkeys((stated, stated + start)) if least <= at <= end]
    if not found:
        raise FormatError(f"the directory lies outside of the file, at {stated}", "directory_offset", start)

    def fits(directory: Directory) -> tuple[bool, bool, int]:
        whole = len(directory) == header.file_count
        return whole and directory.end in (end, end - TAIL), whole, len(directory)

    return max(found, key=lambda each: fits(each[0]))
