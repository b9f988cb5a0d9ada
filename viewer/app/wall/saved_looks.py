"""Lists the saved looks of characters, with their pictures."""

from __future__ import annotations

import os
from functools import partial

import moderngl

from viewer.app.tasks import Task, Tasks
from viewer.app.wall.file_thumbnails import CachedThumbnails, FileThumbnails
from viewer.app.wall.wall_task import LookTask, clear_sight
from viewer.library.file_sources import SourceFile, source_files
from viewer.scene.choices import LOOK
from viewer.scene.reading_context import ReadingContext
from viewer.session.pending_files import SavedLooks
from viewer.session.state import State
from viewer.storage.listing import list_folder, natural_key


class LookLibrary:
    """Fills `state.pending_files.looks`. Call `step` once a frame; neither `step` nor `close` waits.

    `jobs` is the number of processes that draw looks that are not in the cache of thumbnails.
    """

    def __init__(self, ctx: moderngl.Context, state: State, jobs: int, tasks: Tasks) -> None:
        self._state, self._tasks = state, tasks
        self._thumbnails = FileThumbnails(ctx, jobs, tasks)
        self._looks: SavedLooks | None = None
        self._task: LookTask | None = None

    def step(self) -> None:
        """List the folder in which looks are saved when the list opens, and request the visible pictures."""
        looks, document = self._state.pending_files.looks, self._state.document
        opens, self._looks = looks is not self._looks, looks
        if looks is not None and document is not None:
            task = LookTask(prepare=clear_sight, files=(document.path,), context=self._state.context)
            if task != self._task:
                self._task = task
                found = partial(_source_file, context=task.context)
                self._thumbnails.use(task, CachedThumbnails(task, found, lambda path, error: None))
            if opens:
                folder = os.path.dirname(self._state.interface.preferences.looks)
                self._tasks.submit("looks", lambda task: _looks_in(folder), partial(self._take, looks))
            self._thumbnails.want(looks.visible, looks.side)
        self._thumbnails.step()

    def _take(self, looks: SavedLooks, task: Task) -> None:
        """Show the looks. Their files may have changed since their pictures were drawn."""
        looks.paths = task.value or ()
        self._thumbnails.forget(looks.paths)
        looks.picture = self._thumbnails.picture

    def close(self) -> None:
        """Stop drawing, without waiting."""
        self._thumbnails.close()


def _looks_in(folder: str) -> tuple[str, ...]:
    """The paths of the JSON files in a folder, in natural order; an empty `folder` has none."""
    names = [entry.name for entry in list_folder(folder)] if folder else []
    looks = sorted((each for each in names if each.lower().endswith(LOOK)), key=natural_key)
    return tuple(os.path.join(folder, each) for each in looks)


def _source_file(path: str, context: ReadingContext) -> SourceFile | None:
    return next(source_files([path], (LOOK,), lambda failed: None, context), None)
