"""The only place at which files are opened for reading: the files that the user names, and all files that
belong to them.

Only regular files are read. To open a FIFO would mean to wait for a writer, perhaps forever; a device has no
end.
"""

from __future__ import annotations

import errno
import mmap
import os
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

from viewer.errors import CancelledError, FormatError, Topic
from viewer.family.archive import Bytes, Fetch
from viewer.scene.reading_context import DEFAULT, ReadingContext
from viewer.storage.versions import record_status, record_unreadable, stat_path

LARGE = 1 << 20
"""If a file has more bytes than this, its beginning is tested before the rest is read."""
MAPPED = 64 << 20
"""Larger files of some formats are mapped into memory instead of read."""
HEAD = 1 << 16
"""How many bytes at the beginning of a large file are tested."""

KINDS = (
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
FLAGS = sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"))
"""Flags of `os.open`. With these flags `os.open` returns at once, even if the file has become a FIFO."""


class _ReadingThread(threading.local):
    """For each thread, the function that tests whether its job is cancelled."""

    stop: Callable[[], bool] | None = None


_thread = _ReadingThread()


@contextmanager
def cancelled_by(stop: Callable[[], bool]) -> Iterator[None]:
    """Inside the `with`, this thread opens no file after `stop` returns True."""
    _thread.stop = stop
    try:
        yield
    finally:
        _thread.stop = None


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a regular file for reading in binary.

    OSError if it is no regular file; the message says what it is. CancelledError if `cancelled_by` stopped
    the thread.
    """
    if _thread.stop is not None and _thread.stop():
        raise CancelledError("cancelled")
    # imported late, because the command line starts without msgspec
    from viewer.storage.listing import is_listed_file

    listed = is_listed_file(os.fspath(path))
    if not listed:
        _check(stat_path(path), path)
    try:
        handle = os.open(path, os.O_RDONLY | FLAGS)
    except OSError:
        record_unreadable(path)
        raise
    try:
        status = os.fstat(handle)
        _check(status, path)
        if listed:
            record_status(path, status)
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_file(
    path: str | os.PathLike[str],
    limit: int | None = None,
    recognises: Callable[[bytes], bool] | None = None,
    mapped: Callable[[bytes], bool] | None = None,
    context: ReadingContext = DEFAULT,
) -> bytes:
    """Read a regular file. FormatError if it cannot be read, or if it has more than `limit` bytes (None for
    the limit of the `context`).

    `recognises` tests the beginning of a large file: if the answer is False, only the beginning is returned.
    `mapped` recognises files of any size that are mapped into memory above `MAPPED` bytes: a map is sliced
    and searched like bytes.
    """
    most = context.size_limit if limit is None else limit
    try:
        with open_regular(path) as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(0)
            if size > MAPPED and mapped is not None:
                head = file.read(HEAD)
                file.seek(0)
                if mapped(head):
                    # A map has all methods of bytes that the readers use, but is no subclass of bytes.
                    return cast(bytes, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
            if size > most:
                raise FormatError(too_large(size, most, limit is None), file=os.fspath(path))
            if recognises is not None and size > LARGE:
                head = file.read(HEAD)
                if not recognises(head):
                    return head
                file.seek(0)
            return file.read(size)
    except OSError as error:
        why = f"cannot be read: {error.strerror or error}"
        raise FormatError(why, file=os.fspath(path), topic=Topic.ACCESS) from error


def fetching(file: BinaryIO) -> Fetch:
    """Return a function that reads bytes at an offset of an open file."""

    def fetch(at: int, size: int) -> Bytes:
        file.seek(at)
        return file.read(size)

    return fetch


def piece_of(data: bytes, at: int, size: int) -> bytes:
    """Return `size` bytes of a file that was read or mapped. FormatError if another program has cut the
    mapped file: reading its missing bytes would end the program.
    """
    if isinstance(data, mmap.mmap) and data.size() < len(data):
        raise FormatError("the file has become smaller since it was opened")
    return data[at : at + size]


def too_large(size: int, most: int, by_user: bool = True) -> str:
    """The message about a file of `size` bytes above the limit `most`. With `by_user` it says how to change
    the limit.
    """
    advice = "; --max-size, or max_size in the settings, allows more" if by_user else ""
    return f"{size:,} bytes are more than the limit of {most:,}{advice}"


def unreadable(path: str | os.PathLike[str]) -> str:
    """Describe the reason why a path cannot be read."""
    try:
        _check(os.stat(path), path)
    except FileNotFoundError:
        return "no such file"
    except OSError as error:
        return error.strerror or str(error)
    return "no such file"


def _check(status: os.stat_result, path: str | os.PathLike[str]) -> None:
    """Raise OSError for a path that is not a regular file."""
    mode = status.st_mode
    if stat.S_ISREG(mode):
        return
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    kind = next((name for test, name in KINDS if test(mode)), "a special file")
    raise OSError(errno.EINVAL, f"it is {kind}, not a regular file", os.fspath(path))
