"""Encodes films in one pass, or in two passes if the encoder needs all frames before it writes the first."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import cast

import av
from av.filter import Graph
from av.video.frame import VideoFrame
from msgspec.structs import replace

from viewer.arrays import Array
from viewer.export.film.codecs import LOSSLESS
from viewer.export.film.encoding import Stream, as_os_error, filtered, numbered, source, write
from viewer.storage.own_picture import marked
from viewer.storage.reading import open_regular
from viewer.storage.writing import written

MADE, ENCODED = "made", "encoded"
PIECE = 1 << 20
"""How many bytes are copied at once while a film is marked."""
FRAMES = "frames.nut"

WEBP = {"quality": 88, "method": 4, "kmin": 1, "kmax": 2, "loop": 0}
"""Pillow's options for WebP. Every second frame is stored completely, because a frame that is stored as a
difference omits small changes.
"""


def encode(folder: Path, stream: Stream, pictures: Iterable[Array], go_on: Callable[[], None]) -> None:
    """Encode `pictures` [height, width, 4] u8 to the file `MADE` in a folder.

    `go_on` is called regularly and may raise to end the work. Raises OSError if a file cannot be written.
    """
    with as_os_error():
        frames = numbered(stream, pictures)
        encoded = folder / (ENCODED if stream.codec.marked else MADE)
        if stream.codec.passes == 1:
            write(encoded, stream, filtered(stream, frames))
        else:
            _encode_twice(encoded, stream, frames, go_on)
    if stream.codec.marked:
        with open_regular(encoded) as file, written(os.fspath(folder / MADE), sync=False) as made:
            made.writelines(marked(iter(partial(file.read, PIECE), b"")))
        encoded.unlink()


def _encode_twice(
    path: Path, stream: Stream, frames: Iterable[VideoFrame], go_on: Callable[[], None]
) -> None:
    """Store the frames in the file `FRAMES` until the last frame is known, then encode them to a file."""
    kept = path.with_name(FRAMES)
    palette = _Palette(stream) if stream.codec.name == "gif" else None
    count = 0

    def seen() -> Iterator[VideoFrame]:
        """Count the frames and their colours."""
        nonlocal count
        for frame in frames:
            count += 1
            if palette is not None:
                palette.add(frame)
            yield frame

    write(kept, replace(stream, codec=LOSSLESS), seen())
    with _decoded(kept, stream, go_on) as again:
        if palette is not None:
            write(path, stream, _with_palette(stream, again, palette.made()))
        else:
            _write_webp(path, stream, again, count)
    kept.unlink()


class _Palette:
    """Chooses the 256 colours that suit all frames best."""

    def __init__(self, stream: Stream) -> None:
        graph = self._graph = Graph()  # keep the graph, because its filters do not keep it alive
        self._entry, self._end = source(graph, stream, stream.pixels), graph.add("buffersink")
        graph.link_nodes(self._entry, graph.add("palettegen"), self._end).configure()

    def add(self, frame: VideoFrame) -> None:
        """Count the colours of a frame."""
        self._entry.push(frame)

    def made(self) -> VideoFrame:
        """Return the palette of the added frames as a frame of 16 × 16 pixels."""
        self._entry.push(None)
        made = cast(VideoFrame, self._end.pull())
        made.pts = 0
        return made


@contextmanager
def _decoded(path: Path, stream: Stream, go_on: Callable[[], None]) -> Iterator[Iterator[VideoFrame]]:
    """Open a film file inside a `with`; yield an iterator of its numbered frames."""
    with av.open(str(path)) as kept:
        kept.streams.video[0].thread_type = "AUTO"

        def numbered() -> Iterator[VideoFrame]:
            """Number the decoded frames."""
            for number, frame in enumerate(kept.decode(video=0)):
                go_on()
                frame.pts, frame.time_base = number, 1 / stream.rate
                yield frame

        yield numbered()


def _with_palette(stream: Stream, frames: Iterable[VideoFrame], palette: VideoFrame) -> Iterator[VideoFrame]:
    """Convert the frames to the colours of a palette."""
    graph, small = Graph(), replace(stream, size=(palette.width, palette.height))
    pictures, colours = source(graph, stream, LOSSLESS.pixels), source(graph, small, palette.format.name)
    mixed, end = graph.add("paletteuse", "dither=sierra2_4a:diff_mode=rectangle"), graph.add("buffersink")
    pictures.link_to(mixed, 0, 0)
    colours.link_to(mixed, 0, 1)
    mixed.link_to(end)
    graph.configure()
    colours.push(palette)
    colours.push(None)
    for frame in frames:
        pictures.push(frame)
        yield cast(VideoFrame, end.pull())


def _write_webp(path: Path, stream: Stream, frames: Iterator[VideoFrame], count: int) -> None:
    """Write a WebP film with Pillow. ffmpeg's encoder is not used, because it omits small changes from frame
    to frame.
    """
    milliseconds = [round(1000 * number / stream.rate) for number in range(count + 1)]
    durations = [end - start for start, end in pairwise(milliseconds)]
    mode = "RGBA" if stream.pixels == "rgba" else "RGB"
    film = next(frames).to_image().convert(mode)

    def seek(number: int) -> None:
        """Load a frame. Pillow requests all frames in order, and the first frame again at the end."""
        if number > 0:
            film.paste(next(frames).to_image().convert(mode))

    film.__dict__ |= {"n_frames": count, "seek": seek}
    film.save(path, "WEBP", save_all=True, duration=durations if count > 1 else None, **WEBP)
