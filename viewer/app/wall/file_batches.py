"""Runs tasks on many listed files, and keeps their results in `state.files.batches`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from viewer.app.tasks import Task, Tasks, Work
from viewer.errors import counted
from viewer.scene.files import MODEL
from viewer.session.file_batches import BatchResult, FileBatch
from viewer.session.requests import (
    CheckFiles,
    ContinueFileBatch,
    ExportFiles,
    RemoveFileBatch,
    SaveFilePictures,
    StopFileBatch,
)
from viewer.session.save_names import final_path
from viewer.session.state import State
from viewer.storage.cache_folder import journal_folder

if TYPE_CHECKING:
    from viewer.app.wall.file_work import FileWork

END = 3.0
"""Seconds for which `close` waits for the processes of a task."""
CANCELLED = "Cancelled. Files that were complete stay."
Started = CheckFiles | ExportFiles | SaveFilePictures
BatchRequest = Started | StopFileBatch | ContinueFileBatch | RemoveFileBatch


class FileBatches:
    """The tasks on files, with `jobs` processes each. Call `step` once a frame."""

    def __init__(self, state: State, jobs: int, tasks: Tasks) -> None:
        self._state, self._jobs, self._tasks = state, jobs, tasks
        self._running: dict[FileBatch, Task] = {}
        self._works: dict[FileBatch, FileWork] = {}
        self._count = 0

    def offer(self) -> None:
        """List the interrupted tasks of earlier windows, in the background."""
        self._tasks.submit("interrupted tasks", _interrupted, self._take_interrupted)

    def take(self, request: BatchRequest) -> None:
        """Carry out a request."""
        batches = self._state.files.batches
        match request:
            case StopFileBatch(number):
                self.stop(number)
            case ContinueFileBatch(number):
                self._start(self._works.pop(batches.pop(number)))
            case RemoveFileBatch(number):
                batch = batches.pop(number)
                self._state.files.shows_batches = bool(batches)
                work = self._works.pop(batch, None)
                if work is not None and batch.result is not None and batch.result.continues:
                    self._tasks.submit(("forget", work.key), partial(_forget, work.key))
            case _:
                work = self._work(request)
                if work is not None:
                    self._start(work)

    def begin(self, title: str, work: Work, folder: str = "") -> FileBatch:
        """Start a task and show it in the window of tasks. `work` returns a BatchResult. `folder` gets its
        files.
        """
        files, batch = self._state.files, FileBatch(title)
        files.batches.append(batch)
        files.shows_batches = True
        self._count += 1
        # tasks that write to one folder run one after the other, so that none replaces a file of another
        key, lane = ("files", self._count), ("folder", folder) if folder else None
        self._running[batch] = self._tasks.submit(key, work, partial(self._finish, batch), lane)
        return batch

    def stop(self, number: int) -> None:
        """Cancel a task by its index in the list of tasks."""
        for batch in self._state.files.batches[number : number + 1]:
            if batch in self._running:
                self._tasks.cancel(self._running.pop(batch))
                work = self._works.get(batch)
                batch.result = BatchResult(CANCELLED, continues=work is not None and bool(work.key))

    def close(self) -> None:
        """Stop all tasks, and wait until their unfinished files are removed."""
        running = [*self._running.values()]
        for task in running:
            self._tasks.cancel(task)
        for task in running:
            task.wait(END)

    def step(self) -> None:
        """Store the progress of the running tasks."""
        for batch, task in self._running.items():
            batch.progress = task.progress

    def _start(self, work: FileWork) -> None:
        self._works[self.begin(work.title, partial(_run, work, self._jobs), work.folder)] = work

    def _work(self, request: Started) -> FileWork | None:
        """The record of a new task on listed files; None if there is nothing to do."""
        # imported late, because few windows run tasks on files
        from viewer.app.wall.file_index import source_file
        from viewer.app.wall.file_work import FileWork

        table, context = self._state.files.table, self._state.context
        if table is None:
            return None
        files = [(source_file(table, row), table.kind(row)) for row in table.rows_of(request.paths).tolist()]
        chosen = tuple(file for file, _ in files)
        match request:
            case SaveFilePictures(path=str(path), sheet=True):
                return FileWork("sheet", chosen, context, final_path(request, path))
            case SaveFilePictures(path=str(folder)):
                return FileWork("pictures", chosen, context, folder)
            case ExportFiles(path=str(folder), choices=choices):
                models = tuple(file for file, kind in files if kind is MODEL)
                others = tuple(file.path for file, kind in files if kind is not MODEL)
                if models:
                    return FileWork("export", models, context, folder, choices, others)
                self._state.say("There is no model among the selected files.", "warning")
            case CheckFiles():
                return FileWork("check", chosen, context)
        return None

    def _finish(self, batch: FileBatch, task: Task) -> None:
        self._running.pop(batch, None)
        batch.result = task.value or BatchResult(task.error, True)
        work = self._works.get(batch)
        failed = task.value is None or (batch.result.failed and work is not None and work.kind != "check")
        self._state.say(batch.result.text, "error" if failed else "note", ("files", work or batch))

    def _take_interrupted(self, task: Task) -> None:
        """Show the interrupted tasks."""
        found = task.value or []
        self._works |= dict(found)
        self._state.files.batches[:0] = [batch for batch, _ in found]
        if found:
            were = "was" if len(found) == 1 else "were"
            many = counted(len(found), "task on files", "tasks on files")
            self._state.say(f"{many} {were} interrupted. To continue, choose View › Tasks and messages.")


def _run(work: FileWork, jobs: int, task: Task) -> BatchResult:
    from viewer.app.wall.file_tasks import run_work  # imported late, because it imports the rules of checks

    return run_work(work, jobs, task)


def _interrupted(task: Task) -> list[tuple[FileBatch, FileWork]]:
    if not any(journal_folder().glob("*")):
        return []
    # imported late, because most windows find no journals
    from viewer.app.wall.file_work import interrupted_batches

    return interrupted_batches()


def _forget(key: str, task: Task) -> None:
    from viewer.library.batch.journal import forget

    forget(journal_folder(), key)
