"""Reads the headers of DDS pictures, and the pixels of uncompressed DDS pictures. Pillow reads only the
largest level.

An uncompressed pixel has 8 to 32 bits, and bit masks select its channels.

Source: Microsoft's DDS file layout (DDS_HEADER, DDS_PIXELFORMAT); all numbers are little-endian u32.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from viewer.arrays import Array
from viewer.errors import FormatError
from viewer.scene.material import Image, ImageHeader

HEADER_SIZE = 128
RGB = 0x40
ALPHA_PIXELS = 0x1
STRIP = 1 << 16
"""How many pixels are rescaled together, because 32-bit numbers for all pixels would take 16 times the size
of the file.
"""
CUBE = 0x200
FACES = 6
CAPS = 112
"""The offset of the flags that say which faces the file has."""
ALL_FACES = 0xFE00
"""The flag of a cube map, and the flags of its faces."""
DXGI_MISC = 8
"""The offset in the second header of a field whose only flag says that the file is a cube map."""
DDS_BLOCKS = {b"DXT1": 8, b"BC4U": 8, b"BC4S": 8, b"ATI1": 8} | dict.fromkeys(
    (b"DXT2", b"DXT3", b"DXT4", b"DXT5", b"BC5U", b"BC5S", b"ATI2"), 16
)
"""Bytes of a block of 4 × 4 pixels, by the four-character code of the format."""
DXGI_BLOCKS = dict.fromkeys((70, 71, 72, 79, 80, 81), 8) | dict.fromkeys(
    (73, 74, 75, 76, 77, 78, 82, 83, 84, 94, 95, 96, 97, 98, 99), 16
)
"""Bytes of a block of 4 × 4 pixels, by the DXGI number of the format. Source: DXGI_FORMAT."""
BLOCK = 4
DXGI_HEADER = 20
OPAQUE_BLOCKS = (b"BC4U", b"BC4S", b"ATI1", b"BC5U", b"BC5S", b"ATI2", *range(79, 85), *range(94, 97))

HEADER = np.dtype(
    {
        "names": ["height", "width", "flags", "bits", "masks"],
        "formats": ["<u4", "<u4", "<u4", "<u4", ("<u4", 4)],
        "offsets": [12, 16, 80, 88, 92],
        "itemsize": HEADER_SIZE,
    }
)


def is_plain_dds(data: bytes) -> bool:
    """Whether `data` begins like a DDS file with bit masks instead of block compression."""
    return len(data) >= HEADER_SIZE and data[:4] == b"DDS " and bool(data[80] & RGB)


def plain_dds_size(data: bytes) -> tuple[int, int]:
    """Read the width and height in pixels from the header."""
    header = np.frombuffer(data, HEADER, 1)[0]
    return int(header["width"]), int(header["height"])


def decode_plain_dds(data: bytes) -> Image:
    """Decode the largest level to [height, width, 4] u8. FormatError if pixels are missing."""
    header = np.frombuffer(data, HEADER, 1)[0]
    width, height, bits = int(header["width"]), int(header["height"]), int(header["bits"])
    if bits not in (8, 16, 24, 32):
        raise FormatError(f"{bits} bits per pixel are not supported", "pixel_format/bits", 88)
    size = width * height * bits // 8
    if not 0 < size <= len(data) - HEADER_SIZE:
        raise FormatError(f"the file is too short for {width} × {height} pixels", "width", 12)
    packed = np.frombuffer(data, np.uint8, size, HEADER_SIZE).reshape(height, width, bits // 8)
    masks = [int(mask) for mask in header["masks"]]
    if not header["flags"] & ALPHA_PIXELS:
        masks[3] = 0
    rgba = np.empty((height, width, 4), np.uint8)
    rows = max(STRIP // width, 1)
    for top in range(0, height, rows):
        strip = slice(top, top + rows)
        for channel, mask in enumerate(masks):
            rgba[strip, :, channel] = _channel(packed[strip], mask) if mask else (255 if channel == 3 else 0)
    return Image((rgba,), f"DDS RGB{'A' if masks[3] else ''} {bits} bit")


def _channel(packed: Array, mask: int) -> Array:
    """Extract the bits under a mask as [height, width] u8. An 8-bit channel is copied, other depths are
    rescaled.
    """
    shift = (mask & -mask).bit_length() - 1
    top = mask >> shift
    if top == 255 and shift % 8 == 0 and shift // 8 < packed.shape[-1]:
        return packed[..., shift // 8]
    value = np.zeros(packed.shape[:2], np.uint32)
    for byte in range(packed.shape[-1]):
        value |= packed[..., byte].astype(np.uint32) << np.uint32(8 * byte)
    stretched = (((value & np.uint32(mask)) >> np.uint32(shift)).astype(np.float32)) * np.float32(255 / top)
    return np.round(stretched).astype(np.uint8)


def dds_header(data: bytes) -> ImageHeader:
    """Read the header of a DDS, with its number of levels. Source: Microsoft's DDS file layout."""
    height, width = _unpack("<2I", data, 12)
    (levels,) = _unpack("<I", data, 28)
    flags, code, bits = _unpack("<I4sI", data, 80)
    (caps,) = _unpack("<I", data, 112)
    start, size, alpha = HEADER_SIZE, 0, bool(flags & ALPHA_PIXELS)
    name = code.decode("ascii", "replace").strip("\0")
    if flags & RGB or not flags & 4:
        name, size, block = f"{bits} bit", bits, 1
    elif code == b"DX10":
        (number,) = _unpack("<I", data, HEADER_SIZE)
        start, size, block = HEADER_SIZE + DXGI_HEADER, DXGI_BLOCKS.get(number, 0), BLOCK
        name, alpha = f"DXGI {number}", number not in OPAQUE_BLOCKS
    else:
        size, block, alpha = DDS_BLOCKS.get(code, 0), BLOCK, code not in OPAQUE_BLOCKS
    declared = max(levels, 1)
    made = ImageHeader(f"DDS {name}", width, height, alpha, declared, declared, block if size else 1)
    cost = width * height
    if not size:
        return made._replace(cost=cost)
    stored, left = 0, (len(data) - start) // (FACES if caps & CUBE else 1)
    for level in range(min(declared, made.full_levels)):
        left -= _level_bytes(max(width >> level, 1), max(height >> level, 1), size, block)
        if left < 0:
            break
        stored += 1
    return made._replace(stored=stored, cost=cost, damage=_damage(made, stored))


def cube_faces(data: bytes) -> tuple[bytes, ...]:
    """Split a DDS with the six faces of a cube map into a DDS for each face: +X, -X, +Y, -Y, +Z, -Z. Empty
    for any other DDS.
    """
    (caps,) = _unpack("<I", data, CAPS)
    if data[:4] != b"DDS " or caps & ALL_FACES != ALL_FACES:
        return ()
    start = HEADER_SIZE + (DXGI_HEADER if data[84:88] == b"DX10" else 0)
    head = bytearray(data[:start])
    struct.pack_into("<I", head, CAPS, caps & ~ALL_FACES)
    if start > HEADER_SIZE:
        struct.pack_into("<I", head, HEADER_SIZE + DXGI_MISC, 0)
    size = (len(data) - start) // FACES
    return tuple(bytes(head) + data[start + face * size : start + (face + 1) * size] for face in range(FACES))


def _damage(header: ImageHeader, levels: int) -> str:
    """The message about missing or surplus levels of a DDS; empty if all levels are right."""
    if header.levels > header.full_levels:
        return f"{header.levels} levels are declared; a chain down to one pixel has {header.full_levels}"
    return f"{levels} of {header.levels} levels are in the file" if levels < header.levels else ""


def _level_bytes(width: int, height: int, size: int, block: int) -> int:
    if block == 1:
        return width * height * size // 8
    return -(-width // block) * -(-height // block) * size


def _unpack(layout: str, data: bytes, at: int) -> tuple[Any, ...]:
    """Unpack numbers at an offset. FormatError if the data end before the last number."""
    try:
        return struct.unpack_from(layout, data, at)
    except struct.error as error:
        raise FormatError("the file ends in its header", offset=at) from error
