"""The pictures behind the samples, by name."""

from __future__ import annotations

import io
import struct

import numpy as np
from PIL import Image

Files = dict[str, bytes]


def _blp2(encoding: int, bits: int, kind: int, levels: list[bytes]) -> bytes:
    sizes = [len(level) for level in levels]
    offsets = [1172 + sum(sizes[:number]) for number in range(len(levels))]
    padding = [0] * (16 - len(levels))
    head = struct.pack("<4sI4BII", b"BLP2", 1, encoding, bits, kind, len(levels) > 1, 8, 8)
    palette = b"".join(bytes((i, 255 - i, 7, 99)) for i in range(256))
    return head + struct.pack("<32I", *offsets, *padding, *sizes, *padding) + palette + b"".join(levels)


def blp_pictures() -> Files:
    """Every encoding of 8 × 8 pixels, and the JPEG and palette of BLP1."""
    sides = (64, 16, 4, 1)
    blocks = [bytes(range(each)) for each in (32, 8, 8, 8)]
    jpeg = io.BytesIO()
    Image.new("RGB", (8, 8), (200, 40, 40)).save(jpeg, "JPEG")
    whole = jpeg.getvalue()
    shared, body = whole[:40], whole[40:]
    first = struct.pack("<16I", 160 + len(shared), *[0] * 15) + struct.pack("<16I", len(body), *[0] * 15)
    old = struct.pack("<4s6I", b"BLP1", 0, 0, 8, 8, 5, 0) + first
    return {
        "palette.blp": _blp2(1, 8, 8, [bytes(2 * each) for each in sides]),
        "one.blp": _blp2(1, 1, 8, [bytes(each + -(-each // 8)) for each in sides]),
        "four.blp": _blp2(1, 4, 8, [bytes(each + -(-each // 2)) for each in sides]),
        "plain.blp": _blp2(3, 8, 2, [bytes(4 * each) for each in sides]),
        "dxt1.blp": _blp2(2, 1, 0, blocks),
        "dxt3.blp": _blp2(2, 8, 1, [2 * each for each in blocks]),
        "dxt5.blp": _blp2(2, 8, 7, [2 * each for each in blocks]),
        "jpeg.blp": old + struct.pack("<I", len(shared)) + shared + body,
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
