"""Resource look-up like in OGRE programs: in all resource locations, by the name below one of them, or by
base name.

No file states the locations (they are in a program's own `resources.cfg`), so the usual locations are
searched: a name with folders below every folder above the mesh; a base name in the mesh's folder, `materials`
folders beside and above it, neighbouring folders, and the archives in them.
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
"""The number of folders above the mesh's folder that may have a `materials` folder."""


class ResourceLocation:
    """A source and its files by base name, in any case."""

    def __init__(self, index: SourceIndex, report: Report) -> None:
        self.source, self._index = index.source, index
        if index.error:
            report.warn(index.error)

    def find(self, base: str) -> FoundResource | None:
        """The file of this name, ignoring case."""
        stored = self._index.find(base)
        return self._found(stored, stored.rpartition("/")[2] == base) if stored else None

    def of_stem(self, base: str, suffixes: tuple[str, ...]) -> FoundResource | None:
        """The file of this name with another suffix; `suffixes` are tried in order."""
        stored = self._index.of_stem(base, suffixes)
        return self._found(stored, exact=False) if stored else None

    def of_suffix(self, suffix: str) -> Iterator[FoundResource]:
        """All files with a suffix, in order."""
        return (self._found(name, exact=True) for name in self._index.names if suffix_of(name) == suffix)

    def _found(self, stored: str, exact: bool) -> FoundResource:
        return FoundResource(stored.rpartition("/")[2], self.source.where(stored), self.source, stored, exact)


class Resources:
    """Resource locations, the nearest first. A location is listed when all locations before it lack the
    wanted file.
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
        """The usual locations of a mesh file, then the user's resource folders; archives that cannot be read
        are reported.
        """
        own = os.path.dirname(os.path.abspath(mesh_path))
        above = (FolderSource(path, list_top=number <= ABOVE) for number, path in enumerate(upwards(own)))
        near = (SourceIndex(source, deep, BUDGET.location_files) for source, deep in _usual(own))
        return cls(chain(near, resource_indexes()), report, above)

    @property
    def locations(self) -> Iterator[ResourceLocation]:
        """All locations; each is listed when the iterator reaches it."""
        for number in range(1 << 16):
            if number == len(self._listed):
                following = next(self._ahead, None)
                if following is None:
                    return
                self._listed.append(ResourceLocation(following, self._report))
            yield self._listed[number]

    def find(self, name: str, suffixes: tuple[str, ...] = ()) -> FoundResource | Missing:
        """A file by its name with folders, or else by the last part of its name, or else a file with another
        suffix of `suffixes`.
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
        """All files with a suffix, the nearest first."""
        for location in self.locations:
            yield from location.of_suffix(suffix)


def _below(folder: FolderSource, name: str, exact: bool = True) -> FoundResource | None:
    """The file of a name with folders below a folder."""
    for each in dict.fromkeys((name, local(name))):
        stored = folder.find(each)
        if stored is not None:
            return FoundResource(stored.rpartition("/")[2], folder.where(stored), folder, stored, exact)
    return None


def _usual(own: str) -> Iterator[tuple[Source, bool]]:
    """The sources, and whether their sub-folders are searched."""
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
