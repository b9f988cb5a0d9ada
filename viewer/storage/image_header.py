"""Headers of pictures: PNG, JPEG, DDS, BMP, TGA and WebP. No pixel is decoded, and Pillow is not needed.

Each function takes the bytes of a file, and raises FormatError where they are no header of its format.
"""

from __future__ import annotations

import struct
from typing import Any

from viewer.errors import FormatError
from viewer.scene.image_header import ImageHeader
from viewer.storage.dds import ALPHA_PIXELS, HEADER_SIZE, RGB

PNG_COLORS, PNG_ALPHA = 25, (4, 6)
"""The place of the colour type, and the types with alpha."""
JPEG_FRAMES = frozenset((*range(0xC0, 0xC4), *range(0xC5, 0xC8), *range(0xC9, 0xCC), *range(0xCD, 0xD0)))
"""The markers of segments that begin with the size. Source: ITU T.81, table B.1."""
BARE = frozenset((0x01, *range(0xD0, 0xD9)))
"""The markers without a segment."""
JPEG_COST = 4
"""A small picture is decoded so many times faster than by copying the pixels."""
CUBE = 0x200
FACES = 6
DDS_BLOCKS = {b"DXT1": 8, b"BC4U": 8, b"BC4S": 8, b"ATI1": 8} | dict.fromkeys(
    (b"DXT2", b"DXT3", b"DXT4", b"DXT5", b"BC5U", b"BC5S", b"ATI2"), 16
)
"""Bytes of a block of 4 × 4 pixels by the code of the format."""
DXGI_BLOCKS = dict.fromkeys((70, 71, 72, 79, 80, 81), 8) | dict.fromkeys(
    (73, 74, 75, 76, 77, 78, 82, 83, 84, 94, 95, 96, 97, 98, 99), 16
)
"""The same by the number of the format. Source: DXGI_FORMAT."""
BLOCK = 4
DXGI_HEADER = 20
OPAQUE_BLOCKS = (b"BC4U", b"BC4S", b"ATI1", b"BC5U", b"BC5S", b"ATI2", *range(79, 85), *range(94, 97))


def png_header(data: bytes) -> ImageHeader:
    """The header of a PNG; a palette has alpha if a chunk before the pixels gives it."""
    width, height = _unpack(">2I", data, 16)
    (colors,) = _unpack("B", data, PNG_COLORS)
    end = data.find(b"IDAT")
    alpha = colors in PNG_ALPHA or data.find(b"tRNS", 33, end) > 0
    return ImageHeader("PNG", width, height, alpha, cost=width * height)


def jpeg_header(data: bytes) -> ImageHeader:
    """The header of a JPEG: the first segment that begins a frame."""
    at = 2
    while at + 9 <= len(data):
        if data[at] != 0xFF:
            break
        marker = data[at + 1]
        if marker in JPEG_FRAMES:
            height, width = _unpack(">2H", data, at + 5)
            return ImageHeader("JPEG", width, height, False, cost=width * height // JPEG_COST)
        at += 1 if marker == 0xFF else 2 if marker in BARE else 2 + max(_unpack(">H", data, at + 2)[0], 2)
    raise FormatError("the JPEG has no frame")


def bmp_header(data: bytes) -> ImageHeader:
    """The header of a BMP."""
    width, height, _, bits = _unpack("<2i2H", data, 18)
    return ImageHeader("BMP", abs(width), abs(height), bits == 32, cost=abs(width * height))


def tga_header(data: bytes) -> ImageHeader:
    """The header of a TGA."""
    width, height, bits, flags = _unpack("<2H2B", data, 12)
    return ImageHeader("TGA", width, height, bits == 32 and bool(flags & 15), cost=width * height)


def webp_header(data: bytes) -> ImageHeader:
    """The header of a WebP: of the extended, the lossless or the lossy kind."""
    kind = data[12:16]
    if kind == b"VP8X":
        flags, wide, high = (_unpack("<I", data, at)[0] for at in (20, 23, 26))
        width, height = (wide >> 8) + 1, (high >> 8) + 1
        return ImageHeader("WEBP", width, height, bool(flags & 0x10), cost=width * height)
    if kind == b"VP8L":
        (bits,) = _unpack("<I", data, 21)
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        return ImageHeader("WEBP", width, height, bool(bits >> 28 & 1), cost=width * height)
    width, height = _unpack("<2H", data, 26)
    return ImageHeader("WEBP", width & 0x3FFF, height & 0x3FFF, False, cost=(width & 0x3FFF) * height)


def dds_header(data: bytes) -> ImageHeader:
    """The header of a DDS, and how many levels are in the file. Source: Microsoft's DDS file layout."""
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


def _damage(header: ImageHeader, stored: int) -> str:
    """What is wrong with the levels of a DDS."""
    if header.levels > header.full_levels:
        return f"{header.levels} levels are declared; {header.full_levels} lead to one pixel"
    return f"{stored} of {header.levels} levels are in the file" if stored < header.levels else ""


def _level_bytes(width: int, height: int, size: int, block: int) -> int:
    if block == 1:
        return width * height * size // 8
    return -(-width // block) * -(-height // block) * size


def _unpack(layout: str, data: bytes, at: int) -> tuple[Any, ...]:
    """Numbers at an offset. FormatError behind the end."""
    try:
        return struct.unpack_from(layout, data, at)
    except struct.error as error:
        raise FormatError("the file ends in its header", offset=at) from error


HEADERS = {
    "PNG": png_header,
    "JPEG": jpeg_header,
    "DDS": dds_header,
    "BMP": bmp_header,
    "TGA": tga_header,
    "WEBP": webp_header,
}
"""The functions by the names of the formats."""
