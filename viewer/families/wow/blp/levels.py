"""Decode the mip levels of a BLP image as pixels [height, width, 4] u8."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from viewer.arrays import Array
from viewer.binary import Struct
from viewer.budget import BUDGET
from viewer.errors import FormatError
from viewer.families.wow.blp.blocks import BLOCKS, block_count, decode_blocks
from viewer.families.wow.blp.layout import DXT, JPEG, JPEG_PALETTE, MIPS, PALETTE, RAW, RAW_TOO
from viewer.storage.image import jpeg_channels

DXT_KINDS = {0: "DXT1", 1: "DXT3", 7: "DXT5"}
PART = 1 << 16
"""The number of pixels of a palette image that are looked up at a time."""


class MipLevel(NamedTuple):
    """A mip level: the range of its bytes, and its width and height in pixels."""

    number: int
    offset: int
    size: int
    width: int
    height: int


def levels_of(header: Struct, length: int) -> list[MipLevel]:
    """Return the levels in the header, the largest first. The list ends before the first level that is
    missing or outside the `length` bytes of the file. FormatError if no level is left or the size is
    impossible.
    """
    width, height = header.width, header.height
    if not (0 < width <= BUDGET.image_side and 0 < height <= BUDGET.image_side):
        text = f"the image has {width} × {height} pixels; each side must have 1 to {BUDGET.image_side}"
        raise FormatError(text, "picture/width", 12)
    found: list[MipLevel] = []
    for number in range(MIPS):
        offset, size = int(header.offsets[number]), int(header.sizes[number])
        if not offset or not size or offset + size > length:
            break
        found.append(MipLevel(number, offset, size, max(width >> number, 1), max(height >> number, 1)))
        if (width >> number) <= 1 and (height >> number) <= 1:
            break
    if not found:
        raise FormatError("the first level lies outside the file", "picture/offsets")
    return found


def level_size(header: Struct, level: MipLevel) -> int | None:
    """Return the number of bytes that the pixels of a level need; None for a JPEG or an unknown encoding."""
    count = level.width * level.height
    if has_palette(header):
        return count + (-(-count * header.alpha_bits // 8) if header.alpha_bits in ALPHAS else 0)
    if header.magic == "BLP1":
        return None
    if header.encoding == DXT:
        return int(block_count(level.width, level.height) * BLOCKS[dxt_kind(header)].itemsize)
    return count * 4 if header.encoding in (RAW, RAW_TOO) else None


def has_palette(header: Struct) -> bool:
    """Whether the pixels are numbers of colours in a palette."""
    if header.magic == "BLP1":
        return bool(header.compression == JPEG_PALETTE)
    return bool(header.encoding == PALETTE)


def encoding_name(header: Struct) -> str:
    """Return the encoding's name: `BLP2 DXT5`, `BLP2 palette, 8 bit alpha`, `BLP1 JPEG`, or `BLP2 encoding 9`
    for an unknown encoding.
    """
    if header.magic == "BLP1":
        kind = f"palette, {header.alpha_bits} bit alpha" if header.compression == JPEG_PALETTE else "JPEG"
        if header.compression not in (JPEG, JPEG_PALETTE):
            kind = f"compression {header.compression}"
    elif header.encoding == PALETTE:
        kind = f"palette, {header.alpha_bits} bit alpha"
    elif header.encoding == DXT:
        kind = dxt_kind(header)
    else:
        kind = "BGRA" if header.encoding in (RAW, RAW_TOO) else f"encoding {header.encoding}"
    return f"{header.magic} {kind}"


def dxt_kind(header: Struct) -> str:
    """Return the kind of block compression: `DXT1`, `DXT3` or `DXT5`."""
    return DXT_KINDS.get(header.alpha_type, "DXT1")


def decode_level(header: Struct, level: MipLevel, data: bytes) -> Array:
    """Return the pixels of one level. FormatError if bytes are missing, if a level other than the largest
    level has too many bytes, or if the encoding is unknown.
    """
    needed = level_size(header, level)
    if level.number and needed is not None and level.size > needed:
        raise FormatError(f"level {level.number} has {level.size} bytes; its pixels need {needed}")
    raw = np.frombuffer(data, np.uint8, level.size, level.offset)
    if header.magic == "BLP1" and header.compression == JPEG:
        return _jpeg(header, header.jpeg_header.tobytes() + raw.tobytes(), level)
    if header.magic == "BLP1" and header.compression != JPEG_PALETTE:
        why = f"the compression {header.compression} is unknown"
        raise FormatError(why, "picture/compression", header.marks[1])
    if header.magic == "BLP1" or header.encoding == PALETTE:
        return _palette(header, level, raw)
    if header.encoding == DXT:
        return _dxt(header, level, raw)
    if header.encoding in (RAW, RAW_TOO):
        return _bgra(_whole(raw, level.width * level.height * 4, level), level)
    raise FormatError(f"the encoding {header.encoding} is unknown", "picture/encoding", 8)


def _dxt(header: Struct, level: MipLevel, raw: Array) -> Array:
    """The pixels of a DXT level. A level smaller than a block may have too few bytes, because some files end
    where the client's decoder stops reading; missing bytes are 0.
    """
    kind = dxt_kind(header)
    size = block_count(level.width, level.height) * BLOCKS[kind].itemsize
    if len(raw) < size and level.number and min(level.width, level.height) < 4:
        raw = np.pad(raw, (0, size - len(raw)))
    blocks = _whole(raw, size, level)
    return decode_blocks(blocks, kind, level.width, level.height, punched=header.alpha_bits > 0)


def _palette(header: Struct, level: MipLevel, raw: Array) -> Array:
    count = level.width * level.height
    indices = _whole(raw, count, level)
    colors = header.palette
    table = np.stack((colors["red"], colors["green"], colors["blue"], np.full(256, 255, np.uint8)), axis=-1)
    table = np.ascontiguousarray(table).view(np.uint32).ravel()
    pixels = np.empty(count, np.uint32)
    for start in range(0, count, PART):
        table.take(indices[start : start + PART], out=pixels[start : start + PART], mode="clip")
    picture = pixels.view(np.uint8).reshape(level.height, level.width, 4)
    if header.alpha_bits in ALPHAS:
        needed = -(-count * header.alpha_bits // 8)
        plane = _whole(raw[count:], needed, level)
        picture[..., 3] = ALPHAS[header.alpha_bits](plane)[:count].reshape(level.height, level.width)
    return picture


def _all_bits(plane: Array) -> Array:
    return plane


def _four_bits(plane: Array) -> Array:
    return (np.stack((plane & 15, plane >> 4), axis=-1) * np.uint8(17)).ravel()


def _one_bit(plane: Array) -> Array:
    return np.unpackbits(plane, bitorder="little") * np.uint8(255)


ALPHAS = {1: _one_bit, 4: _four_bits, 8: _all_bits}
"""Functions that read the alpha values of a palette image, by bits for each pixel. The values follow the
indices.
"""


def _bgra(raw: Array, level: MipLevel) -> Array:
    return np.ascontiguousarray(raw.reshape(level.height, level.width, 4)[..., [2, 1, 0, 3]])


def _jpeg(header: Struct, data: bytes, level: MipLevel) -> Array:
    """The pixels of a JPEG level with channels B, G, R and A. The image is opaque if its header declares no
    alpha bits.
    """
    channels = jpeg_channels(data, (level.width, level.height))
    if channels.ndim != 3 or channels.shape[2] not in (3, 4):
        raise FormatError("the JPEG has neither three nor four channels", offset=level.offset)
    opaque = channels.shape[2] == 3 or not header.alpha_bits
    alpha = np.full(channels.shape[:2], 255, np.uint8) if opaque else channels[..., 3]
    return np.dstack((channels[..., 2::-1], alpha))


def _whole(raw: Array, size: int, level: MipLevel) -> Array:
    if len(raw) < size:
        raise FormatError(
            f"level {level.number} has {len(raw)} of {size} bytes",
            f"picture/level {level.number}",
            level.offset,
        )
    return raw[:size]
