"""Pictures as BLP2, the textures of M2 models: a palette with an alpha plane, or plain bytes; all levels."""

from __future__ import annotations

import numpy as np
from PIL import Image

from viewer.arrays import Array

PALETTE, RAW = 1, 3
PALETTE_KIND, RAW_KIND = 8, 2
MOST_LEVELS = 16
HEAD = np.dtype(
    [
        ("magic", "S4"),
        ("version", "<u4"),
        ("encoding", "u1"),
        ("alpha_bits", "u1"),
        ("alpha_kind", "u1"),
        ("levels", "u1"),
        ("width", "<u4"),
        ("height", "<u4"),
        ("offsets", "<u4", MOST_LEVELS),
        ("sizes", "<u4", MOST_LEVELS),
        ("palette", "u1", (256, 4)),
    ]
)


def palette_blp(rgba: Array) -> bytes:
    """[H, W, 4] u8 as 256 colours and 8 bits of alpha, or without alpha if it is opaque. The sides are
    powers of two."""
    levels = _levels(rgba)
    colors = Image.fromarray(rgba[..., :3]).quantize(256, dither=Image.Dither.NONE)
    opaque = bool((rgba[..., 3] == 255).all())
    palette = np.zeros((256, 4), np.uint8)
    stored = np.array(colors.getpalette("RGB"), np.uint8).reshape(-1, 3)
    palette[: len(stored), :3] = stored[:, ::-1]
    parts = []
    for level in levels:
        indices = np.asarray(
            Image.fromarray(level[..., :3]).quantize(palette=colors, dither=Image.Dither.NONE)
        )
        parts.append(indices.tobytes() + (b"" if opaque else level[..., 3].tobytes()))
    return _file(rgba, parts, PALETTE, PALETTE_KIND, 0 if opaque else 8, palette)


def raw_blp(rgba: Array) -> bytes:
    """[H, W, 4] u8 as it is. The sides are powers of two."""
    parts = [level[..., [2, 1, 0, 3]].tobytes() for level in _levels(rgba)]
    return _file(rgba, parts, RAW, RAW_KIND, 8, np.zeros((256, 4), np.uint8))


def _levels(rgba: Array) -> list[Array]:
    """The picture and its halves down to one pixel."""
    levels = [rgba]
    while max(levels[-1].shape[:2]) > 1:
        height, width = (max(side // 2, 1) for side in levels[-1].shape[:2])
        levels.append(np.asarray(Image.fromarray(levels[-1]).resize((width, height), Image.Resampling.BOX)))
    return levels


def _file(rgba: Array, parts: list[bytes], encoding: int, kind: int, bits: int, palette: Array) -> bytes:
    head = np.zeros((), HEAD)
    sizes = [len(part) for part in parts]
    head["magic"], head["version"] = b"BLP2", 1
    head["encoding"], head["alpha_kind"], head["alpha_bits"], head["levels"] = encoding, kind, bits, 1
    head["height"], head["width"] = rgba.shape[:2]
    head["sizes"][: len(parts)] = sizes
    head["offsets"][: len(parts)] = HEAD.itemsize + np.cumsum([0, *sizes[:-1]])
    head["palette"] = palette
    return bytes(head.tobytes() + b"".join(parts))
