"""The listed folder or package: its files, their thumbnails, and what the user's query finds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

from viewer.app.background_tasks import BackgroundTasks
from viewer.app.file_scan import scan
from viewer.app.file_thumbnails import FileThumbnails
from viewer.app.picture_store import CachedPictures
from viewer.app.place_watch import PlaceWatcher
from viewer.errors import counted
from viewer.library.batches import usable_processors
from viewer.library.thumbnail import ThumbnailTask
from viewer.library.wall_task import WallTask, clear_sight
from viewer.session.file_list import QueryResult
from viewer.session.file_table import FileTable
from viewer.session.interface import FILES
from viewer.session.state import State
from viewer.storage.reading import size_limit
from viewer.storage.resource_folders import given_resources


class FileLibrary:
    """Fills `state.files`. Call `step` once a frame; nothing waits, and `close` does not either.

    `thumbnails` draws the pictures; `wake` is called from other threads when `step` has something to do.
    """

    def __init__(self, state: State, thumbnails: FileThumbnails, wake: Callable[[], None]) -> None:
        self._state, self._thumbnails, self._wake = state, thumbnails, wake
        self._tasks = BackgroundTasks()
        self._watcher = PlaceWatcher(wake)
        self._scanning = ""
        self._limits: tuple[tuple[str, ...], int] | None = None
        state.files.picture, state.files.turned = thumbnails.picture, thumbnails.turned

    @property
    def busy(self) -> bool:
        """Whether the next frame differs even without an event."""
        return self._tasks.busy or self._thumbnails.busy

    def list(self, place: str) -> None:
        """List the files of a folder or package, and watch it."""
        place = os.path.abspath(place)
        if place != self._state.files.place:
            self._state.files.begin(place)
            self._state.interface.bring(FILES)
            self._watcher.follow(place)
            self._scan()

    def step(self) -> None:
        """Take in what is finished, and request what the panels show."""
        files = self._state.files
        self._tasks.step()
        if not files.place:
            return
        self._use_resources()
        if self._watcher.changed() and not self._scanning:
            self._scan()
        self._answer()
        self._thumbnails.step()
        self._thumbnails.want(files.shown)
        if files.turning:
            self._thumbnails.turn(files.turning)
        drawing = self._thumbnails.drawing
        files.progress = f"drawing {counted(drawing, 'picture')}" if drawing else ""

    def close(self) -> None:
        """End everything."""
        self._watcher.close()
        self._thumbnails.close()

    def _use_resources(self) -> None:
        """Draw anew when other resource folders, or another limit of size, are in use."""
        limits = (*given_resources(), *self._state.interface.preferences.resources), size_limit()
        if limits != self._limits:
            self._limits = limits
            task = ThumbnailTask(prepare=clear_sight, resources=limits[0], max_size=limits[1])
            self._thumbnails.use(WallTask(task), CachedPictures(task, self._version))

    def _version(self, path: str) -> tuple[int, int] | None:
        """The time of change and the size of a listed file."""
        table = self._state.files.table
        row = None if table is None else table.row(path)
        return None if table is None or row is None else (int(table.modified[row]), int(table.sizes[row]))

    def _scan(self) -> None:
        """List the place again in the background."""
        place = self._scanning = self._state.files.place
        self._tasks.run(partial(self._listed, place), scan, place)

    def _listed(self, place: str, found: tuple[FileTable, tuple[str, ...]] | None, error: str) -> None:
        files = self._state.files
        self._scanning = ""
        if files.place != place:
            self._scan()
            return
        if found is None:
            files.problem = error
            return
        table, said = found
        if files.table is not None:
            self._thumbnails.forget(changed_paths(files.table, table))
        for line in said[:1]:
            self._state.say(line + (f", and {len(said) - 1} more" if len(said) > 1 else ""), "warning")
        files.replace(table)

    def _answer(self) -> None:
        """Answer the query of the user."""
        files = self._state.files
        if files.table is None or (files.result.query == files.query and files.result.table is files.table):
            return
        files.result = by_name(files.query, files.table)


def worker_count() -> int:
    """The number of processes that draw: one processor is left to the window."""
    return max(usable_processors() - 1, 1)


def by_name(query: str, table: FileTable) -> QueryResult:
    """The files whose names contain all words of the query."""
    words = query.casefold().split()
    found = [row for row, name in enumerate(table.names) if all(word in name.casefold() for word in words)]
    return QueryResult(query, table, np.array(found, np.intp))


def changed_paths(before: FileTable, now: FileTable) -> Iterable[str]:
    """The paths that have another size or time in another table, or are missing there."""
    for row in range(len(before)):
        path = before.path(row)
        other = now.row(path)
        if other is None or (before.sizes[row], before.modified[row]) != (
            now.sizes[other],
            now.modified[other],
        ):
            yield path
