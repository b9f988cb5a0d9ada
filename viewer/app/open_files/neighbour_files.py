"""Finds files around the document in view: the next model, and models for an animation or part file."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any
from weakref import ref

from viewer.actions.bindings import shown_key
from viewer.app.open_files.matching_models import companions
from viewer.app.open_files.model_files import models_of, neighbour
from viewer.app.tasks import Task, Tasks
from viewer.family.registry import format_named
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.session.pending_files import FolderPosition
from viewer.session.state import State

AT_ONCE = 0.005
"""Seconds that a step to another file waits for the name of this file. From the second step on the folder is
cached: the name arrives within this time, and the file opens in the same frame.
"""


class NeighbourFiles:
    """Searches folders in the background; the results arrive between two frames."""

    def __init__(self, state: State, tasks: Tasks) -> None:
        self._state = state
        self._tasks = tasks
        self._stepped: tuple[ref[Document], str] | None = None
        self._top = ""
        self._explained = False

    def enter(self, path: str) -> None:
        """Make a folder the root of later steps. The call has no effect if `path` is a file."""
        if os.path.isdir(path):
            self._top = os.path.abspath(path)

    def find(self, by: int, keep_camera: bool, then: Callable[[str, Document], None]) -> None:
        """Find a neighbour of the document in view, and call `then(path, document)` with the path of the
        neighbour and the document in view. The neighbour replaces this document.

        `by` is the number of positions from the document to the neighbour, negative towards the start of the
        list. The files are in the order of the listed files. If the present file is not listed, the files are
        in the order of the opened folder, or else of the file's own folder. A step continues from the last
        file found, even if that file is not loaded yet or cannot be read. If there is no further file, the
        status line says so. If the camera changes because `keep_camera` is False, a message explains once how
        to keep it.
        """
        document = self._state.document
        if document is None:
            return
        going_on = self._stepped is not None and self._stepped[0]() is document
        path = self._stepped[1] if going_on and self._stepped else document.path

        listed = self._state.files.neighbour(os.path.abspath(path), by, self._state.interface.preferences)

        def take(found: FolderPosition) -> None:
            """Store the position and open the file."""
            if found.end:
                self._state.pending_files.stepped = found
                return
            if not keep_camera and self._state.view.camera != self._state.view.home:
                self._explain_keeping()
            self._stepped, self._state.pending_files.stepped = (ref(document), found.path), found
            then(found.path, document)

        def arrive(task: Task) -> None:
            """Use the file that the task has found, or report the task's error."""
            if task.error:
                self._state.say(f"The folder cannot be read: {task.error}", "warning")
            else:
                take(task.value)

        if listed is not None:
            take(listed)
            return
        top, context = self._top, document.context

        def find(task: Task) -> FolderPosition:
            """Find the position in a task."""
            return neighbour(path, document.format, by, context, top)

        task = self._tasks.submit("neighbour", find, arrive)
        if task.wait(AT_ONCE):
            self._tasks.deliver()

    def _explain_keeping(self) -> None:
        """Show once how to keep the view."""
        preferences = self._state.interface.preferences
        keys = " and ".join(
            filter(None, (shown_key(preferences, f"{way}_file_same_view") for way in ("previous", "next")))
        )
        if not self._explained:
            self._state.say(
                f"To keep the view, press {keys}, or choose "
                "File › Models in the folder › Keep view between files"
            )
        self._explained = True

    def accompany(self) -> None:
        """Find the models that match the lone animation or part file in view; the search runs only once for
        each file.
        """
        document = self._state.document
        if document is None:
            return
        format = format_named(document.format)
        if format is not None and format.role in ("part", "picture"):
            find = partial(models_of, document.path, document.context)
            self._search(self._state.pending_files.models, document.path, find)
        if isinstance(document.content, Animation) and self._state.skeleton is None:
            fit = partial(companions, document.path, document.content, document.context)
            self._search(self._state.pending_files.companions, document.path, fit)

    def _search(self, known: dict[str, Any], path: str, search: partial[tuple[Any, ...]]) -> None:
        """Run `search` for a path unless its result is in `known`; store the result there."""
        if path in known:
            return
        known[path] = None

        def take(task: Task) -> None:
            """Store the result."""
            known[path] = task.value or ()

        self._tasks.submit((search.func.__name__, path), lambda task: search(), take)
