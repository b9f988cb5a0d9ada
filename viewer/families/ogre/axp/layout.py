"""The layout of AXP archives, `.axp`, version 1.1.

All offsets count from the beginning of the file. The bytes of the files are stored as they are. The file
`(list)`, usually the last block, has the names in the code page GBK: a hexadecimal word, the number of files,
then a line `name|size|check word` for each file, with two hexadecimal numbers.

The hash of a name is computed from the name in lower case, with `/` between its parts. The hash is computed
as in MPQ archives, with numbers for four instead of five kinds of hashes; bytes from 0x80 count as negative
numbers.

Source: liuguangw TlbbGmTool, `axp`; odasm AxpPackerTLBB; the client's `PackFile.h`; d3mbun
TLBBWinnerR_Client, `Update.axp`.
"""

from __future__ import annotations

import numpy as np

from viewer.binary import Array, Fixed, Magic, Record, record_dtype
from viewer.families.ogre.axp.probe import MAGIC

U32 = np.dtype("<u4")
VERSION = 0x00010001
HASH_COUNT = 0x8000
"""Entries of the hash table."""
USED = 0x80000000
"""The flag of a used entry, in the hash table and in the block table."""
INDEX = 0x3FFFFFFF
"""The bits that hold the index of the block, in an entry of the hash table."""

HEADER = Record(
    "header",
    Magic("magic", (MAGIC,), note="begins an archive"),
    Fixed("version", U32, note="0x00010001 is version 1.1"),
    Fixed("edit_flag", U32, note="1 while a tool writes the archive; the client refuses such an archive"),
    Fixed("hash_offset", U32, note="offset of the hash table"),
    Fixed("block_offset", U32, note="offset of the block table"),
    Fixed("block_count", U32, note="entries of the block table"),
    Fixed("block_capacity", U32, note="space that is reserved for the block table, bytes"),
    Fixed("data_offset", U32, note="offset of the first file"),
    Fixed("data_size", U32, note="size of all files with the holes between them, bytes; some tools write 0"),
    Fixed("hole_size", U32, note="size of the holes, bytes"),
)
HASH = record_dtype(
    ("check_a", U32, "first check of the name"),
    ("check_b", U32, "second check of the name"),
    ("block", U32, "index in the block table in the low 30 bits; the highest bit is set in used entries"),
)
BLOCK = record_dtype(
    ("offset", U32, "offset of the file's bytes"),
    ("size", U32, "size of the file, bytes"),
    ("flags", U32, "the highest bit is set if the block is used, else the block is a hole"),
)
HASHES = Record(
    "hash_table", Array("entries", HASH, HASH_COUNT, note="blocks of files by the hashes of their names")
)
BLOCKS = Record("block_table", Array("entries", BLOCK, "block_count", note="files and holes"))
