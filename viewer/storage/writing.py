"""The one gate for writing: a file appears under its name only when it is complete.

It is written under a temporary name in the same folder, synced to the disk, and renamed. If this fails, for
example because the disk is full, the partial file is removed, and an existing file of the name stays
unchanged.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from typing import BinaryIO

from viewer.errors import words_of

PREFIX = ".rigscope-"
"""The prefix in the names of unfinished files and folders."""
NEW = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
BROKEN = ".broken"
"""The suffix of a damaged file that is put aside."""
ANY_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
PERMISSIONS = 0o666
"""Permissions of a new file, before the user's umask is applied."""

_numbers = count()


@contextmanager
def replaced(path: str | os.PathLike[str], inputs: Iterable[str] = ()) -> Iterator[BinaryIO]:
    """Open a new file for writing. At the end of the `with` the new file replaces the file `path`. See
    `target_of` for errors.

    The new file gets the permissions of the replaced file.
    """
    with written(target_of(path, inputs), name=os.fspath(path)) as file:
        yield file


@contextmanager
def written(
    target: str, *, permissions: int = PERMISSIONS, sync: bool = True, name: str = ""
) -> Iterator[BinaryIO]:
    """Open a new file for writing. At the end of the `with` the new file gets the name `target`. If a link
    has that name, the link itself is replaced.

    With `sync` this waits until the file is on the disk. OSError if the file cannot be written; the partial
    file is removed. The error names the file as the user named it, which is `name` if the target is another.
    """
    part = ""
    try:
        part, handle = _new_file(os.path.dirname(target), permissions)
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            if sync:
                os.fsync(file.fileno())
        _rename(part, target, sync)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(part)
        if isinstance(error, OSError) and os.path.basename(error.filename or PREFIX).startswith(PREFIX):
            raise OSError(error.errno or errno.EIO, words_of(error), name or target) from error
        raise


def write_together(output: str, files: Mapping[str, Iterable[bytes]]) -> None:
    """Write several files, by path, into the folder of `output`: all or none. They are renamed in their order
    when the last one is complete.

    OSError if a file cannot be written; see `target_of`.
    """
    import shutil  # imported late, because it takes 4 ms and few commands need it

    for path in files:
        target_of(path)
    folder = part_folder(output)
    try:
        made = {path: os.path.join(folder, str(number)) for number, path in enumerate(files)}
        for path, pieces in files.items():
            with written(made[path], name=path, sync=False) as file:
                file.writelines(pieces)
        for path, part in made.items():
            install(part, path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def appended(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file for appending, and create it if it is missing. Writes are unbuffered.

    OSError if the file cannot be opened or is not a regular file.
    """
    flags = (NEW & ~os.O_EXCL) | os.O_APPEND
    return os.fdopen(os.open(target_of(path), flags, PERMISSIONS), "ab", buffering=0)


def install(source: str | os.PathLike[str], path: str | os.PathLike[str]) -> bool:
    """Rename a finished file to `path`; return whether it replaced a file. It raises the errors of
    `target_of`.
    """
    target = target_of(path)
    existed = os.path.lexists(target)
    handle = os.open(source, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    _rename(os.fspath(source), target, sync=True)
    return existed


def target_of(path: str | os.PathLike[str], inputs: Iterable[str] = ()) -> str:
    """Return the path to write: the target of a link, so that the link stays, else `path` itself.

    OSError if the path to write is a folder, a FIFO or a device, or one of the `inputs`, or if its folder
    does not exist.
    """
    target = os.path.realpath(path)
    try:
        status = os.lstat(target)
    except FileNotFoundError:
        folder = os.path.dirname(target)
        if not os.path.isdir(folder):
            raise FileNotFoundError(errno.ENOENT, "its folder does not exist", os.fspath(path)) from None
        return target
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", os.fspath(path))
    if any(is_same_file(target, each) for each in inputs):
        raise OSError(errno.EINVAL, "it is one of the files being read: choose another name", os.fspath(path))
    return target


def is_read_only(path: str | os.PathLike[str]) -> bool:
    """Whether a file is marked as read-only, or may not be written by this user."""
    with suppress(OSError):
        return not os.lstat(os.path.realpath(path)).st_mode & ANY_WRITE or not os.access(path, os.W_OK)
    return False


def rename_file(path: str | os.PathLike[str], name: str | os.PathLike[str]) -> None:
    """Rename a file, and replace an existing file of the new name."""
    os.replace(path, name)


def unused_path(base: str, suffix: str = "", taken: Container[str] = ()) -> str:
    """Return the path `base` plus suffix. If it exists or is in `taken`, the first unused number is added
    before the suffix.
    """
    paths = (f"{base}{f'-{number}' if number else ''}{suffix}" for number in count())
    return next(each for each in paths if each not in taken and not os.path.lexists(each))


def put_aside(path: str | os.PathLike[str], sides: Iterable[str] = ()) -> str:
    """Rename a damaged file, and its side files with the suffixes `sides`; return its new path, which no file
    had. OSError if the file cannot be renamed.
    """
    aside = unused_path(f"{os.fspath(path)}{BROKEN}")
    rename_file(path, aside)
    for side in sides:
        if os.path.exists(f"{os.fspath(path)}{side}"):
            rename_file(f"{os.fspath(path)}{side}", f"{aside}{side}")
    return aside


def is_same_file(path: str, other: str) -> bool:
    """Whether two paths lead to one existing file."""
    try:
        return os.path.samefile(path, other)
    except (OSError, ValueError):
        return False


def part_folder(path: str | os.PathLike[str]) -> str:
    """Create a folder for unfinished files beside `path`, so that renaming them does not copy them."""
    import tempfile  # imported late, because it takes 4 ms and few commands need it

    return tempfile.mkdtemp(prefix=PREFIX, dir=os.path.dirname(target_of(path)))


def _new_file(folder: str, permissions: int) -> tuple[str, int]:
    """Create a file in a folder, and return its path and its handle."""
    while True:
        part = os.path.join(folder, f"{PREFIX}{os.getpid()}-{next(_numbers)}.part")
        try:
            return part, os.open(part, NEW, permissions)
        except FileExistsError:
            continue  # a killed program has left a file of this name


def _rename(part: str, target: str, sync: bool) -> None:
    """Rename a file, and give it the permissions of the file that it replaces."""
    with suppress(OSError):
        status = os.lstat(target)
        if stat.S_ISREG(status.st_mode):
            os.chmod(part, stat.S_IMODE(status.st_mode))
    try:
        os.replace(part, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        import shutil  # `shutil` copies a part that is on another file system

        with open(part, "rb") as source, written(target) as file:
            shutil.copyfileobj(source, file)
        os.unlink(part)
    if sync and hasattr(os, "O_DIRECTORY"):
        with suppress(OSError):
            _sync_folder(os.path.dirname(target))


def _sync_folder(folder: str) -> None:
    handle = os.open(folder or ".", os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
