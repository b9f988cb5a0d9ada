"""Asks the user for files.

The first file dialog that works is used. On Linux the order is: the dialog of the desktop, the dialog of a
helper program, the window's own dialog. On Windows and macOS it is: the dialog of the system, the window's
own dialog. The setting `dialogs` can exclude the dialogs that come first.
"""

from __future__ import annotations

import os
from functools import partial

from viewer.app.open_files.matching_models import listing
from viewer.app.open_files.portal import FileAnswer, FileQuestion, SuffixFilter, choose_files, has_session_bus
from viewer.app.tasks import Task, Tasks
from viewer.family.registry import suffixes
from viewer.scene.choices import ENVIRONMENT_SUFFIX, LOOK, DialogMode
from viewer.session.folder_listing import FolderListing
from viewer.session.requests import (
    AddToView,
    GiveFile,
    Open,
    OpenEnvironment,
    OpenFolder,
    OpenLook,
    Question,
    SaveAs,
    SavedFile,
    SaveFilePictures,
    answered,
    wants_folder,
    with_document,
)
from viewer.session.save_names import format_suffixes
from viewer.session.state import State
from viewer.storage.image import picture_suffixes
from viewer.storage.package_path import on_disk
from viewer.ui.dialogs.file_dialog import FileDialog

ALL_FILES: SuffixFilter = ("All files", ())


class FileChooser:
    """Asks for files. `ask` shows a dialog; `poll` returns the user's choice in the system's dialog.

    The window's own dialog posts the choice as a request; `poll` does not return it.
    """

    def __init__(self, state: State, dialog: FileDialog | None, tasks: Tasks) -> None:
        self._state = state
        self._dialog = dialog
        self._tasks = tasks
        self._question: Question = Open()
        self._portal: Task | None = None
        self._portal_works = True
        self._answer: tuple[str, ...] = ()

    @property
    def waiting(self) -> bool:
        """Whether the system's dialog is open. No event reports that the dialog was closed; only `poll` finds
        this out.
        """
        return self._dialog is not None and self._dialog.waiting

    def ask(self, question: Question) -> None:
        """Ask for files or a folder to open, or for a file to write. The dialog starts in the folder of the
        document in view.
        """
        document, recent = self._state.document, self._state.interface.preferences.recent
        known = [document.path] if document else recent
        folder, name = os.path.dirname(os.path.abspath(on_disk(known[0]))) if known else os.getcwd(), None
        saved = _saved(question)
        if saved is not None:
            from viewer.app.output.save_paths import suggested

            folder, name = os.path.split(suggested(self._state, saved))
        question = with_document(question, document.path if document else None)
        if self._portal is not None:
            return
        if (
            self._dialog is not None
            and self._mode == "automatic"
            and self._portal_works
            and has_session_bus()
        ):
            self._ask_portal(question, folder, name, self._dialog.parent)
        else:
            self._ask_without_portal(question, folder, name)

    @property
    def _mode(self) -> DialogMode:
        return self._state.interface.preferences.dialogs

    def _ask_portal(self, question: Question, folder: str, name: str | None, parent: str) -> None:
        """Show the desktop's dialog. If the desktop cannot show a dialog, show another one."""
        from viewer.ui.dialogs.file_browser import title_of

        wanted = FileQuestion(
            title_of(question), folder, wants_folder(question), name, _filters(question), parent
        )

        def take(task: Task) -> None:
            """Keep the chosen paths for `poll`."""
            self._portal, answer = None, task.value or FileAnswer(shown=False, problem=task.error)
            if answer.problem:
                self._state.interface.note(answer.problem)
            if answer.shown:
                self._question, self._answer = question, answer.paths
            else:
                self._portal_works = False
                self._ask_without_portal(question, folder, name)

        work = partial(_answer_of_portal, wanted)
        self._portal = self._tasks.submit("file dialog", work, take)

    def _ask_without_portal(self, question: Question, folder: str, name: str | None) -> None:
        if self._dialog is not None and self._mode != "own" and self._dialog.available:
            self._question = question
            self._dialog.show(folder, wants_folder(question), name)
        else:
            self.browse(folder, question, name)

    def poll(self) -> Question | None:
        """Return a request for the files that the user has now chosen in the system's dialog; None if nothing
        was chosen since the last call.
        """
        paths, self._answer = self._answer, ()
        paths = paths or (self._dialog.poll() if self._dialog else ())
        return answered(self._question, paths) if paths else None

    def browse(
        self,
        folder: str | None,
        question: Question | None = None,
        name: str | None = None,
        text: str | None = None,
    ) -> None:
        """Show the window's own dialog with the entries of `folder`; None closes the dialog.

        `question` is the request for which the dialog asks a path; None keeps the request of the open dialog.
        `name` is the suggested name of a file to write. `text` is the path that the user is typing, if it
        leads to the folder.
        """
        pending_files, recent = self._state.pending_files, self._state.interface.preferences.recent
        if folder is None:
            pending_files.browser = None
            return
        before = pending_files.browser
        if question is None:
            question, name = (before.question, before.kept_name) if before is not None else (Open(), None)
        packed, listed = suffixes("package"), self._state.interface.preferences.recent_folders
        opened = [path for path in listed if not path.lower().endswith(packed)]
        beside = [os.path.dirname(os.path.abspath(on_disk(path))) for path in recent]
        known = tuple(dict.fromkeys([*opened, *beside]))
        folders, listed_suffixes = wants_folder(question), _suffixes(question)
        every = (
            not isinstance(question, Open | AddToView | OpenFolder | SaveAs) and listed_suffixes == suffixes()
        )
        browser = pending_files.browser = FolderListing(
            os.path.abspath(folder),
            folders,
            listed_suffixes,
            question,
            known,
            every=every,
            cursor=-1 if folders or name is not None else 0,
            name=name,
            suggested=name or "",
            order=pending_files.order,
        )
        browser.base = browser.folder
        if text is not None and before is not None:
            browser.base, browser.suggested = before.base or before.folder, before.suggested
            browser.text, browser.awaits_entries, browser.focus = text, before.awaits_entries, False

        def fill(task: Task) -> None:
            """Store the entries of the dialog's folder."""
            browser.entries, browser.error = task.value or (), task.error
            if text is not None:
                browser.place_cursor()

        self._tasks.submit("folder", lambda task: listing(browser.folder), fill)

    def make_folder(self, path: str) -> None:
        """Make a folder and show it in the window's own dialog. If the folder cannot be made, the dialog
        shows the reason.
        """

        def show(task: Task) -> None:
            """Show the new folder, or the error."""
            browser = self._state.pending_files.browser
            if browser is not None and task.error:
                browser.problem = f"the folder {os.path.basename(path)} cannot be made: {task.error}"
            elif browser is not None:
                self.browse(path)

        self._tasks.submit("make folder", lambda task: os.mkdir(path), show)


def _saved(question: Question) -> SavedFile | SaveFilePictures | None:
    """The request for which the user names a file to write; None if the user chooses existing files or a
    folder.
    """
    match question:
        case SaveAs(request) | (SaveFilePictures(sheet=True) as request):
            return request
        case _:
            return None


def _answer_of_portal(question: FileQuestion, task: Task) -> FileAnswer:
    return choose_files(question, lambda: task.cancelled)


def _filters(question: Question) -> tuple[SuffixFilter, ...]:
    """The choices of file types in the desktop's dialog."""
    match question:
        case AddToView():
            return (("Models", suffixes("model")), ALL_FILES)
        case Open():
            return (("Files that Rigscope can open", suffixes()), ("Models", suffixes("model")), ALL_FILES)
        case OpenLook() | OpenEnvironment() | SaveAs() | SaveFilePictures(sheet=True):
            return (("Files of this type", _suffixes(question)), ALL_FILES)
        case GiveFile() if _suffixes(question) != suffixes():
            return (("Files of this type", _suffixes(question)), ALL_FILES)
        case _:
            return ()


def _suffixes(question: Question) -> tuple[str, ...]:
    """The suffixes of the files that the window's own dialog lists."""
    saved = _saved(question)
    if saved is not None:
        return format_suffixes(saved)
    match question:
        case AddToView():
            return suffixes("model")
        case OpenLook():
            return (LOOK,)
        case OpenEnvironment():
            return (ENVIRONMENT_SUFFIX,)
        case GiveFile(name, texture):
            pictures = picture_suffixes()
            suffix = os.path.splitext(name)[1].lower()
            if texture is not None or suffix in pictures:
                return pictures
            return (suffix,) if suffix in suffixes() else suffixes()
        case _:
            return suffixes()
