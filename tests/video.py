"""What a video file holds, as the libraries of ffmpeg decode it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import av
import numpy as np
from msgspec import Struct


class Video(Struct, frozen=True):
    """`frames` [N, height, width, 3] u8. `pixels` and `colours` are ffmpeg's names of the pixel format and
    the numbers of the matrix, the primaries and the range of colours."""

    codec: str
    pixels: str
    colours: tuple[int, int, int]
    fps: float
    frames: np.ndarray[Any, Any]


def decoded(path: Path) -> Video:
    """The video in a file."""
    with av.open(str(path)) as file:
        stream = file.streams.video[0]
        frames = np.stack([frame.to_ndarray(format="rgb24") for frame in file.decode(stream)])
        context = stream.codec_context
        colours = (int(context.colorspace), int(context.color_primaries), int(context.color_range))
        assert stream.average_rate is not None
        return Video(context.name, str(context.pix_fmt), colours, float(stream.average_rate), frames)
