"""Read the files of an MPQ archive, whose sectors are decrypted and unpacked on demand.

Sizes are checked before memory is allocated. A sector unpacks at most to the size of a sector.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import pairwise

import numpy as np

from viewer.binary.code_pages import raws_of
from viewer.binary.cursor import NdArray
from viewer.budget import BUDGET
from viewer.errors import FormatError, Topic
from viewer.families.wow.mpq.codecs import unpack, unpack_imploded
from viewer.families.wow.mpq.crypt import decrypt, decrypt_all, keys_of
from viewer.families.wow.mpq.found_names import find_names
from viewer.families.wow.mpq.layout import (
    ADJUSTED,
    COMPRESSED,
    DELETED,
    ENCRYPTED,
    EXISTS,
    IMPLODED,
    PATCH,
    SINGLE,
    SUMMED,
    U32,
)
from viewer.families.wow.mpq.names import (
    ATTRIBUTES,
    LISTFILE,
    SPECIAL,
    NameTable,
    listed_names,
    shown_name,
    shown_names,
)
from viewer.families.wow.mpq.tables import Tables, read_tables
from viewer.family.archive import Fetch
from viewer.scene.package import BROKEN, GOOD, WRONG
from viewer.scene.reading_context import ReadingContext
from viewer.storage.archive_tree import FilePlaces
from viewer.storage.name_hashes import FILE_KEY, WORD_MASK, hash_name
from viewer.storage.reading import read_file
from viewer.storage.unnamed_files import made_up_name

MOST_UNNAMED = 0.1
"""Tables and models are searched for names only if more than this share of the files has no name."""
LARGE = 64 << 20
"""Tables and models with more bytes than this are not searched for names."""
PIECE = 1 << 18
"""Number of unpacked bytes in a piece of a file, unless a sector is larger."""
EXTRA = 0x400
"""Largest number of bytes between two parts of a file: the table of sector offsets, and the first sector."""
ATTRIBUTES_VERSION, HAS_CRC = 100, 1
NO_SUM = (0, 0xFFFFFFFF)
"""Values in place of a sector checksum that stand for no checksum."""


class MpqFiles:
    """The files of an archive, in the order of their blocks.

    `blocks` [N] are the numbers of their blocks; `offsets`, `packed`, `sizes` [N] i64 and `flags` [N] u4 are
    columns of these blocks. The offsets count from the beginning of the file on the disk.

    `stored_names` are the names as the archive has them (None for an unknown name); `names` are the shown
    names. Both are read when they are needed. `found_names` counts the names that no list has; these names
    come from tables, models and other archives. `errors` are the errors of lists of names that could not be
    read.
    """

    def __init__(self, tables: Tables, fetch: Fetch, listfiles: Sequence[str] = ()) -> None:
        self.tables, self._listfiles = tables, listfiles
        items = tables.blocks.items
        self.lookup = NameTable(tables.hashes.items, len(items))
        named = self.lookup.blocks
        flags = items["flags"][named]
        self.deleted = int((flags & DELETED > 0).sum())
        self.blocks = named[(flags & EXISTS > 0) & (flags & DELETED == 0)]
        own = items[self.blocks]
        self.offsets = tables.offsets[self.blocks] + tables.start
        self.packed, self.sizes = own["packed"].astype(np.int64), own["size"].astype(np.int64)
        self.flags = own["flags"]
        self.errors: list[FormatError] = []
        self._heads = self.found_names = 0
        self._keys: dict[int, int] = {}
        self._fetch = fetch
        self._asked: dict[int, bytes] = {}
        self._names: list[str] | None = None
        self._stored_names: list[bytes | None] = []

    @property
    def names(self) -> list[str]:
        """The names of the files as users see them."""
        if self._names is None:
            self._read_names()
        assert self._names is not None, "the names are read"
        return self._names

    @property
    def stored_names(self) -> list[bytes | None]:
        """The names of the files as the archive has them; None for an unknown name."""
        if self._names is None:
            self._read_names()
        return self._stored_names

    def _read_names(self) -> None:
        """Read the lists of names, and find further names if many files have none."""
        found = self.lookup.name_blocks(SPECIAL)
        for data in (self._special(LISTFILE), *self._user_lists()):
            found = self.lookup.name_blocks(listed_names(data)) | found
        known = [found.get(block, (None, 0)) for block in self.blocks.tolist()]
        self._stored_names = [name for name, _ in known]
        self._names = names = shown_names([name or b"" for name, _ in known])
        for number, (name, locale) in enumerate(known):
            if locale and name is not None:
                names[number] = shown_name(name, locale)
        unnamed = set(self.blocks[self.unnamed].tolist())
        if len(unnamed) > MOST_UNNAMED * len(self.blocks):
            self._name(find_names(self.lookup, unnamed, self._known, self._whole))
        for number in self.unnamed:
            names[number] = made_up_name(int(self.blocks[number]), self._head(number))

    @property
    def unnamed(self) -> list[int]:
        """The indices of the files whose names are unknown."""
        return [number for number, each in enumerate(self.stored_names) if each is None]

    @property
    def names_missing(self) -> bool:
        """Whether the name of a file is unknown."""
        return None in self.stored_names

    def learn(self, names: Iterable[str]) -> bool:
        """Test whether these names belong to files without a known name; return whether at least one does."""
        raw = (name.replace("/", "\\").encode("utf-8", "surrogateescape") for name in names)
        return self._name(self.lookup.name_blocks(raw))

    @cached_property
    def removed(self) -> tuple[NdArray, NdArray]:
        """The offsets and the stored sizes [M] i64 of the rows of the block table that belong to no file.
        Rows that end outside the archive are left out.
        """
        items = self.tables.blocks.items
        offsets, packed = self.tables.offsets + self.tables.start, items["packed"].astype(np.int64)
        kept = (packed > 0) & (offsets >= self.tables.start) & (offsets + packed <= self.tables.end)
        kept[self.blocks] = False
        return offsets[kept], packed[kept]

    @property
    def places(self) -> FilePlaces:
        """The offsets and the stored sizes of the files, with their names."""
        return FilePlaces(self.names, self.offsets, self.packed)

    def number(self, name: str) -> int | None:
        """Return the index of the file with this name, listed or not."""
        raw, block = self._found(name)
        at = int(np.searchsorted(self.blocks, block)) if block is not None else len(self.blocks)
        if at >= len(self.blocks) or self.blocks[at] != block:
            return None
        self._asked[at] = raw
        return at

    def _found(self, name: str) -> tuple[bytes, int | None]:
        """The stored name and the block of a file. A name outside of ASCII may be in a code page."""
        raw = name.encode("utf-8", "surrogateescape")
        pages = () if name.isascii() else raws_of(name)
        found = ((each, self.lookup.find(each)) for each in (raw, *pages))
        return next((each for each in found if each[1] is not None), (raw, None))

    def is_deleted(self, name: str) -> bool:
        """Whether the archive has a deletion marker for a name."""
        if not self.deleted:
            return False
        block = self._found(name)[1]
        return block is not None and bool(self.tables.blocks.items["flags"][block] & DELETED)

    @cached_property
    def checksums(self) -> tuple[NdArray, NdArray]:
        """The CRC-32 of the files [N] u4, and whether there is one [N], from `(attributes)`."""
        count = len(self.tables.blocks.items)
        data = self._special(ATTRIBUTES)
        values = np.zeros(count, U32)
        head = np.frombuffer(data, U32, min(2, len(data) // 4)).tolist()
        if len(head) == 2 and head[0] == ATTRIBUTES_VERSION and head[1] & HAS_CRC:
            kept = min(count, len(data) // 4 - 2)
            values[:kept] = np.frombuffer(data, U32, kept, 8)
        own = values[self.blocks]
        return own, own > 0

    def read(self, number: int, fetch: Fetch) -> Iterator[bytes]:
        """Yield the bytes of a file in pieces. FormatError after the last good piece of a broken file."""
        try:
            yield from self._pieces(number, fetch)
        except FormatError as error:
            error.offset = min(error.offset or max(int(self.offsets[number]), 0), self.tables.end)
            raise error.inside(f"entries[{number}]") from None

    def verify(self, number: int, fetch: Fetch) -> tuple[int, FormatError | None]:
        """Unpack a file, and compare its sectors and its bytes with their checksums. Return GOOD, WRONG or
        BROKEN, and the error (None if good).
        """
        value, at = 0, int(self.offsets[number])
        try:
            for piece in self.read(number, fetch):
                value = zlib.crc32(piece, value)
            wrong = self._wrong_sectors(number, fetch)
        except FormatError as error:
            return BROKEN, error
        if wrong:
            why = f"the checksum of sector {wrong[0]} is wrong"
            return WRONG, FormatError(why, f"entries[{number}]", at)
        stated, known = (int(column[number]) for column in self.checksums)
        if known and stated != value:
            why = f"the checksum is {value:08X}, (attributes) has {stated:08X}"
            return WRONG, FormatError(why, f"entries[{number}]", at)
        return GOOD, None

    def sectors(self, number: int, fetch: Fetch) -> NdArray | None:
        """Return the offsets [S + 1] i64 of a file's sectors, counted from the file's first byte. If the file
        has sector checksums, a further offset follows: the end of the checksums. None for a file without such
        offsets. FormatError if they are invalid.
        """
        flags, size = int(self.flags[number]), int(self.sizes[number])
        if not flags & (IMPLODED | COMPRESSED) or flags & SINGLE or not size:
            return None
        count = -(-size // self.tables.sector) + 1 + (flags & SUMMED > 0)
        packed = int(self.packed[number])
        if count * 4 > packed:
            raise FormatError(
                f"{packed} stored bytes are too few for {size} bytes in {count - 1} sectors", "sectors"
            )
        raw = bytes(fetch(int(self.offsets[number]), count * 4))
        if flags & ENCRYPTED:
            key = self._key(number) if self._name_of(number) is not None else self._found_key(number, raw)
            raw = decrypt(raw, key - 1)
        return self._valid(number, raw, count)

    def _valid(self, number: int, raw: bytes, count: int) -> NdArray:
        """Return the offsets [count] i64 of a file's sectors. FormatError if they are invalid."""
        flags, packed, first = int(self.flags[number]), int(self.packed[number]), count * 4
        offsets = np.frombuffer(raw, U32, len(raw) // 4).astype(np.int64)
        steps = np.diff(offsets[: count - (flags & SUMMED > 0)])
        if len(offsets) < count or not first <= offsets[0] <= first + EXTRA or offsets[-1] > packed:
            raise FormatError("the offsets of the sectors are invalid", "sectors")
        if len(steps) and (steps.min() < 0 or steps.max() > self.tables.sector):
            raise FormatError("the offsets of the sectors are invalid", "sectors")
        if flags & SUMMED and offsets[-1] < offsets[-2]:
            raise FormatError("the offsets of the sector checksums are invalid", "sectors")
        return offsets

    @property
    def _known(self) -> Iterator[bytes]:
        return (each for each in self.stored_names if each is not None)

    def _name(self, names: Mapping[int, tuple[bytes, int]]) -> bool:
        """Give names to files whose names are unknown. `names` are pairs of name and locale by the number of
        a block.
        """
        fitting = [number for number in self.unnamed if int(self.blocks[number]) in names]
        for number in fitting:
            name, locale = names[int(self.blocks[number])]
            self.stored_names[number], self.names[number] = name, shown_name(name, locale)
        self.found_names += len(fitting)
        return bool(fitting)

    def _whole(self, block: int) -> bytes:
        """The bytes of a file by its block; empty if it is large or cannot be read."""
        number = int(np.searchsorted(self.blocks, block))
        if number >= len(self.blocks) or self.blocks[number] != block or self.sizes[number] > LARGE:
            return b""
        try:
            return b"".join(self.read(number, self._fetch))
        except FormatError:
            return b""

    def _head(self, number: int) -> bytes:
        """The first bytes of a file without a name; empty if the file is stored as one large unit, if it
        cannot be read, or if many such files were read before.
        """
        self._heads += 1
        single = int(self.flags[number]) & SINGLE and self.sizes[number] > PIECE
        if single or self._heads > BUDGET.archive_heads:
            return b""
        try:
            return next(self._pieces(number, self._fetch, together=1), b"")
        except FormatError:
            return b""

    def _pieces(self, number: int, fetch: Fetch, together: int = 0) -> Iterator[bytes]:
        """Yield the unpacked bytes of a file, `together` sectors at a time (0: about `PIECE` bytes)."""
        flags, size, at = int(self.flags[number]), int(self.sizes[number]), int(self.offsets[number])
        if flags & PATCH:
            raise FormatError(
                "is a patch (PTCH) to a file of an older archive, which Rigscope does not apply"
            )
        if size > BUDGET.file_bytes:
            raise FormatError(f"{size} bytes are more than the limit of {BUDGET.file_bytes}")
        left = self.tables.end - at
        if at < self.tables.start or self.packed[number] > left:
            why = f"{int(self.packed[number])} bytes declared, {max(left, 0)} left"
            raise FormatError(why, "", min(at, self.tables.end), topic=Topic.CUT)
        if not size:
            return
        if flags & SINGLE:
            yield self._single(number, fetch)
            return
        offsets = self.sectors(number, fetch)
        wide = self.tables.sector
        if offsets is None:
            if self.packed[number] < size:
                raise FormatError(f"{int(self.packed[number])} stored bytes are too few for {size} bytes")
            offsets = np.minimum(np.arange(-(-size // wide) + 1, dtype=np.int64) * wide, size)
        count, together = -(-size // wide), together or max(1, PIECE // wide)
        for first in range(0, count, together):
            last = min(first + together, count)
            yield b"".join(self._unpacked(number, offsets, first, last, fetch))

    def _unpacked(
        self, number: int, offsets: NdArray, first: int, last: int, fetch: Fetch
    ) -> Iterator[bytes]:
        wide, flags, size = self.tables.sector, int(self.flags[number]), int(self.sizes[number])
        for sector, data in enumerate(self._stored(number, offsets, first, last, fetch), first):
            expected = min(wide, size - sector * wide)
            try:
                yield self._sector(data, expected, flags)
            except FormatError as error:
                error.offset = int(self.offsets[number] + offsets[sector])
                raise error.inside(f"sectors[{sector}]") from None

    def _stored(self, number: int, offsets: NdArray, first: int, last: int, fetch: Fetch) -> list[bytes]:
        """The stored bytes of the sectors from `first` to `last`, decrypted."""
        marks = offsets[first : last + 1].tolist()
        raw = bytes(fetch(int(self.offsets[number]) + marks[0], marks[-1] - marks[0]))
        parts = [raw[a - marks[0] : b - marks[0]] for a, b in pairwise(marks)]
        if not int(self.flags[number]) & ENCRYPTED:
            return parts
        key = self._key(number)
        return decrypt_all(parts, [key + sector for sector in range(first, last)])

    def _sector(self, data: bytes, expected: int, flags: int) -> bytes:
        if len(data) == expected:
            return data
        if not data:
            return bytes(expected)  # a sector without bytes is zeros, as in StormLib
        if len(data) > expected or not flags & (IMPLODED | COMPRESSED):
            raise FormatError(f"{len(data)} stored bytes cannot be {expected} unpacked bytes")
        return unpack_imploded(data, expected) if flags & IMPLODED else unpack(data, expected)

    def _single(self, number: int, fetch: Fetch) -> bytes:
        """Read a file that is one unit instead of sectors."""
        flags, size, packed = int(self.flags[number]), int(self.sizes[number]), int(self.packed[number])
        stored = min(packed, size) if not flags & (IMPLODED | COMPRESSED) else packed
        data = bytes(fetch(int(self.offsets[number]), stored))
        if flags & ENCRYPTED:
            data = decrypt(data, self._key(number))
        return self._sector(data, size, flags)

    def _name_of(self, number: int) -> bytes | None:
        """The name of a file, as it was asked for or as a list has it; None if it is unknown."""
        asked = self._asked.get(number)
        return self.stored_names[number] if asked is None else asked

    def _key(self, number: int) -> int:
        """The key of an encrypted file. FormatError if its name is unknown."""
        name = self._name_of(number)
        if name is None and number in self._keys:
            return self._keys[number]
        if name is None:
            raise FormatError("is encrypted, and its name, which is a part of the key, is unknown")
        key = hash_name(name.replace(b"/", b"\\").rpartition(b"\\")[2], FILE_KEY)
        if int(self.flags[number]) & ADJUSTED:
            low = int(self.offsets[number]) - self.tables.start & 0xFFFFFFFF
            key = (key + low & 0xFFFFFFFF) ^ int(self.sizes[number])
        return key

    def _found_key(self, number: int, raw: bytes) -> int:
        """Find the key of an encrypted file without a name. FormatError if no key fits.

        `raw` are the encrypted offsets of the file's sectors. The first sector begins directly after these
        offsets, so the first offset must decrypt to their size in bytes.

        Source: StormLib, `SBaseCommon.cpp`.
        """
        if number not in self._keys:
            for key in keys_of(raw, len(raw)):
                with suppress(FormatError):
                    self._valid(number, decrypt(raw, key), len(raw) // 4)
                    self._keys[number] = key + 1 & WORD_MASK
                    break
        return self._key(number)

    def _wrong_sectors(self, number: int, fetch: Fetch) -> list[int]:
        flags = int(self.flags[number])
        offsets = self.sectors(number, fetch) if flags & SUMMED else None
        if offsets is None:
            return []
        count, start, end = len(offsets) - 2, int(offsets[-2]), int(offsets[-1])
        raw = bytes(fetch(int(self.offsets[number]) + start, end - start))
        if not raw:
            return []
        sums = np.frombuffer(self._sector(raw, count * 4, COMPRESSED), U32).tolist()
        wrong, together = [], max(1, PIECE // self.tables.sector)
        for first in range(0, count, together):
            last = min(first + together, count)
            for sector, data in enumerate(self._stored(number, offsets, first, last, fetch), first):
                if sums[sector] not in NO_SUM and zlib.adler32(data, 0) != sums[sector]:
                    wrong.append(sector)
        return wrong

    def _special(self, name: bytes) -> bytes:
        """The bytes of a file that describes the archive. They are empty if the file is missing, or if it
        cannot be read; only the second case is recorded as an error.
        """
        number = self.number(name.decode())
        if number is None:
            return b""
        if self.sizes[number] > BUDGET.listfile_bytes:
            why = f"{int(self.sizes[number])} bytes are more than the limit of {BUDGET.listfile_bytes}"
            at = min(int(self.offsets[number]), self.tables.end)
            self._fail(name, FormatError(why, f"entries[{number}]", at))
            return b""
        try:
            return b"".join(self.read(number, self._fetch))
        except FormatError as error:
            self._fail(name, error)
            return b""

    def _user_lists(self) -> Iterator[bytes]:
        """Yield the lists of names that the user gives; a list that cannot be read becomes an error."""
        for path in self._listfiles:
            try:
                yield read_file(path, BUDGET.listfile_bytes)
            except FormatError as error:
                self.errors.append(FormatError(f"{path}: {error.why}", "listfile"))

    def _fail(self, name: bytes, error: FormatError) -> None:
        error.why = f"{shown_name(name)}: {error.why}"
        self.errors.append(error)


def open_archive(fetch: Fetch, end: int, context: ReadingContext) -> MpqFiles:
    """Read the tables of the archive in a file of `end` bytes. FormatError if it has none."""
    return MpqFiles(read_tables(fetch, end), fetch, context.listfiles)
