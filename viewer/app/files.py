"""The life of open files: opening, reloading, stepping to neighbours, watching. Nothing here blocks."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from functools import partial

from viewer.app.background_tasks import BackgroundTasks
from viewer.app.file_chooser import FileChooser
from viewer.app.hot_reload import HotReload
from viewer.app.loader import Loader, LoadResult
from viewer.app.missing_files import MissingFiles
from viewer.app.model_files import open_path
from viewer.app.neighbour_files import NeighbourFiles
from viewer.app.uploads import Uploads
from viewer.app.viewport import Viewport
from viewer.app.work_thread import YIELD
from viewer.formats import suffixes
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.scene.names import JOINT, path_key
from viewer.scene.package import Package
from viewer.session import requests as ask
from viewer.session.pending_files import FileProgress
from viewer.session.requests import Files, Post
from viewer.session.state import State
from viewer.storage.listing import natural_key
from viewer.storage.package_path import on_disk, split
from viewer.ui.dialogs.file_dialog import FileDialog


class FileManager:
    """Manages the open files. `take` accepts a request, `step` continues all work once a frame.

    `unread` is set if one of the first files could not be read completely. `wake` is called from other
    threads when `step` has something to do. The answer of the system's dialog is given to `post`, folders and
    packages that are opened to `list_files`.
    """

    def __init__(
        self,
        state: State,
        viewport: Viewport,
        dialog: FileDialog | None,
        wake: Callable[[], None],
        post: Post,
        list_files: Callable[[str], None] = lambda place: None,
    ) -> None:
        self.unread = False
        self._list_files = list_files
        self._state = state
        self._post = post
        self._viewport = viewport
        state.pending_files.suffixes = suffixes
        self._tasks = BackgroundTasks()
        self._choosing = FileChooser(state, dialog, self._tasks)
        self._neighbours = NeighbourFiles(state, self._tasks)
        self._missing = MissingFiles(state)
        self._loader = Loader(open_path)
        self._uploads = Uploads(viewport)
        self._first: set[int] = set()
        self._asked: set[int] = set()
        self._instead: dict[int, tuple[Document, bool]] = {}
        self._sound: set[str] = set()
        self._hot_reload = HotReload(state, viewport, wake)
        self._kept_camera = False

    def begin(self, paths: Iterable[str]) -> None:
        """Open the first files; they are `starting` until all are loaded."""
        self._first = {self._start(path) for path in paths}

    def begun(self, seconds: float) -> None:
        """Wait for the first files, at most for that many seconds."""
        end = time.perf_counter() + seconds
        while self.starting and (left := end - time.perf_counter()) > 0:
            if not self._uploads.documents:
                self._loader.wait(left)
            self.step()

    @property
    def starting(self) -> bool:
        """Whether some of the first files are not loaded yet."""
        return bool(self._first)

    @property
    def busy(self) -> tuple[str, ...]:
        """The paths of the files being loaded."""
        return tuple(each.path for each in self._progress())

    @property
    def restless(self) -> bool:
        """Whether something is in progress."""
        return bool(self._choosing.waiting or self._tasks.busy or self.busy)

    def take(self, request: Files) -> None:
        """Accept a request."""
        match request:
            case (
                ask.Open(())
                | ask.OpenFolder(None)
                | ask.GiveFile(path=None)
                | ask.AddResourceFolder(path=None)
                | ask.SaveFilePictures(path=None)
                | ask.SaveAs()
            ):
                self._choosing.ask(request)
            case ask.Open(paths):
                self._asked |= {self._start(path) for path in paths}
            case ask.OpenListed(path):
                self._open_listed(path)
            case ask.ListFiles(place):
                document = self._state.document
                if place is None and document is not None:
                    place = place_of(document.path)
                if place is not None:
                    self._list_files(place)
            case ask.OpenFolder(str(path)):
                self._open((path,))
            case ask.GiveFile() | ask.AddResourceFolder() | ask.RemoveResourceFolder():
                if self._missing.take(request):
                    self._open(document.path for document in self._state.documents)
            case ask.Browse(folder):
                self._choosing.browse(folder)
            case ask.OpenNeighbour(by, keep_camera):
                self._neighbours.find(by, keep_camera, partial(self._exchange_for, keep_camera))
            case ask.CancelLoading():
                self._cancel()
            case ask.Watch():
                self.watch(not self._state.pending_files.watching)
            case ask.Reload():
                self._hot_reload.reload_shaders()
                self._missing.forget()
                self._open(document.path for document in self._state.documents)
            case ask.CloseDocument(number):
                self._close(self._state.current if number is None else number)

    def step(self) -> None:
        """Take in what is finished, and continue the rest."""
        self._poll()
        if self._loader.busy:
            self._loader.wait(YIELD)
        for loaded in self._loader.finished():
            self._arrive(loaded)
        for loaded in self._uploads.step():
            self._add(loaded)
        self._first = {job for job in self._first if self._waits(job)}
        self._state.pending_files.loading = self._progress()
        self._neighbours.accompany()

    def kept_camera(self) -> bool:
        """Whether the camera stays as it is for the document that came into view; asked once."""
        kept, self._kept_camera = self._kept_camera, False
        return kept

    def watch(self, on: bool) -> None:
        """Start or stop reloading files when they change."""
        self._hot_reload.watch(on)

    def close(self) -> None:
        """Stop everything; all reading threads have ended when this returns."""
        self._loader.close()
        self._hot_reload.close()
        self._missing.close()

    def _open(self, paths: Iterable[str]) -> None:
        for path in paths:
            self._start(path)

    def _start(self, path: str) -> int:
        self._neighbours.enter(path)
        if os.path.isdir(path):
            self._list_files(path)
        return self._loader.open(path)

    def _open_listed(self, path: str) -> None:
        """Open a file of the list. A file that can stand alone takes the place of a listed one."""
        table, document, shown = self._state.files.table, self._state.document, self._shown(path)
        lone = not path.lower().endswith(suffixes("animation") + suffixes("package"))
        if shown is not None and lone:
            self._state.show(self._state.documents.index(shown))
        elif lone and document and table and table.row(os.path.abspath(document.path)) is not None:
            self._exchange_for(False, path, document)
        else:
            self._open((path,))

    def _exchange_for(self, keep_camera: bool, found: str, old: Document) -> None:
        """Open a neighbour file; if keys repeat faster than files load, the files between are skipped."""
        for ticket in self._instead:
            self._loader.drop(ticket)
        self._instead = {self._loader.open(found): (old, keep_camera)}

    def _cancel(self) -> None:
        self._uploads.cancel()
        self._loader.cancel()
        self._instead.clear()
        self._first.clear()

    def _close(self, number: int) -> None:
        if number < len(self._state.documents):
            self._state.close(number)
            self._tidy()

    def _tidy(self) -> None:
        self._viewport.keep([*self._state.documents, *self._uploads.documents])

    def _poll(self) -> None:
        if (answer := self._choosing.poll()) is not None:
            self._post(answer)
        self._tasks.step()
        self._open(self._hot_reload.step())

    def _arrive(self, loaded: LoadResult) -> None:
        """Start the upload of a loaded file, unless it is more damaged than the version that is shown."""
        self.unread |= loaded.job in self._first and not (loaded.document and loaded.document.report.complete)
        document = loaded.document
        shown = self._shown(document.path if document else loaded.path)
        if document is None or (
            shown is not None and not loaded.sound and path_key(shown.path) in self._sound
        ):
            why = str(document.report.errors[0]) if document and document.report.errors else loaded.error
            rest = "; the version read before stays open" if shown else ""
            self._state.say(f"{why or f'{loaded.path} is not complete'}{rest}", "error")
            self._instead.pop(loaded.job, None)
            return
        self._uploads.begin(document, loaded)

    def _shown(self, path: str) -> Document | None:
        return next((each for each in self._state.documents if path_key(each.path) == path_key(path)), None)

    def _add(self, loaded: LoadResult) -> None:
        """Add a finished document; an animation for the model in view plays at once."""
        state, document = self._state, loaded.document
        assert document is not None, "only documents arrive"
        for error in document.report.errors[:1]:
            state.say(str(error), "error")
        (self._sound.add if loaded.sound else self._sound.discard)(path_key(document.path))
        shown, count = self._shown(document.path), len(state.documents)
        instead, self._kept_camera = self._instead.pop(loaded.job, (None, False))
        lone = state.document.content if state.document and state.skeleton is None else None
        state.put(document)
        if isinstance(lone, Animation) and state.document is document:
            state.choose(lone)
        asked = loaded.job in self._asked
        self._asked.discard(loaded.job)
        if asked and shown is not None and not isinstance(document.content, Animation):
            state.show(state.documents.index(document))
        if shown is not None:
            from viewer.app.transfer_view import carry_over  # imported for files that are read again

            carry_over(state, shown, document)
        if instead is not None and instead in state.documents and shown is None:
            state.exchange(instead)
        self._tidy()
        state.interface.remember(os.path.abspath(document.path))
        if isinstance(document.content, Package) and shown is None and instead is None:
            self._list_files(document.path)
            self._open(first_models(document))
        attached = state.document is not document and len(state.documents) > count
        if attached and isinstance(document.content, Animation) and not self._first:
            state.choose(document.content)
            state.clock.play()

    def _waits(self, job: int) -> bool:
        return self._loader.holds(job) or self._uploads.holds(job)

    def _progress(self) -> tuple[FileProgress, ...]:
        return (*self._uploads.progress, *self._loader.progress)


def first_models(document: Document) -> tuple[str, ...]:
    """The path of the first model of a package; empty if it has none."""
    assert isinstance(document.content, Package), "its files are listed"
    models = (name for name in document.content.names if name.lower().endswith(suffixes("model")))
    first = min(models, key=natural_key, default=None)
    return () if first is None else (f"{document.path}{JOINT}{first}",)


def place_of(path: str) -> str:
    """The folder that holds a file, or its package."""
    return on_disk(path) if split(path) else os.path.dirname(os.path.abspath(path))
