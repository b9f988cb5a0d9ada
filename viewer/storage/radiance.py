"""Decodes Radiance pictures, `.hdr`: linear colours of any brightness.

A pixel has four bytes: red, green, blue and an exponent that the three share. The rows are stored flat, with
the run lengths of old files, or with the run lengths of new files, each channel by itself. Source: Radiance,
`src/common/color.c`.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.errors import FormatError

MAGIC = b"#?"
HEADER_BYTES = 1 << 16
"""Largest size of the header in bytes."""
FORMAT = b"32-bit_rle_rgbe"
LEAST_RUNS, MOST_RUNS = 8, 32767
"""The widths of pictures whose rows can have the run lengths of new files."""
MOST_DIGITS = 3
"""Largest number of a digit in a run length of old files; longer runs are broken in any case."""
STRIP = 16
"""Number of rows of the result that are decoded together."""
SCALES = np.ldexp(1.0, np.arange(256) - 136) * (np.arange(256) > 0)
"""The factor of the three colours for each exponent."""
BRIGHTEST = 1e9
"""Largest colour that is not refused; the sun has about 1e6 in real pictures."""


class _Header(Struct, frozen=True):
    """The size of a picture, whether its rows and columns are stored from the bottom and from the right, the
    factor of its colours, and the offset of its first row.
    """

    width: int
    height: int
    upwards: bool
    leftwards: bool
    factor: float
    start: int


def decode_radiance(data: bytes, widest: int) -> Array:
    """Decode a picture to linear colours [height, width, 3] f32, the top row first. A picture that is wider
    than `widest` pixels is reduced by a whole factor while it is decoded.

    FormatError if the data are no such picture, or if the picture is broken or too large.
    """
    head = _header(data)
    shrink = -(-head.width // widest)
    out, at = [], head.start
    for first in range(0, head.height, shrink * STRIP):
        rows = min(shrink * STRIP, head.height - first)
        stored = np.empty((rows, head.width, 4), np.uint8)
        for row in range(rows):
            try:
                at = _row(data, at, stored[row])
            except (IndexError, ValueError):
                raise FormatError(f"row {first + row} of {head.height} is broken", offset=at) from None
        colors = stored[..., :3] * (SCALES[stored[..., 3]] * head.factor)[..., None]
        if colors.max() > BRIGHTEST:
            raise FormatError(f"a colour in the rows from {first} on is brighter than {BRIGHTEST:g}")
        out.append(_reduced(colors.astype(np.float32), shrink))
    picture = np.concatenate(out)
    return picture[:: -1 if head.upwards else 1, :: -1 if head.leftwards else 1]


def _header(data: bytes) -> _Header:
    if not data.startswith(MAGIC):
        raise FormatError("the file is not a Radiance picture: it does not begin with #?", offset=0)
    end = data.find(b"\n\n", 0, HEADER_BYTES)
    if end < 0:
        raise FormatError("the header of the picture has no end", offset=0)
    factor = 1.0
    for line in data[:end].split(b"\n")[1:]:
        name, equals, value = line.partition(b"=")
        if name == b"FORMAT" and value.strip() != FORMAT:
            raise FormatError(f"pixels in the format {value[:32].decode('latin-1')} are not supported")
        if name == b"EXPOSURE" and equals:
            factor /= _exposure(value)
    size = data[end + 2 : end + 2 + 64].partition(b"\n")[0]
    words = size.split()
    if len(words) != 4 or words[0] not in (b"-Y", b"+Y") or words[2] not in (b"-X", b"+X"):
        raise FormatError("the header states no size by rows", offset=end + 2)
    if not all(word.isdigit() and len(word) < 9 for word in words[1::2]):
        raise FormatError("the header states no size in pixels", offset=end + 2)
    height, width = int(words[1]), int(words[3])
    if not width * height:
        raise FormatError(f"the picture has no pixels: its size is {width} × {height}")
    if width * height > BUDGET.environment_pixels:
        limit = BUDGET.environment_pixels
        raise FormatError(f"{width} × {height} pixels are more than the limit of {limit}")
    return _Header(width, height, words[0] == b"+Y", words[2] == b"-X", factor, end + 3 + len(size))


def _exposure(value: bytes) -> float:
    try:
        exposure = float(value)
    except ValueError:
        exposure = 0.0
    if not 1.0 / BRIGHTEST < exposure < BRIGHTEST:
        raise FormatError("the header states an exposure that is no positive finite number")
    return exposure


def _row(data: bytes, at: int, out: Array) -> int:
    """Decode the row at an offset to `out` [width, 4] u8; return the offset of the next row. IndexError or
    ValueError if the row is broken.
    """
    width = len(out)
    marked = LEAST_RUNS <= width <= MOST_RUNS and data[at : at + 2] == b"\2\2" and data[at + 2] < 128
    if not marked:
        return _old_row(data, at, out)
    if data[at + 2] << 8 | data[at + 3] != width:
        raise ValueError("the row states another width")
    at, row = at + 4, bytearray()
    for end in range(width, 4 * width + 1, width):
        while len(row) < end:
            count = data[at]
            if count > 128:
                row += data[at + 1 : at + 2] * (count - 128)
                at += 2
            else:
                row += data[at + 1 : at + 1 + count]
                at += 1 + count
        if len(row) != end:
            raise ValueError("a run passes the end of its channel")
    out[:] = np.frombuffer(row, np.uint8).reshape(4, width).T
    return at


def _old_row(data: bytes, at: int, out: Array) -> int:
    """Decode a flat row, or a row with the run lengths of old files, in which the pixel (1, 1, 1, n) repeats
    the pixel before it. Several such pixels in succession are the digits of one number, the lowest first.
    """
    width = len(out)
    pixels = np.frombuffer(data, np.uint8, 4 * min(width, (len(data) - at) // 4), at).reshape(-1, 4)
    numbers = np.arange(len(pixels))
    repeats = (pixels[:, :3] == 1).all(axis=1)
    plain = np.maximum.accumulate(np.where(repeats, -1, numbers))
    digit = np.minimum(numbers - plain - 1, MOST_DIGITS)
    lengths = np.where(repeats, pixels[:, 3].astype(np.int64) << 8 * np.maximum(digit, 0), 1)
    ends = np.cumsum(lengths)
    used = int(np.searchsorted(ends, width)) + 1
    if used > len(pixels) or ends[used - 1] != width or plain[0] < 0:
        raise ValueError("the row ends early, or a run passes its end")
    out[:] = np.repeat(pixels[plain[:used]], lengths[:used], axis=0)
    return at + 4 * used


def _reduced(colors: Array, factor: int) -> Array:
    """Average squares of `factor` × `factor` pixels; at the right and lower edge they may be smaller."""
    if factor == 1:
        return colors
    for axis in (0, 1):
        starts = np.arange(0, colors.shape[axis], factor)
        counts = np.diff(starts, append=colors.shape[axis]).astype(np.float32)
        sums = np.add.reduceat(colors, starts, axis=axis)
        colors = sums / counts.reshape((-1, 1, 1) if axis == 0 else (-1, 1))
    return colors
