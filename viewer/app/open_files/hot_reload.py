"""Reloads documents, and the program's own shaders, when their files change on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewer.app.tasks import Tasks
from viewer.app.viewport import Viewport
from viewer.scene.document import Document
from viewer.session.state import State

if TYPE_CHECKING:
    from viewer.app.watch import FileWatcher


class HotReload:
    """Watches the files of the open documents while `watch` is on."""

    def __init__(self, state: State, viewport: Viewport, tasks: Tasks) -> None:
        self._state = state
        self._viewport = viewport
        self._tasks = tasks
        self._watcher: FileWatcher | None = None
        self._followed: list[Document] = []

    def watch(self, on: bool) -> None:
        """Start or stop watching."""
        self.close()
        self._watcher, self._followed = None, []
        try:
            self._watcher = self._watching() if on else None
        except OSError as error:
            self._state.say(f"Files cannot be watched: {error.strerror or error}", "warning")
        self._state.pending_files.watching = self._watcher is not None

    def step(self) -> list[str]:
        """Return the paths of the documents to reload."""
        if self._watcher is None:
            return []
        from viewer.storage.dependencies import depends_on

        changed = self._watcher.changed()
        if changed:
            self.reload_shaders()
        if self._followed != self._state.documents.opened:
            self._followed = list(self._state.documents.opened)
            shown = (path for each in self._followed for path in depends_on(each))
            self._watcher.follow((*shown, *map(str, self._viewport.renderer.composer.files)))
        return [each.path for each in self._state.documents.opened if changed and depends_on(each) & changed]

    def _watching(self) -> FileWatcher:
        from viewer.app.watch import FileWatcher  # imported late, because few windows watch files

        return FileWatcher(self._tasks)

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
