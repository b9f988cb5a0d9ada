"""The search path of a model's resources: its own folder, then every resource root above it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import chain, count

from msgspec import Struct

from viewer.budget import BUDGET
from viewer.errors import FormatError, ResourceError
from viewer.storage.package_path import (
    SubSource,
    as_path,
    folder_of,
    is_file,
    on_disk,
    open_package,
    source_at,
    split,
)
from viewer.storage.reading import unreadable
from viewer.storage.resource_folders import AUTOLOAD, ROOTS, chosen_file, resource_indexes, roots_of
from viewer.storage.source import FolderSource, Source, resource_name

HIGHEST = 12
"""How many folders `upwards` visits."""


class FoundResource(Struct, frozen=True, eq=False):
    """A resource that was found in a source. `stored` is its name in the source. `exact` is set if the stored
    name equals the wanted name.
    """

    name: str
    path: str
    source: Source
    stored: str
    exact: bool = True

    def read(self, limit: int = BUDGET.file_bytes) -> bytes:
        """Read the bytes of the resource. FormatError if it is too large, unreadable or removed."""
        try:
            return self.source.read(self.stored, limit)
        except ResourceError as error:
            raise FormatError(str(error), file=self.path) from error

    def sibling(self, suffix: str) -> FoundResource | None:
        """Find the resource of the same name with another suffix, such as a texture's `.xml`; None if it is
        missing.
        """
        name = os.path.splitext(self.stored)[0] + suffix
        stored = self.source.find(name, fold=False)
        return FoundResource(name, self.source.where(stored), self.source, stored) if stored else None


class Missing(Struct, frozen=True):
    """A missing resource. `searched` are the searched paths, in order; empty if the name is not allowed."""

    name: str
    searched: tuple[str, ...] = ()


class SearchPath:
    """Sources in the order of the search, the model's own folder first. Each is created when a search reaches
    it, because most files are in the model's folder.
    """

    def __init__(self, sources: Iterable[Source]) -> None:
        self._ahead, self._reached = iter(sources), list[Source]()

    def __iter__(self) -> Iterator[Source]:
        for number in count():
            if number == len(self._reached):
                following = next(self._ahead, None)
                if following is None:
                    return
                self._reached.append(following)
            yield self._reached[number]

    @property
    def own(self) -> Source:
        """The model's own folder."""
        return next(iter(self))

    @classmethod
    def around(cls, model_path: str | os.PathLike[str]) -> SearchPath:
        """Make the search path of a model: its folder, then every folder above it with its `Data`, `CoreData`
        and `Autoload/*`. For a model in a package the same folders inside the package come first.
        """
        return cls(chain(_inside(model_path), _on_disk(model_path)))

    def find(self, name: str, *, near_model: bool = True) -> FoundResource | Missing:
        """Search for a resource: a file that the user chose for the name, the exact name, the name in any
        case, its last part in the model's folder (with `near_model`), then the user's resource folders.
        """
        chosen = chosen_file(name)
        if chosen is not None and is_file(chosen):
            return lone(chosen)
        plain = resource_name(name)
        for fold in (False, True) if plain else ():
            for source in self:
                stored = source.find(name, fold=fold)
                if stored is not None:
                    return FoundResource(name, source.where(stored), source, stored, exact=stored == plain)
        searched = tuple(source.where(plain) for source in self) if plain else ()
        near = self._near_model(name, searched) if near_model else Missing(name, searched)
        return _given(near, near_model) if isinstance(near, Missing) else near

    def _near_model(self, name: str, searched: tuple[str, ...]) -> FoundResource | Missing:
        """Search for the last part of a name in the model's folder, where users copy textures."""
        own = self.own
        bare = name.replace("\\", "/").rpartition("/")[2]
        stored = own.find(bare)
        if stored is not None:
            return FoundResource(name, own.where(stored), own, stored, exact=False)
        last = (own.where(bare),) if resource_name(bare) else ()
        return Missing(name, tuple(dict.fromkeys(searched + last)))


def find_part(folder: Source, name: str) -> FoundResource | Missing:
    """Search for a part file of a model: the file that the user chose, else the file in the model's folder,
    else a file of this name in the user's resource folders.
    """
    chosen = chosen_file(name)
    if chosen is not None and is_file(chosen):
        return lone(chosen)
    stored = folder.find(name)
    if stored is not None:
        return FoundResource(name, folder.where(stored), folder, stored)
    return _given(Missing(name, (folder.where(name),)), by_base=True)


def _given(missing: Missing, by_base: bool) -> FoundResource | Missing:
    """Search the user's resource folders for the whole name, and with `by_base` for the base name."""
    name, searched = missing.name, list(missing.searched)
    plain = resource_name(name)
    for index in resource_indexes():
        if index.error:
            continue
        stored = (index.source.find(plain) if plain else None) or (index.find(name) if by_base else None)
        if stored is not None:
            return FoundResource(
                name, index.source.where(stored), index.source, stored, exact=stored == plain
            )
        searched += [index.source.where(plain)] if plain else []
    return Missing(name, tuple(dict.fromkeys(searched)))


def _inside(model_path: str | os.PathLike[str]) -> Iterator[Source]:
    """Yield the searched folders inside the package of the model; none for a model on the disk."""
    found = split(model_path)
    package = open_package(found[0]) if found else None
    if found is None or package is None:
        return
    folder, seen = (resource_name(found[1]) or "").rpartition("/")[0], set()
    while True:
        for inner in (folder, *(f"{folder}/{root}".lstrip("/") for root in ROOTS)):
            below = SubSource(package, inner)
            if inner not in seen and (inner == folder or next(below.names(deep=True), None)):
                seen.add(inner)
                yield below
        if not folder:
            return
        folder = folder.rpartition("/")[0]


def _on_disk(model_path: str | os.PathLike[str]) -> Iterator[Source]:
    """Yield the folder of the model or of its package, then the folders above and their resource roots, each
    once.
    """
    own = os.path.dirname(os.path.abspath(on_disk(model_path)))
    passed: set[str] = set()
    for folder in upwards(own):
        above, name = os.path.split(folder)
        if folder not in passed:
            is_root = name in ROOTS or os.path.basename(above) == AUTOLOAD
            yield FolderSource(folder, list_top=folder == own or is_root)
        passed.add(folder)
        for root in roots_of(folder):
            if root not in passed:
                passed.add(root)
                yield source_at(root)


def lone(path: str) -> FoundResource:
    """Open a file that the user names as a resource. FormatError if it does not exist."""
    if not is_file(path):
        raise FormatError(f"cannot be read: {unreadable(path)}", file=path)
    folder, name = folder_of(path, list_top=False), as_path(path).name
    return FoundResource(name, folder.where(name), folder, name)


def upwards(folder: str) -> Iterator[str]:
    """Yield a folder and the folders above it, the nearest first."""
    for _ in range(HIGHEST):
        yield folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return
        folder = parent
