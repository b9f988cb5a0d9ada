"""Writes many models of folders, packages, patterns and files. Each model gets its own output."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from msgspec import Struct

from viewer.export.film.film import picture_names
from viewer.family.registry import has_role, suffixes
from viewer.library.batch.batch import DONE, EXISTING, FAILED, Batch, Ended, Told
from viewer.library.batch.journal import Journal
from viewer.library.batch.output_names import (
    OutputPlan,
    plan_outputs,
    without_outputs,
    without_pictures,
    written_line,
)
from viewer.library.extraction import FORCE, TargetFolder
from viewer.library.file_sources import Fail, SourceFile, expanded, source_files
from viewer.library.workers.batches import Runner, run_batch
from viewer.scene.names import BELOW, path_key
from viewer.scene.reading_context import ReadingContext
from viewer.storage.versions import UNSETTLED, Dependencies, recorded

SECONDS, MEMORY = 600.0, 4 << 30
"""The limits for one model in seconds and bytes. A film with many frames takes minutes."""

WriteModel = Callable[[str, Sequence[str], str, ReadingContext], tuple[int, tuple[str, ...]]]
"""Writes the model at a path, to be opened with all given files, to an output. It is picklable, and returns
DONE or FAILED, and lines for the user. All files are read in the context.
"""


class Written(NamedTuple):
    """The status and the lines of one model, and the paths and versions that its output depends on."""

    status: int
    lines: tuple[str, ...]
    depends: Dependencies


class ModelTask(Struct, frozen=True):
    """Writes the output of a model in a worker process. All files are read in the `context`."""

    write: WriteModel
    context: ReadingContext

    def __call__(self, path: str, files: tuple[str, ...], root: str, name: str) -> Written:
        """Open the files and write the output. `name` is its name relative to the folder `root`, which is
        created.

        Raises the ViewerError and OSError of `write`.
        """
        output = TargetFolder(root, force=True).target(name)
        with recorded() as asked:
            status, lines = self.write(path, files, output, self.context)
        return Written(status, lines, _files_and_projects(asked))


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


def write_models(
    jobs: Sequence[Job],
    pattern: str,
    write: WriteModel,
    journal: Journal,
    runner: Runner,
    told: Told,
    context: ReadingContext,
    *,
    force: bool = False,
    first: int = 0,
    views: bool = True,
) -> Ended:
    """Write one output for each model, to the names of `pattern`; outputs in the journal are not written
    again.

    Without `force`, other existing files are not replaced; with it, pictures that are no views stay if the
    outputs are `views`. `first` is the number of the first frame. The caller closes the journal: after an
    error it stays, so that the same batch goes on later.
    """
    plan = plan_outputs([job.model for job in jobs], pattern)
    if force and views:
        plan = without_pictures(plan)
    context = without_outputs(context, plan, chain.from_iterable(job.files for job in jobs))
    journal.leave_out(context.left_out)
    task = ModelTask(write, context)
    named = {job.model.path: job for job in jobs}
    done, existing = _present(plan, named, journal, first)
    if force:
        existing = []
    if done:
        told.notice(f"{len(done)} of {len(jobs)} files were written by the same {told.origin} before")
    if existing:
        name, more = plan.names[existing[0]], len(existing) - 1
        there = f"{name} and {more} more exist" if more else f"{name} exists"
        told.notice(f"{os.path.join(plan.root, there)} already{FORCE} files")
    if journal.error:
        told.notice(f"{journal.error}: this batch cannot resume after an interruption")

    def calls() -> Iterator[tuple[str, tuple[str, ...], str, str]]:
        """Yield the arguments of the task for each remaining model."""
        left_out = {*done, *existing}
        for path, name in plan.names.items():
            if path not in left_out:
                journal.begin(path, named[path].model.version)
                yield path, named[path].files, plan.root, name

    incomplete = written = 0
    with Batch(told, len(jobs) - len(existing), len(done)) as batch:
        for refused in plan.refused:
            batch.fail(refused)
        for path, value, error in batch.outcomes(run_batch(task, calls(), runner)):
            if error is None:
                written += 1
                incomplete += value.status != DONE
                for line in value.lines:
                    told.remark(path, line)
                journal.finish(path, named[path].model.version, value.status, value.depends)
    total = len(jobs) - len(done)
    failed = batch.failed or incomplete or any(done.values())
    return Ended(
        written_line(written, total, "file", plan.root),
        batch.notices(incomplete, total),
        FAILED if failed else EXISTING if existing else DONE,
        plan.root,
    )


def _present(
    plan: OutputPlan, jobs: Mapping[str, Job], journal: Journal, first: int
) -> tuple[dict[str, int], list[str]]:
    """Find the outputs that are present. Return the status of each output that an earlier batch has finished,
    by the path of its model; and the paths of the models whose outputs no batch has begun.
    """
    done: dict[str, int] = {}
    existing: list[str] = []
    for path, name in plan.names.items():
        if os.path.lexists(os.path.join(plan.root, next(picture_names(name, first)))):
            status = journal.result(path, jobs[path].model.version)
            if status is not None:
                done[path] = status
            elif not journal.has_begun(path):
                existing.append(path)
    return done, existing


def listed_jobs(
    paths: Sequence[str], fail: Fail, context: ReadingContext, *, pictures: bool = False
) -> list[Job]:
    """List the models in folders, packages, patterns and files, each model once. With `pictures`, files
    that open as pictures are listed too.

    An animation, skeleton or other part in the list belongs to the models of the path before it. A part
    before the first model belongs to all models. If the list has no models, each part is a job of its own.
    """
    named = [each for path in paths for each in expanded(path, fail)]
    wanted = suffixes("model", "picture") if pictures else suffixes("model")
    with_models = not all(_is_part(each) for each in named)
    before: list[str] = []
    groups: list[tuple[list[SourceFile], list[str]]] = []
    for each in named:
        if with_models and _is_part(each):
            (groups[-1][1] if groups else before).append(each)
        else:
            groups.append((list(source_files([each], wanted, fail, context)), []))
    jobs: dict[str, Job] = {}
    for models, after in groups:
        for model in models:
            jobs.setdefault(path_key(model.path), Job(model, (*before, model.path, *after)))
    return list(jobs.values())


def _is_part(path: str) -> bool:
    return has_role(path, "animation", "part") and not os.path.isdir(path)
