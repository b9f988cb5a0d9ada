"""The list of all files of a game, and its copy in the cache folder.

To list a game of 400,000 files takes more than a second. Therefore a later start of the program reads the
copy, as long as the archives stay the same. It opens an archive only when a file in the archive is read.
"""

from __future__ import annotations

import os
import time
import zlib
from bisect import bisect_left
from collections.abc import Sequence

import msgspec
import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.errors import FormatError
from viewer.storage.cache_folder import cache_folder
from viewer.storage.reading import read_file
from viewer.storage.versions import CLOCK_STEP, Version
from viewer.storage.writing import written

FOLDER = "games"
LAYOUT = 1
"""The version of the layout of kept lists. A list of another version is made again."""
FEWEST = 10_000
"""A list is kept only if it has at least this many files. A shorter list is made again in a moment."""
FAST = 1
"""The compression level at which zlib is fastest."""
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
        """The row of a file, without regard to case; None if it is not in the list."""
        key = name.casefold()
        row = bisect_left(self.names, key, key=str.casefold)
        return row if row < len(self.names) and self.names[row].casefold() == key else None


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
    """Make the key of a list; paths are as in `ListingKey`."""
    known = [None if each is None else (each.modified, each.size) for each in versions]
    return ListingKey(path, [*sources], known)


def kept_listing(key: ListingKey) -> GameListing | None:
    """Read the kept list of a game; None if no list with this key is kept."""
    path = _file(key)
    if not os.path.isfile(path):
        return None
    try:
        stored = msgspec.msgpack.decode(read_file(path, BUDGET.file_bytes), type=_Stored)
        if stored.layout != LAYOUT or stored.key != key:
            return None
        text = zlib.decompress(stored.names).decode("utf-8", "surrogateescape")
        names = text.split(SEPARATOR) if text else []
        numbers, sizes = np.frombuffer(stored.numbers, np.uint16), np.frombuffer(stored.sizes, np.int64)
    except (FormatError, msgspec.DecodeError, zlib.error, ValueError):
        return None
    if not len(names) == len(numbers) == len(sizes) or numbers.max(initial=0) >= len(key.sources):
        return None
    return GameListing(names, numbers, sizes, stored.hidden, stored.unreadable, stored.whole)


def keep_listing(key: ListingKey, listing: GameListing) -> None:
    """Keep a list, unless it is short, an archive has just changed, or the cache folder cannot be written."""
    if len(listing.names) < FEWEST or not key.settled:
        return
    path = _file(key)
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
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with written(path, sync=False) as file:
            file.write(msgspec.msgpack.encode(stored))
    except OSError:
        return


def _file(key: ListingKey) -> str:
    """The path of the kept list."""
    import hashlib  # imported late, because it takes 3 ms and the window's start does not need it

    name = hashlib.sha256(key.path.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return os.path.join(cache_folder(), FOLDER, f"{name}.listing")
