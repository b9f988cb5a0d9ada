"""Encodes frames with PyAV into a file, in this process."""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import cast

import av
from av.filter import Graph
from av.filter.context import FilterContext
from av.video.frame import VideoFrame
from av.video.stream import VideoStream
from msgspec import Struct

from viewer.arrays import Array, Size
from viewer.export.film.codecs import Codec, FfmpegFilter


class Stream(Struct, frozen=True):
    """The properties of a film: codec, `size` (width, height), `rate` in frames per second.

    `pixels` is the frames' pixel format in ffmpeg: `rgba` or `rgb24`.
    """

    codec: Codec
    size: Size
    rate: Fraction
    pixels: str


def numbered(stream: Stream, pictures: Iterable[Array]) -> Iterator[VideoFrame]:
    """Convert pictures [height, width, 4] u8 to numbered frames of a stream."""
    for number, picture in enumerate(pictures):
        pixels = picture if stream.pixels == "rgba" else picture[..., :3].copy()
        frame = VideoFrame.from_ndarray(pixels, stream.pixels)
        frame.pts, frame.time_base = number, 1 / stream.rate
        yield frame


def write(path: Path, stream: Stream, frames: Iterable[VideoFrame]) -> None:
    """Encode frames to a file. The frames must have the encoder's pixel format, or a format that converts to
    it without loss.
    """
    codec = stream.codec
    with av.open(str(path), "w", format=codec.container, options=dict(codec.container_options)) as output:
        made = cast(VideoStream, output.add_stream(codec.name, stream.rate, dict(codec.options)))
        made.width, made.height = stream.size
        made.pix_fmt = codec.pixels or stream.pixels
        for frame in frames:
            output.mux(made.encode(frame))
        output.mux(made.encode(None))


def source(graph: Graph, stream: Stream, pixels: str) -> FilterContext:
    """Add the input to a filter graph; `pixels` is the pixel format of the input's frames."""
    width, height = stream.size
    made: FilterContext = graph.add(
        "buffer", f"video_size={width}x{height}:pix_fmt={pixels}:time_base={1 / stream.rate}"
    )
    return made


def filtered(stream: Stream, frames: Iterable[VideoFrame]) -> Iterator[VideoFrame]:
    """Apply the codec's filters to each frame."""
    if not stream.codec.filters:
        yield from frames
        return
    graph = Graph()
    filters: tuple[FfmpegFilter, ...] = (
        *stream.codec.filters,
        ("format", stream.codec.pixels),
        ("buffersink", ""),
    )
    nodes = [
        source(graph, stream, stream.pixels),
        *(graph.add(name, words or None) for name, words in filters),
    ]
    graph.link_nodes(*nodes).configure()
    for frame in frames:
        nodes[0].push(frame)
        yield cast(VideoFrame, nodes[-1].pull())


@contextmanager
def as_os_error() -> Iterator[None]:
    """Raise errors of ffmpeg as OSError."""
    try:
        yield
    except av.FFmpegError as error:
        raise OSError(error.errno or errno.EIO, error.strerror or str(error)) from error
