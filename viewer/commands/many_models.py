"""Runs a verb on many models in folders, packages, patterns and files. Each model gets its own output."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from msgspec import Struct

from viewer.commands.batches import Terminal, print_end, runner_of
from viewer.commands.options.given_options import Values, pattern_of
from viewer.commands.options.parser import UsageError
from viewer.commands.output import collected_messages, replaced_line, say
from viewer.commands.reading import READING, context_of
from viewer.library.batch.batch import FAILED
from viewer.library.batch.journal import Journal, journal_key
from viewer.library.batch.models import MEMORY, SECONDS, listed_jobs, write_models
from viewer.library.outcome import Outcome
from viewer.library.workers.batches import LocalRunner, usable_processors
from viewer.library.workers.pool import process_context
from viewer.render.standalone import keep_renderer
from viewer.scene.reading_context import ReadingContext
from viewer.storage.cache_folder import journal_folder

WriteOne = Callable[[Sequence[str], Values, str], int]
"""A verb's function for one model. It takes the model's files, the option values and the output, and returns
the exit status. Worker processes import it by its name.
"""


class VerbTask(Struct, frozen=True):
    """Writes the output of one model with `values` of the verb's options, in a worker process.

    `threads` is the number of threads of Mesa's software renderer; with 0, Mesa draws in the calling thread.
    """

    write_one: WriteOne
    values: Values
    threads: int = 0

    def __call__(
        self, path: str, files: Sequence[str], output: str, context: ReadingContext
    ) -> tuple[int, tuple[str, ...]]:
        """Implement `WriteModel`. Raises the ViewerError and OSError of the verb."""
        os.environ.setdefault("LP_NUM_THREADS", str(self.threads))
        keep_renderer()
        with collected_messages() as messages:
            written = (("left_out", context.left_out), ("outputs", context.outputs))
            reading = (*self.values.get(READING, ()), *written)
            status = self.write_one(files, {**self.values, READING: reading}, output)
        return status, tuple(each.about(path) for each in messages if each.text != replaced_line(output))


def write_each(
    verb: str,
    write_one: WriteOne,
    paths: Sequence[str],
    values: Values,
    endings: Sequence[str],
    *,
    pictures: bool = False,
) -> int:
    """Write one output for each model in `paths`; return the exit status.

    `endings` are the allowed suffixes of an output. With `pictures`, the textures of models and of
    picture files are written. UsageError without a path, and without a model.
    """
    if not paths:
        raise UsageError("needs a FILE, a folder or a package")
    values = dict(values)
    force, pattern = values.pop("force", False), pattern_of(values.pop("output"), endings)
    runner = runner_of(values, SECONDS, MEMORY)
    spare = usable_processors() // runner.jobs if isinstance(runner, LocalRunner) else 0
    unread: list[Outcome] = []
    context = context_of(values)
    jobs = listed_jobs(paths, unread.append, context, pictures=pictures)
    for each in unread:
        say(each.line)
    if not jobs and not unread:
        what = "no model and no picture" if pictures else "no model"
        raise UsageError(f"there is {what} in {', '.join(paths)}")
    journal = Journal(journal_folder(), journal_key(verb, values, pattern, process_context(), paths))
    first = 0 if values.get("frames") is None else values["frames"][0]
    task = VerbTask(write_one, {**values, "force": force}, spare if spare > 1 else 0)
    with Terminal() as terminal:
        ended = write_models(
            jobs,
            pattern,
            task,
            journal,
            runner,
            terminal,
            context,
            force=force,
            first=first,
            views=not pictures,
        )
    journal.close(whole=True)
    return print_end(ended if not unread else ended._replace(status=FAILED))
