"""Loads files in a worker thread, which parses, decodes and measures; the frame loop collects the results."""

from __future__ import annotations

import queue
import threading
import traceback
from collections.abc import Callable, Mapping

from msgspec import Struct, field

from viewer.arrays import Array, damaged_numbers
from viewer.errors import ViewerError
from viewer.formats import open_document
from viewer.render.morphs import RecordsByStreams, all_records
from viewer.scene.document import Document
from viewer.scene.material import Image
from viewer.scene.model import Model, pictured
from viewer.scene.names import path_key
from viewer.scene.texture_decoding import decode_textures
from viewer.session.pending_files import FileProgress
from viewer.storage.reading import cancelled_by
from viewer.view.clip_points import measure
from viewer.view.framing import posed_bounds

NAME = "loader"
"""The name of the worker thread."""
LAST = 0.5
"""Seconds that the end of an idle worker thread is waited for."""
Opener = Callable[[str], Document]


class LoadResult(Struct, frozen=True):
    """The result of loading one path: a document and the decoded images by texture number, or the error text.

    `job` is its ticket, `extent` the model's box [2, 3] at rest in viewer space, and `records` are the GPU
    records of its morphs.
    """

    path: str
    job: int
    document: Document | None = None
    images: Mapping[int, Image] = field(default_factory=dict)
    extent: Array | None = None
    records: RecordsByStreams = field(default_factory=dict)
    error: str = ""

    @property
    def sound(self) -> bool:
        """Whether the file, its animations, images and named models were all read completely."""
        document = self.document
        if document is None or not document.report.complete:
            return False
        undecoded = (
            n for n, each in enumerate(pictured(document.model)) if each.decode and n not in self.images
        )
        whole = all(each.report.complete for each in document.attached)
        named = document.model.references if document.model else ()
        return whole and all(each.complete for each in named) and next(undecoded, None) is None


class _Job(Struct):
    number: int
    path: str
    cancelled: threading.Event = field(default_factory=threading.Event)
    now: tuple[str, float | None] = ("waiting", None)

    def note(self, step: str, share: float | None = None) -> None:
        """Note the progress."""
        self.now = step, share


class Loader:
    """A worker thread that reads one file after another. Nothing here waits for a file.

    `open` queues files, `finished` returns documents. When the file that is being read is cancelled, another
    thread takes the place of its thread, which ends by itself when it opens the next file.
    """

    def __init__(self, opener: Opener = open_document) -> None:
        self._opener = opener
        self._waiting: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[LoadResult] = queue.SimpleQueue()
        self._news = threading.Event()
        self._jobs: dict[int, _Job] = {}
        self._count = 0
        self._lock = threading.Lock()
        self._running: _Job | None = None
        self._closed = False
        self._thread = self._begin()

    @property
    def busy(self) -> tuple[str, ...]:
        """The paths that are being read or are queued."""
        return tuple(job.path for job in self._jobs.values())

    @property
    def progress(self) -> tuple[FileProgress, ...]:
        """The progress of each queued path."""
        return tuple(FileProgress(job.path, *job.now) for job in self._jobs.values())

    def holds(self, ticket: int) -> bool:
        """Whether a result may still come."""
        return ticket in self._jobs

    def open(self, path: str) -> int:
        """Queue a file and return its ticket. It replaces a queued or running job for the same path."""
        for job in [job for job in self._jobs.values() if path_key(job.path) == path_key(path)]:
            self.drop(job.number)
        self._count += 1
        job = _Job(self._count, path)
        self._jobs[job.number] = job
        self._waiting.put(job)
        return job.number

    def drop(self, ticket: int) -> None:
        """Cancel one file; no effect if it is finished."""
        job = self._jobs.pop(ticket, None)
        if job is None:
            return
        with self._lock:
            job.cancelled.set()
            abandoned = self._running is job
            if abandoned:
                self._running = None
        if abandoned and not self._closed:
            self._thread = self._begin()

    def cancel(self) -> None:
        """Cancel all unfinished files."""
        for ticket in [*self._jobs]:
            self.drop(ticket)

    def finished(self) -> list[LoadResult]:
        """The results since the last call, in order; cancelled files are left out."""
        found: list[LoadResult] = []
        while True:
            try:
                loaded = self._done.get_nowait()
            except queue.Empty:
                return found
            if self._jobs.pop(loaded.job, None) is not None:
                found.append(loaded)

    def wait(self, seconds: float) -> None:
        """Wait until another file is finished, at most for that many seconds."""
        self._news.wait(seconds)
        self._news.clear()

    def close(self) -> None:
        """Cancel all files and end the thread. A thread that is reading a file ends later, by itself."""
        self._closed = True
        idle = self._running is None
        self.cancel()
        self._waiting.put(None)
        if idle:
            self._thread.join(LAST)

    def _begin(self) -> threading.Thread:
        """Start a thread that reads the queued files."""
        thread = threading.Thread(target=self._work, name=NAME, daemon=True)
        thread.start()
        return thread

    def _work(self) -> None:
        """Read the queued files, until the file being read is cancelled: then another thread continues."""
        while (job := self._waiting.get()) is not None:
            with self._lock:
                if job.cancelled.is_set():
                    continue
                self._running = job
            if not self._finish(job):
                return

    @damaged_numbers()
    def _finish(self, job: _Job) -> bool:
        """Read one file, and pass it on; False if it was cancelled meanwhile. A waiting thread holds no
        result."""
        with cancelled_by(job.cancelled.is_set):
            result = self._read(job)
        with self._lock:
            if job.cancelled.is_set():
                return False
            self._running = None
        self._done.put(result)
        self._news.set()
        return True

    def _read(self, job: _Job) -> LoadResult:
        """Read one file. Every exception becomes a message: a viewer must survive the files that it is
        shown."""
        try:
            job.note("reading")
            document = self._opener(job.path)
            images = decode_textures(document, job.cancelled.is_set, job.note)
            job.note("measuring")
            model = document.model or Model("")
            extent, records = posed_bounds(model), all_records(model)
            measure(model)
        except ViewerError as error:
            return LoadResult(job.path, job.number, error=str(error))
        except OSError as error:
            return LoadResult(job.path, job.number, error=f"{job.path}: {error.strerror or error}")
        except MemoryError:
            return LoadResult(
                job.path, job.number, error=f"{job.path}: there is not enough memory to read it"
            )
        except Exception as error:
            traceback.print_exc()
            return LoadResult(job.path, job.number, error=f"{job.path}: {type(error).__name__}: {error}")
        return LoadResult(job.path, job.number, document, images, extent, records)
