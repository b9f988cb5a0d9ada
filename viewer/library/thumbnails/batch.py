"""Thumbnails of many files: cached thumbnails first, then thumbnails that worker processes draw."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache as kept_answers
from functools import partial

from viewer.errors import FormatError, ViewerError
from viewer.library.file_sources import SourceFile
from viewer.library.outcome import Outcome
from viewer.library.thumbnails.cache import KeptThumbnail, ThumbnailCache
from viewer.library.thumbnails.thumbnail import ThumbnailRecord, ThumbnailTask
from viewer.library.workers.batches import Runner, run_batch
from viewer.library.workers.pool import SECONDS, ProcessEndedError
from viewer.storage.versions import path_version

LATE = re.compile(r"takes longer than ([\d.]+) s")
"""Matches the error of a worker pool for a file that exceeds the time limit."""
LASTING = (ProcessEndedError, FormatError)
"""Errors that recur until the file changes."""


def draw_thumbnails(
    files: Iterable[SourceFile],
    task: ThumbnailTask,
    runner: Runner,
    cache: ThumbnailCache,
    seconds: float = SECONDS,
) -> Iterator[Outcome]:
    """Yield the thumbnail of each file as a `KeptThumbnail`: cached thumbnails first, then thumbnails that
    worker processes draw.

    A file that exceeded a time limit is tried again if the runner now allows more `seconds`. Raises
    ViewerError if no worker process starts.
    """
    versions = kept_answers(partial(path_version, left_out=task.context.left_out))
    missing = dict[str, SourceFile]()
    for file in files:
        kept = cache.find(file.path, file.version, task, versions)
        if kept is None or _has_longer(kept.error, seconds):
            missing[file.path] = file
        else:
            yield kept_outcome(file.path, kept)
    for outcome in run_batch(task, missing, runner):
        yield keep(cache, missing[outcome.path], task, outcome)


def kept_outcome(path: str, kept: KeptThumbnail) -> Outcome:
    """Return the outcome of a cached thumbnail."""
    return Outcome(path, error=ViewerError(kept.error)) if kept.error else Outcome(path, kept)


def _has_longer(error: str, seconds: float) -> bool:
    """Return whether `error` reports a time limit that was exceeded and was shorter than `seconds`."""
    late = LATE.fullmatch(error)
    return late is not None and float(late[1]) < seconds


def keep(cache: ThumbnailCache, file: SourceFile, task: ThumbnailTask, outcome: Outcome) -> Outcome:
    """Cache the thumbnail of a file, or its error if the error would recur.

    Returns the outcome with a `KeptThumbnail` or an error.
    """
    made = outcome.value
    if isinstance(made, ThumbnailRecord):
        cache.keep(file.path, file.version, task, made)
        return outcome._replace(value=KeptThumbnail(made.png, made.facts, missing=made.missing))
    if isinstance(outcome.error, LASTING):
        cache.keep(file.path, file.version, task, outcome.why)
    return outcome
