"""Encodes frames in a thread while the next frames are drawn; it can be stopped at any frame."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from queue import Full, Queue
from threading import Thread

import numpy as np

from viewer.arrays import Array, Size
from viewer.errors import ResourceError
from viewer.export.film.codecs import CODECS, Codec
from viewer.scene.choices import FILM_FORMATS, PICTURE

WAITING = 3
"""Largest number of frames in the queue of the encoder."""


def writable() -> tuple[str, ...]:
    """The suffixes of the film formats that can be written here. This imports PyAV, which takes a moment."""
    try:
        import av
    except ImportError:
        return (PICTURE,)
    codecs = {each.suffix: CODECS.get(each.suffix) for each in FILM_FORMATS}
    return tuple(name for name, codec in codecs.items() if codec is None or codec.name in av.codecs_available)


class _AbandonError(Exception):
    """Ends the encoder because the film was abandoned."""


class Encoder:
    """A running encoder that writes a single file into `folder`; it may choose the name of the file.

    The frames have `size` (width, height) and are shown at `fps` frames per second. Without `alpha` their
    alpha is ignored. Raises ResourceError if PyAV cannot be imported.
    """

    def __init__(self, folder: Path, codec: Codec, size: Size, fps: float, alpha: bool) -> None:
        try:
            from viewer.export.film.encoding import Stream
            from viewer.export.film.passes import encode
        except ImportError as error:
            raise ResourceError(f"films need PyAV: install it with pip install av ({error})") from error
        stream = Stream(codec, size, Fraction(fps).limit_denominator(1001), "rgba" if alpha else "rgb24")
        self._frames: Queue[Array | None] = Queue(WAITING)
        self._asked = self._ended = self._stopped = False
        self._error: Exception | None = None

        def run() -> None:
            """Encode the queued frames. An error is kept, and raised by `add` and `finished`."""
            try:
                encode(folder, stream, self._taken(), self._go_on)
            except _AbandonError:
                pass
            except Exception as error:
                self._error = error
            while not self._ended:  # empty the queue, so that a waiting `add` returns
                self._ended = self._frames.get() is None

        self._thread = Thread(target=run, name="film", daemon=True)
        self._thread.start()

    def add(self, rgba: Array) -> None:
        """Add a frame [height, width, 4] u8 to the queue; wait while the queue is full. OSError if the
        encoder has failed.
        """
        self._check()
        self._frames.put(np.array(rgba))

    def finished(self) -> bool:
        """Request the end of the film without waiting; return whether the film is complete. Raises OSError
        with the reason if it failed.
        """
        if not self._asked:
            try:
                self._frames.put_nowait(None)
            except Full:
                return False
            self._asked = True
        if self._thread.is_alive():
            return False
        self._check()
        return True

    def stop(self) -> None:
        """Stop the encoder after the current frame."""
        self._stopped = True
        if not self._asked:
            self._frames.put(None)
            self._asked = True
        self._thread.join()

    def _check(self) -> None:
        if self._error is not None:
            raise self._error

    def _taken(self) -> Iterator[Array]:
        """Yield the queued frames until the end of the film is requested."""
        while not self._ended:
            frame = self._frames.get()
            self._ended = frame is None
            self._go_on()
            if frame is not None:
                yield frame

    def _go_on(self) -> None:
        if self._stopped:
            raise _AbandonError
