"""The pictures behind the samples, by name."""

from __future__ import annotations

import io
import struct
from functools import partial

import numpy as np
from PIL import Image

from tests.blp_files import blp1_jpeg, blp2

Files = dict[str, bytes]


def blp_pictures() -> Files:
    """Every encoding of 8 × 8 pixels, and the JPEG and palette of BLP1."""
    packed, sides = partial(blp2, width=8, height=8), (64, 16, 4, 1)
    blocks = [bytes(range(each)) for each in (32, 8, 8, 8)]
    jpeg = io.BytesIO()
    Image.new("RGB", (8, 8), (200, 40, 40)).save(jpeg, "JPEG")
    return {
        "palette.blp": packed(1, 8, 8, [bytes(2 * each) for each in sides]),
        "one.blp": packed(1, 1, 8, [bytes(each + -(-each // 8)) for each in sides]),
        "four.blp": packed(1, 4, 8, [bytes(each + -(-each // 2)) for each in sides]),
        "plain.blp": packed(3, 8, 2, [bytes(4 * each) for each in sides]),
        "dxt1.blp": packed(2, 1, 0, blocks),
        "dxt3.blp": packed(2, 8, 1, [2 * each for each in blocks]),
        "dxt5.blp": packed(2, 8, 7, [2 * each for each in blocks]),
        "jpeg.blp": blp1_jpeg(0, jpeg.getvalue()),
    }


def pictures() -> Files:
    """Pictures of 8 × 8 pixels in every format that Pillow or we decode."""
    colors = np.arange(256, dtype=np.uint8).reshape(8, 8, 4)
    found: Files = {}
    for suffix, mode in (("png", "RGBA"), ("tga", "RGBA"), ("bmp", "RGB"), ("jpg", "RGB"), ("dds", "RGBA")):
        out = io.BytesIO()
        Image.fromarray(colors).convert(mode).save(out, {"jpg": "JPEG"}.get(suffix, suffix.upper()))
        found[f"Colors.{suffix}"] = out.getvalue()
    head = struct.pack("<4s7I44x", b"DDS ", 124, 0x1007, 8, 8, 8, 0, 1)
    for code, size in ((b"DXT1", 32), (b"DXT3", 64), (b"DXT5", 64)):
        form = struct.pack("<2I4s5I", 32, 4, code, 0, 0, 0, 0, 0)
        found[f"{code.decode()}.dds"] = head + form + struct.pack("<5I", 0x1000, 0, 0, 0, 0) + bytes(size)
    return found
