"""Finds resources as OGRE programs do: in a list of resource locations, by a path below a location or by base
name.

A program lists its locations in `resources.cfg`, which a mesh does not refer to, so usual locations are
searched. A name with folders is searched below every folder above the mesh. A base name is first searched
near the mesh: in its folder, in `materials` folders beside and above it, in neighbouring folders, and in the
archives of these folders. Then it is searched in the user's resource folders and in the project of the mesh.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain, count, groupby, islice

from msgspec.structs import replace

from viewer.budget import BUDGET
from viewer.errors import Report
from viewer.families.ogre.materials.script_words import SCANNER, SCRIPTS
from viewer.families.ogre.names import local
from viewer.scene.material import FoundBy
from viewer.scene.names import file_name
from viewer.scene.reading_context import DEFAULT, ReadingContext
from viewer.storage.listing import entries_of
from viewer.storage.package_path import ARCHIVES, archive_at, is_file, on_disk
from viewer.storage.project import archive_in, project_around, projects_of
from viewer.storage.project_index import ProjectIndex
from viewer.storage.project_roots import is_repository
from viewer.storage.resource_folders import (
    SourceIndex,
    resource_indexes,
)
from viewer.storage.search import FoundResource, Missing, how_found, inside_package, lone, upwards_in_project
from viewer.storage.source import FolderSource, Source, resource_name

MATERIALS = "materials"
ABOVE = 2
"""Number of folders above the mesh's folder in which a `materials` folder is searched."""


class ResourceLocation:
    """A source whose files are found by base name, ignoring case."""

    def __init__(self, index: SourceIndex, report: Report) -> None:
        self.source, self.by, self.marked, self._index = index.source, index.by, index.marked, index
        if index.error:
            report.warn(index.error)

    def find(self, base: str, from_: str = "", mesh: str = "") -> FoundResource | None:
        """Return the file with base name `base`, or None. If several files have this name, the file nearest
        to the file `from_` is used. A project that was guessed without a marker file gives fewer files,
        depending on the path of the `mesh`; see `ProjectIndex`. In a project, a name with folders is found by
        its base name only if no other file has this base name.
        """
        stored = self._index.find(base, from_, mesh)
        if stored is None:
            return None
        whole = "/" not in base or self.by != "project" or self._index.matches_whole(stored, base)
        if not whole and not (self.marked and self._index.is_sole(base)):
            return None
        return self._found(stored)

    def whole(self, name: str, from_: str) -> FoundResource | None:
        """Return the file whose path ends with `name`, which has folders, or None."""
        found = self.find(name.replace("\\", "/"), from_)
        return found if found is not None and self._index.matches_whole(found.stored, name) else None

    def of_stem(self, base: str, suffixes: tuple[str, ...], from_: str = "") -> FoundResource | None:
        """Return the file whose name is `base` with another suffix, or None; `suffixes` are tried in order.

        `from_` is the script that names the file. A folder with another script of the same file name has
        another version of the model: its pictures are skipped, unless the user gives that folder.
        """
        stored = self._index.of_stem(base, suffixes, from_)
        if stored is None:
            return None
        found = self._found(stored)
        folder, slash, _ = stored.rpartition("/")
        sought = from_ and self.by != "given"
        script = self.source.find(f"{folder}{slash}{os.path.basename(from_)}") if sought else None
        return None if script is not None and self.source.where(script) != from_ else found

    def scripts(self, mesh: str, words: Iterable[str] | None = None) -> Iterator[list[FoundResource]]:
        """Yield the scripts in groups, the nearest group first. The files of a group are equally near to
        `mesh`; see `_by_stem` for their order. With `words` only the scripts that may have one of them.
        """
        distance = self._index.distance_from(mesh)
        listed = self._index.ending(SCRIPTS) if words is None else self._index.having(SCANNER, words)
        for _, names in groupby(sorted(listed, key=distance), distance):
            yield _by_stem((self._found(name) for name in names), mesh)

    @property
    def has_scripts(self) -> bool:
        """Whether there is any script."""
        return bool(self._index.ending(SCRIPTS))

    def is_beside(self, folder: str) -> bool:
        """Whether the location is a folder beside `folder`, or an archive in such a folder. A `materials`
        folder does not count as such a folder, because it is nearer.
        """
        own = os.path.dirname(on_disk(self.source.where("x")))
        beside = own != folder and os.path.dirname(own) == os.path.dirname(folder)
        return self.by == "near" and beside and not _is_materials(own)

    def pictures(self, suffixes: tuple[str, ...]) -> list[str]:
        """List the base names of the files with one of `suffixes` directly in the location."""
        return [name for name in self._index.of_suffix(suffixes) if "/" not in name]

    def searched(self, name: str) -> tuple[str, ...]:
        """The paths at which a name is searched, for messages."""
        return self._index.searched(name) if self.by == "project" else (self.source.where(name),)

    def _found(self, stored: str) -> FoundResource:
        return FoundResource(file_name(stored), self.source.where(stored), self.source, stored, by=self.by)


class _Reached(Iterable[ResourceLocation]):
    """Locations that are listed when an iteration reaches them."""

    def __init__(self, indexes: Iterable[SourceIndex], report: Report) -> None:
        self._ahead, self._report, self._listed = iter(indexes), report, list[ResourceLocation]()

    def __iter__(self) -> Iterator[ResourceLocation]:
        for number in count():
            if number == len(self._listed):
                following = next(self._ahead, None)
                if following is None:
                    return
                self._listed.append(ResourceLocation(following, self._report))
            yield self._listed[number]


class Resources:
    """Resource locations, the nearest first. A location is listed only when a file is not in the locations
    before it. `mesh` is the path of the mesh, from which the nearness of scripts counts.
    """

    def __init__(
        self,
        mesh: str,
        near: Iterable[SourceIndex],
        report: Report,
        above: Iterable[Source] = (),
        marked: Iterable[SourceIndex] = (),
        guessed: Iterable[SourceIndex] = (),
        context: ReadingContext = DEFAULT,
    ) -> None:
        self.mesh, self._folders, self.context = mesh, above, context
        self._near = _Reached(near, report)
        self._marked, self._guessed = _Reached(marked, report), _Reached(guessed, report)

    @classmethod
    def around(cls, mesh_path: str | os.PathLike[str], context: ReadingContext, report: Report) -> Resources:
        """Return the usual locations of a mesh file, the user's resource folders, and the projects of the
        mesh. Archives that cannot be read are reported.
        """
        mesh = os.path.abspath(mesh_path)
        own = os.path.dirname(mesh)
        inside = (*inside_package(mesh_path, context),)
        above: Iterable[Source] = inside or (
            FolderSource(path, list_top=number <= ABOVE)
            for number, path in enumerate(upwards_in_project(own, context))
        )
        near: Iterator[SourceIndex]
        if inside:
            near = iter((_index_near(inside[0], False),))
        elif context.search == "none":
            near = iter((_index_near(FolderSource(own), False),))
        else:
            near = _usual(own, context, project_around(mesh, context))
        marked, guessed = projects_of(mesh, context, whole=False), islice(projects_of(mesh, context), 1)
        given = resource_indexes(context)
        return cls(mesh, chain(near, given), report, above, marked, guessed, context)

    @cached_property
    def _above(self) -> tuple[Source, ...]:
        """The folders above the mesh, which are searched only for names with folders."""
        return tuple(self._folders)

    @property
    def has_game(self) -> bool:
        """Whether the mesh is in a game that finds its files by base name."""
        nearest = next(iter(self._marked), None)
        return nearest is not None and nearest.by == "game"

    @property
    def _projects(self) -> Iterator[ResourceLocation]:
        """The projects of the mesh that have a marker file. If there are none, the guessed project without
        its archives.
        """
        yield from self._marked if any(self._marked) else self._guessed

    def find(
        self, name: str, suffixes: tuple[str, ...] = (), from_: FoundResource | None = None
    ) -> FoundResource | Missing:
        """Return a file by its name with folders, else by its base name, else by its base name with another
        of `suffixes`. `from_` is the script that names the file. If this script is in the project, nearness
        counts from the script and not from the mesh.
        """
        base = file_name(name).strip()
        if not base:
            return Missing(name)
        chosen = self.context.chosen_file(name)
        if chosen is not None and is_file(chosen, self.context):
            return lone(chosen, self.context)
        below = self._above if "/" in (resource_name(name) or "") else ()
        origin = from_.path if from_ else self.mesh
        stages = (
            self._near_mesh(name, base, suffixes, below, origin),
            self._in_projects(name, suffixes, origin),
        )
        far = from_ is not None and from_.by == "project"
        named = (_below(each, name) for each in below)
        folders = resource_indexes(self.context) if below else ()
        given = (_below(each.source, name, by="given") for each in folders if not each.error)
        ordered: Iterable[FoundResource | None] = chain(named, given, *(stages[::-1] if far else stages))
        for found in ordered:
            if found is not None:
                beside = found.by == "project" and os.path.dirname(found.path) == os.path.dirname(self.mesh)
                spelled = (how_found(each, found.path) for each in (name, local(name)))
                how = next((each for each in spelled if each != "name"), "name")
                return replace(found, by="near" if beside else found.by, how=how)
        searched = [each.where(name) for each in below]
        searched += chain.from_iterable(each.searched(base) for each in chain(self._near, self._projects))
        return Missing(name, tuple(searched))

    def _near_mesh(
        self, name: str, base: str, suffixes: tuple[str, ...], below: Iterable[Source], origin: str
    ) -> Iterator[FoundResource | None]:
        """Search the locations near the mesh and the user's resource folders."""
        names = tuple(dict.fromkeys((base, local(base))))
        stem = os.path.splitext(name)[0]
        if below:
            yield from (each.whole(name, origin) for each in self._projects if each.marked)
        yield from (location.find(each, origin) for each in names for location in self._near)
        yield from (_below(each, stem + suffix) for suffix in suffixes for each in below)
        if suffixes:
            yield from (each.of_stem(base, suffixes, origin) for base in names for each in self._near)

    def _in_projects(
        self, name: str, suffixes: tuple[str, ...], origin: str
    ) -> Iterator[FoundResource | None]:
        """Search the projects of the mesh. A file with another suffix counts only in a project with a marker
        file.
        """
        for location in self._projects:
            for each in dict.fromkeys((name, local(name))):
                yield location.find(each.replace("\\", "/"), origin, self.mesh)
                if suffixes and location.marked:
                    yield location.of_stem(each, suffixes, origin)

    def near(self, base: str) -> FoundResource | None:
        """Return the file with base name `base` near the mesh or in the user's resource folders, or None."""
        return next((found for each in self._near if (found := each.find(base))), None)

    def scripts(self, words: Iterable[str] | None = None) -> Iterator[list[FoundResource]]:
        """Yield the scripts near the mesh in groups, the nearest group first. The files of a group are
        equally near. All folders beside the mesh's folder are equally near. With `words` only the scripts
        that may have one of them.
        """
        own = os.path.dirname(self.mesh)
        for beside, locations in groupby(self._near, lambda each: each.is_beside(own)):
            groups = (group for each in locations for group in each.scripts(self.mesh, words))
            joined = (_by_stem(chain.from_iterable(groups), self.mesh),) if beside else groups
            yield from filter(None, joined)

    def project_scripts(self, words: Iterable[str] | None = None) -> Iterator[list[FoundResource]]:
        """Yield the scripts of the mesh's projects in groups, the nearest group first. With `words` only the
        scripts that may have one of them. A project that was guessed without a marker file is left out,
        because it may contain other models whose materials have the same names.
        """
        return chain.from_iterable(each.scripts(self.mesh, words) for each in self._marked)

    @property
    def script_locations(self) -> Iterator[ResourceLocation]:
        """The locations in which scripts are searched."""
        return chain(self._near, self._marked)

    @property
    def has_project_scripts(self) -> bool:
        """Whether there is any script in the mesh's projects."""
        return any(each.has_scripts for each in self._marked)

    def beside(self, suffixes: tuple[str, ...]) -> list[str]:
        """List the names of the files with one of `suffixes` in the mesh's own folder. The list is empty if
        the folder has scripts, or if the user wants no search.
        """
        own = next(iter(self._near), None)
        if own is None or self.context.search == "none" or any(own.scripts(self.mesh)):
            return []
        return own.pictures(suffixes)


def _by_stem(scripts: Iterable[FoundResource], mesh: str) -> list[FoundResource]:
    """Sort scripts by three criteria: scripts with the stem of the mesh before other scripts, material
    scripts before JSON files as in the engine, and the order of their paths.
    """
    stem = os.path.splitext(os.path.basename(mesh))[0].casefold()

    def order(script: FoundResource) -> tuple[bool, bool, str]:
        name = script.name.casefold()
        suffix = next((each for each in SCRIPTS if name.endswith(each)), "")
        return name.removesuffix(suffix) != stem, suffix != SCRIPTS[0], script.path

    return sorted(scripts, key=order)


def _below(folder: Source, name: str, by: FoundBy = "near") -> FoundResource | None:
    """The file `name` below a folder. The name may contain folders."""
    for each in dict.fromkeys((name, local(name))):
        stored = folder.find(each)
        if stored is not None:
            return FoundResource(file_name(stored), folder.where(stored), folder, stored, by=by)
    return None


def _index_near(source: Source, deep: bool) -> SourceIndex:
    """The index of a location near a mesh. `deep`: its subfolders are searched too."""
    index = SourceIndex(source, deep, BUDGET.location_files)
    index.by = "near"
    return index


def _usual(own: str, context: ReadingContext, project: ProjectIndex | None) -> Iterator[SourceIndex]:
    """Yield the locations around folder `own`. Nothing beyond the repository is searched, and no neighbouring
    repository. If the folders are in the list of a `project`, the list is used.
    """

    def folder_and_archives(path: str) -> Iterator[SourceIndex]:
        """Yield a folder, without its subfolders, and the archives in it."""
        index = _folder(path, False, project, path == own)
        yield index
        for name in index.ending(ARCHIVES):
            archive = None if "/" in name else _archive(os.path.join(path, name), context, project)
            if archive is not None:
                yield archive

    yield from folder_and_archives(own)
    above = tuple(islice(upwards_in_project(own, context), ABOVE + 1))
    for folder in above:
        inner = _inner_folders(folder, project)
        yield from (_folder(path, True, project) for path in inner if _is_materials(path))
    if len(above) < 2:
        return
    for path in _inner_folders(above[1], project)[: BUDGET.neighbour_folders]:
        marked = project is None or project.has_marker(path)
        foreign = context.search == "project" and marked and is_repository(path)
        if path != own and not _is_materials(path) and not foreign:
            yield from folder_and_archives(path)
    yield from folder_and_archives(above[1])


def _folder(path: str, deep: bool, project: ProjectIndex | None, own: bool = False) -> SourceIndex:
    """The index of a folder, from the list of the project if it has the folder. `own` is the mesh's
    folder.
    """
    view = project.view(path, deep, own) if project is not None else None
    return _index_near(FolderSource(path), deep) if view is None else view


def _archive(path: str, context: ReadingContext, project: ProjectIndex | None) -> SourceIndex | None:
    """The index of an archive, from the project if it has the archive; None if it is no archive."""
    name = project.relative(path) if project is not None else None
    if project is not None and name in project.archives:
        return archive_in(project, name, context, "near")
    archive = archive_at(path, context)
    return None if archive is None else _index_near(archive, True)


def _inner_folders(path: str, project: ProjectIndex | None) -> list[str]:
    """The folders directly in a folder, except hidden folders."""
    listed = project.inner_folders(path) if project is not None else None
    if listed is not None:
        return listed
    return [entry.path for entry in entries_of(path) if entry.is_dir() and not entry.name.startswith(".")]


def _is_materials(path: str) -> bool:
    return os.path.basename(path).casefold() == MATERIALS
