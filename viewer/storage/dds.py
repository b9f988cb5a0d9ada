"""Uncompressed DDS pictures: pixels of 8 to 32 bits whose channels are given by bit masks.

Source: Microsoft's DDS file layout (DDS_HEADER, DDS_PIXELFORMAT); all numbers are little-endian u32.
"""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array
from viewer.errors import FormatError
from viewer.scene.material import Image

HEADER_SIZE = 128
RGB = 0x40
ALPHA_PIXELS = 0x1
STRIP = 1 << 16
"""The pixels that are rescaled together: numbers of 32 bits for all pixels take 16 times the file."""

HEADER = np.dtype(
    {
        "names": ["height", "width", "flags", "bits", "masks"],
        "formats": ["<u4", "<u4", "<u4", "<u4", ("<u4", 4)],
        "offsets": [12, 16, 80, 88, 92],
        "itemsize": HEADER_SIZE,
    }
)


def is_plain_dds(data: bytes) -> bool:
    """Whether these are the first bytes of a DDS file with masks instead of a block compression."""
    return len(data) >= HEADER_SIZE and data[:4] == b"DDS " and bool(data[80] & RGB)


def plain_dds_size(data: bytes) -> tuple[int, int]:
    """The width and height in pixels that the header states."""
    header = np.frombuffer(data, HEADER, 1)[0]
    return int(header["width"]), int(header["height"])


def decode_plain_dds(data: bytes) -> Image:
    """The largest level as [height, width, 4] u8. FormatError if pixels are missing."""
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
    """[height, width] u8 of the bits under a mask. An 8-bit channel is copied, other depths are rescaled."""
    shift = (mask & -mask).bit_length() - 1
    top = mask >> shift
    if top == 255 and shift % 8 == 0 and shift // 8 < packed.shape[-1]:
        return packed[..., shift // 8]
    value = np.zeros(packed.shape[:2], np.uint32)
    for byte in range(packed.shape[-1]):
        value |= packed[..., byte].astype(np.uint32) << np.uint32(8 * byte)
    stretched = (((value & np.uint32(mask)) >> np.uint32(shift)).astype(np.float32)) * np.float32(255 / top)
    return np.round(stretched).astype(np.uint8)
