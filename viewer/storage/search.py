"""The search path of a model's resources: its own folder, every resource root above it, the user's resource
folders, then the projects of the model.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain, count

from msgspec import Struct
from msgspec.structs import replace

from viewer.budget import BUDGET
from viewer.errors import FormatError, NeededFile, NeedState, Report, ResourceError
from viewer.scene.material import FoundBy, FoundHow
from viewer.scene.names import file_name
from viewer.scene.reading_context import DEFAULT, ReadingContext, name_key
from viewer.storage.own_picture import is_view
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
from viewer.storage.project import projects_of
from viewer.storage.project_roots import is_repository
from viewer.storage.project_settings import NO_PINS, Pins, pins_of
from viewer.storage.reading import unreadable
from viewer.storage.resource_folders import (
    AUTOLOAD,
    PACKAGE_SUFFIX,
    ROOTS,
    SourceIndex,
    resource_indexes,
    roots_of,
)
from viewer.storage.source import FolderSource, Source, resource_name

HIGHEST = 12
"""How many folders `upwards` visits."""


class FoundResource(Struct, frozen=True, eq=False):
    """A resource that was found in a source. `stored` is its name in the source, `how` says how it fits the
    wanted `name`. `rivals` are the paths of other files that fit equally well and have other bytes.
    """

    name: str
    path: str
    source: Source
    stored: str
    how: FoundHow = "stored"
    by: FoundBy = "near"
    rivals: tuple[str, ...] = ()

    def read(self, limit: int = BUDGET.file_bytes) -> bytes:
        """Read the bytes of the resource. FormatError if it is too large, unreadable or removed."""
        try:
            return self.source.read(self.stored, limit)
        except ResourceError as error:
            raise FormatError(str(error), file=self.path) from error

    @property
    def head(self) -> bytes | None:
        """The first bytes of the resource; see `Source.head`."""
        return self.source.head(self.stored)

    def sibling(self, suffix: str) -> FoundResource | None:
        """Find the resource of the same name with another suffix, such as a texture's `.xml`."""
        name = os.path.splitext(self.stored)[0] + suffix
        stored = self.source.find(name, fold=False)
        return FoundResource(name, self.source.where(stored), self.source, stored) if stored else None


class Missing(Struct, frozen=True):
    """A missing resource. `searched` are the searched paths, in order; empty if the name is not allowed."""

    name: str
    searched: tuple[str, ...] = ()


class GivenFiles:
    """The files for the names of a model that are known before any search: the user chose them, or the
    settings of the project pin them. A pin that leads nowhere is a warning of the `report`.
    """

    def __init__(
        self, model_path: str | os.PathLike[str], context: ReadingContext, report: Report | None = None
    ) -> None:
        self._model_path, self.context = model_path, context
        self._report = Report() if report is None else report

    @cached_property
    def _pins(self) -> Pins:
        pins = pins_of(self._model_path) if self._model_path else NO_PINS
        if pins.error:
            self._report.warn(f"nothing is pinned: {pins.error}")
        return pins

    def find(self, name: str, search: Callable[[str], FoundResource | Missing]) -> FoundResource | None:
        """Find the file that the user chose for a name, else the pinned file, else the resource with the
        pinned name, which `search` finds; None if there is none.
        """
        file, value = self.file(name), self._pins.values.get(name_key(name))
        found = search(value) if file is None and value is not None else file
        if isinstance(found, Missing):
            self.leads_nowhere(name)
        return replace(found, how="given", by="given") if isinstance(found, FoundResource) else None

    def file(self, name: str) -> FoundResource | None:
        """The file that the user chose for a name, else the pinned file; None if there is none."""
        value = self._pins.values.get(name_key(name), "")
        pinned = os.path.join(os.path.dirname(self._pins.file), value) if value else None
        for path in filter(None, (self.context.chosen_file(name), pinned)):
            if is_file(path, self.context):
                return lone(path, self.context)
        return None

    def pinned_name(self, name: str) -> str | None:
        """The name that the project pins for another name, unless it is the path of a file."""
        value = self._pins.values.get(name_key(name))
        return value if value is not None and self.file(name) is None else None

    def leads_nowhere(self, name: str, why: str = "was not found") -> None:
        """Warn that the pin of a name leads to nothing; `why` follows what is pinned."""
        value = self._pins.values.get(name_key(name))
        if value is not None:
            what = f"{name} to {value}" if name else value
            self._report.warn(f"{self._pins.file} pins {what}, which {why}")


SOUND: tuple[NeedState, str] = ("found", "")
"""The state of a found file that can be used, and no reason why not."""


def needed(
    kind: str,
    name: str,
    found: FoundResource | Missing,
    required: bool = False,
    offered: tuple[str, ...] = (),
    fault: tuple[NeedState, str] = SOUND,
) -> NeededFile:
    """The record of a searched file for a report; see `NeededFile`. `fault` has the state of a found file,
    and the reason why it cannot be used.
    """
    if isinstance(found, Missing):
        return NeededFile(kind, name, found.searched, required=required, offered=offered)
    return NeededFile(kind, name, (), found.path, found.by, found.how, required, (), *fault)


def offered_files(
    names: Mapping[str, str], name: str, ending: str, suffixes: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """The only file of a folder that may be meant by the missing `name`, because it has the same `ending`.
    Empty if there are several files with the ending, or none. `names` are the folder's, by `casefold`.

    A file belongs to another model, and is not meant, if the folder has its stem with one of the `suffixes`.
    """
    wanted, ending = name.casefold(), ending.casefold()
    found = [
        each
        for fold, each in names.items()
        if fold.endswith(ending)
        and fold != wanted
        and not any(f"{fold.removesuffix(ending)}{suffix}" in names for suffix in suffixes)
    ]
    return tuple(found) if len(found) == 1 else ()


class SearchPath:
    """Sources in the order of the search, the model's own folder first. Each source is created when a search
    reaches it, because most files are in the model's folder. Pins of the model that lead nowhere are warnings
    of the `report`.
    """

    def __init__(
        self,
        sources: Iterable[Source],
        model_path: str | os.PathLike[str] = "",
        context: ReadingContext = DEFAULT,
        report: Report | None = None,
    ) -> None:
        self._ahead, self._reached = iter(sources), list[Source]()
        self._model_path, self.context = model_path, context
        self.given = GivenFiles(model_path, context, report)

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

    def projects(self) -> Iterator[SourceIndex]:
        """Yield the projects of the model, the nearest first."""
        return projects_of(self._model_path, self.context) if self._model_path else iter(())

    @classmethod
    def around(
        cls, model_path: str | os.PathLike[str], context: ReadingContext, report: Report | None = None
    ) -> SearchPath:
        """Make the search path of a model: its folder, then every folder above it with its `Data`, `CoreData`
        and `Autoload/*`. For a model in a package the same folders inside the package come first.
        """
        near = chain(inside_package(model_path, context), _on_disk(model_path, context))
        return cls(near, model_path, context, report)

    def find(
        self,
        name: str,
        *,
        near_model: bool = True,
        from_: str = "",
        suffixes: tuple[str, ...] = (),
        sole: bool = False,
    ) -> FoundResource | Missing:
        """Search for a resource, in this order: a file that the user chose for the name, a file that the
        project pins for it, the whole name in the user's resource folders, the exact name, the name with
        other upper and lower case, the last part of the name in the model's folder (with `near_model`) and in
        the user's resource folders, the project of the model.

        `from_` is the path of the file that names the resource, if this is not the model: the nearest file is
        the one nearest to `from_`. In a project with a marker, `suffixes` may replace the last suffix of the
        name. Some files fit only by their base name, and by none of their folders: with `sole`, a project
        gives such a file only if all its files of this base name have equal bytes. Without `near_model` only
        whole names are found, and projects are not searched. Use this for names that are guessed from the
        name of the model.
        """
        search = partial(self._search, near_model=near_model, from_=from_, suffixes=suffixes, sole=sole)
        return self.given.find(name, search) or search(name)

    def _search(
        self, name: str, near_model: bool, from_: str, suffixes: tuple[str, ...], sole: bool
    ) -> FoundResource | Missing:
        """Search for a resource that is neither chosen nor pinned, see `find`."""
        plain, origin = resource_name(name), from_ or self._model_path
        given = search_indexes(resource_indexes(self.context), Missing(name), origin, whole=True)
        if isinstance(given, FoundResource):
            return given
        for fold in (False, True) if plain else ():
            for source in self:
                stored = source.find(name, fold=fold)
                if stored is not None:
                    return FoundResource(name, source.where(stored), source, stored, how_found(name, stored))
        searched = tuple(source.where(plain) for source in self) if plain else ()
        near = self._near_model(name, searched) if near_model else Missing(name, searched)
        if isinstance(near, FoundResource):
            return near
        if not near_model:
            return Missing(name, tuple(dict.fromkeys(searched + given.searched)))
        given = search_indexes(resource_indexes(self.context), near, origin)
        if isinstance(given, FoundResource) or not self._model_path:
            return given
        return search_projects(self._model_path, given, self.context, from_, suffixes, sole)

    def _near_model(self, name: str, searched: tuple[str, ...]) -> FoundResource | Missing:
        """Search for the last part of a name in the model's folder, where users copy textures."""
        own = self.own
        if self.context.search == "none":
            return Missing(name, searched)
        bare = file_name(name)
        stored = own.find(bare)
        if stored is not None and not is_view(own.where(stored), self.context):
            return FoundResource(name, own.where(stored), own, stored, how_found(name, stored))
        last = (own.where(bare),) if resource_name(bare) else ()
        return Missing(name, tuple(dict.fromkeys(searched + last)))


def how_found(name: str, stored: str) -> FoundHow:
    """How the stored name of a found file fits the `name` in a model."""
    plain, front = name.strip().replace("\\", "/"), "/" + stored.replace("\\", "/")
    wanted = resource_name(name)
    if wanted and front.endswith(f"/{wanted}"):
        return "stored"
    if wanted and front.casefold().endswith(f"/{wanted}".casefold()):
        return "case"
    base, own = file_name(plain).casefold(), file_name(stored).casefold()
    if base == own:
        return "tail"
    return "suffix" if os.path.splitext(base)[0] == os.path.splitext(own)[0] else "name"


def find_part(folder: Source, name: str, given: GivenFiles) -> FoundResource | Missing:
    """Search for a part file of a model: the file that the user chose or the project pins, else the file in
    the model's folder, else a file of this name in the user's resource folders.
    """
    search = partial(_find_part, folder, context=given.context)
    return given.find(name, search) or search(name)


def _find_part(folder: Source, name: str, context: ReadingContext) -> FoundResource | Missing:
    stored = folder.find(name)
    if stored is not None:
        return FoundResource(name, folder.where(stored), folder, stored, how_found(name, stored))
    path = folder.where(name)
    given = search_indexes(resource_indexes(context), Missing(name, (path,)), path)
    return given if isinstance(given, FoundResource) else search_projects(path, given, context, sole=True)


def search_indexes(
    indexes: Iterable[SourceIndex], missing: Missing, from_: str | os.PathLike[str], whole: bool = False
) -> FoundResource | Missing:
    """Search resource folders for a missing resource: first its whole name, then its base name. If a
    resource folder has several files of this base name, the file nearest to `from_` is used. With `whole`
    only the whole name is searched.
    """
    name, searched, near = missing.name, list(missing.searched), os.path.abspath(on_disk(from_))
    plain = resource_name(name)
    for index in indexes:
        if index.error:
            continue
        stored = (index.whole(plain) or index.source.find(plain)) if plain else None
        best = [stored] if stored is not None else [] if whole else index.best(name, near)
        if best:
            return indexed(name, index, best)
        searched += [index.source.where(plain)] if plain else []
    return Missing(name, tuple(dict.fromkeys(searched)))


def search_projects(
    path: str | os.PathLike[str],
    missing: Missing,
    context: ReadingContext,
    from_: str = "",
    suffixes: tuple[str, ...] = (),
    sole: bool = False,
) -> FoundResource | Missing:
    """Search the projects that contain the file `path` for a resource that is found nowhere else. See
    `SearchPath.find` for `from_`, `suffixes` and `sole`.
    """
    name, searched = missing.name, list(missing.searched)
    model = os.path.abspath(on_disk(path))
    near = os.path.abspath(on_disk(from_)) if from_ else model
    for index in projects_of(path, context, bool(from_) or "/" in name.replace("\\", "/")):
        best = index.best(name, near, model)
        if best and how_found(name, best[0]) == "tail" and is_view(index.source.where(best[0]), context):
            best = []
        if best and sole and not (index.matches_tail(best[0], name) or index.is_sole(name, copies=True)):
            best = []
        if not best and suffixes and index.marked:
            best = index.of_stem(name, suffixes, near, context)
        if best:
            return indexed(name, index, best)
        searched += index.searched(name)
    return Missing(name, tuple(dict.fromkeys(searched)))


def indexed(name: str, index: SourceIndex, best: Sequence[str]) -> FoundResource:
    """The first of the files that fit a name best, by their stored names in an index."""
    where, how = index.source.where, how_found(name, best[0])
    rivals = tuple(map(where, index.rivals(best)))
    return FoundResource(name, where(best[0]), index.source, best[0], how, index.by, rivals)


def inside_package(model_path: str | os.PathLike[str], context: ReadingContext) -> Iterator[Source]:
    """Yield the searched folders inside the package of the model, its own folder first; none for a model on
    the disk.
    """
    found = split(model_path)
    package = open_package(found[0], context) if found else None
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


def _on_disk(model_path: str | os.PathLike[str], context: ReadingContext) -> Iterator[Source]:
    """Yield the folder of the model or of its package, then the folders above and their resource roots, each
    once.
    """
    own = os.path.dirname(os.path.abspath(on_disk(model_path)))
    passed: set[str] = set()
    for folder in upwards_in_project(own, context):
        above, name = os.path.split(folder)
        if folder not in passed:
            is_root = name in ROOTS or os.path.basename(above) == AUTOLOAD
            yield FolderSource(folder, list_top=folder == own or is_root)
        passed.add(folder)
        for root in roots_of(folder):
            if root not in passed:
                passed.add(root)
                yield source_at(root, context) if root.endswith(PACKAGE_SUFFIX) else FolderSource(root)


def lone(path: str, context: ReadingContext) -> FoundResource:
    """Open a file that the user names as a resource. FormatError if it does not exist."""
    if not is_file(path, context):
        raise FormatError(f"cannot be read: {unreadable(path)}", file=path)
    folder, name = folder_of(path, context, list_top=False), as_path(path).name
    return FoundResource(name, folder.where(name), folder, name, "given", by="given")


def upwards_in_project(folder: str, context: ReadingContext) -> Iterator[str]:
    """Yield a folder and the folders above it, up to the repository if projects are searched."""
    for each in upwards(folder):
        yield each
        if context.search == "project" and is_repository(each):
            return


def upwards(folder: str) -> Iterator[str]:
    """Yield a folder and the folders above it, the nearest first."""
    for _ in range(HIGHEST):
        yield folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return
        folder = parent
