"""A thread that reads thumbnails from the cache and decodes them, the latest request first."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from viewer.arrays import Array
from viewer.dataclass import dataclass
from viewer.storage.image import decode_image

Work = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class ReadPicture:
    """The result of a request: its `name`, what the work gave, or the `error` that it raised."""

    name: str
    value: Any = None
    error: str = ""


class PictureReader:
    """`ask` requests work, `results` has what is finished; neither waits. `wake` is called from the thread
    when there is something new. The thread is a daemon: the end of the program does not wait for it.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._ready = threading.Condition()
        self._waiting: deque[tuple[str, Work]] = deque()
        self._done: deque[ReadPicture] = deque()
        self._closed = False
        self._begun = False

    def ask(self, name: str, work: Work) -> None:
        """Do the work before all work that waits."""
        if not self._begun:
            self._begun = True
            threading.Thread(target=self._run, name="thumbnails", daemon=True).start()
        with self._ready:
            self._waiting.appendleft((name, work))
            self._ready.notify()

    def result(self) -> ReadPicture | None:
        """The next finished work."""
        return self._done.popleft() if self._done else None

    @property
    def waiting(self) -> bool:
        """Whether results can be taken."""
        return bool(self._done)

    def close(self) -> None:
        """End the thread after its present work."""
        with self._ready:
            self._closed = True
            self._waiting.clear()
            self._ready.notify()

    def _run(self) -> None:
        while True:
            with self._ready:
                while not self._waiting and not self._closed:
                    self._ready.wait()
                if self._closed:
                    return
                name, work = self._waiting.popleft()
            try:
                result = ReadPicture(name, work())
            except Exception as error:  # of any broken file in the cache
                result = ReadPicture(name, None, str(error) or type(error).__name__)
            self._done.append(result)
            self._wake()


def decoded(png: bytes) -> Array:
    """[height, width, 4] u8: the pixels of a PNG file. FormatError if it is damaged."""
    return decode_image(png, "thumbnail.png").levels[0]
