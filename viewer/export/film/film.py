"""Writes frames to an MP4, WebM, GIF, WebP or APNG file, or to PNG pictures.

The output gets its name only when it is complete. Until then it is in a temporary folder beside the output,
which `Film.abandon` removes.
"""

from __future__ import annotations

import errno
import itertools
import os
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Protocol

from viewer.arrays import Array, Size
from viewer.export.film.codecs import CODECS, Codec
from viewer.scene.choices import FILM_FORMATS, FilmFormat
from viewer.scene.document import Document
from viewer.scene.names import FRAME, any_frame
from viewer.storage.dependencies import inputs_of
from viewer.storage.image import save_png
from viewer.storage.listing import list_folder
from viewer.storage.package_path import on_disk
from viewer.storage.writing import install, is_same_file, part_folder


def film_format(path: str) -> FilmFormat | None:
    """The film format that the suffix of a file name chooses."""
    return next((each for each in FILM_FORMATS if path.lower().endswith(each.suffix)), None)


def _codec(path: str) -> Codec | None:
    """Return the codec for the suffix of a file name; None if it is the suffix of a picture."""
    found = film_format(path)
    return None if found is None else CODECS.get(found.suffix)


def is_sequence(path: str) -> bool:
    """Return whether a file name can take several frames: a film, or pictures numbered with `{frame:04}`."""
    return _codec(path) is not None or is_numbered(path)


def is_numbered(path: str) -> bool:
    """Return whether a file name has a field for the frame number, such as `{frame:04}`."""
    return FRAME.search(os.path.basename(path)) is not None


def usable_size(path: str, size: Size) -> Size:
    """Return `size`. If the format requires even sizes, an odd side grows by one pixel."""
    found = film_format(path)
    if found is None or not found.even:
        return size
    return size[0] + size[0] % 2, size[1] + size[1] % 2


def overwrites(path: str, other: str) -> bool:
    """Return whether writing to `path` may replace the file `other`. Numbered pictures may replace a file
    with any frame number.
    """
    if not is_numbered(path):
        return is_same_file(path, other)
    numbered = any_frame(os.path.basename(path)).fullmatch(os.path.basename(other))
    folders = os.path.dirname(os.path.abspath(path)), os.path.dirname(os.path.abspath(other))
    return numbered is not None and is_same_file(*folders)


def overwritten(path: str, documents: Iterable[Document], named: Iterable[str] = ()) -> str | None:
    """Return the first input file that writing to `path` may replace: a file that documents were read from,
    or one of the `named` paths. None if it replaces none.
    """
    inputs = (*map(on_disk, named), *inputs_of(documents))
    return next((each for each in inputs if overwrites(path, each)), None)


class _Writer(Protocol):
    """Writes frames to files in a folder."""

    def add(self, rgba: Array) -> None:
        """Write one frame."""

    def finished(self) -> bool:
        """Request the end of the output without waiting; return whether its files are complete."""

    def stop(self) -> None:
        """Stop without completing the files."""


class Film:
    """A film that is being written. Its frames have `size` (width, height), `fps` frames per second.

    The suffix of `path` chooses the format. A PNG with `{frame}` or `{frame:04}` in its name becomes one
    picture per frame, numbered from `first`; any other PNG takes one frame. Without `alpha` the frames' alpha
    is ignored. A picture that is no `view` of a model, but a texture, gets no mark. `replaced` counts the
    existing files that were replaced.

    Raises OSError if nothing can be written, ResourceError if the encoder is missing, and ValueError for an
    unknown suffix or for a size that differs from `usable_size`. As a context manager it closes the film at
    the end, and abandons it after an exception.
    """

    def __init__(
        self,
        path: str,
        size: Size,
        fps: float = 30.0,
        *,
        first: int = 0,
        alpha: bool = False,
        view: bool = True,
    ) -> None:
        if film_format(path) is None or usable_size(path, size) != size:
            raise ValueError(f"{path}: {size[0]} × {size[1]} pixels cannot be written")
        self.path, self.size, self.replaced = path, size, 0
        with _blaming(path):
            self._folder: Path | None = Path(part_folder(path))
        try:
            self._writer = self._make(self._folder, fps, first, alpha, view)
        except BaseException:
            shutil.rmtree(self._folder)
            raise

    def _make(self, folder: Path, fps: float, first: int, alpha: bool, view: bool) -> _Writer:
        name = os.path.basename(self.path)
        codec = _codec(self.path)
        if codec is None:
            return _FrameFiles(folder, picture_names(name, first), alpha, view)
        # Imported late, because single pictures need no encoder.
        from viewer.export.film.encoder import Encoder

        return Encoder(folder, codec, self.size, fps, alpha)

    def add(self, rgba: Array) -> None:
        """Write one frame [height, width, 4] u8 with straight alpha, the top row first.

        The call may wait for a short time until the encoder takes the frame. Raises OSError if the frame
        cannot be written.
        """
        if rgba.shape != (self.size[1], self.size[0], 4):
            raise ValueError(f"a frame of the shape {rgba.shape} does not fit {self.size}")
        with _blaming(self.path):
            self._writer.add(rgba)

    def finished(self) -> bool:
        """End the film without waiting; return whether it is complete and has its final name.

        The caller repeats the call until it returns True.
        """
        if self._folder is None:
            return True
        with _blaming(self.path):
            if not self._writer.finished():
                return False
            for made in list_folder(self._folder):
                self.replaced += install(made, Path(self.path).with_name(self._final(made.name)))
        self.abandon()
        return True

    def _final(self, file: str) -> str:
        """Return the path that a finished file in the temporary folder gets at the end."""
        return file if _codec(self.path) is None else os.path.basename(self.path)

    def close(self) -> None:
        """End the film, and wait until the file has its final name."""
        while not self.finished():
            time.sleep(0.005)

    def abandon(self) -> None:
        """Remove all files of an unfinished film; a finished film stays."""
        if self._folder is not None:
            self._writer.stop()
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def __enter__(self) -> Film:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self.close()
        finally:
            self.abandon()


class _FrameFiles:
    """Writes each frame to a PNG file with the next name."""

    def __init__(self, folder: Path, names: Iterator[str], alpha: bool, view: bool) -> None:
        self._folder = folder
        self._names, self._view = names, view
        self._channels = 4 if alpha else 3

    def add(self, rgba: Array) -> None:
        name = next(self._names, None)
        if name is None:
            raise ValueError("a single picture takes only one frame")
        save_png(self._folder / name, rgba[..., : self._channels], view=self._view)

    def finished(self) -> bool:
        """Return True, because each file is complete after `add`."""
        return True

    def stop(self) -> None:
        """Do nothing, because no encoder runs."""
        pass


def picture_names(pattern: str, first: int) -> Iterator[str]:
    """Yield the file names of the frames, numbered from `first`; a single name if `pattern` has no
    `{frame}`.
    """
    field = FRAME.search(pattern)
    if field is None:
        yield pattern
        return
    head, tail, width = pattern[: field.start()], pattern[field.end() :], int(field[1] or 0)
    yield from (f"{head}{number:0{width}}{tail}" for number in itertools.count(first))


@contextmanager
def _blaming(path: str) -> Iterator[None]:
    """Replace the temporary path in an OSError by the output that the user named."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno or errno.EIO, error.strerror or str(error), path) from error
