"""Lists folders and all files below them, and sorts names."""

from __future__ import annotations

import os
import re
import stat
import threading
from bisect import bisect_left
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice

from msgspec import Struct

from viewer.budget import BUDGET
from viewer.storage.versions import (
    UNSETTLED,
    Dependencies,
    KeptAnswers,
    Version,
    path_version,
    record,
    record_unreadable,
    recorded,
    stat_path,
)

DiskEntry = os.DirEntry[str]
Fail = Callable[[str, OSError], None]

ENTRY = 400
"""The approximate size of a cached folder entry in bytes."""
_ENTRIES: KeptAnswers[tuple[str, int], Sequence[DiskEntry] | None] = KeptAnswers(16 << 20)
"""The cached entries of folders, by path and by the largest number of entries `most`."""
REPARSE_POINT = 0x400
"""The file attribute flag of links and junctions on Windows."""


class _FolderList(Struct, frozen=True):
    """The entries of a folder (None: more than `most`, or unreadable) and what the list depends on."""

    entries: Sequence[DiskEntry] | None
    most: int
    asked: Dependencies


class _ListingThread(threading.local):
    """The state of a thread: whether it keeps lists, the folders that it has listed inside `listed_once`, and
    the versions of `version_once`, and the calls of `call_afterwards`. Outside of `listed_once` the folders
    are None.
    """

    lists: dict[str, _FolderList] | None = None
    versions: dict[str, Version | None]
    afterwards: dict[Hashable, Callable[[], None]]
    keeps = True


_thread = _ListingThread()


APPLE_DOUBLE = "._"
"""The beginning of the names of AppleDouble files, where a Mac keeps attributes. No list has these files."""
DIGITS = re.compile(r"\d+")
NUMBER_DIGITS = 200
"""How many digits of a number in a name are compared."""
END, FILE, FOLDER, NUMBER = "\0\1\2\3"
"""Characters of sort keys: the end of a name sorts before a number, and a number before other text."""


def natural_key(name: str) -> str:
    """Make the sort key of a path with `/`. It ignores case, compares numbers by value, and sorts the files
    of a folder before its subfolders, and `Cat.m2` before `Cat00.skin`. The `name` of a folder ends with `/`.
    """
    return "".join(natural_parts(name))


def natural_parts(name: str) -> tuple[str, str]:
    """Return the two parts of `natural_key`: the key of the folders, and the key of the file name."""
    folder, slash, file = name.rpartition("/")
    stem, suffix = os.path.splitext(file)
    return _folders_key(folder) if slash else "", f"{FILE}{_natural(stem)}{suffix.casefold()}"


@lru_cache(256)
def _folders_key(path: str) -> str:
    return "".join(f"{FOLDER}{_natural(part)}" for part in path.split("/"))


def _natural(name: str) -> str:
    return DIGITS.sub(_number, name.casefold()) + END


def _number(match: re.Match[str]) -> str:
    digits = match.group().lstrip("0")[:NUMBER_DIGITS]
    return f"{NUMBER}{chr(len(digits))}{digits}"


def list_folder(path: str | os.PathLike[str]) -> list[DiskEntry]:
    """List the entries of a folder, without a cache, sorted by name. AppleDouble files are left out. OSError
    if the folder cannot be read.
    """
    with os.scandir(os.fspath(path)) as entries:
        return _named(entries)


def _named(entries: Iterable[DiskEntry]) -> list[DiskEntry]:
    """The entries except AppleDouble files, sorted by name."""
    return sorted((each for each in entries if not each.name.startswith(APPLE_DOUBLE)), key=_name)


def check_folder(path: str) -> None:
    """Raise OSError if a folder cannot be read."""
    with os.scandir(path):
        pass


@contextmanager
def listed_once() -> Iterator[None]:
    """Inside the `with`, this thread lists each folder at most once: the files of one document are searched
    in the same lists.
    """
    if _thread.lists is not None:
        yield
        return
    _thread.lists, _thread.versions, _thread.afterwards = {}, {}, {}
    try:
        yield
    finally:
        _thread.lists = None
        for call in _thread.afterwards.values():
            call()


def call_afterwards(key: Hashable, call: Callable[[], None]) -> None:
    """Make a call at the end of `listed_once`, once for each key; elsewhere make it now."""
    if _thread.lists is None:
        call()
    else:
        _thread.afterwards[key] = call


def version_once(folder: str) -> tuple[Version | None, bool]:
    """The version of a folder, inside `listed_once` read once, and whether it was read now."""
    if _thread.lists is None:
        return path_version(folder), True
    is_first = folder not in _thread.versions
    if is_first:
        _thread.versions[folder] = path_version(folder)
    record({folder: _thread.versions[folder]})
    return _thread.versions[folder], is_first


@contextmanager
def unkept_lists() -> Iterator[None]:
    """Inside the `with`, this thread keeps no lists of folders for later files, so that it need not read the
    folders' versions. On a network drive, to read a version takes a millisecond.
    """
    _thread.keeps = False
    try:
        yield
    finally:
        _thread.keeps = True


def entries_of(path: str) -> Sequence[DiskEntry]:
    """Return the entries of a folder, sorted by name and cached until it changes; empty if it cannot be
    read.
    """
    return listed_entries(path) or ()


def listed_entries(path: str, most: int = BUDGET.listed_files) -> Sequence[DiskEntry] | None:
    """Return the entries of a folder, sorted by name and cached until it changes; None if it cannot be listed
    or has more than `most`.
    """
    path = path.rstrip("/") or "/"
    if not os.path.isabs(path):
        return _read_entries(path, most)
    lists = _thread.lists
    known = None if lists is None else lists.get(path)
    if known is not None and (known.entries is not None or most <= known.most):
        record(known.asked)
        return known.entries if len(known.entries or ()) <= most else None
    with recorded() as asked:
        entries = (
            _ENTRIES.get((path, most), lambda: _read_entries(path, most), _size)
            if _thread.keeps
            else _read_entries(path, most)
        )
    record(asked)
    if lists is not None:
        lists[path] = _FolderList(entries, most, asked)
    return entries


def present(folder: str, names: Sequence[str]) -> dict[str, bool]:
    """Return the names of `names` that exist in a folder, in the order of `names`. With each name comes a
    bool: whether it is a folder or a link to a folder.
    """
    entries = listed_entries(folder, BUDGET.upper_entries)
    if entries is None:
        kinds = ((name, _folder_at(os.path.join(folder, name))) for name in names)
        return {name: is_dir for name, is_dir in kinds if is_dir is not None}
    known = {each.name: each for each in entries}
    return {name: _leads_to_folder(known[name]) for name in names if name in known}


def _folder_at(path: str) -> bool | None:
    """Whether a path leads to a folder; None if it is missing."""
    try:
        return stat.S_ISDIR(stat_path(path).st_mode)
    except (OSError, ValueError):
        return None


def _leads_to_folder(entry: DiskEntry) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def is_listed_file(path: str) -> bool:
    """Whether a list of the folder, made inside `listed_once`, shows that a path is a regular file."""
    folder, name = os.path.split(path)
    known = (_thread.lists or {}).get(folder)
    entries = (known.entries if known else None) or ()
    index = bisect_left(entries, name, key=_name)
    return index < len(entries) and entries[index].name == name and is_real_file(entries[index])


def _read_entries(path: str, most: int) -> Sequence[DiskEntry] | None:
    if not _ask_version(path):
        return ()
    try:
        with os.scandir(path) as found:
            entries = list(islice(found, most + 1))
    except FileNotFoundError:
        return ()
    except OSError:
        record_unreadable(path)
        return None
    return None if len(entries) > most else _named(entries)


def _ask_version(folder: str) -> bool:
    """Record the version of a folder; return False if it is missing."""
    if _thread.keeps:
        return path_version(folder) is not None
    record({folder: UNSETTLED})
    return True


def _size(entries: Sequence[DiskEntry] | None) -> int:
    return ENTRY * (1 + len(entries or ()))


def _name(entry: DiskEntry) -> str:
    return entry.name


def walk(
    top: str, fail: Fail, natural: bool = False, without: Container[str] = ()
) -> Iterator[tuple[str, list[DiskEntry]]]:
    """Yield a folder and all folders below it, each with its entries sorted by name, or in `natural` order.

    Hidden and linked folders, junctions and the paths `without` are not entered. `fail` receives each folder
    that cannot be read.
    """
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        try:
            entries = listed_for_walk(folder)
        except OSError as error:
            fail(folder, error)
            continue
        inner = [*filter(is_walked, entries)]
        if natural:
            entries.sort(key=lambda entry: natural_key(entry.name))
            inner.sort(key=lambda entry: natural_key(f"{entry.name}/"))
        yield folder, entries
        waiting += [each.path for each in reversed(inner) if each.path not in without]


def listed_for_walk(folder: str) -> list[DiskEntry]:
    """List a folder of a walk, inside `listed_once` at most once. OSError if it cannot be read."""
    lists = _thread.lists
    known = None if lists is None else lists.get(folder)
    if known is not None and known.entries is not None:
        record(known.asked)
        return [*known.entries]
    with recorded() as asked:
        _ask_version(folder)
        entries = list_folder(folder)
    record(asked)
    if lists is not None:
        lists[folder] = _FolderList(entries, len(entries), asked)
    return [*entries]


def is_walked(entry: DiskEntry) -> bool:
    """Whether a walk enters this entry: a real folder that is not hidden."""
    return entry.name[0] != "." and is_folder(entry)


def is_folder(entry: DiskEntry) -> bool:
    """Whether an entry is a real folder, not a link or junction."""
    try:
        if not entry.is_dir(follow_symlinks=False):
            return False
        if os.name != "nt":
            return True
        return not getattr(entry.stat(follow_symlinks=False), "st_file_attributes", 0) & REPARSE_POINT
    except OSError:
        return False


def files_below(
    top: str, suffixes: tuple[str, ...], fail: Fail = lambda _folder, _error: None
) -> Iterator[str]:
    """Yield the paths of the files below a folder whose names end with one of `suffixes`, in natural order.

    The numbers of folders and files are limited. `fail` receives each folder that cannot be read.
    """
    visited = 0
    for number, (_, entries) in enumerate(walk(os.path.abspath(top), fail, True), 1):
        yield from (each.path for each in entries if each.name.lower().endswith(suffixes) and is_file(each))
        visited += len(entries)
        if number >= BUDGET.listed_folders or visited >= BUDGET.listed_files:
            return


def is_real_file(entry: DiskEntry) -> bool:
    """Whether an entry is a regular file, and no link."""
    try:
        return entry.is_file(follow_symlinks=False)
    except OSError:
        return False


def is_file(entry: DiskEntry) -> bool:
    """Whether an entry is a regular file, or a link to one."""
    try:
        return entry.is_file()
    except OSError:
        return False
