"""The layout of MPQ archives, `.mpq`: versions 1 to 4, read by their hash tables and block tables.

Numbers count from the header, which may follow user data or another file. The hash table and the block table
are encrypted with the keys of the names `(hash table)` and `(block table)`.

Source: StormLib, `SBaseFileTable.cpp`, `SFileReadFile.cpp` and `SCompression.cpp`; wowemulation-dev
warcraft-rs, `wow-mpq`; archives made by smpq.
"""

from __future__ import annotations

import numpy as np

from viewer.binary import Array, Fixed, Magic, Record, When, record_dtype
from viewer.families.wow.mpq.probe import HEADER_ID, USER_DATA_ID

U8, U16, U32, U64 = (np.dtype(f"<u{size}") for size in (1, 2, 4, 8))

IMPLODED = 0x00000100
COMPRESSED = 0x00000200
ENCRYPTED = 0x00010000
ADJUSTED = 0x00020000
PATCH = 0x00100000
SINGLE = 0x01000000
DELETED = 0x02000000
SUMMED = 0x04000000
EXISTS = 0x80000000
"""The flags of a block."""
FLAG_NAMES = {
    IMPLODED: "imploded",
    COMPRESSED: "compressed",
    ENCRYPTED: "encrypted",
    ADJUSTED: "adjusted key",
    PATCH: "patch",
    SINGLE: "single unit",
    DELETED: "deletion marker",
    SUMMED: "sector checksums",
    EXISTS: "exists",
}
UNUSED, REMOVED = 0xFFFFFFFF, 0xFFFFFFFE
"""Block numbers of hash table entries: never used, and removed."""

SECOND, THIRD, FOURTH = (
    f"format in {formats} and header_size >= {size}"
    for formats, size in (((1, 2, 3), 0x2C), ((2, 3), 0x44), ((3,), 0xD0))
)
"""The conditions of the fields of later versions. A header that is too small for its version is read as
version 1.
"""

HEADER = Record(
    "header",
    Magic("magic", (HEADER_ID,), note="begins the header of an archive"),
    Fixed("header_size", U32, note="size of the header, bytes"),
    Fixed("archive_size", U32, note="size of the archive, bytes; readers ignore it"),
    Fixed("format", U16, note="0 is version 1, 3 is version 4"),
    Fixed("sector_shift", U16, note="a sector has 512 << this number of bytes; only the low byte counts"),
    Fixed("hash_offset", U32, note="offset of the hash table"),
    Fixed("block_offset", U32, note="offset of the block table"),
    Fixed("hash_count", U32, note="entries of the hash table, a power of two"),
    Fixed("block_count", U32, note="entries of the block table"),
    When(SECOND, Fixed("high_offset", U64, note="offset of the high block table; 0 if there is none")),
    When(SECOND, Fixed("hash_offset_high", U16, note="upper 16 bits of the hash table's offset")),
    When(SECOND, Fixed("block_offset_high", U16, note="upper 16 bits of the block table's offset")),
    When(THIRD, Fixed("archive_size_64", U64, note="size of the archive, bytes")),
    When(THIRD, Fixed("bet_offset", U64, note="offset of the BET table, which is not read")),
    When(THIRD, Fixed("het_offset", U64, note="offset of the HET table, which is not read")),
    When(FOURTH, Fixed("hash_stored", U64, note="stored size of the hash table, bytes")),
    When(FOURTH, Fixed("block_stored", U64, note="stored size of the block table, bytes")),
    When(FOURTH, Fixed("high_stored", U64, note="stored size of the high block table, bytes")),
    When(FOURTH, Fixed("het_stored", U64, note="stored size of the HET table, bytes")),
    When(FOURTH, Fixed("bet_stored", U64, note="stored size of the BET table, bytes")),
    When(FOURTH, Fixed("raw_chunk", U32, note="bytes for each MD5 after a file's data; 0 if there is none")),
    When(FOURTH, Array("digests", np.dtype((np.uint8, 16)), 6, note="MD5 of the tables and of the header")),
)
USER_DATA = Record(
    "user_data",
    Magic("magic", (USER_DATA_ID,), note="begins user data before an archive"),
    Fixed("size", U32, note="size of the user data, bytes"),
    Fixed("header_offset", U32, note="offset of the archive's header from here"),
    Fixed("user_header_size", U32, note="size of the header of the user data, bytes"),
)
HASH = record_dtype(
    ("check_a", U32, "first check of the name"),
    ("check_b", U32, "second check of the name"),
    ("locale", U16, "language of the file; 0 is neutral"),
    ("platform", U8, "always 0"),
    ("flags", U8, "always 0"),
    ("block", U32, "index in the block table; FFFFFFFF is never used, FFFFFFFE is removed"),
)
BLOCK = record_dtype(
    ("offset", U32, "offset of the file's bytes"),
    ("packed", U32, "stored size, bytes"),
    ("size", U32, "unpacked size, bytes"),
    ("flags", U32, "how the file is stored"),
)
HASHES = Record("hash_table", Array("entries", HASH, "hash_count", note="decrypted"))
BLOCKS = Record("block_table", Array("entries", BLOCK, "block_count", note="decrypted"))


def flag_names(flags: int) -> tuple[str, ...]:
    """Return the names of a block's flags; `exists` is left out."""
    return tuple(name for bit, name in FLAG_NAMES.items() if flags & bit and bit != EXISTS)
