"""Runs tasks on many listed files, and keeps their results in `state.files.batches`."""

from __future__ import annotations

from functools import partial

from viewer.app.tasks import Task, Tasks, Work
from viewer.session.file_batches import BatchResult, FileBatch
from viewer.session.state import State

CANCELLED = "Cancelled. Files that were complete stay."


class FileBatches:
    """The running tasks. Call `step` once a frame."""

    def __init__(self, state: State, tasks: Tasks) -> None:
        self._state, self._tasks = state, tasks
        self._running: list[tuple[FileBatch, Task]] = []
        self._count = 0

    def begin(self, title: str, work: Work) -> None:
        """Start a task and show it in the window of tasks. `work` returns a BatchResult."""
        files, batch = self._state.files, FileBatch(title)
        files.batches.append(batch)
        files.shows_batches = True
        self._count += 1
        task = self._tasks.submit(("files", self._count), work, partial(self._finish, batch))
        self._running.append((batch, task))

    def stop(self, number: int) -> None:
        """Cancel a task by its index in the list of tasks."""
        batches = self._state.files.batches
        for batch, task in self._running:
            if number < len(batches) and batch is batches[number]:
                self._tasks.cancel(task)
                batch.result = BatchResult(CANCELLED)
        self._drop_ended()

    def step(self) -> str:
        """Store the progress of the running tasks; return it as text."""
        for batch, task in self._running:
            batch.progress = task.progress
        return ", ".join(batch.progress[0] for batch, _ in self._running)

    def _finish(self, batch: FileBatch, task: Task) -> None:
        batch.result = task.value or BatchResult(task.error, True)
        self._drop_ended()
        # a failure in listed files is no problem of the file in view, and the Problems panel counts problems
        # of the file in view
        self._state.say(batch.result.text, "note" if task.value is not None else "warning")

    def _drop_ended(self) -> None:
        self._running = [each for each in self._running if each[0].result is None]
