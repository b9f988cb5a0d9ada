"""Finds resources as OGRE programs do: in a list of resource locations, by a path below a location or by base
name.

A program lists its locations in `resources.cfg`, which a mesh does not refer to. The user's resource folders
come first, then the locations that a `resources.cfg` of the project lists together with the mesh, then the
mesh's own folder with its subfolders, `materials` folders beside and above it, neighbouring folders, and the
rest of the project. An archive counts where it lies. A name with folders is first searched below every folder
above the mesh.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property, partial
from itertools import chain, count, groupby, islice

from msgspec.structs import replace

from viewer.binary.code_pages import spellings
from viewer.budget import BUDGET
from viewer.errors import Report
from viewer.families.ogre.materials import scene as scene_words
from viewer.families.ogre.materials.script_words import SCANNER, SCRIPTS
from viewer.families.ogre.names import names_on_disk
from viewer.scene.material import FoundBy
from viewer.scene.names import file_name
from viewer.scene.reading_context import ReadingContext
from viewer.storage.configuration import is_located
from viewer.storage.contents import Scanner
from viewer.storage.listing import entries_of
from viewer.storage.own_picture import is_view
from viewer.storage.package_path import ARCHIVES, archive_at
from viewer.storage.project import archive_in, project_around, projects_of
from viewer.storage.project_index import ProjectIndex
from viewer.storage.project_roots import is_repository
from viewer.storage.resource_folders import Kept, SourceIndex, resource_indexes, suffix_of
from viewer.storage.search import (
    FoundResource,
    GivenFiles,
    Missing,
    how_found,
    inside_package,
    upwards_in_project,
)
from viewer.storage.source import FolderSource, Source, resource_name
from viewer.storage.versions import below, record

MATERIALS = "materials"
ABOVE = 2
"""Number of folders above the mesh's folder in which a `materials` folder is searched."""
OWN, BELOW, SHARED, BESIDE, FAR = range(5)
"""Where a file lies: in the mesh's folder, a subfolder or a `materials` folder there; deeper below the mesh's
folder; in a `materials` folder beside or above; in a neighbouring folder or the folder above; elsewhere in
the project.
"""
NEAR = (OWN, SHARED, BESIDE)


class ResourceLocation:
    """A source whose files are found by base name, ignoring case. With `keep` only the files that it returns.
    `folders` are searched for the files; messages name them.
    """

    def __init__(
        self,
        index: SourceIndex,
        report: Report,
        by: FoundBy | None = None,
        keep: Kept | None = None,
        folders: Sequence[str] | None = None,
    ) -> None:
        self.source, self.marked, self._index = index.source, index.marked, index
        self.by, self._keep, self._folders = by or index.by, keep, folders
        if index.error:
            report.warn(index.error)

    def find(self, base: str, from_: str = "", mesh: str = "") -> FoundResource | None:
        """Return the file with base name `base`, or None. If several files have this name, the file nearest
        to the file `from_` is used. A project that was guessed without a marker file gives fewer files,
        depending on the path of the `mesh`; see `ProjectIndex`. In a project, a name with folders is found by
        its base name only if all other files of this base name are copies of it.
        """
        best = self._index.best(base, from_, mesh, self._keep)
        if not best:
            return None
        whole = "/" not in base or self.by != "project" or self._index.matches_whole(best[0], base)
        if not whole and not (self.marked and self._index.is_sole(base, copies=True)):
            return None
        return self._best(best)

    def whole(self, name: str, from_: str) -> FoundResource | None:
        """Return the file whose path ends with `name`, which has folders, or None."""
        found = self.find(name.replace("\\", "/"), from_)
        return found if found is not None and self._index.matches_whole(found.stored, name) else None

    def of_stem(
        self, base: str, suffixes: tuple[str, ...], from_: str, context: ReadingContext
    ) -> FoundResource | None:
        """Return the file whose name is `base` with another suffix, or None; `suffixes` are tried in order.

        `from_` is the script that names the file. A folder with another script of the same file name has
        another version of the model: its pictures are skipped, unless the user gives that folder.
        """
        best = self._index.of_stem(base, suffixes, from_, context, self._keep)
        if not best:
            return None
        found = self._best(best)
        folder, slash, _ = found.stored.rpartition("/")
        sought = from_ and self.by != "given"
        script = self.source.find(f"{folder}{slash}{os.path.basename(from_)}") if sought else None
        return None if script is not None and self.source.where(script) != from_ else found

    def scripts(self, mesh: str, words: Iterable[str] | None = None) -> Iterator[list[FoundResource]]:
        """Yield the scripts in groups, the nearest group first. The files of a group are equally near to
        `mesh`; see `_by_stem` for their order. With `words` only the scripts that may have one of them.
        """
        distance = self._index.distance_from(mesh)
        for _, found in groupby(self.having(SCANNER, mesh, words), lambda each: distance(each.stored)):
            yield _by_stem(found, mesh)

    def having(
        self, scanner: Scanner, mesh: str, words: Iterable[str] | None = None
    ) -> Iterator[FoundResource]:
        """Yield the files of a scanner, the nearest first. With `words`, a file has to have one of them, as
        far as the scanner knows.
        """
        index = self._index
        listed: Sequence[str] = index.ending(scanner.ends) if words is None else index.having(scanner, words)
        kept = listed if self._keep is None else self._keep(listed)
        return map(self._found, sorted(kept, key=index.distance_from(mesh)))

    def fits(self, path: str, from_: str) -> bool:
        """Whether a program would find the file `path` if the file `from_` names it by its base name. If the
        location has no file of this name, it does not contradict.
        """
        best = self._index.best(os.path.basename(path), from_)
        return not best or path in map(self.source.where, best)

    @property
    def has_scripts(self) -> bool:
        """Whether there is any script."""
        return bool(self._index.ending(SCRIPTS))

    def searched(self, name: str) -> tuple[str, ...]:
        """The paths at which a name is searched, for messages."""
        if self._folders is not None:
            return tuple(os.path.join(folder, name) for folder in self._folders)
        return self._index.searched(name) if self.by == "project" else (self.source.where(name),)

    def _best(self, best: Sequence[str]) -> FoundResource:
        rivals = map(self.source.where, self._index.rivals(best))
        return replace(self._found(best[0]), rivals=tuple(rivals))

    def _found(self, stored: str) -> FoundResource:
        return FoundResource(file_name(stored), self.source.where(stored), self.source, stored, by=self.by)


class _Reached(Iterable[ResourceLocation]):
    """Locations that are listed when an iteration reaches them."""

    def __init__(self, locations: Iterable[ResourceLocation]) -> None:
        self._ahead, self._listed = iter(locations), list[ResourceLocation]()

    def __iter__(self) -> Iterator[ResourceLocation]:
        for number in count():
            if number == len(self._listed):
                following = next(self._ahead, None)
                if following is None:
                    return
                self._listed.append(following)
            yield self._listed[number]


class Resources:
    """Resource locations, the nearest first. A location is listed only when a file is not in the locations
    before it. `mesh` is the path of the mesh, from which the nearness of scripts counts.
    """

    def __init__(self, mesh_path: str | os.PathLike[str], context: ReadingContext, report: Report) -> None:
        """Prepare the usual locations of a mesh file, the user's resource folders, and the projects of the
        mesh. Archives that cannot be read are reported.
        """
        mesh = os.path.abspath(mesh_path)
        own = os.path.dirname(mesh)
        inside = next(inside_package(mesh_path, context), None)
        self.mesh, self.context, self._own = mesh, context, inside or FolderSource(own)
        self.given = GivenFiles(mesh_path, context, report)

        def reached(indexes: Iterable[SourceIndex]) -> _Reached:
            return _Reached(ResourceLocation(each, report) for each in indexes)

        def near() -> Iterator[ResourceLocation]:
            index = SourceIndex(self._own, deep=False, most=BUDGET.location_files)
            yield _near(index, report)
            if inside is not None or context.search == "none":
                return
            project = project_around(mesh, context)
            if project is not None and not project.error:
                record({below(project.root, ""): project.version})
                yield from _in_project(project, mesh, context, report)
                yield from _around(own, context, report, project.root)
            else:
                yield from _archives(index, index.names, context, report)
                yield from _around(own, context, report)

        self._near = _Reached(near())
        self._given = reached(resource_indexes(context))
        self._marked = reached(projects_of(mesh, context, whole=False))
        self._guessed = reached(islice(projects_of(mesh, context), 1))

    @cached_property
    def _above(self) -> tuple[Source, ...]:
        """The folders above the mesh, which are searched only for names with folders."""
        inside = (*inside_package(self.mesh, self.context),)
        folders = enumerate(upwards_in_project(os.path.dirname(self.mesh), self.context))
        return inside or tuple(FolderSource(path, list_top=number <= ABOVE) for number, path in folders)

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
        """Return the file that the user chose or the project pins for a name, else a file by its name with
        folders, else by its base name, else by its base name with another of `suffixes`. `from_` is the
        script that names the file. If this script is in the project, nearness counts from the script and not
        from the mesh.
        """
        search = partial(self._find, suffixes=suffixes, from_=from_)
        given = (self.given.find(each, search) for each in spellings(name))
        return next(filter(None, given), None) or search(name)

    def _find(
        self, name: str, suffixes: tuple[str, ...], from_: FoundResource | None
    ) -> FoundResource | Missing:
        """Return a file that is neither chosen nor pinned, see `find`."""
        base = file_name(name).strip()
        if not base:
            return Missing(name)
        folders = self._above if "/" in (resource_name(name) or "") else ()
        origin = from_.path if from_ else self.mesh
        far = from_ is not None and from_.by == "project"
        stages = (
            self._near_mesh(name, base, suffixes, folders, origin),
            self._in_projects(name, suffixes, origin),
        )
        whole = self._whole(name, folders, origin) if folders else ()
        names = names_on_disk(base)
        given = (each.find(spelling, origin) for spelling in names for each in self._given)
        for found in chain(whole, given, *(stages[::-1] if far else stages)):
            if found is not None:
                beside = found.by == "project" and os.path.dirname(found.path) == os.path.dirname(self.mesh)
                spelled = (how_found(each, found.path) for each in names_on_disk(name))
                how = next((each for each in spelled if each != "name"), "name")
                return replace(found, by="near" if beside else found.by, how=how)
        searched = [each.where(name) for each in folders]
        places = (each.searched(base) for each in chain(self._given, self._near, self._projects))
        return Missing(name, tuple(dict.fromkeys((*searched, *chain.from_iterable(places)))))

    def _whole(self, name: str, folders: Iterable[Source], origin: str) -> Iterator[FoundResource | None]:
        """Search for the whole of a name with folders: in the user's resource folders, below the folders
        above the mesh, and anywhere in the project.
        """
        usable = (each for each in resource_indexes(self.context) if not each.error)
        yield from (_below(each.source, name, by="given") for each in usable)
        yield from (_below(each, name) for each in folders)
        yield from (each.whole(name, origin) for each in self._projects if each.marked)

    def _near_mesh(
        self, name: str, base: str, suffixes: tuple[str, ...], folders: Iterable[Source], origin: str
    ) -> Iterator[FoundResource | None]:
        """Search the locations near the mesh; for other suffixes also the user's resource folders."""
        names = names_on_disk(base)
        stem, whole = os.path.splitext(name)[0], name.replace("\\", "/")
        for spelling in names:
            for location in self._near:
                yield location.find(whole if location.by == "project" else spelling, origin)
        other = filter(None, (_below(each, stem + suffix) for suffix in suffixes for each in folders))
        yield from (each for each in other if not is_view(each.path, self.context))
        for spelling in names if suffixes else ():
            for location in chain(self._given, self._near):
                yield location.of_stem(spelling, suffixes, origin, self.context)

    def _in_projects(
        self, name: str, suffixes: tuple[str, ...], origin: str
    ) -> Iterator[FoundResource | None]:
        """Search the projects of the mesh. A file with another suffix counts only in a project with a marker
        file.
        """
        for location in self._projects:
            for each in names_on_disk(name):
                yield location.find(each.replace("\\", "/"), origin, self.mesh)
                if suffixes and location.marked:
                    yield location.of_stem(each, suffixes, origin, self.context)

    def near(self, base: str) -> FoundResource | None:
        """Return the file with base name `base` near the mesh or in the user's resource folders, or None."""
        locations = chain(self._given, self._near)
        return next((found for each in locations if (found := each.find(base, self.mesh))), None)

    def scripts(self, words: Iterable[str] | None = None) -> Iterator[list[FoundResource]]:
        """Yield the scripts in the user's resource folders and near the mesh in groups, the nearest group
        first. The files of a group are equally near. With `words` only the scripts that may have one of them.
        """
        return chain.from_iterable(each.scripts(self.mesh, words) for each in chain(self._given, self._near))

    def project_scripts(self, words: Iterable[str] | None = None) -> Iterator[list[FoundResource]]:
        """Yield the scripts of the mesh's projects in groups, the nearest group first. With `words` only the
        scripts that may have one of them. A project that was guessed without a marker file is left out,
        because it may contain other models whose materials have the same names.
        """
        return chain.from_iterable(each.scripts(self.mesh, words) for each in self._marked)

    def scenes(self) -> Iterator[FoundResource]:
        """Yield the scenes of the mesh's projects that show the mesh; without a project, those near it."""
        base = os.path.basename(self.mesh)
        for location in chain(self._given, self._marked if any(self._marked) else self._near):
            for scene in location.having(scene_words.SCANNER, self.mesh, scene_words.words_of(base)):
                if location.fits(self.mesh, scene.path):
                    yield scene

    @property
    def script_locations(self) -> Iterator[ResourceLocation]:
        """The locations in which scripts are searched."""
        return chain(self._given, self._near, self._marked)

    @property
    def has_project_scripts(self) -> bool:
        """Whether there is any script in the mesh's projects."""
        return any(each.has_scripts for each in self._marked)

    def beside(self, suffixes: tuple[str, ...]) -> list[str]:
        """List the names of the files with one of `suffixes` in the mesh's own folder, without views that
        Rigscope drew. The list is empty if the folder has scripts, or if the user wants no search.
        """
        names = [*self._own.names()]
        if self.context.search == "none" or any(each.lower().endswith(SCRIPTS) for each in names):
            return []
        found = (each for each in names if suffix_of(each) in suffixes)
        return [each for each in found if not is_view(self._own.where(each), self.context)]


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
    for each in names_on_disk(name):
        stored = folder.find(each)
        if stored is not None:
            return FoundResource(file_name(stored), folder.where(stored), folder, stored, by=by)
    return None


def _near(index: SourceIndex, report: Report, folders: Sequence[str] | None = None) -> ResourceLocation:
    return ResourceLocation(index, report, "near", None, folders)


def _archives(
    index: SourceIndex, names: Iterable[str], context: ReadingContext, report: Report
) -> Iterator[ResourceLocation]:
    """Yield the archives among files of an index as locations."""
    for name in names:
        packed = suffix_of(name) in ARCHIVES
        if not packed:
            continue
        if isinstance(index, ProjectIndex):
            listed = archive_in(index, name, context, "near")
        else:
            archive = archive_at(index.source.where(name), context)
            listed = None if archive is None else SourceIndex(archive, True, BUDGET.location_files)
        if listed is not None:
            yield _near(listed, report)


def _in_project(
    project: ProjectIndex, mesh: str, context: ReadingContext, report: Report
) -> Iterator[ResourceLocation]:
    """Yield the locations near a mesh from the list of its project. Files that the mesh's program lists come
    first.
    """
    inner = os.path.dirname(mesh)[len(os.path.join(project.root, "")) :].replace(os.sep, "/")
    folders = inner.split("/") if inner else []
    ups = range(min(ABOVE, len(folders)) + 1)
    fronts = ["".join(f"{each}/" for each in folders[: len(folders) - up]) for up in ups]

    def ring(stored: str) -> int:
        for up, front in enumerate(fronts):
            if stored.startswith(front):
                entered, _, deeper = stored[len(front) :].partition("/")
                if deeper and _is_materials(entered):
                    return SHARED if up else OWN
                if up:
                    return FAR if up > 1 or "/" in deeper else BESIDE
                return BELOW if "/" in deeper else OWN
        return FAR

    @cache
    def listed_folders() -> dict[str, bool]:
        return project.program_folders(mesh)

    def keep_listed(rings: Sequence[int], names: Sequence[str]) -> Sequence[str]:
        if len(names) < 2 or not listed_folders():
            return ()
        inside = partial(is_located, folders=listed_folders())
        where = project.source.where
        return [each for each in names if ring(each) in rings and inside(os.path.dirname(where(each)))]

    def keep(wanted: int, names: Sequence[str]) -> Sequence[str]:
        front = fronts[min(len(fronts) - 1, {SHARED: ABOVE, BESIDE: 1}.get(wanted, 0))]
        return [each for each in names if each.startswith(front) and ring(each) == wanted]

    yield ResourceLocation(project, report, "near", partial(keep_listed, NEAR), ())
    yield ResourceLocation(project, report, "project", partial(keep_listed, (BELOW, FAR)), ())
    for number in (OWN, BELOW, SHARED, BESIDE):
        by: FoundBy = "near" if number in NEAR else "project"
        yield ResourceLocation(project, report, by, partial(keep, number), ())
        archives = sorted(keep(number, project.archives), key=project.distance_from(mesh))
        yield from _archives(project, archives, context, report)


def _around(
    own: str, context: ReadingContext, report: Report, without: str = ""
) -> Iterator[ResourceLocation]:
    """Yield the locations around folder `own`, without the folder `without`, in the order of `OWN`, `SHARED`
    and `BESIDE`. Nothing beyond the repository is searched, and no neighbouring repository.
    """
    above = tuple(islice(upwards_in_project(own, context), ABOVE + 1))
    source = FolderSource(above[-1], list_top=False)

    def location(folders: Iterable[str], deep: bool = False) -> Iterator[ResourceLocation]:
        """Yield the files directly in `folders` (`deep`: and below) as one location, then the archives."""
        index, listed = SourceIndex(source, deep=False, most=0), [*folders]
        for folder in listed:
            front = folder[len(os.path.join(source.path, "")) :].replace(os.sep, "/")
            names = islice(FolderSource(folder).names(deep=deep), BUDGET.location_files)
            index.add(f"{front}/{name}".lstrip("/") for name in names)
        if listed:
            yield _near(index, report, listed)
            yield from _archives(index, index.names, context, report)

    for folder in above:
        if not _is_in(folder, without):
            inner = _inner_folders(folder)
            yield from location(filter(_is_materials, inner), deep=True)
            if folder == own:
                yield from location(path for path in inner if not _is_materials(path))
    if len(above) > 1 and not _is_in(above[1], without):
        beside = (path for path in _inner_folders(above[1]) if path != own and not _is_materials(path))
        near = (path for path in beside if context.search != "project" or not is_repository(path))
        yield from location([above[1], *near])


def _inner_folders(path: str) -> list[str]:
    """The first folders directly in a folder, except hidden folders."""
    inner = (each.path for each in entries_of(path) if each.is_dir() and not each.name.startswith("."))
    return [*islice(inner, BUDGET.neighbour_folders)]


def _is_in(path: str, folder: str) -> bool:
    return bool(folder) and os.path.join(path, "").startswith(os.path.join(folder, ""))


def _is_materials(path: str) -> bool:
    return os.path.basename(path).casefold() == MATERIALS
