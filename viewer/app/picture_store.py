"""The thumbnails of the window in the cache of the user."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from viewer.library.thumbnail import ThumbnailTask
from viewer.library.thumbnail_cache import ThumbnailCache

Version = tuple[int, int]


class CachedPictures:
    """Finds and keeps what `task` draws. `version` gives the time of change and the size of a listed file.

    The methods read files: call them in a thread of their own.
    """

    def __init__(self, task: ThumbnailTask, version: Callable[[str], Version | None]) -> None:
        self._task, self._version = task, version
        self._cache = ThumbnailCache()

    def get(self, path: str) -> bytes | str | None:
        """The PNG of a file, the reason why it has none, or None if that is not known."""
        version = self._version(path)
        found = self._cache.find(path, version, self._task) if version is not None else None
        return None if found is None else found.error or found.png

    def put(self, path: str, made: Any) -> None:
        """Keep a thumbnail, or the reason why there is none."""
        version = self._version(path)
        if version is not None:
            self._cache.keep(path, version, self._task, made)
