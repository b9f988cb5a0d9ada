"""A place is a folder whose files come from many sources, such as the folder of a game, in which a later
archive hides files of earlier ones.

`GAME::name` is the file that the game reads. A format registers a recogniser in `RECOGNISERS`: a function
that gets a folder, and returns the sources of the game in it, or None for another folder. The folder of a
program whose files lie open on the disk is a place of loose files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from msgspec import Struct

from viewer.budget import BUDGET
from viewer.errors import FormatError, ResourceError
from viewer.scene.names import JOINT
from viewer.scene.package import GameSource
from viewer.storage.archive import Archive
from viewer.storage.listing import entries_of, listed_once
from viewer.storage.reading import read_file
from viewer.storage.source import FolderSource, Source, TopFolderSource, resource_name
from viewer.storage.versions import file_version, path_version


class PlaceLayout(Struct, frozen=True):
    """The sources of a place, in the order in which later ones hide earlier ones. Sources that are not loaded
    come last. `game` names the game and its version. `folders` are the folders and files on which the choice
    of the sources depends. `by_base_name`: see `Source.by_base_name`. If the place is `loose`, its files lie
    open on the disk, and lists of the folder have all files below the folder instead of the files of the
    place.
    """

    game: str
    sources: tuple[GameSource, ...]
    folders: tuple[str, ...]
    by_base_name: bool = False
    loose: bool = False


OWN_FILES = re.compile(r"\([a-z_ ]+\)|File\d{8}(?:\.\w+)?")
"""Matches the files that describe an archive, and the files without a name. They are no files of the game."""
ANY = "x"
"""A name to look up in a new archive, because a zip archive is read only when a name is looked up."""
DATA = "data"
"""The folded name of the folder with the archives of a game."""
RECOGNISERS: list[Callable[[str], PlaceLayout | None]] = []
"""Functions that find the sources of a game in a folder; None if the folder is no game of this kind."""


class _Given(Struct):
    """What the user says about games, on the command line and in the settings: the version of the client, and
    the file with the order of archives. An empty text says nothing.
    """

    client: str = ""
    archive_order: str = ""
    client_setting: str = ""
    order_setting: str = ""


_given = _Given()


def give_game(client: str = "", archive_order: str = "") -> None:
    """Set the version of the client and the file with the order of the archives from the command line; empty:
    that of the settings. Places that are kept open are dropped.
    """
    _given.client = client
    _given.archive_order = os.path.abspath(archive_order) if archive_order else ""
    _opened.cache_clear()


def prefer_game(client: str, archive_order: str) -> None:
    """Set the version of the client and the file with the order of the archives from the settings, which
    `give_game` overrides. Empty: the version follows from the files, and the order is that of the client.
    """
    _given.client_setting = client
    _given.order_setting = os.path.abspath(archive_order) if archive_order else ""
    _opened.cache_clear()


def given_game() -> tuple[str, str]:
    """The version of the client and the path of the order of archives that the user gives, on the command
    line or in the settings; empty if none.
    """
    return _given.client or _given.client_setting, _given.archive_order or _given.order_setting


class _Listing(NamedTuple):
    """The files of a game by folded name. `read` has the source that is read, as its number in `opened`, and
    the stored name there. `hidden` are the numbers of the sources whose copy is hidden, the nearest first.
    """

    read: dict[str, tuple[int, str]]
    hidden: dict[str, list[int]]


class Place(Archive[tuple[int, str]]):
    """The files of a game. The last loaded source that has a file decides. If it has a deletion marker, the
    file does not exist.

    `opened` are the loaded sources, the first one hides all others, with the `GameSource` of each.
    """

    joint = JOINT

    def __init__(self, path: str, layout: PlaceLayout, open_archive: Callable[[str], Source | None]) -> None:
        super().__init__(path)
        self.game, self.by_base_name, self.loose = layout.game, layout.by_base_name, layout.loose
        found: list[GameSource] = []
        self.opened: list[tuple[GameSource, Source]] = []
        for each in layout.sources:
            source = _open(each, open_archive) if each.loaded else None
            if each.loaded and source is None:
                each = GameSource(each.path, each.name, each.kind, "the archive cannot be read")
            elif source is not None:
                self.opened.insert(0, (each, source))
            found.append(each)
        self.sources = tuple(found)

    @property
    def modified(self) -> int:
        """The latest modification time of the loaded sources in nanoseconds."""
        versions = (path_version(each.path) for each, _ in self.opened)
        return max((each.modified for each in versions if each is not None), default=0)

    def listed(self) -> Iterator[tuple[str, tuple[int, str]]]:
        """Implement `Archive.listed`: each file that the game reads, once."""
        return ((read[1], read) for read in self._listing.read.values())

    def provider(self, stored: str) -> GameSource:
        """The source from which a file is read, by the stored name of the file."""
        return self.opened[self.entry(stored)[0]][0]

    def hidden(self, stored: str) -> tuple[GameSource, ...]:
        """The sources whose copy of a file is hidden, the nearest first."""
        return tuple(self.opened[number][0] for number in self._listing.hidden.get(stored.casefold(), ()))

    def having(self, name: str) -> tuple[GameSource, ...]:
        """The sources that have a file: the file is read from the first one, which hides the rest. The
        sources are asked one by one, without a list of all files. A source with a deletion marker ends the
        search.
        """
        found: list[GameSource] = []
        for each, source in self.opened:
            if source.exists(name):
                found.append(each)
            elif source.hides(name):
                break
        return tuple(found)

    @cached_property
    def _listing(self) -> _Listing:
        for _, source in self.opened:
            source.learn(name for _, other in self.opened if other is not source for name in _names(other))
        found = _Listing({}, {})
        read, hidden = found
        for number, (_, source) in enumerate(self.opened):
            for name in _names(source):
                if "/" in name or not OWN_FILES.fullmatch(name):
                    key = name.casefold()
                    if key in read:
                        hidden.setdefault(key, []).append(number)
                    else:
                        read[key] = number, name
        markers = [number for number, (_, source) in enumerate(self.opened) if source.hides_any]
        for number in markers:
            source = self.opened[number][1]
            for key in [key for key, each in read.items() if each[0] > number and source.hides(each[1])]:
                del read[key]
        return found

    @cached_property
    def _entries(self) -> Mapping[str, tuple[int, str]]:
        """Each file that the game reads, by its name, which is normalised already."""
        return dict(self.listed())

    @cached_property
    def _sorted(self) -> tuple[list[str], list[str]]:
        read = self._listing.read
        keys = sorted(read)
        return keys, [read[key][1] for key in keys]

    def find(self, name: str, *, fold: bool = True) -> str | None:
        """Implement `Source.find`. The sources are asked one by one, without a list of all files."""
        plain = resource_name(name)
        if plain is None:
            return None
        for number, (_, source) in enumerate(self.opened):
            stored = source.find(plain, fold=fold)
            if stored is not None:
                self._asked[stored] = number, stored
                return stored
            if source.hides(plain):
                return None
        return None

    @property
    def _asked(self) -> dict[str, tuple[int, str]]:
        """The files that were found by name."""
        asked: dict[str, tuple[int, str]] = self.__dict__.setdefault("_found", {})
        return asked

    def entry(self, stored: str) -> tuple[int, str]:
        """Implement `Archive.entry`."""
        found = self._asked.get(stored)
        return super().entry(stored) if found is None else found

    def size(self, entry: tuple[int, str]) -> int:
        """Implement `Archive.size`."""
        number, stored = entry
        source = self.opened[number][1]
        if isinstance(source, Archive):
            return source.size_of(stored)
        version = file_version(source.where(stored))
        return version.size if version is not None else 0

    def read(self, name: str, limit: int = BUDGET.file_bytes) -> bytes:
        """Implement `Source.read`."""
        stored = self.find(name)
        if stored is None:
            raise ResourceError(f"{name} is not in {self.path}")
        number, inner = self.entry(stored)
        return self.opened[number][1].read(inner, limit)

    def unpacked(self, stored: str, entry: tuple[int, str]) -> bytes:
        """Implement `Archive.unpacked`."""
        return self.read(stored)


def _names(source: Source) -> Iterator[str]:
    """Yield the names of all files of a source, in no order: the list of the whole game is sorted anyway."""
    if not isinstance(source, Archive):
        yield from source.names(deep=True)
        return
    for name, _ in source.listed():
        plain = resource_name(name)
        if plain is not None:
            yield plain


def _open(source: GameSource, open_archive: Callable[[str], Source | None]) -> Source | None:
    if source.kind == "archive":
        archive = open_archive(source.path)
        try:
            if archive is not None:
                archive.find(ANY)
        except FormatError:
            return None
        return archive
    return FolderSource(source.path) if source.deep else TopFolderSource(source.path)


def given_order(found: Mapping[str, str]) -> tuple[list[str], str] | None:
    """The sources in the order of the user's file, which has a path on each line, and the reason why the
    other sources are not loaded. None if the user gives no order. `found` are the paths of all sources by
    their names relative to the folder of the game's data.
    """
    path = given_game()[1]
    if not path:
        return None
    try:
        text = read_file(path, BUDGET.text_bytes).decode("utf-8", "replace")
    except FormatError as error:
        return [], f"{path} cannot be read: {error.why}"
    known = {name.casefold(): name for name in found}
    lines = (line.strip().replace("\\", "/").casefold() for line in text.splitlines())
    lines = (line.removeprefix("./").removeprefix(f"{DATA}/") for line in lines)
    order = [*dict.fromkeys(known[line] for line in lines if line in known)]
    return order, f"{os.path.basename(path)} does not list it"


def data_folder(folder: str, has_archives: Callable[[str], bool]) -> str | None:
    """The folder with the archives of a game: `folder` itself, or its folder `Data`; None if neither has
    archives.
    """
    if has_archives(folder):
        return folder
    inner = (each.path for each in entries_of(folder) if each.name.casefold() == DATA and each.is_dir())
    return next((path for path in inner if has_archives(path)), None)


def case_twins(found: Mapping[str, str]) -> dict[str, str]:
    """The archives whose name differs only in case from an earlier one, each with the reason."""
    first: dict[str, str] = {}
    for name in sorted(found):
        first.setdefault(name.casefold(), name)
    return {
        name: f"its name differs from {first[name.casefold()]} only in case"
        for name in found
        if first[name.casefold()] != name
    }


def source_at(name: str, path: str, why: str = "", deep: bool = True) -> GameSource:
    """The source at a path, which is an archive or a folder."""
    return GameSource(path, name, "folder" if os.path.isdir(path) else "archive", why, deep)


def layout_of(path: str) -> PlaceLayout | None:
    """Find the sources of the game in a folder; None if no known game is in the folder."""
    if not os.path.isdir(path):
        return None
    with listed_once():
        return next((found for each in RECOGNISERS if (found := each(path)) is not None), None)


def is_game(path: str) -> bool:
    """Whether the folder at a path is a game whose files lie in archives. The answer is kept until the folder
    or its folder `Data` changes, because to list a large folder takes a while.
    """
    if not os.path.isdir(path):
        return False
    versions = (path_version(os.path.join(path, name)) for name in ("", DATA, DATA.capitalize()))
    return _is_game(os.path.abspath(path), tuple(versions))


@lru_cache(256)
def _is_game(path: str, versions: Sequence[object]) -> bool:
    layout = layout_of(path)
    return layout is not None and not layout.loose


def open_place(path: str, open_archive: Callable[[str], Source | None]) -> Place | None:
    """Open the game in a folder as a source; None if no known game is in the folder.

    Until a listed folder or an archive changes, the same object is returned.
    """
    layout = layout_of(path)
    if layout is None:
        return None
    paths = (*layout.folders, *(each.path for each in layout.sources))
    return _opened(os.path.abspath(path), layout, tuple(map(path_version, paths)), open_archive)


@lru_cache(4)
def _opened(
    path: str, layout: PlaceLayout, versions: Sequence[object], open_archive: Callable[[str], Source | None]
) -> Place:
    return Place(path, layout, open_archive)
