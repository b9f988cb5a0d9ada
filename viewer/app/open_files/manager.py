"""The life cycle of open files: opening, reloading, stepping to neighbours, watching. No call waits for a
file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from functools import partial

from viewer.actions.light import choose_environment
from viewer.actions.looks import character_of
from viewer.app.open_files.carried_view import carry_over
from viewer.app.open_files.clip_rigs import note_mismatches, wants_rig
from viewer.app.open_files.compared_pair import ComparedPair
from viewer.app.open_files.file_chooser import FileChooser
from viewer.app.open_files.hot_reload import HotReload
from viewer.app.open_files.loading import LoadResult, load
from viewer.app.open_files.look_opening import wear_look
from viewer.app.open_files.missing_files import MissingFiles
from viewer.app.open_files.model_files import open_path
from viewer.app.open_files.neighbour_files import NeighbourFiles
from viewer.app.open_files.opening import Opening, chosen_look, opener_of
from viewer.app.open_files.table_reference import expected_path, opened_table, select_row
from viewer.app.tasks import PROGRESS_INTERVAL, Task, Tasks
from viewer.app.viewport import Viewport
from viewer.errors import counted
from viewer.family.guard import busy_plugin
from viewer.family.registry import has_role, kinds_by_suffix
from viewer.scene.animation import Animation
from viewer.scene.choices import ENVIRONMENT_SUFFIX, LOOK
from viewer.scene.document import Document
from viewer.scene.model import hidden_by_default
from viewer.scene.names import JOINT, file_name, path_key
from viewer.scene.package import Package
from viewer.scene.parts import names_of
from viewer.scene.table import Table
from viewer.session import requests as ask
from viewer.session.pending_files import GONE, FileProgress
from viewer.session.requests import Files, GiveFile, Post, SaveAs
from viewer.session.state import State
from viewer.storage.displays import split_display
from viewer.storage.documents import looks_of
from viewer.storage.listing import natural_key
from viewer.storage.package_path import on_disk, split
from viewer.storage.place import is_game
from viewer.storage.project import list_projects
from viewer.ui.dialogs.file_dialog import FileDialog

UPLOADING = "to the GPU"


PLUGIN_SECONDS = 20.0
"""How many seconds a plugin may read a file before the window gives it up."""


class FileManager:
    """Manages the open files. `take` accepts a request, `step` continues all work once a frame.

    `unread` is True if one of the first files could not be read completely. Paths that the user chooses in
    the system's dialog are passed to `post`. Opened folders and packages are passed to `list_files`.
    """

    def __init__(
        self,
        state: State,
        viewport: Viewport,
        dialog: FileDialog | None,
        tasks: Tasks,
        post: Post,
        list_files: Callable[[str], None] = lambda root: None,
    ) -> None:
        self.unread = False
        self._list_files = list_files
        self._state = state
        self._post = post
        self._viewport = viewport
        self._tasks = tasks
        state.pending_files.kinds = kinds_by_suffix
        self._choosing = FileChooser(state, dialog, tasks)
        self._neighbours = NeighbourFiles(state, tasks)
        self._missing = MissingFiles(state)
        self._opening: list[Opening] = []
        self._pair = ComparedPair(state)
        self._sound: set[str] = set()
        self._tried_rigs: set[str] = set()
        self._hot_reload = HotReload(state, viewport, tasks)
        self._kept_camera = False

    def begin(self, paths: Iterable[str], together: bool = False) -> None:
        """Open the first files; they are `starting` until all are loaded. With `together`, the models are
        joined to the first.
        """
        models = [path for path in paths if has_role(path, "model")] if together else []
        for path in paths:
            if path not in models:
                self._start(path, first=True)
        if models:
            self._load(Opening(models[0], first=True, added=tuple(models[1:])))

    @property
    def starting(self) -> bool:
        """Whether some of the first files are not loaded yet."""
        return any(each.first for each in self._opening)

    @property
    def loading(self) -> tuple[str, ...]:
        """The paths of the files being loaded."""
        return tuple(each.path for each in self._opening)

    def show_asked(self, request: SaveAs | GiveFile) -> bool:
        """Show the document for which the user was asked for a path.

        If the document was closed before the answer, show a message and return False.
        """
        if request.document is None:
            return True
        document = self._state.documents.at(request.document)
        if document is None:
            result = "nothing is saved" if isinstance(request, SaveAs) else "the chosen file is not used"
            self._state.say(f"{file_name(request.document)} was closed, so {result}", "warning")
            return False
        self._state.show(self._state.documents.opened.index(document))
        return True

    def take(self, request: Files) -> None:
        """Carry out a request."""
        match request:
            case ask.GiveFile(path=str()) if not self.show_asked(request):
                pass
            case (
                ask.Open(())
                | ask.AddToView(())
                | ask.OpenFolder(None)
                | ask.OpenLook(None)
                | ask.OpenEnvironment(None)
                | ask.GiveFile(path=None)
                | ask.AddResourceFolder(path=None)
                | ask.SaveFilePictures(path=None)
                | ask.ExportFiles(path=None)
                | ask.SaveAs()
            ):
                self._choosing.ask(request)
            case ask.Open(paths):
                for path in paths:
                    self._start(path, asked=True)
            case ask.AddToView(paths):
                view = self._state.view
                view.added = tuple(dict.fromkeys((*view.added, *paths)))
            case ask.CompareFiles(one, other):
                self._pair.begin(one, other)
                for path in (one, other):
                    self._start(path, asked=True)
            case ask.Drop(paths):
                self._drop(paths)
            case ask.Exchange(path, old):
                self._exchange(path, old)
            case ask.OpenListed(path):
                self._open_listed(path)
            case ask.OpenRow():
                self._open_row(request)
            case ask.OpenRowModel(path, row):
                self._open_row_model(path, row)
            case ask.ListFiles(root):
                document = self._state.document
                if root is None and document is not None:
                    root = folder_or_package_of(document.path)
                if root is not None:
                    self._list_files(root)
            case ask.OpenLook(str(path)):
                wear_look(path, self._state, self._tasks)
            case ask.OpenEnvironment(str(path)):
                choose_environment(self._state, os.path.abspath(path))
            case ask.OpenFolder(str(path)):
                self._open((path,))
            case ask.GiveFile() | ask.AddResourceFolder() | ask.RemoveResourceFolder():
                if self._missing.take(request):
                    self._open(document.path for document in self._state.documents.opened)
            case ask.Browse(folder, text):
                self._choosing.browse(folder, text=text)
            case ask.MakeFolder(path):
                self._choosing.make_folder(path)
            case ask.OpenNeighbour(by, keep_camera):
                self._neighbours.find(by, keep_camera, partial(self._exchange_for, keep_camera))
            case ask.CancelLoading():
                self._cancel(self._opening)
            case ask.Watch():
                self.watch(not self._state.pending_files.watching)
            case ask.Reload(path, everything):
                self._hot_reload.reload_shaders()
                self._viewport.forget_environments()
                self._missing.forget()
                wanted = self._state.document if path is None else self._state.documents.at(path)
                opened = self._state.documents.opened
                there = (each for each in opened if self._state.pending_files.change(each.path) != GONE)
                self._open([each.path for each in there if everything or each is wanted])
            case ask.CloseDocument(number):
                self._close(self._state.documents.current if number is None else number)
            case ask.ReopenTab() if self._state.documents.closed:
                tab = self._state.documents.closed.pop()
                self._load(Opening(tab.path, asked=True, closed=tab))

    def step(self) -> None:
        """Continue the work that does not run as a task."""
        if (answer := self._choosing.poll()) is not None:
            self._post(answer)
        if self._choosing.waiting:
            self._tasks.request_frame_in(PROGRESS_INTERVAL)
        self._open(self._hot_reload.step())
        self._pair.step(self.loading)
        self._give_up()
        self._prefer()
        self._state.pending_files.loading = self._progress()
        self._neighbours.accompany()

    def dress(self) -> None:
        """Dress the model in view if it does not wear the chosen display or look yet. The next step of the
        tasks waits briefly for the result.
        """
        document, view = self._state.document, self._state.view
        if document is None or view.display == document.worn:
            return
        choice = chosen_look(view)
        path = path_key(document.path)
        if not any(path_key(each.path) == path for each in self._opening if each.display in (None, choice)):
            self._state.undo.watch(0.0)  # this call makes the undo step: loading makes none
            self._load(Opening(document.path, listed=True, display=choice))

    def join(self) -> None:
        """Join the chosen files to the model in view, if it does not have them yet."""
        document, view = self._state.document, self._state.view
        if document is None or view.added == document.added:
            return
        path = path_key(document.path)
        if not any(each.added == view.added for each in self._opening if path_key(each.path) == path):
            self._state.undo.watch(0.0)  # this call makes the undo step: loading makes none
            self._load(Opening(document.path, listed=True, added=view.added))

    def kept_camera(self) -> bool:
        """Whether the camera stays unchanged for the document that just came into view.

        The flag is reset: the next call returns False.
        """
        kept, self._kept_camera = self._kept_camera, False
        return kept

    def watch(self, on: bool) -> None:
        """Start or stop reloading files when they change."""
        self._hot_reload.watch(on)

    def close(self) -> None:
        """Stop watching."""
        self._hot_reload.close()

    def _open(self, paths: Iterable[str]) -> None:
        for path in paths:
            self._start(path)

    def _start(self, path: str, first: bool = False, asked: bool = False) -> None:
        self._neighbours.enter(path)
        if os.path.isdir(path) and not is_game(path):
            if os.access(path, os.R_OK | os.X_OK):
                self._state.interface.remember_folder(os.path.abspath(path))
            self._list_files(path)
        self._load(Opening(path, first, asked))

    def _load(self, opening: Opening) -> None:
        """Load a file. A running load of the same path is cancelled."""
        name = path_key(opening.path)
        self._opening = [each for each in self._opening if each.loaded or path_key(each.path) != name]
        self._opening.append(opening)
        shown = self._state.documents.at(opening.path) if opening.display is not None else None
        uploaded = shown.model if shown is not None else None
        work = partial(load, opening.path, opener_of(opening, self._state), uploaded, patient=opening.patient)
        then = partial(self._arrive, opening)
        urgent, opening.awaited = opening.display is not None, self._is_awaited(opening)
        opening.task = self._tasks.submit(
            ("file", name), work, then, lane="files", priority=not opening.awaited, urgent=urgent
        )

    def _is_awaited(self, opening: Opening) -> bool:
        """Whether the user waits for this file: it is new, or its document is in view."""
        shown = self._state.documents.at(opening.path)
        return shown is None or shown is self._state.document

    def _prefer(self) -> None:
        """Let the file for which the user waits now be read before the others."""
        for each in [*self._opening]:
            waits = each.task is not None and not each.task.thread and each.loaded is None
            if waits and not each.awaited and self._is_awaited(each):
                self._load(each)

    def _drop(self, paths: tuple[str, ...]) -> None:
        """Open dropped files.

        If a model is dropped while two models are compared, ask which of the two it replaces.
        """
        (path, *others) = paths
        if path.lower().endswith(ENVIRONMENT_SUFFIX):
            choose_environment(self._state, os.path.abspath(path))
            return
        if path.lower().endswith(LOOK) and character_of(self._state) is not None:
            wear_look(path, self._state, self._tasks)
            return
        model = has_role(path, "model") and self._state.documents.at(path) is None
        if model and not others and self._state.documents.compared is not None:
            self._state.pending_files.dropped = path
            return
        for path in paths:
            self._start(path, asked=True)

    def _exchange(self, path: str, old: str) -> None:
        """Open a file in place of the document with the path `old`."""
        document = self._state.documents.at(old)
        if document is None:
            self._start(path, asked=True)
            return
        self._state.show(self._state.documents.opened.index(document))
        self._exchange_for(True, path, document)

    def _open_listed(self, path: str) -> None:
        """Open a listed file. It replaces the document in view if that document is listed too.

        Animations and packages replace no document.
        """
        in_display = split_display(path)
        model = self._state.documents.at(in_display[0]) if in_display is not None else None
        if in_display is not None and model is not None and model.displays.listed:
            self._state.show(self._state.documents.opened.index(model))
            self._state.view.display = int(in_display[1])
            return
        table, document, shown = self._state.files.table, self._state.document, self._state.documents.at(path)
        lone = not has_role(path, "animation", "package")
        if shown is not None and lone:
            self._state.show(self._state.documents.opened.index(shown))
        elif lone and document and table and table.row(os.path.abspath(document.path)) is not None:
            self._exchange_for(False, path, document)
        else:
            self._open((path,))

    def _open_row(self, wanted: ask.OpenRow) -> None:
        """Show a row of a table that is open or lies beside another table."""
        shown = opened_table(self._state, wanted)
        if shown is None:
            self._load(Opening(expected_path(wanted), asked=True, row=wanted))
            return
        self._state.show(self._state.documents.opened.index(shown))
        select_row(self._state, shown, wanted)

    def _open_row_model(self, path: str, row: int) -> None:
        """Open the model that a row of an open table is about."""
        document = self._state.documents.at(path)
        if document is not None and isinstance(document.content, Table):
            looks = looks_of(document)
            if looks is None:
                return
            find = partial(looks.model_of_row, document, document.content, row)
            opening = Opening(
                f"row {row} of {path}", asked=True, opener=lambda _: open_path(find(), document.context)
            )
            self._load(opening)

    def _exchange_for(self, keep_camera: bool, found: str, old: Document) -> None:
        """Replace the document in view by a neighbour file.

        If key presses repeat faster than files load, the files in between are skipped.
        """
        self._cancel([each for each in self._opening if each.replaced is not None])
        self._load(Opening(found, replaced=old, keeps_camera=keep_camera))

    def _cancel(self, openings: Iterable[Opening]) -> None:
        for opening in [*openings]:
            self._opening.remove(opening)
            if opening.task is not None:
                self._tasks.cancel(opening.task)

    def _give_up(self) -> None:
        """Cancel the loads in plugins that take too long, because other files wait for them."""
        for opening in [*self._opening]:
            plugin = opening.task and busy_plugin(opening.task.thread, PLUGIN_SECONDS)
            if plugin:
                self._cancel([opening])
                why = f"the plugin {plugin} takes longer than {PLUGIN_SECONDS:g} s"
                self._state.say(f"{opening.path}: {why}; the file is not opened", "error")

    def _close(self, number: int) -> None:
        if number < len(self._state.documents.opened):
            self._state.close(number)
            self._tidy()

    def _tidy(self) -> None:
        arriving = (each.loaded.document for each in self._opening if each.loaded)
        self._viewport.keep([*self._state.documents.opened, *filter(None, arriving)])
        self._hot_reload.follow()

    def _arrive(self, opening: Opening, task: Task) -> None:
        """Start the upload of a loaded file.

        The open version stays, and the loaded one is dropped, if the file is damaged now and its open version
        is not, and if no file that was to be joined to it can be opened.
        """
        loaded: LoadResult = task.value
        document = loaded.document
        self.unread |= opening.first and not (document and document.report.complete)
        shown = self._state.documents.at(document.path if document else loaded.path)
        joins = shown is not None and opening.added is not None and opening.added != shown.added
        if document is None or (
            shown is not None
            and not loaded.sound
            and (
                document.added == shown.added and not document.report.complete
                if joins
                else path_key(shown.path) in self._sound
            )
        ):
            errors = document.report.errors if document else []
            why = str(errors[-1 if joins else 0]) if errors else loaded.error
            rest = "; the earlier version stays open" if shown else ""
            self._state.say(
                f"{why or f'{loaded.path} could not be read completely'}{rest}", "error", _about(loaded.path)
            )
            if shown is not None:
                view = self._state.documents.view_of(shown)
                view.display, view.added = shown.worn, shown.added
            self._opening.remove(opening)
            return
        opening.loaded = loaded
        steps, then = self._upload(document, loaded), partial(self._add, opening, document, loaded)
        opening.task = self._tasks.spread(opening, UPLOADING, steps, then, first=self._is_awaited(opening))

    def _upload(self, document: Document, loaded: LoadResult) -> Generator[float, None, None]:
        """Upload a document in parts; a cancelled upload releases what it has uploaded."""
        try:
            yield from self._viewport.put(document, loaded.images, loaded)
        except GeneratorExit:
            self._viewport.drop(document)
            raise

    def _add(self, opening: Opening, document: Document, loaded: LoadResult, task: Task) -> None:
        """Add an uploaded document. An animation for the model in view plays at once."""
        state = self._state
        self._opening.remove(opening)
        (self._sound.add if loaded.sound else self._sound.discard)(path_key(document.path))
        shown, count = self._state.documents.at(document.path), len(state.documents.opened)
        instead, self._kept_camera = opening.replaced, opening.keeps_camera
        lone = state.document.content if state.document and state.skeleton is None else None
        closed = opening.closed if shown is None else None
        if closed is not None:
            state.documents.views[document] = closed.view
        state.put(document)
        self._hot_reload.read(document.path, loaded.files, dressed=opening.display is not None)
        state.settle(_about(document.path))
        view = state.documents.view_of(document)
        if opening.display in (None, chosen_look(view)):
            # the document may wear another display now, because the tables may have changed
            view.display = document.worn
        if opening.added in (None, view.added):
            view.added = document.added  # a file may be left out
        if isinstance(lone, Animation) and state.document is document:
            state.playback.choose(lone)
        if opening.asked and shown is not None and not isinstance(document.content, Animation):
            state.show(state.documents.opened.index(document))
        if shown is not None:
            carry_over(view, partial(names_of, shown), document)
            before = len(shown.model.geometries) if shown.model is not None else 0
            view.hidden |= {n for n in hidden_by_default(document.model) if opening.added and n >= before}
        elif closed is not None:
            carry_over(view, closed.names.__getitem__, document)
            state.documents.move_last(closed.number)
        if instead is not None and instead in state.documents.opened and shown is None:
            state.exchange(instead)
        if opening.row is not None:
            select_row(state, document, opening.row)
        if document is not state.document:  # the banner or the page of the document in view has its errors
            for error in document.report.errors[:1]:
                state.say(str(error), "error", _about(document.path))
        self._tidy()
        if loaded.late and not opening.listed:
            name = os.path.basename(document.path)
            state.say(f"{name}: its project is still being listed, what is shown may be stale")
            self._tasks.submit(
                ("project", path_key(document.path)),
                lambda task: list_projects(document.path, document.context),
                lambda task: self._read_again(document),
            )
        if isinstance(document.content, Package):
            state.interface.remember_folder(os.path.abspath(document.path))
        else:
            state.interface.remember(os.path.abspath(document.path))
        if isinstance(document.content, Package) and document.content.ignored_patches:
            first, *others = document.content.ignored_patches
            more = f"; {counted(len(others), 'more patch', 'more patches')} in Problems" if others else ""
            state.say(f"{first.name} is not loaded: {first.why}{more}", "warning")
        if isinstance(document.content, Package) and shown is None and instead is None:
            self._list_files(document.path)
            if closed is None:
                self._open(first_models(document))
        self._read_clips_again()
        if state.document is not document and state.gives_clips(document):
            note_mismatches(document, state.document, state.skeleton)
            if len(state.documents.opened) > count and not self.starting and document.animations:
                state.playback.choose(document.animations[0])
                state.view.clock.play()

    def _read_clips_again(self) -> None:
        """Read some clips again: the clips for another engine than the engine of the model in view. The rest
        poses for which these clips were made are needed now. Each clip is read again only once.
        """
        for each in self._state.documents.opened:
            if each.path not in self._tried_rigs and wants_rig(each, self._state.skeleton):
                self._tried_rigs.add(each.path)
                self._load(Opening(each.path, listed=True))

    def _read_again(self, document: Document) -> None:
        """Read a document again, if it is still open, because its projects' files are now listed."""
        if document in self._state.documents.opened:
            self._load(Opening(document.path, listed=True, patient=True))

    def _progress(self) -> tuple[FileProgress, ...]:
        """Return the progress of each path. The files that are still being read come first."""
        known = sorted(self._opening, key=lambda each: each.loaded is None)
        return tuple(FileProgress(each.path, *each.task.progress) for each in known if each.task)


def _about(path: str) -> tuple[str, str]:
    """What messages about the opening of a file are about."""
    return "open", path_key(path)


def first_models(document: Document) -> tuple[str, ...]:
    """The path of the first model of a package; empty if it has none."""
    assert isinstance(document.content, Package), "only a package has models to open first"
    models = (name for name in document.content.names if has_role(name, "model"))
    first = min(models, key=natural_key, default=None)
    return () if first is None else (f"{document.path}{JOINT}{first}",)


def folder_or_package_of(path: str) -> str:
    """The folder of a file, or the package that contains it."""
    return on_disk(path) if split(path) else os.path.dirname(os.path.abspath(path))
