"""The thumbnails of listed files: from the cache, or drawn by worker processes; visible files first."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Any, Protocol

import moderngl
import numpy as np

from viewer.app.tasks import Task, Tasks
from viewer.arrays import Array
from viewer.errors import ViewerError
from viewer.library.file_sources import SourceFile
from viewer.library.outcome import Outcome
from viewer.library.thumbnails.batch import keep
from viewer.library.thumbnails.cache import ThumbnailCache
from viewer.library.thumbnails.thumbnail import ThumbnailTask
from viewer.library.workers.pool import WorkerPool
from viewer.session.file_list import WAITING
from viewer.storage.image import decode_image
from viewer.view.view_info import PanelPicture, Preview

TURNS = 24
"""The number of pictures for a full turn; a model turns while the pointer is over its thumbnail."""
BUDGET = 2e-3
"""Seconds per frame for uploads of finished pictures."""
READING = 48
"""The largest number of pictures being read from the cache. Further pictures wait, because scrolling may
change which of them are needed next.
"""
SECONDS = 30.0
"""The time limit in seconds for drawing one file."""
SMALL = 128
"""The width in pixels up to which thumbnails are loaded at half size, because many small thumbnails are
visible at once.
"""
LATE = 1.0
"""Seconds between two checks whether a worker process has exceeded its time limit."""
TURNED, LISTED = 0, 1
"""The priorities for reading pictures: the turning model comes before the list."""
TURN = "\0"
"""Separates a file's path from the picture number in the name of a turn picture."""


class ThumbnailStore(Protocol):
    """The cache of thumbnails. Call its methods in a thread."""

    def get(self, path: str) -> bytes | str | None:
        """The PNG of a file, or the reason why the file has none. None if neither is known."""

    def put(self, path: str, outcome: Outcome) -> None:
        """Store the worker's outcome: a picture, or the reason why the file has none.

        A reason is valid until the file changes.
        """


class FileThumbnails:
    """Reads and draws the thumbnails of visible files. Pass the visible files to `want` in each frame,
    nearest first.

    Call `step` once a frame; it does not wait. `jobs` is the number of processes that draw; with 0, nothing
    is drawn.
    """

    def __init__(self, ctx: moderngl.Context, jobs: int, tasks: Tasks) -> None:
        self._jobs, self._tasks = jobs, tasks
        self._task: Callable[..., Any] | None = None
        self._store: ThumbnailStore | None = None
        self._textures = FileTextures(ctx)
        self._arrived: deque[tuple[str, Task]] = deque()
        self._pool: WorkerPool | None = None
        self._errors: dict[str, str] = {}
        self._reading: set[str] = set()
        self._absent: set[str] = set()
        self._drawing: set[str] = set()
        self._turned = ""
        self._in_view: frozenset[str] = frozenset()
        self._small = False
        self.problem = ""

    def use(self, task: Callable[..., Any], store: ThumbnailStore) -> None:
        """Draw with another task from now on.

        `task(path)` returns an object with a `png`, and `task(path, TURNS)` returns a tuple of PNGs.
        """
        if self._pool is not None:
            self._pool.close()
        self._pool, self._task, self._store = None, task, store
        for known in (self._errors, self._reading, self._absent, self._drawing):
            known.clear()
        self._turned = ""
        self._textures.release()

    @property
    def drawing(self) -> int:
        """The number of files that workers are drawing."""
        return len(self._drawing)

    def picture(self, path: str) -> Preview:
        """The thumbnail of a file, WAITING before it is drawn, or the reason why it has none."""
        return self._textures.get(path) or self._errors.get(path, WAITING)

    def turned(self, path: str, share: float) -> Preview:
        """The picture of a model turned by `share` of a full turn; WAITING before it is drawn."""
        return self._textures.get(f"{path}{TURN}{int(share * TURNS) % TURNS}") or WAITING

    def want(self, paths: Sequence[str], side: float) -> None:
        """Read or draw the pictures of these files in this order; they are shown `side` pixels wide."""
        self._in_view, self._small = frozenset(paths), side <= SMALL
        for path in paths:
            if any(path in known for known in (self._errors, self._drawing, self._reading)):
                continue
            if self._textures.side(path) >= (SMALL if self._small else SMALL + 1):
                continue
            if path in self._absent:
                self._draw(path)
            elif len(self._reading) < READING:
                self._reading.add(path)
                self._read(path, partial(self._stored, path, self._small))

    def turn(self, path: str) -> None:
        """Draw a model from all sides; only the pictures of the latest model are kept."""
        if path == self._turned or path not in self._textures or not self._jobs:
            return
        self._forget_turn()
        self._turned = path
        self._submit(path, TURNS)

    def forget(self, paths: Iterable[str]) -> None:
        """Draw the pictures of changed files again."""
        for path in paths:
            self._textures.drop(path)
            self._errors.pop(path, None)
            self._absent.discard(path)
            if path == self._turned:
                self._forget_turn()

    def step(self) -> None:
        """Store finished pictures."""
        if self._pool is not None:
            try:
                outcomes = self._pool.poll()
            except ViewerError as error:
                self.problem, self._pool, self._jobs = str(error), None, 0
                return
            for outcome in outcomes:
                self._take(outcome)
        end = time.perf_counter() + BUDGET
        while time.perf_counter() < end and self._arrived:
            name, task = self._arrived.popleft()
            self._arrive(name, task.value, task.error)
        if self._arrived:
            self._tasks.request_frame_in(0.0)
        elif self._drawing:
            self._tasks.request_frame_in(LATE)

    def close(self) -> None:
        """End the worker processes and release the pictures, without waiting."""
        if self._pool is not None:
            self._pool.close()
        self._textures.release()

    def _draw(self, path: str) -> None:
        if self._task is not None and self._jobs and len(self._drawing) < 2 * self._jobs:
            self._drawing.add(path)
            self._submit(path)

    def _submit(self, path: str, *more: Any) -> None:
        assert self._task is not None, "a task draws the pictures"
        if self._pool is None:
            self._pool = WorkerPool(self._task, self._jobs, SECONDS, notify=self._tasks.request_frame)
        self._pool.submit(path, *more)

    def _read(self, name: str, work: Callable[[], Any], priority: int = LISTED) -> None:
        """Read or decode a picture in a task."""
        then = partial(self._take_read, name)
        self._tasks.submit(("picture", name), lambda task: work(), then, "pictures", priority)

    def _take_read(self, name: str, task: Task) -> None:
        self._arrived.append((name, task))

    def _stored(self, path: str, small: bool) -> Any:
        """Read a picture from the cache, in a thread.

        Return the pixels, the reason why the file has no picture, or None if the cache has neither.
        """
        found = self._store.get(path) if self._store is not None else None
        return decoded(found, small) if isinstance(found, bytes) else found

    def _take(self, outcome: Outcome) -> None:
        """Store a worker's result for a file."""
        path, value, _ = outcome
        if isinstance(value, tuple):
            for number, png in enumerate(value if path == self._turned else ()):
                self._read(f"{path}{TURN}{number}", partial(decoded, png), TURNED)
            return
        if path not in self._drawing:  # the pictures of a turn failed, so the thumbnail stays
            return
        self._drawing.discard(path)
        if outcome.why:
            self._errors[path] = outcome.why
        self._reading.add(path)
        self._read(path, partial(self._kept, outcome, self._small))

    def _kept(self, outcome: Outcome, small: bool) -> Any:
        """Store a worker's result for a file in the cache, in a thread.

        Return the pixels, or the reason why the file has no picture.
        """
        if self._store is not None:
            self._store.put(outcome.path, outcome)
        return outcome.why or decoded(outcome.value.png, small)

    def _arrive(self, name: str, value: Any, error: str) -> None:
        """Store the pixels of a picture, or the reason why there are none."""
        self._reading.discard(name)
        if TURN in name:
            if name.startswith(self._turned + TURN) and value is not None:
                self._textures.put(name, value, self._in_view)
        elif error or isinstance(value, str):
            self._errors[name] = error or value
        elif value is None:
            self._absent.add(name)
        else:
            self._absent.discard(name)
            self._textures.put(name, value, self._in_view)

    def _forget_turn(self) -> None:
        for number in range(TURNS):
            self._textures.drop(f"{self._turned}{TURN}{number}")
        self._turned = ""


def decoded(png: bytes, small: bool = False) -> Array:
    """[height, width, 4] u8: the pixels of a PNG file; with `small` at half the width and height.

    FormatError if it is damaged.
    """
    pixels = decode_image(png, "thumbnail.png").levels[0]
    if not small:
        return pixels
    from PIL import Image

    return np.asarray(Image.fromarray(pixels).convert("RGBa").reduce(2).convert("RGBA"))


TEXTURE_BYTES = 40 << 20
"""The largest number of bytes of all textures together. Visible textures are kept even if they exceed it."""


class FileTextures:
    """Textures by name.

    If they take too much memory, `put` releases the invisible textures that were used least recently.
    """

    def __init__(self, ctx: moderngl.Context, most: int = TEXTURE_BYTES) -> None:
        self._ctx, self._most = ctx, most
        self._known: OrderedDict[str, tuple[moderngl.Texture, PanelPicture]] = OrderedDict()
        self.bytes = 0

    def __contains__(self, name: str) -> bool:
        return name in self._known

    def get(self, name: str) -> PanelPicture | None:
        """The texture with that name; None if there is none."""
        found = self._known.get(name)
        if found is None:
            return None
        self._known.move_to_end(name)
        return found[1]

    def side(self, name: str) -> int:
        """The longer side in pixels of the texture with that name; 0 if there is none."""
        return max(self._known[name][1].size) if name in self._known else 0

    def put(self, name: str, pixels: Array, in_view: Collection[str] = ()) -> None:
        """Make a texture of pixels [height, width, 4] u8, first row on top."""
        self.drop(name)
        height, width = pixels.shape[:2]
        texture = self._ctx.texture((width, height), 4, np.ascontiguousarray(pixels), alignment=1)
        texture.filter = moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR
        texture.build_mipmaps()
        self._known[name] = texture, PanelPicture(texture.glo, (width, height))
        self.bytes += _size(texture)
        for oldest in [*self._known] if self.bytes > self._most else ():
            if self.bytes > self._most and oldest != name and oldest not in in_view:
                self.drop(oldest)

    def drop(self, name: str) -> None:
        """Release the texture with that name, if it exists."""
        if name in self._known:
            texture, _ = self._known.pop(name)
            self.bytes -= _size(texture)
            texture.release()

    def release(self) -> None:
        """Release all textures."""
        for name in [*self._known]:
            self.drop(name)


def _size(texture: moderngl.Texture) -> int:
    """The size in bytes of a texture with its mip levels."""
    return texture.width * texture.height * 4 * 4 // 3


class CachedThumbnails:
    """Finds and stores the thumbnails that `task` draws.

    `listed` returns the listed file of a path. `note(path, why)` stores the reason why a file has no picture;
    an empty reason means that it has one. The methods read files: call them in a task.
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
        """The PNG of a file, or the reason why the file has none. None if neither is known."""
        file = self._listed(path)
        found = self._cache.find(path, file.version, self._task) if file is not None else None
        if found is None:
            return None
        self._note(path, found.error)
        return found.error or found.png

    def put(self, path: str, outcome: Outcome) -> None:
        """Store a thumbnail, or the reason why the file has none.

        A reason is stored only if it stays true until the file changes.
        """
        file = self._listed(path)
        if file is not None:
            keep(self._cache, file, self._task, outcome)
        self._note(path, outcome.why)
