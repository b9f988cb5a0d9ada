"""One execution: a mutated file through the program, and whatever is wrong with it as a finding."""

from __future__ import annotations

import gc
import random
import signal
import sys
import traceback
from collections.abc import Callable
from functools import cached_property
from types import FrameType, TracebackType
from typing import Any

from tests.damage import peak
from tests.fuzzing import checks, memory
from tests.fuzzing.checks import Progress
from tests.fuzzing.drawing import Drawing
from tests.fuzzing.findings import Finding, finding_of
from tests.fuzzing.folder import Folders
from tests.fuzzing.mutations import Places, places_of
from tests.fuzzing.samples import Sample
from tests.plugins import sample_plugin
from viewer.arrays import damaged_numbers
from viewer.storage.documents import open_document

SECONDS = 5.0
"""Processor time that an execution may take."""
SUSPICIOUS = 2
"""A peak above the limit divided by this is measured again, exactly: memory that was freed before is used
again without a trace in the kernel's numbers.
"""
THOROUGH = 0.15
"""The share of the executions whose whole listings are made."""


class TimeLimit(BaseException):
    """The execution takes too long. No `except Exception` hides it."""


class MemoryLimit(Exception):  # noqa: N818
    """The execution takes more memory than is promised."""


class Executor:
    """The workplace of one process, in which the sample plugin is installed."""

    def __init__(self) -> None:
        self._plugin = sample_plugin()
        self._plugin.__enter__()
        self.folders = Folders()
        self._places: dict[Sample, Places] = {}
        self._stray: list[str] = []
        sys.unraisablehook = self._unraisable
        signal.signal(signal.SIGPROF, _too_long)

    @cached_property
    def drawing(self) -> Drawing:
        """The GL context, made for the first picture."""
        return Drawing()

    def places(self, sample: Sample) -> Places:
        """The places of a sample, known from its own tree."""
        if sample not in self._places:
            path = self.folders.put(sample, sample.data)
            opened = None if sample.opened else open_document(path)
            self._places[sample] = Places() if opened is None else places_of(opened.root)
        return self._places[sample]

    def run(
        self, sample: Sample, data: bytes, stages: frozenset[str], key: str
    ) -> tuple[Progress, Finding | None]:
        """Put the file through the program. The finding is None if all is well."""
        path, progress = self.folders.put(sample, data), Progress()
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            self._work(sample, path, len(data), stages, key, progress)
            if self._stray:
                raise AssertionError(f"an exception in a destructor: {self._stray.pop()}")
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            signal.setitimer(signal.ITIMER_PROF, 0)
            return progress, finding_of(sample, data, progress.stage, error)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        return progress, None

    def close(self) -> None:
        """Remove what was made."""
        self.folders.remove()
        self._plugin.__exit__(None, None, None)

    def _work(
        self, sample: Sample, path: str, size: int, stages: frozenset[str], key: str, progress: Progress
    ) -> None:
        """All stages."""
        numbers = random.Random(f"{key}:options")
        thorough = numbers.random() < THOROUGH
        read = size + _beside(sample)
        document = _bounded(lambda: checks.check_file(path, size, thorough, progress), read)
        if document is None:
            return

        def stage(name: str, work: Callable[[], Any]) -> None:
            """Do the work of a stage, if it is wanted; its result is False if there was nothing to do."""
            if name in stages:
                progress.stage = name
                if work() is not False:
                    progress.done.add(name)

        def draw() -> bool:
            drawn = self.drawing.draw(document, numbers, "bake" in stages)
            if drawn and "bake" in stages:
                progress.done.add("bake")
            return drawn

        def textures() -> bool:
            return _bounded(lambda: checks.decode(document), read, pictured=True) is not None

        def compare() -> None:
            original = open_document(self.folders.put(sample, sample.data))
            _bounded(lambda: checks.check_comparison(original, document), read + len(sample.data))

        stage("check", lambda: _bounded(lambda: checks.check_findings(document), read))
        stage("textures", textures)
        with damaged_numbers():
            stage("pose", lambda: checks.check_poses(document))
            stages |= {"draw"} if "bake" in stages else set()
            stage("draw", draw)
            options = random.Random(f"{key}:export")
            stage("export", lambda: checks.check_export(document, self.folders.root, options))
        stage("diff", compare)
        values = random.Random(f"{key}:edit")
        stage("edit", lambda: _bounded(lambda: checks.check_edits(path, values), 4 * read))

    def _unraisable(self, found: Any) -> None:
        """An exception that Python could only have printed."""
        error: BaseException | None = found.exc_value
        where: TracebackType | None = found.exc_traceback
        self._stray.append("".join(traceback.format_exception(type(error), error, where))[-2000:])


def _bounded(work: Callable[[], Any], size: int, pictured: bool = False) -> Any:
    """The result of the work; MemoryLimit if it takes more than is promised for files of `size` bytes.

    `pictured`: the result is a number of pixels, for which more is promised. What looks suspicious is
    measured again, because what the first run imports and caches is no matter of the file.
    """
    result, growth = memory.measured(work)
    most = memory.allowed(size, result or 0 if pictured else 0)
    if growth > most // SUSPICIOUS:
        signal.setitimer(signal.ITIMER_PROF, 20 * SECONDS)  # the first run kept the limit
        gc.collect()
        _, growth = memory.measured(work)
        gc.collect()
        taken = max(peak(work), growth if growth > most else 0)
        if taken > most:
            raise MemoryLimit(f"{taken:,} bytes of memory, {most:,} are promised")
    return result


def _beside(sample: Sample) -> int:
    """The bytes of the files that are read with the mutated one."""
    linked = sum(each.stat().st_size for each in sample.folder.iterdir()) if sample.folder else 0
    return linked + sum(map(len, sample.beside.values()))


def _too_long(_signal: int, _frame: FrameType | None) -> None:
    raise TimeLimit(f"more than {SECONDS:g} s of processor time")
