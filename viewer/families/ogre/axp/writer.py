"""Write AXP archives for tests and samples."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping

import numpy as np

from viewer.binary import Struct
from viewer.families.ogre.axp.layout import BLOCK, HASH, HASH_COUNT, HEADER, USED, VERSION
from viewer.families.ogre.axp.names import ENCODING, FOLD, LIST, TABLE, name_keys
from viewer.storage.name_hashes import hash_names

POSITION = 3
"""The kind of hash that gives the first index at which a name is searched in the hash table."""
ROOM = 0x100000
"""The usual size in bytes of the space for the block table."""


def axp_bytes(
    files: Mapping[str, bytes] | Iterable[tuple[str, bytes]],
    summed: bool = True,
    listed: bool = True,
    edited: bool = False,
    room: int = ROOM,
    hash_count: int = HASH_COUNT,
) -> bytes:
    """Write an archive. If `summed`, the check words of the list are checksums, else hashes of the names.
    `listed` adds the list of names; `edited` sets the edit flag. Small archives for tests have less than the
    usual space (`room`) for blocks, and fewer entries in the hash table.
    """
    wanted = list(files.items() if isinstance(files, Mapping) else files)
    if listed:
        wanted.append((LIST, _list(wanted, summed)))
    start = HEADER.minimum + hash_count * HASH.itemsize
    data_offset = start + room
    blocks, body = np.zeros(len(wanted), BLOCK), bytearray()
    for block, (_, data) in zip(blocks, wanted, strict=True):
        block["offset"], block["size"], block["flags"] = data_offset + len(body), len(data), USED
        body += data
    header = Struct(
        magic="AXPK",
        version=VERSION,
        edit_flag=int(edited),
        hash_offset=HEADER.minimum,
        block_offset=start,
        block_count=len(blocks),
        block_capacity=room,
        data_offset=data_offset,
        data_size=len(body),
        hole_size=0,
    )
    table = blocks.tobytes().ljust(room, b"\0")
    return HEADER.pack(header) + _hashes([name for name, _ in wanted], hash_count) + table + bytes(body)


def _list(files: list[tuple[str, bytes]], summed: bool) -> bytes:
    checks = [zlib.crc32(data) for _, data in files] if summed else _keys([name for name, _ in files])
    lines = [b"7FED7FED", str(len(files)).encode()]
    for (name, data), check in zip(files, checks, strict=True):
        lines.append(name.encode(ENCODING) + f"|{len(data):08X}|{check & 0xFFFFFFFF:08X}".encode())
    return b"\n".join(lines) + b"\n"


def _keys(names: list[str]) -> list[int]:
    found: list[int] = name_keys(names).tolist()
    return found


def _hashes(names: list[str], count: int) -> bytes:
    hashes = np.zeros(count, HASH)
    folded = [name.translate(FOLD).encode(ENCODING) for name in names]
    starts = hash_names(folded, (POSITION,), TABLE, None, signed=True)[0] % count
    for number, (at, key) in enumerate(zip(starts.tolist(), _keys(names), strict=True)):
        while hashes["block"][at]:
            at = (at + 1) % count
        hashes[at] = key >> 32, key & 0xFFFFFFFF, USED | number
    return hashes.tobytes()
