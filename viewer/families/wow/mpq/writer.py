"""Write MPQ archives for tests and samples."""

from __future__ import annotations

import bz2
import zlib
from collections.abc import Callable, Iterable

import msgspec
import numpy as np

from viewer.binary import Struct
from viewer.binary.cursor import NdArray
from viewer.families.wow.mpq.crypt import encrypt
from viewer.families.wow.mpq.layout import (
    ADJUSTED,
    BLOCK,
    COMPRESSED,
    ENCRYPTED,
    EXISTS,
    HASH,
    HEADER,
    IMPLODED,
    REMOVED,
    SINGLE,
    SUMMED,
    U32,
    UNUSED,
)
from viewer.families.wow.mpq.names import ATTRIBUTES, LISTFILE
from viewer.families.wow.mpq.tables import BLOCK_KEY, HASH_KEY
from viewer.storage.name_hashes import CHECK_A, CHECK_B, FILE_KEY, START, hash_name

SIZES = (0x20, 0x2C)
"""The sizes of the headers of versions 1 and 2."""
SHIFT = 3
SECTOR = 512 << SHIFT


class MpqFile(msgspec.Struct, frozen=True):
    """A file of an archive. `pack` packs a sector, and returns its bytes with the mask of the method. A
    removed file leaves its bytes and its row of the block table, without the flag that it exists.
    """

    name: str
    data: bytes
    flags: int = COMPRESSED
    pack: Callable[[bytes], bytes] = lambda data: b"\x02" + zlib.compress(data)
    locale: int = 0
    removed: bool = False


def by_bzip2(data: bytes) -> bytes:
    """Pack a sector by bzip2."""
    return b"\x10" + bz2.compress(data)


def by_sparse(data: bytes) -> bytes:
    """Pack a sector as runs of zeros and of other bytes."""
    out, at = bytearray(b"\x20" + len(data).to_bytes(4, "big")), 0
    while at < len(data):
        zeros = len(data[at : at + 130]) - len(data[at : at + 130].lstrip(b"\0"))
        if zeros >= 3:
            out.append(zeros - 3)
            at += zeros
        else:
            piece = data[at : at + 128].partition(b"\0\0\0")[0] or data[at : at + 3]
            out += bytes((0x80 | len(piece) - 1,)) + piece
            at += len(piece)
    return bytes(out)


def mpq_bytes(
    files: Iterable[tuple[str, bytes] | MpqFile], version: int = 1, listed: bool = True, summed: bool = True
) -> bytes:
    """Write an archive of version 1 or 2. `listed` adds the list of names, `summed` the checksums of the
    files.
    """
    wanted = [each if isinstance(each, MpqFile) else MpqFile(*each) for each in files]
    if listed:
        names = "\r\n".join(dict.fromkeys(each.name for each in wanted if not each.removed))
        wanted.append(MpqFile(LISTFILE.decode(), names.encode()))
    if summed:
        sums = [100, 1, *(zlib.crc32(each.data) for each in wanted), 0]
        wanted.append(MpqFile(ATTRIBUTES.decode(), np.array(sums, U32).tobytes()))
    body, blocks = bytearray(SIZES[version - 1]), np.zeros(len(wanted), BLOCK)
    for block, each in zip(blocks, wanted, strict=True):
        stored = _file_bytes(each, len(body))
        block["offset"], block["packed"], block["size"] = len(body), len(stored), len(each.data)
        block["flags"] = 0 if each.removed else each.flags | EXISTS
        body += stored
    hashes = _hashes(wanted)
    header = Struct(
        magic="MPQ\x1a",
        header_size=SIZES[version - 1],
        archive_size=len(body) + hashes.nbytes + blocks.nbytes,
        format=version - 1,
        sector_shift=SHIFT,
        hash_offset=len(body),
        block_offset=len(body) + hashes.nbytes,
        hash_count=len(hashes),
        block_count=len(blocks),
        high_offset=0,
        hash_offset_high=0,
        block_offset_high=0,
    )
    body[: SIZES[version - 1]] = HEADER.pack(header)
    return bytes(body) + encrypt(hashes.tobytes(), HASH_KEY) + encrypt(blocks.tobytes(), BLOCK_KEY)


def _hashes(files: list[MpqFile]) -> NdArray:
    """The hash table, twice as large as the number of files needs."""
    hashes = np.zeros(1 << (2 * len(files)).bit_length(), HASH)
    hashes["block"] = hashes["check_a"] = hashes["check_b"] = UNUSED
    for number, each in enumerate(files):
        raw = each.name.encode()
        at = hash_name(raw, START) % len(hashes)
        while hashes["block"][at] != UNUSED:
            at = (at + 1) % len(hashes)
        checks = hash_name(raw, CHECK_A), hash_name(raw, CHECK_B)
        hashes[at] = (*checks, each.locale, 0, 0, REMOVED if each.removed else number)
    return hashes


def _file_bytes(file: MpqFile, at: int) -> bytes:
    """The stored bytes of a file at an offset of the archive."""
    flags, data = file.flags, file.data
    key = hash_name(file.name.replace("/", "\\").rpartition("\\")[2].encode(), FILE_KEY)
    if flags & ADJUSTED:
        key = (key + at & 0xFFFFFFFF) ^ len(data)
    if flags & SINGLE:
        return _encrypted([_packed(file, data)], flags, key)[0]
    sectors = [_packed(file, data[start : start + SECTOR]) for start in range(0, len(data), SECTOR)]
    if not flags & (COMPRESSED | IMPLODED):
        return b"".join(_encrypted(sectors, flags, key))
    sums = np.array([zlib.adler32(each, 0) for each in sectors], U32).tobytes() if flags & SUMMED else b""
    lengths = [len(each) for each in sectors] + ([len(sums)] if sums else [])
    offsets = np.cumsum([4 * (len(lengths) + 1), *lengths]).astype(U32).tobytes()
    head = encrypt(offsets, key - 1) if flags & ENCRYPTED else offsets
    return head + b"".join(_encrypted(sectors, flags, key)) + sums


def _packed(file: MpqFile, data: bytes) -> bytes:
    """A sector, packed if this makes it smaller."""
    packed = file.pack(data) if file.flags & (COMPRESSED | IMPLODED) else data
    return min(data, packed, key=len)


def _encrypted(sectors: list[bytes], flags: int, key: int) -> list[bytes]:
    if not flags & ENCRYPTED:
        return sectors
    return [encrypt(each, key + number) for number, each in enumerate(sectors)]
