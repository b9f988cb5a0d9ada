"""Exports listed models into a folder, in worker processes, with the names of `rigscope export FOLDER`."""

from __future__ import annotations

import os
from collections.abc import Sequence

from msgspec import Struct

from viewer.app.tasks import Task
from viewer.arrays import damaged_numbers
from viewer.errors import ResourceError, ViewerError, counted
from viewer.export.model_file import write_model
from viewer.library.extraction import TargetFolder
from viewer.library.file_sources import SourceFile
from viewer.library.output_plan import NAME, plan_outputs
from viewer.library.thumbnails.thumbnail import ThumbnailTask
from viewer.library.workers.batches import LocalRunner, run_batch
from viewer.session.file_batches import BatchResult, FileResult
from viewer.session.requests import ExportModel
from viewer.session.state import State
from viewer.storage.resource_folders import leave_out

NICE, SECONDS, MEMORY = 10, 600.0, 4 << 30
"""The niceness of the processes, and the limits for one model in seconds and bytes."""


NO_MODEL = "is no model, so it is not exported"


class ExportTask(Struct, frozen=True):
    """A task for worker processes: exports a model with the `choices` of the export dialog.

    Resource folders and limits come from `drawing`. `left_out` is the folder of the outputs, which is no part
    of a model's project.
    """

    choices: ExportModel
    drawing: ThumbnailTask = ThumbnailTask()
    left_out: str = ""

    @damaged_numbers()
    def __call__(self, path: str, root: str, name: str) -> tuple[str, ...]:
        """Write the output. `name` is its name relative to the folder `root`.

        Return messages about what the format cannot store.
        Raises ViewerError or OSError if the file cannot be read or written, or if the output exists.
        """
        if os.path.lexists(os.path.join(root, name)):
            raise ResourceError(f"{name} exists already and is not replaced")
        leave_out(self.left_out)
        document = self.drawing.opened(path)
        state, choices = State(), self.choices.choices
        state.put(document)
        if state.model is None:
            raise ViewerError("there is no model to export")
        state.playback.play(state.playback.usual())
        posed = choices.is_posed(name)
        clips = () if posed or self.choices.clips == "none" else state.playback.animations
        output = TargetFolder(root).target(name)
        return tuple(write_model(state.snapshot(), clips, {}, choices, output))


def export_files(
    files: Sequence[SourceFile],
    others: Sequence[str],
    choices: ExportModel,
    drawing: ThumbnailTask,
    folder: str,
    jobs: int,
    task: Task,
) -> BatchResult:
    """Export models into a folder with `jobs` processes. Existing files are not replaced.

    `others` are the paths of selected files that are no models; the result names them. If the task is
    cancelled, complete files stay.
    """
    plan = plan_outputs(files, os.path.join(folder, f"{NAME}{choices.suffix}"))
    results = [FileResult(each.path, each.why) for each in plan.refused]
    runner = LocalRunner(max(jobs, 1), SECONDS, MEMORY, NICE, stopped=lambda: task.cancelled)
    calls = [(path, plan.root, name) for path, name in plan.names.items()]
    inside = any(os.path.abspath(each.path).startswith(os.path.join(folder, "")) for each in files)
    work, written = ExportTask(choices, drawing, "" if inside else folder), 0
    for number, outcome in enumerate(run_batch(work, calls, runner), 1):
        if outcome.error is not None:
            results.append(FileResult(outcome.path, outcome.why))
        else:
            written += 1
            results.extend(FileResult(outcome.path, text, failed=False) for text in outcome.value)
        task.report(f"exporting {number:,} of {len(calls):,}", number / len(calls))
    failed = len(files) - written
    results.extend(FileResult(path, NO_MODEL, failed=False) for path in others)
    text = f"Exported {counted(written, 'model')} to {folder}"
    text += f"; {failed:,} failed" if failed else ""
    text += f"; {counted(len(others), 'selected file')} left out" if others else ""
    return BatchResult(text, failed > 0, folder, tuple(results))
