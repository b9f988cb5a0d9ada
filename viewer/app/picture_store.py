"""The thumbnails of the window in the cache of the user."""

from __future__ import annotations

from collections.abc import Callable

from viewer.library.file_sources import SourceFile
from viewer.library.outcome import Outcome
from viewer.library.thumbnails.batch import keep
from viewer.library.thumbnails.cache import ThumbnailCache
from viewer.library.thumbnails.thumbnail import ThumbnailTask


class CachedPictures:
    """Finds and keeps what `task` draws. `listed` gives the listed file of a path, `note` is told by path
    why a file has no picture, or with an empty text that it has one.

    The methods read files: call them in a thread of their own.
    """

    def __init__(
        self,
        task: ThumbnailTask,
        listed: Callable[[str], SourceFile | None],
        note: Callable[[str, str], None],
    ) -> None:
        self._task, self._listed, self._note = task, listed, note
        self._cache = ThumbnailCache()

    def get(self, path: str) -> bytes | str | None:
        """The PNG of a file, the reason why it has none, or None if that is not known."""
        file = self._listed(path)
        found = self._cache.find(path, file.version, self._task) if file is not None else None
        if found is None:
            return None
        self._note(path, found.error)
        return found.error or found.png

    def put(self, path: str, outcome: Outcome) -> None:
        """Keep a thumbnail, or the reason why there is none if it lasts until the file changes."""
        file = self._listed(path)
        if file is not None:
            keep(self._cache, file, self._task, outcome)
        self._note(path, outcome.why)
