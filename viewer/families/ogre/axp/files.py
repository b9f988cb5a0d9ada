"""Read the tables, the names and the files of an AXP archive."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import numpy as np

from viewer.binary import Cursor, Struct
from viewer.binary.cursor import NdArray
from viewer.budget import BUDGET
from viewer.errors import FormatError, Topic
from viewer.families.ogre.axp.layout import BLOCK, HASH, HASH_COUNT, HEADER, INDEX, USED, VERSION
from viewer.families.ogre.axp.names import BEGINNING, FOLD, LIST, ListedFile, listed_files, name_keys
from viewer.family.archive import Fetch
from viewer.scene.package import BROKEN, GOOD, WRONG
from viewer.scene.reading_context import ReadingContext
from viewer.storage.archive_tree import ArchiveTable, FilePlaces
from viewer.storage.name_hashes import check_keys
from viewer.storage.unnamed_files import made_up_name

PIECE = 1 << 18
"""Number of bytes in a piece of a file."""
HEAD = 32
"""Number of bytes that show what the content of a file is."""
ENCRYPTED = b"\x84\xcc\xfa\x75"
"""The first bytes of the files that the protectors of later clients encrypted."""
SUMMED, SUMMED_BYTES = 8, 1 << 20
"""Small files are tested to find out whether check words are checksums: SUMMED files of at most SUMMED_BYTES
bytes.
"""


class AxpFiles:
    """The files of an archive, in the order of their blocks.

    `blocks` [N] are the numbers of their blocks; `offsets` and `sizes` [N] i64 are columns of these blocks.
    `holes` [H] are the numbers of the blocks without a file. `listed` are the lines of the list of names,
    None for a file that is not in the list; `names` are the shown names. `lost` counts the names of the list
    without a file. `errors` say what could not be read.
    """

    def __init__(self, header: Struct, fetch: Fetch, end: int) -> None:
        self.header, self.end, self._fetch = header, end, fetch
        self.errors: list[FormatError] = []
        room = header.block_offset - header.hash_offset
        count = min(HASH_COUNT, room // HASH.itemsize) if room > 0 else HASH_COUNT
        self.hash_table = self._table("hash", HASH, header.hash_offset, count)
        self.block_table = self._table("block", BLOCK, header.block_offset, header.block_count)
        hashes, items = self.hash_table.items, self.block_table.items
        index = (hashes["block"] & INDEX).astype(np.int64)
        taken = np.flatnonzero((hashes["block"] & USED > 0) & (index < len(items)))
        taken = taken[items["flags"][index[taken]] & USED > 0]
        stored = check_keys(hashes["check_a"][taken], hashes["check_b"][taken])
        self._keys, first = np.unique(stored, return_index=True)
        self._key_blocks = index[taken][first]
        self.blocks = np.unique(self._key_blocks)
        self.holes = np.setdiff1d(np.arange(len(items)), self.blocks)
        own = items[self.blocks]
        self.offsets, self.sizes = own["offset"].astype(np.int64), own["size"].astype(np.int64)
        self.listed: list[ListedFile | None] = [None] * len(self.blocks)
        self.lost = 0
        self._name_files(self._list(fetch), fetch)

    @property
    def names_missing(self) -> bool:
        """Whether a file is not in the list of names."""
        return None in self.listed

    @property
    def places(self) -> FilePlaces:
        """The offsets and the stored sizes of the files, with their names."""
        return FilePlaces(self.names, self.offsets, self.sizes)

    deleted = 0
    """The archive has no deletion markers."""

    def is_deleted(self, name: str) -> bool:
        """Return False, because an AXP archive has no deletion markers."""
        return False

    def learn(self, names: Iterable[str]) -> bool:
        """Return False, because only the list has names."""
        return False

    def number(self, name: str) -> int | None:
        """Return the number of the file with this name, listed or not."""
        known = self._numbers.get(name.translate(FOLD))
        if known is not None or None not in self.listed:
            return known
        number = int(self._found(name_keys([name]))[0])
        return number if number >= 0 else None

    def read(self, number: int, fetch: Fetch) -> Iterator[bytes]:
        """Yield the bytes of a file in pieces. FormatError if a part of the file is missing."""
        at, left, path = int(self.offsets[number]), int(self.sizes[number]), f"entries[{number}]"
        if at + left > self.end:
            why = f"{left} bytes declared, {max(self.end - at, 0)} left"
            raise FormatError(why, path, min(at, self.end), topic=Topic.CUT)
        if left > BUDGET.file_bytes:
            raise FormatError(f"{left} bytes are more than the limit of {BUDGET.file_bytes}", path, at)
        while left:
            piece = bytes(fetch(at, min(PIECE, left)))
            if not piece:
                raise FormatError(f"the archive ends {left} bytes before the end of this file", path, at)
            yield piece
            at, left = at + len(piece), left - len(piece)

    def verify(self, number: int, fetch: Fetch) -> tuple[int, FormatError | None]:
        """Read a file, and compare it with its checksum if it has one. Return GOOD, WRONG or BROKEN, and the
        error (None if good).
        """
        value, line = 0, self.listed[number]
        try:
            for piece in self.read(number, fetch):
                value = zlib.crc32(piece, value)
        except FormatError as error:
            return BROKEN, error
        if line is None or not self.summed[number] or line.check == value:
            return GOOD, None
        why = f"the checksum is {value:08X}, {LIST} has {line.check:08X}"
        return WRONG, FormatError(why, f"entries[{number}]", int(self.offsets[number]))

    @property
    def checks(self) -> NdArray:
        """The check words [N] u4 of the list; 0 for a file that is not in the list."""
        return np.array([0 if each is None else each.check for each in self.listed], np.uint32)

    @cached_property
    def summed(self) -> NdArray:
        """Whether the check word of each file [N] is the CRC-32 of its content.

        Some tools store the second check of the name instead, and other tools may store other words.
        Therefore the words are checksums only if no word is a check of a name, and if the checksum of at
        least one of the smallest files agrees.
        """
        named = np.array([each is not None and each.name != LIST for each in self.listed], bool)
        of_names = self._second_checks() == self.checks
        if (of_names & named).any():
            return np.zeros(len(named), bool)
        fitting = np.flatnonzero(named & (self.sizes > 0) & (self.sizes <= SUMMED_BYTES))
        smallest = fitting[np.argsort(self.sizes[fitting], kind="stable")][:SUMMED]
        agree = any(self._sum(number) == self.checks[number] for number in smallest.tolist())
        return named & agree

    def is_encrypted(self, number: int) -> bool:
        """Whether the first bytes of a file show that the protector of the client encrypted it."""
        return self._head(number, self._fetch).startswith(ENCRYPTED)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """The numbers of the listed files by their folded names."""
        lines = enumerate(self.listed)
        return {line.name.translate(FOLD): number for number, line in lines if line is not None}

    def _second_checks(self) -> NdArray:
        """The second check of the name of each file [N] u4."""
        checks = np.empty(len(self.blocks), np.uint32)
        checks[np.searchsorted(self.blocks, self._key_blocks)] = self._keys & np.uint64(0xFFFFFFFF)
        return checks

    def _sum(self, number: int) -> int | None:
        """The CRC-32 of a file; None if it cannot be read."""
        try:
            return zlib.crc32(b"".join(self.read(number, self._fetch)))
        except FormatError:
            return None

    def _found(self, keys: NdArray) -> NdArray:
        """The number of the file of each key [N] i64, -1 for a key that the hash table does not have."""
        if not len(self._keys):
            return np.full(len(keys), -1)
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        numbers = np.searchsorted(self.blocks, self._key_blocks[at])
        return np.where(self._keys[at] == keys, numbers, -1)

    def _list(self, fetch: Fetch) -> bytes:
        """The bytes of the list of names: the file `(list)`, else the last block if its bytes are a list."""
        number = int(self._found(name_keys([LIST]))[0])
        found = number if number >= 0 else len(self.blocks) - 1
        if found < 0 or (number < 0 and not BEGINNING.match(self._head(found, fetch))):
            return b""
        size, at = int(self.sizes[found]), min(int(self.offsets[found]), self.end)
        self.listed[found] = ListedFile(LIST, size, 0)
        if size > BUDGET.listfile_bytes:
            why = f"{LIST}: {size} bytes are more than the limit of {BUDGET.listfile_bytes}"
            self.errors.append(FormatError(why, f"entries[{found}]", at))
            return b""
        try:
            return b"".join(self.read(found, fetch))
        except FormatError as error:
            error.why = f"{LIST}: {error.why}"
            self.errors.append(error)
            return bytes(fetch(at, size))

    def _name_files(self, data: bytes, fetch: Fetch) -> None:
        """Give each listed file its line of the list. Name every other file after the number of its block."""
        lines = listed_files(data)
        for line, number in zip(lines, self._found(name_keys([each.name for each in lines])), strict=True):
            if number < 0:
                self.lost += 1
            elif self.listed[number] is None:
                self.listed[number] = line
        self.names = ["" if each is None else each.name.replace("\\", "/") for each in self.listed]
        for read, number in enumerate([at for at, each in enumerate(self.listed) if each is None]):
            head = self._head(number, fetch) if read < BUDGET.archive_heads else b""
            self.names[number] = made_up_name(int(self.blocks[number]), head)

    def _head(self, number: int, fetch: Fetch) -> bytes:
        return bytes(fetch(int(self.offsets[number]), min(HEAD, int(self.sizes[number]))))

    def _table(self, name: str, dtype: np.dtype[Any], at: int, count: int) -> ArchiveTable:
        """Read a table of the archive as far as the file has it. A missing part is reported as an error."""
        path = f"header/{name}_offset"
        if at > self.end:
            self.errors.append(FormatError(f"the {name} table lies outside the file, at 0x{at:X}", path))
            return ArchiveTable(np.empty(0, dtype), self.end, 0)
        there = min(count, (self.end - at) // dtype.itemsize, BUDGET.archive_table)
        if there < count:
            why = f"{count} entries declared, {there} found"
            self.errors.append(FormatError(why, f"{name}_table", at, topic=Topic.CUT))
        items = np.frombuffer(bytes(self._fetch(at, there * dtype.itemsize)), dtype)
        return ArchiveTable(items, at, items.nbytes)


def read_archive(fetch: Fetch, end: int, context: ReadingContext) -> AxpFiles:
    """Read the tables and the names of the archive in a file of `end` bytes. FormatError if the file has no
    header, or another version.
    """
    try:
        header = HEADER.read(Cursor(bytes(fetch(0, HEADER.minimum))))
    except FormatError as error:
        raise error.inside("header") from None
    if header.version != VERSION:
        why = f"version {header.version >> 16}.{header.version & 0xFFFF} is not supported, only 1.1"
        raise FormatError(why, "header/version", 4)
    return AxpFiles(header, fetch, end)
