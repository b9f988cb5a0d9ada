"""The layout of BLP headers: BLP2 (World of Warcraft), BLP1 (Warcraft III and betas of World of Warcraft).

The pixels are at the offsets in the header. Source: measured on 4 466 files of the clients; wowdev.wiki "BLP"
for BLP1.
"""

from __future__ import annotations

import numpy as np

from viewer.binary import Array, Fixed, Magic, Record, When, record_dtype

U8, U32 = np.dtype("u1"), np.dtype("<u4")
MIPS = 16
COLOR = record_dtype(("blue", U8), ("green", U8), ("red", U8), ("unused", U8, "no alpha"))

PALETTE, DXT, RAW, RAW_TOO = 1, 2, 3, 4
"""The encodings of BLP2."""

JPEG, JPEG_PALETTE = 0, 1
"""The compressions of BLP1."""

BLP2 = Record(
    "picture",
    Magic("magic", (b"BLP2",), note="World of Warcraft"),
    Fixed("version", U32, note="always 1"),
    Fixed("encoding", U8, note="1: palette, 2: DXT, 3 and 4: bytes B G R A"),
    Fixed("alpha_bits", U8, note="0, 1, 4 or 8; 136 in some files of encoding 3"),
    Fixed("alpha_type", U8, note="0: DXT1, 1: DXT3, 7: DXT5, 8: palette, 2: raw"),
    Fixed("mips", U8, note="bits 0 to 3: 1 if the image has smaller levels"),
    Fixed("width", U32, note="pixels"),
    Fixed("height", U32, note="pixels"),
    Array("offsets", U32, MIPS, note="offset of each level in the file, 0 for a missing level"),
    Array("sizes", U32, MIPS, note="size of each level, bytes"),
    Array("palette", COLOR, 256, note="colors of encoding 1"),
)

BLP1 = Record(
    "picture",
    Magic("magic", (b"BLP1",), note="Warcraft III and betas of World of Warcraft"),
    Fixed("compression", U32, note="0: JPEG, 1: palette"),
    Fixed("alpha_bits", U32, note="0, 1, 4 or 8"),
    Fixed("width", U32, note="pixels"),
    Fixed("height", U32, note="pixels"),
    Fixed("type", U32, note="3, 4 or 5: source of the alpha of a palette image"),
    Fixed("mips", U32, note="1: the image has smaller levels"),
    Array("offsets", U32, MIPS, note="offset of each level in the file, 0 for a missing level"),
    Array("sizes", U32, MIPS, note="size of each level, bytes"),
    When(
        f"compression == {JPEG_PALETTE}",
        Array("palette", COLOR, 256, note="colors of the picture"),
    ),
    When(
        f"compression == {JPEG}",
        Array("jpeg_header", U8, U32, note="first bytes of each level's JPEG file"),
    ),
)
