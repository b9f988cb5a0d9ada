"""The projects of a file: resource folders that the program finds itself.

The root of a project is the nearest folder above the file that has a marker. If a file is still missing, the
next outer folder with a marker is searched, up to the repository. If no folder has a marker, the root is a
guess, and fewer files are found; see `guessed_project` and `ProjectIndex`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache

from viewer.budget import BUDGET
from viewer.scene.material import FoundBy
from viewer.scene.reading_context import ReadingContext
from viewer.storage.guessed_project import guessed_project
from viewer.storage.package_path import archive_at, on_disk, open_package, split
from viewer.storage.place import Place, is_game
from viewer.storage.project_index import KEPT, ArchiveIndex, ProjectIndex, project_at
from viewer.storage.project_roots import above, marked_roots
from viewer.storage.resource_folders import NAME_BYTES, SourceIndex, resource_changes
from viewer.storage.source import Source
from viewer.storage.versions import UNSETTLED, KeptAnswers, below, record

_ARCHIVES: KeptAnswers[tuple[str, ReadingContext, FoundBy, int], SourceIndex | None] = KeptAnswers(KEPT)
"""The indexes of archives by path."""


def projects_of(
    path: str | os.PathLike[str], context: ReadingContext, whole: bool = True
) -> Iterator[SourceIndex]:
    """Yield the projects of a file as indexes, the nearest first, each followed by its archives; a guessed
    project has none. The search ends at a project that is not listed in time (`waits_at_most`). A game that
    finds its files by base name comes first.

    `whole` is True if the searched name has folders, or if a script or scene names it. Otherwise guessed
    projects are left out.
    """
    if context.search != "project":
        return
    own = os.path.abspath(on_disk(path))
    game = _game(path, own, context)
    if game is not None and game.by_base_name:
        yield _index_of_game(game)
    folder = os.path.dirname(own)
    for index in _projects(folder, whole, context.left_out):
        complete = index.list_more(folder)
        record({below(index.root, ""): index.version if complete else UNSETTLED})
        if not complete:
            return
        yield index
        if not index.marked:
            return
        for name in sorted(index.archives, key=index.distance_from(own))[: BUDGET.project_archives]:
            archive = archive_in(index, name, context)
            if archive is not None:
                yield archive


def project_around(path: str | os.PathLike[str], context: ReadingContext) -> ProjectIndex | None:
    """The nearest project with a marker that contains a file, if it is listed in time; see `projects_of`."""
    if context.search != "project":
        return None
    folder = os.path.dirname(os.path.abspath(on_disk(path)))
    index = next(_projects(folder, False, context.left_out), None)
    return index if index is not None and index.list_more(folder) else None


def list_projects(path: str | os.PathLike[str], context: ReadingContext) -> None:
    """List and scan the projects of a file completely, for a search that did not wait for them."""
    own = os.path.dirname(os.path.abspath(on_disk(path)))
    for index in _projects(own, True, context.left_out):
        if index.list_more():
            index.scan_rest()


def _game(path: str | os.PathLike[str], own: str, context: ReadingContext) -> Source | None:
    """The game whose sources have a file. If no game has the file, the result is the archive that contains
    the file; None for a file outside archives. `own` is the path of the file or of its archive.
    """
    for each in (own, *above(os.path.dirname(own))):
        folder, name = os.path.split(each)
        place = open_package(folder, context) if "." in name and is_game(folder) else None
        if isinstance(place, Place) and any(each == source.path for source in place.loaded):
            return place
    return open_package(own, context) if split(path) is not None else None


@lru_cache(2)
def _index_of_game(game: Source) -> SourceIndex:
    index = SourceIndex(game, deep=True)
    index.by = "game"
    return index


def archive_in(
    project: ProjectIndex, name: str, context: ReadingContext, by: FoundBy = "project"
) -> SourceIndex | None:
    """The index of an archive of a project by its stored name, cached until the archive changes; None if the
    archive cannot be read. `by` is how its files are found.
    """
    path = project.source.where(name)

    def read() -> SourceIndex | None:
        source = archive_at(path, context.of_archives)
        index = None if source is None else ArchiveIndex(project, name, source, by)
        return None if index is None or index.error else index

    key = path, context.of_archives, by, resource_changes()
    return _ARCHIVES.get(key, read, lambda index: NAME_BYTES * (1 + (len(index.names) if index else 0)))


def _projects(own: str, whole: bool, left_out: tuple[str, ...]) -> Iterator[ProjectIndex]:
    found = False
    for root in marked_roots(own):
        found = True
        yield project_at(root, left_out)
    guess = guessed_project(own, left_out) if whole and not found else None
    if guess is not None:
        yield guess
