"""Writes small Radiance pictures, `.hdr`, flat or with run lengths."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from viewer.arrays import Array

HEAD = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n"


def rgbe(colors: Array) -> Array:
    """The stored pixels [height, width, 4] u8 of linear colours [height, width, 3]."""
    mantissa, exponent = np.frexp(colors.max(axis=2))
    scale = np.where(mantissa > 0, np.ldexp(256.0, -exponent), 0.0)
    stored = np.zeros((*colors.shape[:2], 4), np.uint8)
    stored[..., :3] = (colors * scale[..., None]).astype(np.uint8)
    stored[..., 3] = np.where(mantissa > 0, exponent + 128, 0)
    return stored


def hdr(colors: Array, form: str = "flat", lines: bytes = b"", size: bytes = b"") -> bytes:
    """A picture of linear colours [height, width, 3]. `form` is flat, old or new; `lines` are further lines
    of the header, `size` replaces the line of the size.
    """
    height, width = colors.shape[:2]
    rows: Iterable[bytes] = map({"flat": _flat, "old": _old, "new": _new}[form], rgbe(colors))
    head = HEAD + lines + b"\n" + (size or b"-Y %d +X %d" % (height, width)) + b"\n"
    return head + b"".join(rows)


def _flat(row: Array) -> bytes:
    return row.tobytes()


def _old(row: Array) -> bytes:
    """Each pixel, and the number of its repetitions in digits of 8 bits."""
    out, at = b"", 0
    while at < len(row):
        count = 1
        while at + count < len(row) and (row[at + count] == row[at]).all():
            count += 1
        out += row[at].tobytes()
        at, left = at + count, count - 1
        while left:
            out += bytes((1, 1, 1, left & 255))
            left >>= 8
    return out


def _new(row: Array) -> bytes:
    """Each channel by itself, as runs of equal bytes and as runs of other bytes."""
    out = bytes((2, 2, len(row) >> 8, len(row) & 255))
    for channel in row.T:
        at = 0
        while at < len(channel):
            count = 1
            while at + count < len(channel) and channel[at + count] == channel[at] and count < 127:
                count += 1
            if count > 2:
                out += bytes((128 + count, channel[at]))
            else:
                count = min(len(channel) - at, 5)
                out += bytes((count, *channel[at : at + count]))
            at += count
    return out
