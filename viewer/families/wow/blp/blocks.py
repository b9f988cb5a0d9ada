"""Decode block-compressed pixels, DXT1, DXT3 and DXT5 (BC1 to BC3), many blocks at a time.

A block of 4 × 4 pixels has two RGB565 colours, and two bits for each pixel that select a colour or a mix.
Source: Khronos Data Format Specification, "S3TC Compressed Texture Image Formats".
"""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array

COLORS = np.dtype([("ends", "<u2", 2), ("choices", "<u4")])
BLOCKS = {
    "DXT1": COLORS,
    "DXT3": np.dtype([("alpha", "u1", 8), ("color", COLORS)]),
    "DXT5": np.dtype([("alpha_ends", "u1", 2), ("alpha_choices", "u1", 6), ("color", COLORS)]),
}
"""The dtypes of blocks by kind."""

CHUNK = 1 << 14
"""The number of blocks decoded at a time. It is small, so that their intermediate values stay in the
processor's cache.
"""

PAIRS = (np.arange(16, dtype=np.uint32) * 2)[None, :]
OPAQUE = np.uint32(0xFF000000)


def block_count(width: int, height: int) -> int:
    """Return the number of blocks of an image; blocks at its right and lower edge may extend past it."""
    return ((width + 3) // 4) * ((height + 3) // 4)


def decode_blocks(data: Array, kind: str, width: int, height: int, punched: bool = False) -> Array:
    """Decode compressed blocks to pixels [height, width, 4] u8.

    `data` [block_count × block size] u8 has the bytes of all blocks. `kind` is their compression, a key of
    `BLOCKS`. If `punched` is True, the fourth colour of a DXT1 block is transparent if the first stored
    colour is not greater than the second.
    """
    across, down = (width + 3) // 4, (height + 3) // 4
    blocks = data.view(BLOCKS[kind])
    pixels = np.empty((down, 4, across, 4), np.uint32)
    rows = max(CHUNK // across, 1)
    for top in range(0, down, rows):
        part = blocks[top * across : (top + rows) * across]
        decoded = _decode(part, kind, punched).reshape(-1, across, 4, 4)
        pixels[top : top + rows] = decoded.transpose(0, 2, 1, 3)
    picture = pixels.view(np.uint8).reshape(down * 4, across * 4, 4)
    return np.ascontiguousarray(picture[:height, :width])


def _decode(blocks: Array, kind: str, punched: bool) -> Array:
    """Pixels [N, 16] u32 of N blocks, bytes R G B A, row by row."""
    if kind == "DXT1":
        return _colors(blocks, four=False, punched=punched)
    pixels = _colors(blocks["color"], four=True, punched=False)
    alpha = _explicit_alpha(blocks) if kind == "DXT3" else _mixed_alpha(blocks)
    pixels.view(np.uint8).reshape(-1, 16, 4)[..., 3] = alpha
    return pixels


def _colors(blocks: Array, four: bool, punched: bool) -> Array:
    """Pixels [N, 16] u32 with alpha 255. If `four`, each block has four colours. Otherwise a block has four
    colours only if its first stored colour is greater than its second.
    """
    ends = blocks["ends"].astype(np.int32)
    rgb = _expand(ends)
    first, second = rgb[:, 0], rgb[:, 1]
    table = np.empty((len(blocks), 4, 4), np.uint8)
    table[..., 3] = 255
    table[:, 0, :3], table[:, 1, :3] = first, second
    mixed = np.ones(len(blocks), bool) if four else ends[:, 0] > ends[:, 1]
    wide = mixed[:, None]
    table[:, 2, :3] = np.where(wide, (2 * first + second) // 3, (first + second) // 2)
    table[:, 3, :3] = np.where(wide, (first + 2 * second) // 3, 0)
    if punched:
        table[~mixed, 3, 3] = 0
    choices = (blocks["choices"][:, None] >> PAIRS) & 3
    choices += np.arange(len(blocks), dtype=np.uint32)[:, None] * 4
    return np.asarray(table.view(np.uint32).ravel().take(choices))


def _expand(colors: Array) -> Array:
    """Colours [N, 2, 3] of 0 to 255 from RGB565 [N, 2]; the high bits are repeated in the low bits."""
    red, green, blue = colors >> 11 & 31, colors >> 5 & 63, colors & 31
    return np.stack((red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2), axis=-1)


def _explicit_alpha(blocks: Array) -> Array:
    """Alpha [N, 16] u8 from four bits for each pixel. The low four bits of a byte belong to the earlier
    pixel.
    """
    packed = blocks["alpha"]
    alpha = np.empty((len(blocks), 8, 2), np.uint8)
    alpha[..., 0], alpha[..., 1] = packed & 15, packed >> 4
    return np.asarray(alpha.reshape(-1, 16) * np.uint8(17))


def _mixed_alpha(blocks: Array) -> Array:
    """Alpha [N, 16] u8 from three bits for each pixel. The bits select one of two values, a mix of both, 0 or
    255.
    """
    first, second = (blocks["alpha_ends"][:, end].astype(np.int32)[:, None] for end in (0, 1))
    step = np.arange(1, 7)
    table = np.empty((len(blocks), 8), np.uint8)
    table[:, :1], table[:, 1:2] = first, second
    table[:, 2:] = ((7 - step) * first + step * second) // 7
    short = (first <= second)[:, 0]
    low, high = first[short], second[short]
    table[short, 2:6] = ((5 - step[:4]) * low + step[:4] * high) // 5
    table[short, 6:] = 0, 255
    packed = np.zeros((len(blocks), 8), np.uint8)
    packed[:, :6] = blocks["alpha_choices"]
    bits = packed.view("<u8") >> (np.arange(16, dtype=np.uint64) * np.uint64(3))
    choices = (bits & np.uint64(7)).astype(np.uint32)
    choices += np.arange(len(blocks), dtype=np.uint32)[:, None] * 8
    return np.asarray(table.ravel().take(choices))
