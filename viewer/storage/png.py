"""Encodes PNG pictures in half of Pillow's time, and without importing Pillow.

Source: Portable Network Graphics (PNG) Specification, Third Edition.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

import numpy as np

from viewer.arrays import Array

SIGNATURE = b"\x89PNG\r\n\x1a\n"
HEADER_BYTES = 33
"""The size of the signature and the first chunk, after which other chunks may follow."""
BIT_DEPTH = 8
COLOR_TYPES = {3: 2, 4: 6}
"""PNG's colour types of RGB and RGBA, by the number of channels."""
SUB = 1
"""The number of the row filter that stores differences from the pixel to the left."""
ROWS = 256
"""How many rows are compressed together."""


def png_pieces(pixels: Array) -> Iterator[bytes]:
    """Encode [height, width, 3 or 4] u8, top row first, and yield the pieces of the PNG file.

    Only Huffman coding is used: it is faster than zlib's fastest level, and files of rendered pictures are as
    small. ValueError for another shape or type, and for a picture without pixels.
    """
    if pixels.ndim != 3 or pixels.dtype != np.uint8 or pixels.shape[2] not in COLOR_TYPES or not pixels.size:
        raise ValueError(f"an array of {pixels.dtype} and shape {pixels.shape} cannot be a PNG")
    height, width, channels = pixels.shape
    kind = COLOR_TYPES[channels]
    yield SIGNATURE + png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, BIT_DEPTH, kind, 0, 0, 0))
    packer = zlib.compressobj(strategy=zlib.Z_HUFFMAN_ONLY)
    for top in range(0, height, ROWS):
        yield png_chunk(b"IDAT", packer.compress(_filtered(pixels[top : top + ROWS]).data))
    yield png_chunk(b"IDAT", packer.flush()) + png_chunk(b"IEND", b"")


def _filtered(pixels: Array) -> Array:
    """Filter the rows: [height, 1 + width · channels] u8, each row with the number of its filter in front."""
    height, width, channels = pixels.shape
    flat, out = pixels.reshape(height, -1), np.empty((height, 1 + width * channels), np.uint8)
    out[:, 0], out[:, 1 : 1 + channels] = SUB, flat[:, :channels]
    np.subtract(flat[:, channels:], flat[:, :-channels], out=out[:, 1 + channels :])
    return out


def png_chunk(name: bytes, data: bytes) -> bytes:
    """A chunk of a PNG: its size, its name of four letters, its data and their checksum."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(name)))
