"""Runs a verb on many models in folders, packages, patterns and files. Each model gets its own output."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from viewer.commands.batch.batch import Batch, runner_of
from viewer.commands.batch.journal import Journal, journal_key
from viewer.commands.exit_status import DONE, UNREAD, USAGE
from viewer.commands.options.given_options import Values, pattern_of
from viewer.commands.options.parser import UsageError
from viewer.commands.output import (
    Message,
    collected_messages,
    notice,
    print_lines,
    replaced_line,
    say,
    written_line,
)
from viewer.export.film.film import picture_names
from viewer.family.registry import has_role, suffixes
from viewer.library.extraction import TargetFolder
from viewer.library.file_sources import Fail, SourceFile, expanded, source_files
from viewer.library.outcome import Outcome
from viewer.library.output_plan import OutputPlan, plan_outputs
from viewer.library.workers.batches import LocalRunner, run_batch, usable_processors
from viewer.library.workers.pool import reading_context
from viewer.render.standalone import keep_renderer
from viewer.scene.names import BELOW, path_key
from viewer.storage.cache_folder import cache_folder
from viewer.storage.resource_folders import leave_out
from viewer.storage.versions import UNSETTLED, Dependencies, recorded

SECONDS, MEMORY = 600.0, 4 << 30
"""The limits for one model in seconds and bytes. A film with many frames takes minutes."""

WriteOne = Callable[[Sequence[str], Values, str], int]
"""A verb's function for one model. It takes the model's files, the option values and the output, and returns
the exit status. Worker processes import it by its name.
"""


class Written(NamedTuple):
    """The verb's exit status and messages for one model, and the paths and versions that its output depends
    on.
    """

    status: int
    messages: tuple[Message, ...]
    depends: Dependencies


class ModelTask(Struct, frozen=True):
    """Writes the output of a model, with `values` of the verb's options.

    `threads` is the number of threads of Mesa's software renderer; with 0, Mesa draws in the calling thread.
    `left_out` is the folder of the outputs, which does not belong to the model's project.
    """

    write_one: WriteOne
    values: Values
    threads: int = 0
    left_out: str = ""

    def __call__(self, path: str, files: tuple[str, ...], root: str, name: str) -> Written:
        """Open the files and write the output. `name` is its name relative to the folder `root`, which is
        created.

        Raises the ViewerError and OSError of the verb.
        """
        os.environ.setdefault("LP_NUM_THREADS", str(self.threads))
        keep_renderer()
        output = TargetFolder(root, force=True).target(name)
        leave_out(self.left_out)
        with collected_messages() as messages, recorded() as asked:
            status = self.write_one(files, self.values, output)
        shown = tuple(each for each in messages if each.text != replaced_line(output))
        return Written(status, shown, _files_and_projects(asked))


def _files_and_projects(asked: Dependencies) -> Dependencies:
    """Return the dependencies in `asked` that are files, or lists of a project's files. Other folders are
    left out, because their versions change with every new file.
    """
    settled = ((path, known) for path, known in asked.items() if known != UNSETTLED)
    return {path: known for path, known in settled if BELOW in path or not os.path.isdir(path)}


class Job(NamedTuple):
    """A model, and all files to open for it in this order."""

    model: SourceFile
    files: tuple[str, ...]


def write_each(
    verb: str, write_one: WriteOne, paths: Sequence[str], values: Values, endings: Sequence[str]
) -> int:
    """Write one output for each model in `paths`; return the exit status.

    `endings` are the allowed suffixes of an output. UsageError without a path.
    """
    if not paths:
        raise UsageError("needs a FILE, a folder or a package")
    values = dict(values)
    force, pattern = values.pop("force", False), pattern_of(values.pop("output"), endings)
    runner = runner_of(values, SECONDS, MEMORY)
    spare = usable_processors() // runner.jobs if isinstance(runner, LocalRunner) else 0
    unread: list[Outcome] = []
    jobs = {job.model.path: job for job in listed_jobs(paths, unread.append)}
    for each in unread:
        say(each.line)
    plan = plan_outputs([job.model for job in jobs.values()], pattern)
    task = ModelTask(write_one, values, spare if spare > 1 else 0, _left_out(plan.root, jobs.values()))
    journal = Journal(
        cache_folder() / "batches", journal_key(verb, values, pattern, reading_context(), paths)
    )
    first = 0 if values.get("frames") is None else values["frames"][0]
    leave_out(task.left_out)
    outputs = _Outputs(journal, jobs, plan, first, force)
    leave_out("")
    outputs.begin()
    with Batch(len(jobs) - len(outputs.existing), len(outputs.done)) as batch:
        for refused in plan.refused:
            batch.fail(refused)
        for outcome in batch.outcomes(run_batch(task, outputs.calls(), runner)):
            if outcome.error is not None:
                batch.fail(outcome)
            else:
                outputs.take(outcome.path, outcome.value, batch)
    journal.close(whole=True)
    return outputs.end(bool(unread or batch.failed))


def _left_out(root: str, jobs: Iterable[Job]) -> str:
    """The folder of the outputs; empty if one of the files to open is below it."""
    front = os.path.join(os.path.abspath(root), "")
    inside = any(os.path.abspath(file).startswith(front) for job in jobs for file in job.files)
    return "" if inside else os.path.abspath(root)


def listed_jobs(paths: Sequence[str], fail: Fail) -> list[Job]:
    """List the models in folders, packages, patterns and files, each model once.

    An animation, skeleton or other part in the list belongs to the models of the path before it. A part
    before the first model belongs to all models. If the list has no models, each part is a job of its own.
    """
    named = [each for path in paths for each in expanded(path, fail)]
    with_models = not all(_is_part(each) for each in named)
    before: list[str] = []
    groups: list[tuple[list[SourceFile], list[str]]] = []
    for each in named:
        if with_models and _is_part(each):
            (groups[-1][1] if groups else before).append(each)
        else:
            groups.append((list(source_files([each], suffixes("model"), fail)), []))
    jobs: dict[str, Job] = {}
    for models, after in groups:
        for model in models:
            jobs.setdefault(path_key(model.path), Job(model, (*before, model.path, *after)))
    return list(jobs.values())


def _is_part(path: str) -> bool:
    return has_role(path, "animation", "part") and not os.path.isdir(path)


class _Outputs:
    """The outputs of jobs.

    `done` are outputs that the same command wrote before an interruption. `existing` are other existing
    files, which are not replaced. `first` is the number of the first frame.
    """

    def __init__(
        self, journal: Journal, jobs: dict[str, Job], plan: OutputPlan, first: int, force: bool
    ) -> None:
        self._journal, self._jobs, self._plan = journal, jobs, plan
        self.done: dict[str, int] = {}
        self.existing: list[str] = []
        self._written = self._incomplete = 0
        for path, name in plan.names.items():
            if not os.path.lexists(os.path.join(plan.root, next(picture_names(name, first)))):
                continue
            status = journal.result(path, jobs[path].model.version)
            if status is not None:
                self.done[path] = status
            elif not force and not journal.has_begun(path):
                self.existing.append(path)

    def begin(self) -> None:
        """Report the outputs that are not written again, and whether the batch can resume later."""
        if self.done:
            done = f"{len(self.done)} of {len(self._jobs)} files"
            notice(f"{done} were written by the same command before")
        if self.existing:
            name, more = self._plan.names[self.existing[0]], len(self.existing) - 1
            there = f"{name} and {more} more exist" if more else f"{name} exists"
            notice(f"{os.path.join(self._plan.root, there)} already; --force replaces files")
        if self._journal.error:
            notice(f"{self._journal.error}: this batch cannot resume after an interruption")

    def calls(self) -> Iterator[tuple[str, tuple[str, ...], str, str]]:
        """Yield the arguments of the task for each remaining model."""
        left_out = {*self.done, *self.existing}
        for path, name in self._plan.names.items():
            if path not in left_out:
                self._journal.begin(path, self._jobs[path].model.version)
                yield path, self._jobs[path].files, self._plan.root, name

    def take(self, path: str, written: Written, batch: Batch) -> None:
        """Record a written output and print its messages."""
        for message in written.messages:
            batch.say(message.about(path))
        self._written += 1
        self._incomplete += written.status != DONE
        self._journal.finish(path, self._jobs[path].model.version, written.status, written.depends)

    def end(self, failed: bool) -> int:
        """Print the totals and return the exit status."""
        total = len(self._jobs) - len(self.done)
        if self._incomplete:
            notice(f"{self._incomplete} of {total} files could not be read completely")
        print_lines((written_line(self._written, total, "file", self._plan.root),))
        if failed or self._incomplete or any(self.done.values()):
            return UNREAD
        return USAGE if self.existing else DONE
