"""Thumbnails of image files that panels offer: decoded in the background, one at a time, the latest kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from viewer.app.background_tasks import BackgroundTasks
from viewer.arrays import Array
from viewer.storage.image import read_small_image
from viewer.storage.search import lone
from viewer.view.view_info import PanelPicture, Preview

SMALL = 96
"""Pixels of the longer side of a thumbnail."""
MOST = 256
"""The number of thumbnails that are kept: 9 MiB. A model offers no more files."""
WAITING = ""


class FilePreviews:
    """`shrink` gives the pixels of a thumbnail in the background, `make` its picture, `drop` releases it."""

    def __init__(
        self,
        shrink: Callable[..., Array],
        make: Callable[[Array], PanelPicture],
        drop: Callable[[PanelPicture], None],
    ) -> None:
        self._shrink, self._make, self._drop = shrink, make, drop
        self._tasks = BackgroundTasks()
        self._known: dict[str, Preview] = {}

    def get(self, path: str) -> Preview:
        """The thumbnail of a file, `WAITING` while it is being made, or the reason why there is none.

        A panel asks for the files in view in every frame; the first unknown file is decoded next.
        """
        self._tasks.step()
        if path in self._known:
            self._known[path] = self._known.pop(path)  # asked for last
            return self._known[path]
        if not self._tasks.busy:
            self._tasks.run(partial(self._take, path), self._pixels, path)
        return WAITING

    def _pixels(self, path: str) -> Array:
        return self._shrink(read_small_image(lone(path), SMALL))

    def _take(self, path: str, pixels: Array | None, error: str) -> None:
        self._known[path] = error or "cannot be read" if pixels is None else self._make(pixels)
        if len(self._known) > MOST:
            oldest = self._known.pop(next(iter(self._known)))
            if isinstance(oldest, PanelPicture):
                self._drop(oldest)
