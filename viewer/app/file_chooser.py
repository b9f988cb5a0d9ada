"""Asking the user for files, with the system's dialog if there is one, else with the window's own."""

from __future__ import annotations

import os
from typing import Any

from viewer.app.background_tasks import BackgroundTasks
from viewer.app.folders import listing
from viewer.formats import suffixes
from viewer.session.pending_files import FolderListing
from viewer.session.state import State
from viewer.storage.package_path import on_disk
from viewer.ui.dialogs.file_dialog import FileDialog


class FileChooser:
    """`ask` shows a dialog; `poll` returns the choice in the system's dialog. The window's own dialog posts
    requests."""

    def __init__(self, state: State, dialog: FileDialog | None, tasks: BackgroundTasks) -> None:
        self._state = state
        self._dialog = dialog
        self._tasks = tasks

    @property
    def waiting(self) -> bool:
        """Whether the system's dialog is open."""
        return self._dialog is not None and self._dialog.waiting

    def ask(self, folders: bool) -> None:
        """Ask for files or for a folder, starting beside the document in view."""
        document, recent = self._state.document, self._state.interface.preferences.recent
        known = [document.path] if document else recent
        folder = os.path.dirname(os.path.abspath(on_disk(known[0]))) if known else os.getcwd()
        if self._dialog is not None and self._dialog.available:
            self._dialog.show(folder, folders)
        else:
            self.browse(folder, folders)

    def poll(self) -> tuple[str, ...]:
        """The choice in the system's dialog, returned once."""
        return self._dialog.poll() if self._dialog else ()

    def browse(self, folder: str | None, folders: bool | None = None) -> None:
        """Show the own dialog at a folder; None closes it.

        `folders`: ask for a folder instead of files; None keeps the kind of an open dialog.
        """
        pending_files, recent = self._state.pending_files, self._state.interface.preferences.recent
        if folder is None:
            pending_files.browser = None
            return
        if folders is None:
            folders = pending_files.browser is not None and pending_files.browser.folders
        known = tuple(dict.fromkeys(os.path.dirname(os.path.abspath(on_disk(path))) for path in recent))
        browser = pending_files.browser = FolderListing(os.path.abspath(folder), folders, suffixes(), known)

        def fill(entries: Any, error: str) -> None:
            """Fill in the listing."""
            browser.entries, browser.error = entries or (), error

        self._tasks.run(fill, listing, browser.folder)
