"""Notices that the files of open documents change on disk, and reloads the program's own shaders."""

from __future__ import annotations

import os

from viewer.app.tasks import Tasks
from viewer.app.viewport import Viewport
from viewer.app.watch import FileWatcher
from viewer.scene.names import BELOW, path_key
from viewer.session.pending_files import CHANGED, GONE
from viewer.session.state import State
from viewer.storage.package_path import on_disk
from viewer.storage.versions import UNSETTLED, Dependencies, unrecorded_version

PAUSE, SHORT_PAUSE = 2.0, 0.2
"""Seconds between two comparisons of the files, and while changed files are reloaded."""
SHADERS = "shaders"


class HotReload:
    """Compares the files of the open documents with those on the disk.

    The documents that differ are in `pending_files.changed`. While `pending_files.watching` is set, they are
    reloaded, and the program's shaders are rebuilt when they change.
    """

    def __init__(self, state: State, viewport: Viewport, tasks: Tasks) -> None:
        self._state = state
        self._viewport = viewport
        self._tasks = tasks
        self._watcher: FileWatcher | None = None
        self._read: dict[str, Dependencies] = {}
        self._seen: dict[str, Dependencies] = {}

    def watch(self, on: bool) -> None:
        """Start or stop reloading changed files."""
        self._state.pending_files.watching = on
        self._read.pop(SHADERS, None)
        if on:
            files = map(str, self._viewport.renderer.composer.files)
            self._read[SHADERS] = {path: unrecorded_version(path) for path in files}
        self.follow()

    def read(self, path: str, files: Dependencies, dressed: bool) -> None:
        """Record the versions with which the files of a document were read. For a document that was only
        `dressed` with another display or look, the files that were read before keep their versions.
        """
        key = path_key(path)
        # the list of a project's files, in which missing files are searched, is no file that can change
        files = {each: version for each, version in files.items() if BELOW not in each}
        self._read[key] = files | self._read.get(key, {}) if dressed else files
        self._mark()

    def step(self) -> list[str]:
        """Return the paths of the documents to reload."""
        if self._watcher is None or self._watcher.changed == self._seen:
            return []
        before, self._seen = self._seen, self._watcher.changed
        self._mark()
        news = [key for key, files in self._seen.items() if files != before.get(key)]
        if not self._state.pending_files.watching:
            return []
        if SHADERS in news:
            self.reload_shaders()
            self.watch(True)
        marks = self._state.pending_files.changed
        return [
            each.path
            for each in self._state.documents.opened
            if (key := path_key(each.path)) in news and marks.get(key) == CHANGED
        ]

    def _mark(self) -> None:
        """Set the marks of the open documents whose files differ from what was read."""
        marks = self._state.pending_files.changed = {}
        for document in self._state.documents.opened:
            key, file = path_key(document.path), os.path.abspath(on_disk(document.path))
            now, read = self._seen.get(key, {}), self._read.get(key, {})
            if any(read.get(path) != version for path, version in now.items()):
                marks[key] = GONE if now.get(file, UNSETTLED) is None else CHANGED

    def reload_shaders(self) -> None:
        """Rebuild the program's edited shaders.

        If a shader cannot be built, its last working version stays in use.
        """
        for error in self._viewport.reload_shaders():
            self._state.complain(error)

    def close(self) -> None:
        """Stop the watching thread."""
        if self._watcher is not None:
            self._watcher.close()

    def follow(self) -> None:
        """Follow the files of the open documents. Call it after documents were opened or closed."""
        opened = {SHADERS, *(path_key(each.path) for each in self._state.documents.opened)}
        self._read = {key: files for key, files in self._read.items() if key in opened}
        pause = SHORT_PAUSE if self._state.pending_files.watching else PAUSE
        if self._watcher is None and self._read:
            self._watcher = FileWatcher(self._tasks, pause)
        if self._watcher is not None:
            self._watcher.pause = pause
            self._watcher.follow(self._read)
