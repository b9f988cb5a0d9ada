"""Finds out which recent files and folders are missing, and reads their thumbnails from the cache."""

from __future__ import annotations

import os
import time
from copy import copy
from functools import partial
from typing import TYPE_CHECKING

import moderngl

from viewer.app.tasks import Task, Tasks
from viewer.arrays import Array
from viewer.errors import ViewerError
from viewer.family.registry import kind_of, suffixes
from viewer.scene.names import JOINT
from viewer.scene.reading_context import ReadingContext
from viewer.session.pending_files import RecentEntry
from viewer.session.preferences import Preferences
from viewer.session.state import State
from viewer.storage.package_path import on_disk

if TYPE_CHECKING:
    from viewer.app.wall.file_thumbnails import FileTextures
    from viewer.library.thumbnails.cache import ThumbnailCache
    from viewer.library.thumbnails.thumbnail import ThumbnailTask

Facts = tuple[bool, str, Array | None]
"""Three facts of a recent file: whether it is missing, the icon of its kind, and the pixels [height, width,
4] u8 of its thumbnail.
"""
FactsByPath = dict[str, Facts]
"""The facts of recent files and folders, by path."""


START_DELAY = 0.5
"""Seconds after the start of the program before files are looked up, because the first frames need the time.
"""


class RecentFacts:
    """Fills `state.pending_files.recent` each time that recent files come into view. Call `step` once a
    frame.
    """

    def __init__(self, ctx: moderngl.Context, state: State, tasks: Tasks) -> None:
        self._ctx, self._state, self._tasks = ctx, state, tasks
        self._textures: FileTextures | None = None
        self._known: tuple[str, ...] | None = None
        self._due = time.monotonic() + START_DELAY

    def step(self) -> None:
        """Look the recent files up if they are shown now and were not shown in the last frame."""
        pending, preferences = self._state.pending_files, self._state.interface.preferences
        shown, pending.recent_shown = pending.recent_shown, False
        paths = (*preferences.recent, *preferences.recent_folders) if shown else None
        left = self._due - time.monotonic()
        if paths is not None and left > 0:
            self._tasks.request_frame_in(left)
            return
        if paths is not None and paths != self._known:
            work = partial(_look_up, copy(preferences), self._state.context)
            self._tasks.submit("recent files", lambda task: work(), self._take)
        self._known = paths

    def close(self) -> None:
        """Release the pictures."""
        if self._textures is not None:
            self._textures.release()

    def _take(self, task: Task) -> None:
        # imported late, because the first frame needs no pictures
        from viewer.app.wall.file_thumbnails import FileTextures

        found: FactsByPath = task.value or {}
        if self._textures is None:
            self._textures = FileTextures(self._ctx)
        self._textures.release()
        for path, (_, _, pixels) in found.items():
            if pixels is not None:
                self._textures.put(path, pixels, found)
        self._state.pending_files.recent = {
            path: RecentEntry(missing, self._textures.get(path), icon)
            for path, (missing, icon, _) in found.items()
        }


def _look_up(preferences: Preferences, context: ReadingContext) -> FactsByPath:
    """Find the facts of all recent files and folders, in a thread.

    A folder or package has the picture of the latest file in it.
    """
    from viewer.app.wall.wall_task import wall_thumbnail
    from viewer.library.thumbnails.cache import ThumbnailCache

    cache, task = ThumbnailCache(), wall_thumbnail(context)
    found = {path: _file(path, cache, task) for path in preferences.recent}
    for folder in preferences.recent_folders:
        inside = (found[path][-1] for path in preferences.recent if _is_inside(path, folder))
        picture = next((each for each in inside if each is not None), None)
        found[folder] = not os.path.exists(folder), _icon(folder), picture
    return found


def _icon(path: str) -> str:
    """The icon of a file's kind; empty for a folder or an unknown kind."""
    kind = kind_of(path)
    return kind.icon if kind is not None else ""


def _file(path: str, cache: ThumbnailCache, task: ThumbnailTask) -> Facts:
    """Find the facts of a file."""
    from viewer.app.wall.file_thumbnails import decoded
    from viewer.library.file_sources import source_files

    if not os.path.exists(on_disk(path)):
        return True, _icon(path), None
    file = next(source_files([path], suffixes(), lambda failed: None, task.context), None)
    known = cache.find(path, file.version, task) if file is not None and file.path == path else None
    try:
        pixels = decoded(known.png, small=True) if known is not None and known.png else None
    except ViewerError:  # the cached picture is damaged: show none
        pixels = None
    return file is None, _icon(path), pixels


def _is_inside(path: str, folder: str) -> bool:
    """Whether a file lies in a folder or package, or in a folder below it."""
    return path.startswith((folder + JOINT, os.path.join(folder, "")))
