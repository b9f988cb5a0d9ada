"""Documents on their way to the GPU, a part in each frame."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator

from msgspec import Struct

from viewer.app.loader import LoadResult
from viewer.app.viewport import Viewport
from viewer.scene.document import Document
from viewer.session.pending_files import FileProgress

BUDGET = 0.012
"""Seconds of a frame for uploads; the rest is left to the next frame."""


class _Upload(Struct, eq=False):
    """A document being uploaded; `share` is the progress."""

    document: Document
    loaded: LoadResult
    steps: Iterator[float]
    share: float = 0.0


class Uploads:
    """Uploads documents one after the other. `step` goes on once a frame."""

    def __init__(self, viewport: Viewport) -> None:
        self._viewport = viewport
        self._waiting: deque[_Upload] = deque()

    def begin(self, document: Document, loaded: LoadResult) -> None:
        """Upload a loaded document after those before it."""
        self._waiting.append(_Upload(document, loaded, self._viewport.put(document, loaded.images, loaded)))

    def step(self) -> Iterator[LoadResult]:
        """Continue for a part of a frame; yields what is finished. A share that comes twice leaves the rest
        of the frame free, because the next step is long.
        """
        end = time.perf_counter() + BUDGET
        while self._waiting and time.perf_counter() < end:
            upload = self._waiting[0]
            share = next(upload.steps, None)
            if share is None:
                self._waiting.popleft()
                yield upload.loaded
            elif share == upload.share:
                return
            else:
                upload.share = share

    def cancel(self) -> None:
        """Release what was uploaded of unfinished documents."""
        for upload in self._waiting:
            self._viewport.drop(upload.document)
        self._waiting.clear()

    def holds(self, job: int) -> bool:
        """Whether the document of a loader's job is being uploaded."""
        return any(each.loaded.job == job for each in self._waiting)

    @property
    def documents(self) -> tuple[Document, ...]:
        """The documents being uploaded."""
        return tuple(each.document for each in self._waiting)

    @property
    def progress(self) -> tuple[FileProgress, ...]:
        """How far each upload is."""
        return tuple(FileProgress(each.loaded.path, "to the GPU", each.share) for each in self._waiting)
