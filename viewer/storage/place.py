"""A place is a folder whose files come from many sources. An example is the folder of a game: a later archive
hides files of earlier archives.

`GAME::name` is the file that the game reads. The families recognise the folders of their games. The folder of
a program whose files lie open on the disk is a place of loose files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial

from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.errors import FormatError, ResourceError
from viewer.family import registry
from viewer.family.place import PlaceLayout
from viewer.scene.names import JOINT
from viewer.scene.package import GameSource
from viewer.scene.reading_context import DEFAULT, ReadingContext
from viewer.storage.archive import Archive
from viewer.storage.game_listing import (
    OWN_FILES,
    GameListing,
    SourceFiles,
    file_list,
    file_sizes,
    keep_listing,
    kept_listing,
    listing_key,
    merged,
)
from viewer.storage.listing import entries_of, listed_once
from viewer.storage.reading import read_file
from viewer.storage.source import FolderSource, Source, TopFolderSource, resource_name
from viewer.storage.versions import Version, path_version

UNREADABLE = "the archive cannot be read"
"""The reason for not loading an archive that cannot be read."""
ANY = "x"
"""A name to look up in a new archive, because a zip archive is read only when a name is looked up."""
DATA = "data"
"""The folded name of the folder with the archives of a game."""


class Place(Archive[tuple[int, str]]):
    """The files of a game. The last loaded source that has a file decides. If this source has a deletion
    marker, the file does not exist.

    `loaded` are the loaded sources; the first one hides files of all further sources. `kept` is the list of
    all files from the cache folder; with it an archive is opened only when it is needed. If this class makes
    the list, the list is passed to `keep`.
    """

    joint = JOINT

    def __init__(
        self,
        path: str,
        layout: PlaceLayout,
        open_archive: Callable[[str], Source | None],
        cached: GameListing | None = None,
        keep: Callable[[GameListing], None] = lambda listing: None,
        context: ReadingContext = DEFAULT,
    ) -> None:
        super().__init__(path, context)
        self.game, self.by_base_name, self.loose = layout.game, layout.by_base_name, layout.loose
        self._open, self._kept, self._keep = open_archive, cached, keep
        found: list[GameSource] = []
        self._opened: list[Source | None] = []
        loaded: list[GameSource] = []
        for each in layout.sources:
            source = _open(each, open_archive) if each.loaded and cached is None else None
            unreadable = source is None if cached is None else each.name in cached.unreadable
            if each.loaded and unreadable:
                each = GameSource(each.path, each.name, each.kind, UNREADABLE)
            elif each.loaded:
                loaded.insert(0, each)
                self._opened.insert(0, source)
            found.append(each)
        self.sources, self.loaded = tuple(found), tuple(loaded)
        self._packed = all(each.kind == "archive" for each in loaded)

    def source(self, number: int) -> Source:
        """Open a loaded source by its number. An archive that can no longer be read has no files."""
        source = self._opened[number]
        if source is None:
            each = self.loaded[number]
            source = self._opened[number] = _open(each, self._open) or TopFolderSource(each.path)
        return source

    @property
    def modified(self) -> int:
        """The latest modification time of the loaded sources in nanoseconds."""
        versions = (path_version(each.path) for each in self.loaded)
        return max((each.modified for each in versions if each is not None), default=0)

    @property
    def sizes(self) -> Array:
        """The sizes [N] i64 in bytes of all files, in the order of `names`."""
        return self._listing.sizes

    @property
    def numbers(self) -> Array:
        """The numbers [N] u2 of the loaded sources from which all files are read, in the order of `names`."""
        return self._listing.numbers

    def listed(self) -> Iterator[tuple[str, tuple[int, str]]]:
        """Yield each file that the game reads, once, with the number of its source."""
        listing = self._listing
        rows = zip(listing.names, listing.numbers.tolist(), strict=True)
        return ((name, (number, name)) for name, number in rows)

    def names(self, folder: str = "", *, deep: bool = False) -> Iterator[str]:
        """Return the names in a folder; all names are in the list already."""
        return iter(self._listing.names) if deep and not folder else super().names(folder, deep=deep)

    def provider(self, stored_name: str) -> GameSource:
        """The source from which a file is read, by the stored name of the file."""
        return self.loaded[self.entry(stored_name)[0]]

    def hidden(self, stored_name: str) -> tuple[GameSource, ...]:
        """The sources whose copy of a file is hidden, the nearest first."""
        row = self._listing.row(stored_name)
        copies = () if row is None else self._listing.hidden.get(row, ())
        return tuple(self.loaded[number] for number in copies)

    def having(self, name: str) -> tuple[GameSource, ...]:
        """The sources that have a file: the file is read from the first one, which hides the rest. Without a
        list of all files the sources are asked one by one. A source with a deletion marker ends the search.
        """
        stored = self._listed(name)
        if stored is not None:
            return self.provider(stored), *self.hidden(stored)
        found: list[GameSource] = []
        for number, each in enumerate(self.loaded):
            source = self.source(number)
            if source.exists(name):
                found.append(each)
            elif source.hides(name):
                break
        return tuple(found)

    @cached_property
    def _listing(self) -> GameListing:
        """The list of all files: the kept one, else a new one."""
        if self._kept is not None:
            return self._kept
        listing = self._list()
        if self._packed:
            self._keep(listing)
        return listing

    def _list(self) -> GameListing:
        """List the files of all sources. To take little memory, one archive after the other is read, and is
        forgotten if its list is complete.
        """
        for source in self._opened:
            if isinstance(source, Archive):
                source.forget()
        lists: list[SourceFiles] = []
        for number in range(len(self.loaded)):
            source = self.source(number)
            lists.append(file_list(source))
            if isinstance(source, Archive) and lists[-1].whole and not lists[-1].hides:
                source.forget()
        for number, each in enumerate(lists):
            others = (name for other in lists if other is not each for name in other.names)
            if not each.whole and self.source(number).learn(others):
                lists[number] = file_list(self.source(number))
        hiding = [(number, self.source(number)) for number, each in enumerate(lists) if each.hides]
        unreadable = tuple(each.name for each in self.sources if each.why == UNREADABLE)
        return merged(lists, hiding, unreadable)

    @cached_property
    def _sorted(self) -> tuple[list[str], list[str]]:
        names = self._listing.names
        return [name.casefold() for name in names], names

    def _listed(self, name: str) -> str | None:
        """The stored name of a file in the list; None also if no list was made."""
        if not self._packed or (self._kept is None and "_listing" not in self.__dict__):
            return None
        plain = resource_name(name)
        row = None if plain is None else self._listing.row(plain)
        return None if row is None else self._listing.names[row]

    def find(self, name: str, *, fold: bool = True) -> str | None:
        """Return the stored name of a file. Without a list of all files the sources are asked one by one."""
        plain = resource_name(name)
        if plain is None:
            return None
        stored = self._listed(plain)
        if stored is not None:
            return stored if fold or stored == plain else None
        if (
            self._kept is not None
            and self._kept.whole
            and ("/" in plain or not re.fullmatch(OWN_FILES, plain))
        ):
            return None
        for number in range(len(self.loaded)):
            source = self.source(number)
            stored = source.find(plain, fold=fold)
            if stored is not None:
                self._asked[stored] = number, stored
                return stored
            if source.hides(plain):
                return None
        return None

    @cached_property
    def _asked(self) -> dict[str, tuple[int, str]]:
        """The files that were found by name."""
        return {}

    def entry(self, stored_name: str) -> tuple[int, str]:
        """Return the number of the source that has a file, and the file's name there."""
        found = self._asked.get(stored_name)
        if found is not None:
            return found
        row = self._listing.row(stored_name)
        if row is None:
            raise KeyError(stored_name)
        return int(self._listing.numbers[row]), stored_name

    def size(self, entry: tuple[int, str]) -> int:
        """Return the size of a file in bytes, from the list or from its source."""
        number, stored = entry
        row = self._listing.row(stored) if self._listed(stored) is not None else None
        if row is not None:
            return int(self._listing.sizes[row])
        source = self.source(number)
        if isinstance(source, Archive):
            return source.size_of(stored)
        return int(file_sizes(source, [stored])[0])

    def read(self, name: str, limit: int = BUDGET.file_bytes) -> bytes:
        """Read a file from the source that provides it. ResourceError if the game has no such file."""
        stored = self.find(name)
        if stored is None:
            raise ResourceError(f"{name} is not in {self.path}")
        number, inner = self.entry(stored)
        return self.source(number).read(inner, limit)

    def unpacked(self, stored_name: str, entry: tuple[int, str]) -> bytes:
        """Read a file by its stored name; see `read` for errors."""
        return self.read(stored_name)


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


def user_order(sources: Mapping[str, str], path: str) -> tuple[list[str], str] | None:
    """The sources in the order of the user's file `path`, and the reason why all other sources are not
    loaded. The user's file has a path on each line. None if `path` is empty. `sources` are the paths of all
    sources by their names relative to the folder of the game's data.
    """
    if not path:
        return None
    try:
        text = read_file(path, BUDGET.text_bytes).decode("utf-8", "replace")
    except FormatError as error:
        return [], f"{path} cannot be read: {error.why}"
    known = {name.casefold(): name for name in sources}
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


def case_twins(sources: Mapping[str, str]) -> dict[str, str]:
    """The archives whose names differ only in case from the name of an earlier archive. Each comes with this
    fact as the reason for not loading it.
    """
    first: dict[str, str] = {}
    for name in sorted(sources):
        first.setdefault(name.casefold(), name)
    return {
        name: f"its name differs from {first[name.casefold()]} only in case"
        for name in sources
        if first[name.casefold()] != name
    }


def source_at(name: str, path: str, why: str = "", deep: bool = True) -> GameSource:
    """The source at a path, which is an archive or a folder."""
    return GameSource(path, name, "folder" if os.path.isdir(path) else "archive", why, deep)


def layout_of(path: str, context: ReadingContext = DEFAULT) -> PlaceLayout | None:
    """Find the sources of the game in a folder; None if no known game is in the folder. A game whose files
    lie in archives comes before a program with loose files. Whether a folder is a game does not depend on the
    `context`.
    """
    if not os.path.isdir(path):
        return None
    loose: PlaceLayout | None = None
    with listed_once():
        for recognise in registry.recognisers([each.name for each in entries_of(path)]):
            found = recognise(path, context)
            if found is not None and not found.loose:
                return found
            loose = loose or found
    return loose


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


def open_place(
    path: str, open_archive: Callable[[str, ReadingContext], Source | None], context: ReadingContext
) -> Place | None:
    """Open the game in a folder as a source; None if no known game is in the folder. The list of its files is
    read from the cache folder, or is kept there once it is made; but not if the user gives lists of names.

    The same object is returned until a listed folder or an archive changes.
    """
    layout = layout_of(path, context)
    if layout is None:
        return None
    paths = (*layout.folders, *(each.path for each in layout.sources))
    return _opened(os.path.abspath(path), layout, tuple(map(path_version, paths)), open_archive, context)


@lru_cache(4)
def _opened(
    path: str,
    layout: PlaceLayout,
    versions: Sequence[Version | None],
    open_archive: Callable[[str, ReadingContext], Source | None],
    context: ReadingContext,
) -> Place:
    def opened(each: str) -> Source | None:
        return open_archive(each, context)

    if layout.loose or context.listfiles:
        return Place(path, layout, opened, context=context)
    key = listing_key(path, [(each.path, each.why) for each in layout.sources], versions)
    return Place(path, layout, opened, kept_listing(key), partial(keep_listing, key), context)
