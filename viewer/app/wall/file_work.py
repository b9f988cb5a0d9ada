"""The record of a task on listed files, with which it is continued after a restart."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Literal

import msgspec
from msgspec import Struct

from viewer.errors import counted
from viewer.library.batch.batch import interrupted_line
from viewer.library.batch.journal import interrupted, journal_key
from viewer.library.file_sources import SourceFile
from viewer.scene.reading_context import ReadingContext
from viewer.session.file_batches import BatchResult, FileBatch
from viewer.session.requests import ExportModel
from viewer.storage.cache_folder import journal_folder

Kind = Literal["check", "export", "pictures", "sheet"]
TITLES: dict[Kind, tuple[str, str]] = {
    "check": ("Check", "file"),
    "export": ("Export", "model"),
    "pictures": ("Pictures", "file"),
    "sheet": ("Contact sheet", "file"),
}
"""For each kind of task the begin of its title, and the noun of its files."""


class FileWork(Struct, frozen=True):
    """A task on listed files, with all that it needs to be continued.

    The outputs go to `folder`, which is the file of a contact sheet. `choices` are the choices of the export
    dialog. `others` are the paths of selected files that are no models. `names` are the names of the pictures
    by the paths of their files.
    """

    kind: Kind
    files: tuple[SourceFile, ...]
    context: ReadingContext
    folder: str = ""
    choices: ExportModel = ExportModel()
    others: tuple[str, ...] = ()
    names: dict[str, str] = {}

    @property
    def title(self) -> str:
        """The title in the window of tasks."""
        title, noun = TITLES[self.kind]
        return f"{title} of {counted(len(self.files), noun)}"

    @property
    def key(self) -> str:
        """The key of the journal; empty for a check, which always begins anew."""
        if self.kind == "check":
            return ""
        paths = [each.path for each in self.files]
        return journal_key("window", self.kind, paths, self.folder, self.choices, self.context)


def work_of(request: Any) -> FileWork:
    """Convert the request of a journal. msgspec.ValidationError if it is no FileWork."""
    return msgspec.convert(request, FileWork)


def interrupted_batches() -> list[tuple[FileBatch, FileWork]]:
    """List the tasks of earlier windows that were ended before they were complete, the oldest first."""
    found = []
    for each in interrupted(journal_folder()):
        with suppress(msgspec.ValidationError):
            work = work_of(each.request)
            text = sentence(interrupted_line(each.done, len(work.files)))
            found.append((FileBatch(work.title, result=BatchResult(text, True, continues=True)), work))
    return found


def sentence(line: str) -> str:
    """A line of the command line as a text of the window, which begins with a capital letter."""
    return line[:1].upper() + line[1:]
