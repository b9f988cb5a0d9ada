"""The list of all files of a game, and its copy in the cache folder.

To list a game of 400,000 files takes more than a second. Therefore a later start of the program reads the
copy, as long as the archives stay the same. It opens an archive only when a file in the archive is read.
"""

from __future__ import annotations

import heapq
import re
import time
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.storage.archive import Archive
from viewer.storage.kept_files import keep_value, kept_value
from viewer.storage.source import Source, resource_names
from viewer.storage.versions import CLOCK_STEP, Version, file_version

FOLDER = "games"
"""The folder in the cache folder."""
MOST = 256 << 20
"""Largest size in bytes of all kept lists together."""
LAYOUT = 1
"""The version of the layout of kept lists. A list of another version is made again."""
FEWEST = 10_000
"""A list is kept only if it has at least this many files. A shorter list is made again in a moment."""
FAST = 1
"""The compression level at which zlib is fastest."""
OWN_FILES = r"\([a-z_ ]+\)|File\d{8}(?:\.\w+)?"
"""Matches two kinds of files that are no files of the game: files that describe an archive, and files without
a name.
"""
SEPARATOR = "\0"
"""The character between names; no name contains it."""


class GameListing(Struct, frozen=True, eq=False):
    """The N files that a game reads, in the order of their folded names.

    `numbers` [N] u2 are the numbers of the sources from which the files are read, and `sizes` [N] i64 are the
    sizes of the files in bytes. If further sources have a file, `hidden` has their numbers by the file's row,
    the nearest first. `unreadable` are the names of the archives that cannot be read. The list is `whole` if
    no source has further files whose names are unknown.
    """

    names: list[str]
    numbers: Array
    sizes: Array
    hidden: dict[int, list[int]]
    unreadable: tuple[str, ...] = ()
    whole: bool = True

    def row(self, name: str) -> int | None:
        """The row of a file, without regard to case."""
        key = name.casefold()
        row = bisect_left(self.names, key, key=str.casefold)
        return row if row < len(self.names) and self.names[row].casefold() == key else None


class SourceFiles(Struct, frozen=True, eq=False):
    """The N files of a source, in the order of their folded names. `sizes` [N] i64 are in bytes. The list is
    `whole` if the source has no further files. `hides` says whether the source has deletion markers.
    """

    names: list[str]
    sizes: Array
    whole: bool
    hides: bool


def file_list(source: Source) -> SourceFiles:
    """List all files of a source with their sizes."""
    found = [each for each in _files(source) if "/" in each[0] or not re.fullmatch(OWN_FILES, each[0])]
    names, entries = [name for name, _ in found], [entry for _, entry in found]
    keys = [name.casefold() for name in names]
    order = sorted(range(len(names)), key=keys.__getitem__)
    return SourceFiles(
        names=[names[at] for at in order],
        sizes=file_sizes(source, entries)[np.array(order, np.intp)],
        whole=source.names_all,
        hides=source.hides_any,
    )


def merged(
    lists: Sequence[SourceFiles], hiding: Sequence[tuple[int, Source]], unreadable: tuple[str, ...]
) -> GameListing:
    """Merge the lists of all sources. A file of an earlier list hides the file in later lists. `hiding` are
    the sources with deletion markers, each with its number. `unreadable`: see `GameListing`.
    """
    names: list[str] = []
    numbers, rows = array("H"), array("I")
    hidden: dict[int, list[int]] = {}
    last = ""
    for number, first, keys in _runs([each.names for each in lists]):
        run = lists[number].names[first : first + len(keys)]
        if not hiding and keys[0] != last and len(set(keys)) == len(keys):
            names += run
            numbers.extend([number] * len(run))
            rows.extend(range(first, first + len(run)))
            last = keys[-1]
            continue
        for row, (key, name) in enumerate(zip(keys, run, strict=True), first):
            if any(at < number and source.hides(name) for at, source in hiding):
                continue
            if key == last:
                hidden.setdefault(len(names) - 1, []).append(number)
                continue
            last = key
            names.append(name)
            numbers.append(number)
            rows.append(row)
    read, sizes = np.frombuffer(numbers, np.uint16), np.zeros(len(names), np.int64)
    for number, each in enumerate(lists):
        sizes[read == number] = each.sizes[np.frombuffer(rows, np.uint32)[read == number]]
    whole = all(each.whole for each in lists)
    return GameListing(names, read, sizes, hidden, unreadable, whole)


def _runs(lists: Sequence[Sequence[str]]) -> Iterator[tuple[int, int, list[str]]]:
    """Merge lists of names, each in the order of the folded names; equal names in the order of the lists.

    Yield the number of a list, the index of a name in it, and the folded names from there on up to the next
    name of another list: in a game, most folders are in one archive.
    """
    heap = [(names[0].casefold(), number, 0) for number, names in enumerate(lists) if names]
    heapq.heapify(heap)
    while heap:
        _, number, first = heapq.heappop(heap)
        names = lists[number]
        end = bisect_left(names, heap[0][0], first, key=str.casefold) if heap else len(names)
        end = max(end, first + 1)
        yield number, first, [name.casefold() for name in names[first:end]]
        if end < len(names):
            heapq.heappush(heap, (names[end].casefold(), number, end))


def _files(source: Source) -> Iterator[tuple[str, object]]:
    """Yield the names of all files of a source, each with its entry in an archive, in no order."""
    if not isinstance(source, Archive):
        yield from ((name, name) for name in source.names(deep=True))
        return
    listed = [*source.listed()]
    names = resource_names([name for name, _ in listed])
    yield from ((name, entry) for name, (_, entry) in zip(names, listed, strict=True) if name is not None)


def file_sizes(source: Source, entries: Sequence[object]) -> Array:
    """The sizes [N] i64 in bytes of files of a source."""
    if isinstance(source, Archive):
        return np.asarray(source.sizes_of(entries), np.int64)
    versions = (file_version(source.where(str(name))) for name in entries)
    return np.array([0 if each is None else each.size for each in versions], np.int64)


class ListingKey(Struct, frozen=True):
    """What a list depends on: the path of the game; the sources of the game in their order, each with its
    path and the reason why it is not loaded; and the versions of the folders and archives.
    """

    path: str
    sources: list[tuple[str, str]]
    versions: list[tuple[int, int] | None]

    @property
    def settled(self) -> bool:
        """Whether no folder or archive changed in the last moment. Only then the next change is certain to
        give another version.
        """
        latest = max((each[0] for each in self.versions if each is not None), default=0)
        return latest < time.time_ns() - CLOCK_STEP


class _Stored(Struct, frozen=True):
    """A kept list: the names as packed text, the columns as bytes."""

    layout: int
    key: ListingKey
    names: bytes
    numbers: bytes
    sizes: bytes
    hidden: dict[int, list[int]]
    unreadable: tuple[str, ...]
    whole: bool


def listing_key(
    path: str, sources: Sequence[tuple[str, str]], versions: Sequence[Version | None]
) -> ListingKey:
    """Combine what a list depends on to its key; see `ListingKey` for the paths."""
    known = [None if each is None else (each.modified, each.size) for each in versions]
    return ListingKey(path, [*sources], known)


def kept_listing(key: ListingKey) -> GameListing | None:
    """Read the list that the cache folder has for this key."""
    stored = kept_value(FOLDER, key.path, _Stored)
    if stored is None or stored.layout != LAYOUT or stored.key != key:
        return None
    try:
        text = zlib.decompress(stored.names).decode("utf-8", "surrogateescape")
        numbers, sizes = np.frombuffer(stored.numbers, np.uint16), np.frombuffer(stored.sizes, np.int64)
    except (zlib.error, ValueError):
        return None
    names = text.split(SEPARATOR) if text else []
    if not len(names) == len(numbers) == len(sizes) or numbers.max(initial=0) >= len(key.sources):
        return None
    return GameListing(names, numbers, sizes, stored.hidden, stored.unreadable, stored.whole)


def keep_listing(key: ListingKey, listing: GameListing) -> None:
    """Keep a list, unless it is short, an archive has just changed, or the cache folder cannot be written."""
    if len(listing.names) < FEWEST or not key.settled:
        return
    text = SEPARATOR.join(listing.names).encode("utf-8", "surrogateescape")
    stored = _Stored(
        LAYOUT,
        key,
        zlib.compress(text, FAST),
        listing.numbers.astype(np.uint16).tobytes(),
        listing.sizes.astype(np.int64).tobytes(),
        listing.hidden,
        listing.unreadable,
        listing.whole,
    )
    keep_value(FOLDER, key.path, stored, MOST)
