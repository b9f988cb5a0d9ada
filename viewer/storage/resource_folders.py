"""The user's resource folders, searched after the folders near a model.

A given path is a folder (with game data, Urho3D roots or archives), an archive, or a `resources.cfg` of an
OGRE program.

Source: OGRE manual, resources.cfg: `FileSystem=` and `Zip=` lines in sections, paths relative to the file;
`FileSystem` does not include sub-folders.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice

from viewer.budget import BUDGET
from viewer.errors import FormatError
from viewer.storage.listing import entries_of
from viewer.storage.package_path import open_package
from viewer.storage.reading import read_file
from viewer.storage.source import FolderSource, Source

ROOTS = ("Data", "CoreData")
AUTOLOAD = "Autoload"
"""The resource roots of an Urho3D program; every folder and package in `Autoload` is a root as well."""
PACKAGE = ".pak"
"""The suffix of a packed root: `Data.pak`."""
ARCHIVES = (".zip", ".pk3")
CONFIGURATION = ".cfg"
CONFIGURATIONS = ("resources.cfg", "resources2.cfg")


class SourceIndex:
    """The files of a source by base name, in any case. `error` is the reason if they cannot be listed."""

    def __init__(self, source: Source, deep: bool, most: int = BUDGET.listed_files) -> None:
        self.source = source
        self.names: tuple[str, ...] = ()
        self.error = ""
        try:
            self.names = tuple(islice(source.names(deep=deep), most))
        except FormatError as error:
            self.error = str(error)
        self._folded: dict[str, list[str]] = {}
        self._stems: dict[str, list[str]] = {}
        for name in self.names:
            base = name.rpartition("/")[2].casefold()
            self._folded.setdefault(base, []).append(name)
            self._stems.setdefault(os.path.splitext(base)[0], []).append(name)

    def find(self, name: str) -> str | None:
        """The stored name of the file with this base name; of several files the best match by folders."""
        parts = name.replace("\\", "/").split("/")
        return max(
            self._folded.get(parts[-1].casefold(), ()), key=lambda each: _fit(each, parts), default=None
        )

    def of_stem(self, base: str, suffixes: tuple[str, ...]) -> str | None:
        """The stored name of a file of this name with another suffix; `suffixes` are tried in order."""
        names = self._stems.get(os.path.splitext(base.casefold())[0], ())
        kept = ((suffixes.index(end), each) for each in names if (end := suffix_of(each)) in suffixes)
        return min(kept, default=(0, None), key=lambda each: each[0])[1]

    def beginning(self, stem: str, suffixes: tuple[str, ...]) -> Iterator[str]:
        """The stored names whose base names begin with `stem`, in any case, and end with a suffix."""
        front = stem.casefold()
        for key, names in self._stems.items():
            if key.startswith(front):
                yield from (each for each in names if each.lower().endswith(suffixes))


def _fit(stored: str, wanted: list[str]) -> tuple[int, bool]:
    """The number of last parts that two names share ignoring case, and whether the base names are equal."""
    known = stored.split("/")
    pairs = zip(reversed(known), reversed(wanted), strict=False)
    equal = 0
    for one, other in pairs:
        if one.casefold() != other.casefold():
            break
        equal += 1
    return equal, known[-1] == wanted[-1]


class _Given:
    """The paths of the command line and the settings, the files chosen for names, and the known indexes."""

    command: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    chosen: dict[str, str]
    locations: tuple[tuple[Source, bool], ...] | None = None
    indexes: dict[Source, SourceIndex]
    changes = 0

    def __init__(self) -> None:
        self.chosen, self.indexes = {}, {}


_given = _Given()


def give_resources(paths: Iterable[str]) -> None:
    """Set the resource folders of the command line."""
    _given.command = tuple(paths)
    forget_resources()


def given_resources() -> tuple[str, ...]:
    """The resource folders of the command line."""
    return _given.command


def prefer_resources(paths: Iterable[str]) -> None:
    """Set the resource folders of the settings, which come after those of the command line."""
    _given.settings = tuple(paths)
    forget_resources()


def forget_resources() -> None:
    """List all resource folders again at the next search, because files may have changed."""
    _given.locations, _given.indexes = None, {}
    _given.changes += 1


def resources_version() -> tuple[int, tuple[tuple[str, str], ...]]:
    """A value that changes with the resource folders, their lists and the chosen files."""
    return _given.changes, tuple(_given.chosen.items())


def choose_file(name: str, path: str | None) -> None:
    """Use `path` as the file of the resource `name`; None cancels this."""
    if path is None:
        _given.chosen.pop(_key(name), None)
    else:
        _given.chosen[_key(name)] = path


def chosen_file(name: str) -> str | None:
    """The file that the user chose for a resource."""
    return _given.chosen.get(_key(name)) if _given.chosen else None


def _key(name: str) -> str:
    return name.replace("\\", "/").casefold()


def resource_indexes() -> Iterator[SourceIndex]:
    """The files of each location, in order. A location is listed once, when the iterator reaches it."""
    if _given.locations is None:
        paths = dict.fromkeys(map(os.path.abspath, (*_given.command, *_given.settings)))
        every = (location for path in paths for location in locations_of(path))
        _given.locations = tuple(islice(every, BUDGET.locations))
    indexes = _given.indexes
    for source, deep in _given.locations:
        index = indexes.get(source)
        if index is None:
            index = indexes[source] = SourceIndex(source, deep)
        yield index


def locations_of(path: str) -> Iterator[tuple[Source, bool]]:
    """The sources of a given path, and whether they include sub-folders. A missing path has no sources."""
    suffix = suffix_of(path)
    if os.path.isdir(path):
        for name in CONFIGURATIONS:
            yield from _configured(os.path.join(path, name))
        for root in roots_of(path):
            yield from _source(root)
        yield FolderSource(path), True
        for entry in entries_of(path):
            if suffix_of(entry.name) in (*ARCHIVES, PACKAGE) and entry.path not in roots_of(path):
                yield from _source(entry.path)
    elif suffix == CONFIGURATION:
        yield from _configured(path)
    else:
        yield from _source(path)


def _source(path: str) -> Iterator[tuple[Source, bool]]:
    """A folder or an archive as a source."""
    if os.path.isdir(path):
        yield FolderSource(path), True
    elif os.path.isfile(path):
        source = archive_at(path) if suffix_of(path) in ARCHIVES else open_package(path)
        if source is not None:
            yield source, True


def archive_at(path: str) -> Source:
    """A zip archive as a source."""
    from viewer.storage.archive import ZipSource  # imported for archives alone

    return ZipSource(path)


def _configured(path: str) -> Iterator[tuple[Source, bool]]:
    """The locations that a `resources.cfg` lists; empty if it cannot be read."""
    if not os.path.isfile(path):
        return
    try:
        text = read_file(path, BUDGET.text_bytes).decode("utf-8", "replace")
    except FormatError:
        return
    for line in text.splitlines():
        kind, equals, value = line.partition("=")
        place = os.path.join(os.path.dirname(path), value.strip().replace("\\", "/"))
        if equals and kind.strip().casefold() == "filesystem" and os.path.isdir(place):
            yield FolderSource(place), False
        elif equals and kind.strip().casefold() == "zip" and os.path.isfile(place):
            yield archive_at(os.path.normpath(place)), True


def roots_of(folder: str) -> Iterator[str]:
    """The Urho3D resource roots directly in a folder: folders, and packages as the engine loads them."""
    for name in ROOTS:
        path = os.path.join(folder, name)
        if os.path.isdir(path):
            yield path
        if os.path.isfile(path + PACKAGE):
            yield path + PACKAGE
    for entry in entries_of(os.path.join(folder, AUTOLOAD)):
        if os.path.isdir(entry.path) or entry.name.lower().endswith(PACKAGE):
            yield entry.path


def suffix_of(name: str) -> str:
    """The suffix of a name, in lower case with its dot."""
    return os.path.splitext(name)[1].lower()
