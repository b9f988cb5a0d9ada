"""The dialog of the system or of a helper program for opening files or a folder, or for saving a file."""

from __future__ import annotations

import os
import shutil
import sys

from imgui_bundle import portable_file_dialogs as dialogs

HELPERS = ("zenity", "kdialog", "matedialog", "qarma")
"""Programs that show the dialog on Linux."""


class FileDialog:
    """The system's dialog, open at most once. Call `poll` every frame; it does not block.

    `parent` identifies the program's window to the desktop, such as `x11:4a00007`; empty if unknown.
    """

    @property
    def waiting(self) -> bool:
        """Whether the dialog is open."""
        return self._open is not None

    def __init__(self, parent: str = "") -> None:
        self.parent = parent
        self._open: dialogs.open_file | dialogs.select_folder | dialogs.save_file | None = None

    @property
    def available(self) -> bool:
        """Whether the system has a file dialog. Linux needs one of `HELPERS`."""
        return sys.platform in ("win32", "darwin") or any(map(shutil.which, HELPERS))

    def show(self, folder: str = "", folders: bool = False, name: str | None = None) -> None:
        """Show the dialog in `folder`; no effect if the dialog is already open.

        With a suggested `name`, the dialog asks for a file to save. With `folders`, it asks for a folder.
        Otherwise it asks for files to open.
        """
        if self._open is not None:
            return
        if name is not None:
            self._open = dialogs.save_file("Save", os.path.join(folder, name))
        elif folders:
            self._open = dialogs.select_folder("Open folder", folder)
        else:
            self._open = dialogs.open_file("Open", folder, None, dialogs.opt.multiselect)

    def poll(self) -> tuple[str, ...]:
        """Return the chosen paths once after the dialog has closed; otherwise return an empty tuple."""
        if self._open is None or not self._open.ready(0):
            return ()
        chosen, self._open = self._open.result(), None
        return tuple(filter(None, [chosen] if isinstance(chosen, str) else chosen))
