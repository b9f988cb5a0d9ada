"""Read the header and the tables of an MPQ archive."""

from __future__ import annotations

import msgspec
import numpy as np

from viewer.binary import Cursor, Struct
from viewer.binary.cursor import NdArray
from viewer.budget import BUDGET
from viewer.errors import FormatError, Topic
from viewer.families.wow.mpq.codecs import unpack
from viewer.families.wow.mpq.crypt import decrypt
from viewer.families.wow.mpq.layout import BLOCK, HASH, HEADER, U16, USER_DATA
from viewer.families.wow.mpq.probe import FAR, USER_DATA_ID, header_offsets
from viewer.family.archive import Fetch
from viewer.storage.archive_tree import ArchiveTable
from viewer.storage.name_hashes import FILE_KEY, hash_name

LARGEST_HEADER, SMALLEST_HEADER = 0xD0, 0x20
LARGEST_SHIFT = 16
"""The largest sector shift: a sector has up to 32 MiB."""
COUNT_BITS = 0x0FFFFFFF
"""The bits of a table's count that readers use."""
HASH_KEY, BLOCK_KEY = (hash_name(name, FILE_KEY) for name in (b"(hash table)", b"(block table)"))


class Tables(msgspec.Struct, frozen=True, eq=False):
    """The tables of an archive. `start` is the offset of its header in the file, `end` the size of the file;
    `user_data` is the offset of the user data, None if there is none. `others` has the offset and the size of
    each table that is not read. `errors` say what could not be read.
    """

    header: Struct
    start: int
    end: int
    user_data: int | None
    hashes: ArchiveTable
    blocks: ArchiveTable
    high: ArchiveTable
    others: dict[str, tuple[int, int]]
    errors: list[FormatError]

    @property
    def sector(self) -> int:
        """The size of a sector in bytes."""
        return 512 << (int(self.header.sector_shift) & 0xFF)

    @property
    def offsets(self) -> NdArray:
        """The offsets [N] i64 of the files in the archive."""
        low = self.blocks.items["offset"].astype(np.int64)
        low[: len(self.high.items)] += self.high.items[: len(low)].astype(np.int64) << 32
        return low


def read_tables(fetch: Fetch, end: int) -> Tables:
    """Read the tables of the archive in a file of `end` bytes. FormatError if the file has no archive, or an
    archive without a hash table and a block table.
    """
    header, start, user_data = _header(fetch, end)
    shift = header.sector_shift & 0xFF
    if shift > LARGEST_SHIFT:
        raise _wrong(f"sectors of 512 << {shift} bytes are too large", "sector_shift", start)
    if header.get("het_offset") and not (header.hash_offset and header.block_offset):
        raise _wrong("archives with only the tables HET and BET are not supported", "het_offset", start)
    errors: list[FormatError] = []
    hash_at, block_at, high_at = _offsets(header)
    unread = {name: int(header.get(f"{name}_offset") or 0) for name in ("het", "bet")}
    stops = {hash_at, block_at, high_at, *unread.values(), end - start} - {0}

    def stored_size(name: str, at: int) -> int:
        size = min((stop for stop in stops if stop > at), default=at) - at
        return min(size, int(header.get(f"{name}_stored") or size))

    def table(name: str, dtype: np.dtype, at: int, count: int, key: int | None) -> ArchiveTable:
        stored = min(stored_size(name, at), count * dtype.itemsize)
        try:
            return _table(fetch, name, dtype, start + at, count, stored, key, end)
        except FormatError as error:
            errors.append(error.inside("archive"))
            return error.partial or ArchiveTable(np.empty(0, dtype), min(start + at, end), 0)

    counts = header.hash_count & COUNT_BITS, header.block_count & COUNT_BITS
    hashes = table("hash", HASH, hash_at, counts[0], HASH_KEY)
    blocks = table("block", BLOCK, block_at, counts[1], BLOCK_KEY)
    high = table("high", U16, high_at, len(blocks.items) if high_at else 0, None)
    others = {
        f"{name}_table": (start + at, stored_size(name, at))
        for name, at in unread.items()
        if 0 < at < end - start
    }
    return Tables(header, start, end, user_data, hashes, blocks, high, others, errors)


def _header(fetch: Fetch, end: int) -> tuple[Struct, int, int | None]:
    """The first header whose tables lie in the file, the offset of the header, and the offset of the user
    data before the header. If there is no such header, the first header is returned.
    """
    found: list[tuple[Struct, int, int | None]] = []
    for at in header_offsets(fetch, min(end, FAR)):
        user_data = None
        if bytes(fetch(at, 4)) == USER_DATA_ID:
            head = bytes(fetch(at, USER_DATA.minimum))
            if len(head) < USER_DATA.minimum:
                continue
            user_data, at = at, at + int(USER_DATA.read(Cursor(head)).header_offset)
        head = bytes(fetch(at, LARGEST_HEADER))
        if head[:4] != HEADER.fields[0].ids[0] or len(head) < SMALLEST_HEADER:  # type: ignore[attr-defined]
            continue
        try:
            header = HEADER.read(Cursor(head))
        except FormatError:
            continue
        found.append((header, at, user_data))
        if header.header_size >= SMALLEST_HEADER and all(at + each <= end for each in _offsets(header)):
            return found[-1]
    if not found:
        raise FormatError("has no header of an MPQ archive")
    return found[0]


def _offsets(header: Struct) -> tuple[int, int, int]:
    """The offsets of the hash table, the block table and the high block table in the archive; 0 if absent."""
    hash_at = header.hash_offset | (header.get("hash_offset_high") or 0) << 32
    block_at = header.block_offset | (header.get("block_offset_high") or 0) << 32
    return hash_at, block_at, int(header.get("high_offset") or 0)


def _table(
    fetch: Fetch, name: str, dtype: np.dtype, at: int, count: int, size: int, key: int | None, end: int
) -> ArchiveTable:
    """Read a table of `count` entries, which has `size` bytes in the file. FormatError if a part of it is
    missing; its `partial` is the table with the entries that exist.
    """
    wide = dtype.itemsize
    if at > end:
        raise _wrong(f"the {name} table lies outside the file, at 0x{at:X}", f"{name}_offset", end)
    if count > BUDGET.archive_table:
        why = f"{count} entries are more than the limit of {BUDGET.archive_table}"
        raise _wrong(why, f"{name}_table", at)
    raw = bytes(fetch(at, size))
    plain = decrypt(raw, key) if key is not None else raw
    cut = FormatError("", f"{name}_table", at, topic=Topic.CUT)
    if len(plain) < count * wide:
        try:
            plain = unpack(plain, count * wide)
        except FormatError:
            cut.why = f"{count} entries declared, {len(plain) // wide} found"
    table = ArchiveTable(np.frombuffer(plain, dtype, len(plain) // wide), at, len(raw))
    if cut.why:
        cut.partial = table
        raise cut
    return table


def _wrong(why: str, field: str, at: int) -> FormatError:
    return FormatError(why, field, at)
