"""Runs tasks on listed files in worker processes: check, export, pictures, contact sheet."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from viewer.app.tasks import Task
from viewer.app.wall.file_work import FileWork, sentence, work_of
from viewer.arrays import damaged_numbers
from viewer.errors import ResourceError, ViewerError, counted
from viewer.export.missing_lines import missing_lines
from viewer.export.model_file import write_model
from viewer.library.batch.batch import DONE, FAILED, Ended
from viewer.library.batch.check import CheckOptions, CheckRun
from viewer.library.batch.journal import Journal
from viewer.library.batch.models import MEMORY, SECONDS, Job, write_models
from viewer.library.batch.output_names import OutputPlan, plan_unused
from viewer.library.batch.pictures import PictureFolder, Sheet, write_pictures
from viewer.library.extraction import FORCE
from viewer.library.file_sources import SourceFile
from viewer.library.outcome import Outcome
from viewer.library.thumbnails.thumbnail import ThumbnailTask
from viewer.library.workers.batches import LocalRunner
from viewer.library.workers.pool import NICE
from viewer.library.workers.worker import described
from viewer.scene.choices import PICTURE
from viewer.scene.finding import Finding, Severity
from viewer.scene.names import NAME
from viewer.scene.reading_context import ReadingContext
from viewer.session.file_batches import BatchResult, FileResult
from viewer.session.requests import ExportModel
from viewer.session.state import State
from viewer.storage.cache_folder import journal_folder
from viewer.storage.documents import open_document
from viewer.storage.package_path import on_disk, split
from viewer.storage.versions import file_version

NO_MODEL = "is no model, so it is not exported"
STEPS = {"check": "checking", "export": "exporting", "pictures": "saving", "sheet": "saving"}


def run_work(work: FileWork, jobs: int, task: Task) -> BatchResult:
    """Run a task with `jobs` processes. Existing files are not replaced.

    If the task is cancelled or fails, complete files stay, and the task can be continued. ResourceError for
    invalid settings of a check.
    """
    told = WindowProgress(task, STEPS[work.kind])
    runner = LocalRunner(max(jobs, 1), nice=NICE, stopped=lambda: task.cancelled)
    if work.kind == "check":
        return _check([each.path for each in work.files], runner, told, work.context)
    journal, whole = None, False
    try:
        if work.kind == "pictures":
            work = replace(work, names=plan_unused(work.files, work.folder, PICTURE).names)
        journal = Journal(journal_folder(), work.key, msgspec.to_builtins(work))
        work = work_of(journal.request)  # the names of an interrupted task stay
        work = replace(work, files=tuple(map(_renewed, work.files)))
        ended = (_export if work.kind == "export" else _save)(work, journal, runner, told)
        whole = True
    except (ViewerError, OSError) as error:
        whole = isinstance(error, ResourceError)  # another try would fail too
        text = sentence(described(error))
        return BatchResult(text, True, files=tuple(told.results), continues=not whole)
    finally:
        if journal is not None:
            journal.close(whole=whole)
    texts = [ended.line, *told.notices, *ended.notices]
    if work.others:
        told.results += [FileResult(path, NO_MODEL, failed=False) for path in work.others]
        texts.append(f"{counted(len(work.others), 'selected file')} left out")
    return BatchResult(sentence("; ".join(texts)), ended.status != DONE, ended.written, tuple(told.results))


class WindowProgress:
    """Shows the progress of a batch in a task of the window, and collects its lines; see `Told`.

    CancelledError if the task is cancelled.
    """

    origin = "task"

    def __init__(self, task: Task, step: str) -> None:
        self.results: list[FileResult] = []
        self.notices: list[str] = []
        self._task, self._step, self._total = task, step, 0

    def begin(self, done: int, total: int) -> None:
        """Implement `Told.begin`."""
        self._total = total

    def reach(self, done: int) -> None:
        """Implement `Told.reach`."""
        self._task.report(f"{self._step} {done:,} of {self._total:,}", done / max(self._total, 1))

    def fail(self, failed: Outcome) -> None:
        """Implement `Told.fail`."""
        self.results.append(FileResult(failed.path, _without_option(failed.why)))

    def remark(self, path: str, line: str) -> None:
        """Implement `Told.remark`."""
        self.results.append(FileResult(path, line, failed=False))

    def notice(self, line: str) -> None:
        """Implement `Told.notice`."""
        self.notices.append(_without_option(line))


def _without_option(line: str) -> str:
    """Leave out the part of a line that names an option of the command line."""
    return line.partition(FORCE)[0]


def _renewed(file: SourceFile) -> SourceFile:
    """The file with its present time and size; unchanged if it is gone. In a package, the size stays."""
    version = file_version(on_disk(file.path))
    if version is None:
        return file
    return file._replace(modified=version.modified, size=file.size if split(file.path) else version.size)


def _check(
    paths: Sequence[str], runner: LocalRunner, told: WindowProgress, context: ReadingContext
) -> BatchResult:
    """Check files; the result lists the files with findings, most errors first."""
    run, kinds = CheckRun(paths, CheckOptions(), context=context), sorted(Severity, reverse=True)
    report = run.report(run.findings(run.outcomes(runner, told)))
    found = zip(paths, report.files, strict=True)
    results = [_findings(path, each.findings) for path, each in found if each.findings]
    results.sort(key=lambda each: [-dict(each.counts).get(kind, 0) for kind in kinds])
    failed = any(each.severity is not Severity.NOTE for each in report.findings)
    return BatchResult(sentence(report.summary), failed, files=tuple(results))


def _findings(path: str, findings: Sequence[Finding]) -> FileResult:
    """Count the findings of a file; its text is the first of the most severe findings."""
    numbers = Counter(each.severity for each in findings)
    worst = max(findings, key=lambda each: each.severity)
    return FileResult(path, worst.text, tuple(sorted(numbers.items(), reverse=True)))


def _export(work: FileWork, journal: Journal, runner: LocalRunner, told: WindowProgress) -> Ended:
    """Export models, with the names of `rigscope export FOLDER`."""
    jobs = [Job(each, (each.path,)) for each in work.files]
    pattern = os.path.join(work.folder, f"{NAME}{work.choices.suffix}")
    runner = replace(runner, seconds=SECONDS, memory=MEMORY)
    return write_models(jobs, pattern, ExportTask(work.choices), journal, runner, told, work.context)


class ExportTask(Struct, frozen=True):
    """Exports a model with the `choices` of the export dialog, in a worker process; see `WriteModel`."""

    choices: ExportModel

    @damaged_numbers()
    def __call__(
        self, path: str, files: Sequence[str], output: str, context: ReadingContext
    ) -> tuple[int, tuple[str, ...]]:
        """Write the output; the lines are reading errors, missing parts, and what the format cannot store.

        Raises ViewerError or OSError if the file cannot be read or written.
        """
        document = open_document(path, context)
        state, choices = State(), self.choices.choices
        state.put(document)
        if state.model is None:
            raise ViewerError("there is no model to export")
        state.playback.play(state.playback.usual())
        without = choices.is_posed(output) or self.choices.clips == "none"
        clips = () if without else state.playback.animations
        lines = write_model(state.snapshot(), clips, {}, choices, output, context, force=False)
        errors = tuple(Outcome(path, error=each).why for each in document.report.errors)
        missing = missing_lines(document)
        failed = errors or missing.fails(None)
        return FAILED if failed else DONE, (*dict.fromkeys(errors), *missing.all, *lines)


def _save(work: FileWork, journal: Journal, runner: LocalRunner, told: WindowProgress) -> Ended:
    """Save the thumbnails of files: each in its own file, or all as one contact sheet."""
    drawing = ThumbnailTask(context=work.context)
    collection: PictureFolder | Sheet
    if work.kind == "sheet":
        collection = Sheet(work.files, work.folder, drawing)
    else:
        plan = OutputPlan(work.folder, work.names, ())
        collection = PictureFolder(plan, begun=journal.has_begun)
    return write_pictures(work.files, collection, drawing, runner, told, journal=journal)
