"""Frames become a file: an MP4, WebM, GIF or APNG by the packaged ffmpeg, or PNG pictures, numbered or one.

Nothing appears under its name before all of it is there: frames are collected in a folder beside the output,
which `Film.abandon` removes.
"""

from __future__ import annotations

import errno
import itertools
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Protocol

from viewer.arrays import Array, Size
from viewer.export.encoder import CODECS, Encoder
from viewer.storage.image import save_png

FIELD = re.compile(r"\{frame(?::0?(\d+))?\}")
PICTURE = ".png"
SUFFIXES = (PICTURE, *CODECS)


def suffix(path: str) -> str:
    """The one of `SUFFIXES` that a name ends with, and which says what a film becomes; else nothing."""
    return next((each for each in SUFFIXES if path.lower().endswith(each)), "")


def is_sequence(path: str) -> bool:
    """Whether a name stands for more than one frame: a moving picture, or one with `{frame:04}`."""
    return suffix(path) in CODECS or FIELD.search(os.path.basename(path)) is not None


def usable_size(path: str, size: Size) -> Size:
    """`size`, or one pixel more where the format can only store even numbers of them."""
    codec = CODECS.get(suffix(path))
    if codec is None or not codec.even:
        return size
    return size[0] + size[0] % 2, size[1] + size[1] % 2


class _Writer(Protocol):
    """What takes the frames and leaves files in a folder."""

    def add(self, rgba: Array) -> None: ...

    def finished(self) -> bool: ...

    def stop(self) -> None: ...


class Film:
    """A file in the making, of frames `size` (width, height) shown `fps` a second.

    The suffix of `path` says what it becomes. A PNG with `{frame}` or `{frame:04}` in its name is one picture
    a frame, numbered from `first`; without, it takes one frame. Without `alpha` the frames' alpha is ignored.

    OSError where nothing can be written; ResourceError where the encoder is missing; ValueError for a suffix
    that is not in `SUFFIXES` or a size that is not the `usable_size`. As a context it is closed at the end,
    and abandoned by any exception.
    """

    def __init__(
        self, path: str, size: Size, fps: float = 30.0, *, first: int = 0, alpha: bool = False
    ) -> None:
        if not suffix(path) or usable_size(path, size) != size:
            raise ValueError(f"{path}: {size[0]} × {size[1]} pixels cannot be written")
        self.path, self.size = path, size
        self._folder: Path | None = _folder_beside(path)
        try:
            self._writer = self._make(self._folder, fps, first, alpha)
        except BaseException:
            shutil.rmtree(self._folder)
            raise

    def _make(self, folder: Path, fps: float, first: int, alpha: bool) -> _Writer:
        name = os.path.basename(self.path)
        codec = CODECS.get(suffix(self.path))
        if codec is None:
            return _Pictures(folder, _names(name, first), alpha)
        return Encoder(folder, codec, self.size, fps, alpha)

    def add(self, rgba: Array) -> None:
        """One more frame: [height, width, 4] u8, straight alpha, the top row first. It may wait for the
        encoder, never long. OSError where it cannot be written."""
        if rgba.shape != (self.size[1], self.size[0], 4):
            raise ValueError(f"a frame of the shape {rgba.shape} does not fit {self.size}")
        with _blaming(self.path):
            self._writer.add(rgba)

    def finished(self) -> bool:
        """End it without waiting: to be called until it says True, when the file is in its place."""
        if self._folder is None:
            return True
        with _blaming(self.path):
            if not self._writer.finished():
                return False
            for made in sorted(self._folder.iterdir()):
                os.replace(made, Path(self.path).with_name(self._final(made.name)))
        self.abandon()
        return True

    def _final(self, made: str) -> str:
        """The name that a finished file gets."""
        return made if suffix(self.path) == PICTURE else os.path.basename(self.path)

    def close(self) -> None:
        """End it, and wait until the file is in its place."""
        while not self.finished():
            time.sleep(0.005)

    def abandon(self) -> None:
        """Leave nothing of it behind; without effect on one that is in its place."""
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


class _Pictures:
    """PNG files with these names, one a frame."""

    def __init__(self, folder: Path, names: Iterator[str], alpha: bool) -> None:
        self._folder = folder
        self._names = names
        self._channels = 4 if alpha else 3

    def add(self, rgba: Array) -> None:
        name = next(self._names, None)
        if name is None:
            raise ValueError("more than one frame for one picture")
        save_png(self._folder / name, rgba[..., : self._channels])

    def finished(self) -> bool:
        return True

    def stop(self) -> None:
        pass


def _names(pattern: str, first: int) -> Iterator[str]:
    """The names of the frames from number `first` on; a single one where there is no `{frame}`."""
    field = FIELD.search(pattern)
    if field is None:
        yield pattern
        return
    head, tail, width = pattern[: field.start()], pattern[field.end() :], int(field[1] or 0)
    yield from (f"{head}{number:0{width}}{tail}" for number in itertools.count(first))


@contextmanager
def _blaming(path: str) -> Iterator[None]:
    """Errors of the files inside the folder become errors of the output that the user knows."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno or errno.EIO, error.strerror or str(error), path) from error


def _folder_beside(path: str) -> Path:
    """A new folder where the output is to be, so that moving it there is only a change of name."""
    if os.path.isdir(path):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    with _blaming(path):
        return Path(tempfile.mkdtemp(prefix=".rigscope-", dir=os.path.dirname(os.path.abspath(path))))
