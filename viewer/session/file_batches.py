"""Tasks on many listed files, with their progress and their results, which stay until the user removes them.

Pure data: `viewer.app` fills it, `viewer.ui` draws it.
"""

from __future__ import annotations

from msgspec import Struct

from viewer.scene.finding import Severity


class FileResult(Struct, frozen=True):
    """The result of a task for one file: a message, or the findings of a check.

    `counts` are the numbers of findings by severity, the most severe first. The message is an error if the
    task `failed` for the file.
    """

    path: str
    text: str = ""
    counts: tuple[tuple[Severity, int], ...] = ()
    failed: bool = True


class BatchResult(Struct, frozen=True):
    """The result of a batch. `text` is a summary in one line. `failed` is True if something failed. `written`
    is the path of the written file or folder. `files` are the results of files that need attention.
    `continues`: the batch ended early, and can be continued.
    """

    text: str
    failed: bool = False
    written: str = ""
    files: tuple[FileResult, ...] = ()
    continues: bool = False


class FileBatch(Struct, eq=False):
    """A task on listed files. `progress` is its present step and its finished share, 0 to 1. The share is
    None if it is unknown.

    `result` is None until the task has ended or was cancelled.
    """

    title: str
    progress: tuple[str, float | None] = ("waiting", None)
    result: BatchResult | None = None
