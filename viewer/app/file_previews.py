"""Thumbnails of image files that panels offer: decoded in a task, one at a time, the latest kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from viewer.app.tasks import Task, Tasks
from viewer.arrays import Array
from viewer.storage.image import read_small_image
from viewer.storage.search import lone
from viewer.view.view_info import PanelPicture, Preview

SMALL = 96
"""Pixels of the longer side of a thumbnail."""
KEPT_THUMBNAILS = 256
"""The number of thumbnails that are kept: 9 MiB. A model offers no more files."""
WAITING = ""


class FilePreviews:
    """`shrink` gives the pixels of a thumbnail in a task, `make` its picture, `drop` releases it."""

    def __init__(
        self,
        tasks: Tasks,
        shrink: Callable[..., Array],
        make: Callable[[Array], PanelPicture],
        drop: Callable[[PanelPicture], None],
    ) -> None:
        self._shrink, self._make, self._drop = shrink, make, drop
        self._tasks = tasks
        self._task: Task | None = None
        self._known: dict[str, Preview] = {}

    def get(self, path: str) -> Preview:
        """The thumbnail of a file, `WAITING` while it is being made, or the reason why there is none.

        A panel asks for the files in view in every frame; the first unknown file is decoded next.
        """
        if path in self._known:
            self._known[path] = self._known.pop(path)  # asked for last
            return self._known[path]
        if self._task is None:
            self._task = self._tasks.submit(
                ("preview", id(self)), partial(self._pixels, path), partial(self._take, path)
            )
        return WAITING

    def close(self) -> None:
        """Make no more thumbnails."""
        if self._task is not None:
            self._tasks.cancel(self._task)

    def _pixels(self, path: str, task: Task) -> Array:
        return self._shrink(read_small_image(lone(path), SMALL))

    def _take(self, path: str, task: Task) -> None:
        self._task = None
        pixels: Array | None = task.value
        self._known[path] = task.error or "cannot be read" if pixels is None else self._make(pixels)
        if len(self._known) > KEPT_THUMBNAILS:
            oldest = self._known.pop(next(iter(self._known)))
            if isinstance(oldest, PanelPicture):
                self._drop(oldest)
