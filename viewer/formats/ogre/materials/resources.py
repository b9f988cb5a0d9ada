"""Find resources as OGRE programs do: in a list of resource locations, by path below one or by base name.

A program lists its locations in `resources.cfg`, which a mesh does not refer to, so usual locations are
searched. A name with folders is searched below every folder above the mesh. A base name is searched in the
mesh's folder, in `materials` folders beside and above it, in neighbouring folders, and in their archives.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import chain

from viewer.budget import BUDGET
from viewer.errors import Report
from viewer.formats.ogre.names import local
from viewer.storage.listing import entries_of
from viewer.storage.package_path import is_file
from viewer.storage.resource_folders import (
    ARCHIVES,
    SourceIndex,
    archive_at,
    chosen_file,
    resource_indexes,
    suffix_of,
)
from viewer.storage.search import FoundResource, Missing, lone, upwards
from viewer.storage.source import FolderSource, Source, resource_name

MATERIALS = "materials"
ABOVE = 2
"""Number of folders above the mesh's folder in which a `materials` folder is searched."""


class ResourceLocation:
    """A source whose files are found by base name, ignoring case."""

    def __init__(self, index: SourceIndex, report: Report) -> None:
        self.source, self._index = index.source, index
        if index.error:
            report.warn(index.error)

    def find(self, base: str) -> FoundResource | None:
        """Return the file with base name `base`, or None."""
        stored = self._index.find(base)
        return self._found(stored, stored.rpartition("/")[2] == base) if stored else None

    def of_stem(self, base: str, suffixes: tuple[str, ...]) -> FoundResource | None:
        """Return the file `base` with another suffix, or None; `suffixes` are tried in order."""
        stored = self._index.of_stem(base, suffixes)
        return self._found(stored, exact=False) if stored else None

    def of_suffix(self, suffix: str) -> Iterator[FoundResource]:
        """Yield all files with a suffix, in order."""
        return (self._found(name, exact=True) for name in self._index.names if suffix_of(name) == suffix)

    def _found(self, stored: str, exact: bool) -> FoundResource:
        return FoundResource(stored.rpartition("/")[2], self.source.where(stored), self.source, stored, exact)


class Resources:
    """Resource locations, the nearest first. A location is listed only when a file is not in the locations
    before it.
    """

    def __init__(
        self, locations: Iterable[SourceIndex], report: Report, above: Iterable[FolderSource] = ()
    ) -> None:
        self._above = tuple(above)
        self._ahead = iter(locations)
        self._report = report
        self._listed: list[ResourceLocation] = []

    @classmethod
    def around(cls, mesh_path: str | os.PathLike[str], report: Report) -> Resources:
        """Return the usual locations of a mesh file, then the user's resource folders. Archives that cannot
        be read are reported.
        """
        own = os.path.dirname(os.path.abspath(mesh_path))
        above = (FolderSource(path, list_top=number <= ABOVE) for number, path in enumerate(upwards(own)))
        near = (SourceIndex(source, deep, BUDGET.location_files) for source, deep in _usual(own))
        return cls(chain(near, resource_indexes()), report, above)

    @property
    def locations(self) -> Iterator[ResourceLocation]:
        """All locations, each listed when the iterator reaches it."""
        for number in range(1 << 16):
            if number == len(self._listed):
                following = next(self._ahead, None)
                if following is None:
                    return
                self._listed.append(ResourceLocation(following, self._report))
            yield self._listed[number]

    def find(self, name: str, suffixes: tuple[str, ...] = ()) -> FoundResource | Missing:
        """Return a file by its name with folders, else by its base name, else by its base name with another
        of `suffixes`.
        """
        base = name.replace("\\", "/").rpartition("/")[2].strip()
        if not base:
            return Missing(name)
        chosen = chosen_file(name)
        if chosen is not None and is_file(chosen):
            return lone(chosen)
        names = tuple(dict.fromkeys((base, local(base))))
        below = self._above if "/" in (resource_name(name) or "") else ()
        stem = os.path.splitext(name)[0]
        whole = (_below(each, name) for each in below)
        others = (_below(each, stem + suffix, False) for suffix in suffixes for each in below)
        exact = (location.find(each) for each in names for location in self.locations)
        alike = (
            location.of_stem(each, suffixes) for each in names for location in self.locations if suffixes
        )
        found = next((each for each in chain(whole, exact, others, alike) if each is not None), None)
        if found is not None:
            return found
        searched = [each.where(name) for each in below]
        return Missing(name, (*searched, *(location.source.where(base) for location in self.locations)))

    def scripts(self, suffix: str = ".material") -> Iterator[FoundResource]:
        """Yield all files with a suffix, the nearest first."""
        for location in self.locations:
            yield from location.of_suffix(suffix)


def _below(folder: FolderSource, name: str, exact: bool = True) -> FoundResource | None:
    """The file `name`, which may have folders, below a folder; None without it."""
    for each in dict.fromkeys((name, local(name))):
        stored = folder.find(each)
        if stored is not None:
            return FoundResource(stored.rpartition("/")[2], folder.where(stored), folder, stored, exact)
    return None


def _usual(own: str) -> Iterator[tuple[Source, bool]]:
    """Yield the sources around folder `own`, and whether their subfolders are searched too."""
    yield from _folder_and_archives(own)
    above = [own]
    for _ in range(ABOVE):
        above.append(os.path.dirname(above[-1]))
    for folder in dict.fromkeys(above):
        yield from ((FolderSource(path), True) for path in _folders(folder) if _is_materials(path))
    if above[1] == own:
        return
    for path in _folders(above[1])[: BUDGET.neighbour_folders]:
        if path != own and not _is_materials(path):
            yield from _folder_and_archives(path)
    yield from _folder_and_archives(above[1])


def _folder_and_archives(path: str) -> Iterator[tuple[Source, bool]]:
    yield FolderSource(path), False
    for entry in entries_of(path):
        if suffix_of(entry.name) in ARCHIVES and entry.is_file():
            yield archive_at(entry.path), True


def _folders(path: str) -> list[str]:
    return [entry.path for entry in entries_of(path) if entry.is_dir() and not entry.name.startswith(".")]


def _is_materials(path: str) -> bool:
    return os.path.basename(path).casefold() == MATERIALS
