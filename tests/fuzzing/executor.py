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

from tests.fuzzing import checks, memory
from tests.fuzzing.checks import Progress
from tests.fuzzing.drawing import Drawing
from tests.fuzzing.findings import Finding, finding_of
from tests.fuzzing.folder import Folders
from tests.fuzzing.mutations import Places, places_of
from tests.fuzzing.samples import Sample
from tests.plugins import sample_plugin
from viewer.arrays import damaged_numbers
from viewer.scene.document import Document
from viewer.storage.documents import open_document

SECONDS = 5.0
"""Processor time that an execution may take."""


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
        self._memory = memory.MemoryPeak()
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
        beside = _beside(sample)
        numbers = random.Random(f"{key}:options")
        thorough = numbers.random() < THOROUGH
        document = self._bounded(
            lambda: checks.check_file(path, size, thorough, progress), memory.allowed(size + beside)
        )
        if document is None:
            return

        def stage(name: str, work: Callable[[], Any], most: int | None = None) -> None:
            """Do the work of a stage, if it is wanted; its result is False if there was nothing to do."""
            if name in stages:
                progress.stage = name
                if (work() if most is None else self._bounded(work, most)) is not False:
                    progress.done.add(name)

        def draw() -> bool:
            drawn = self.drawing.draw(document, numbers, "bake" in stages)
            if drawn and "bake" in stages:
                progress.done.add("bake")
            return drawn

        def compare() -> None:
            checks.check_comparison(original, document)

        allowed = memory.allowed(size + beside)
        stage("check", lambda: checks.check_findings(document), allowed)
        with damaged_numbers():
            stage("pose", lambda: checks.check_poses(document))
        stage("textures", lambda: self._textures(document, size + beside))
        with damaged_numbers():
            stages |= {"draw"} if "bake" in stages else set()
            stage("draw", draw)
            options = random.Random(f"{key}:export")
            stage("export", lambda: checks.check_export(document, self.folders.root, options))
        if "diff" in stages:
            progress.stage = "diff"
            original = open_document(self.folders.put(sample, sample.data))
            stage("diff", compare, memory.allowed(size + beside + len(sample.data)))

    def _textures(self, document: Document, size: int) -> bool:
        """Decode the textures; what is promised depends on the number of their pixels."""
        self._memory.begin()
        pixels = checks.decode(document)
        if pixels is None:
            return False
        most = memory.allowed(size, pixels)
        if self._memory.growth() > most:
            self._judge(lambda: checks.decode(document), most)
        return True

    def _bounded(self, work: Callable[[], Any], most: int) -> Any:
        """Do the work; MemoryLimit if it takes more than `most` bytes."""
        self._memory.begin()
        result = work()
        if self._memory.growth() > most // memory.SUSPICIOUS:
            self._judge(work, most)
        return result

    def _judge(self, work: Callable[[], Any], most: int) -> None:
        """Measure suspicious work again: what the first run imports and caches is no matter of the file."""
        signal.setitimer(signal.ITIMER_PROF, 20 * SECONDS)  # the first run kept the limit
        gc.collect()
        self._memory.begin()
        work()
        growth = self._memory.growth()
        gc.collect()
        peak = max(memory.exact(work), growth if growth > most else 0)
        if peak > most:
            raise MemoryLimit(f"{peak:,} bytes of memory, {most:,} are promised")

    def _unraisable(self, found: Any) -> None:
        """An exception that Python could only have printed."""
        error: BaseException | None = found.exc_value
        where: TracebackType | None = found.exc_traceback
        self._stray.append("".join(traceback.format_exception(type(error), error, where))[-2000:])


def _beside(sample: Sample) -> int:
    """The bytes of the files that are read with the mutated one."""
    linked = sum(each.stat().st_size for each in sample.folder.iterdir()) if sample.folder else 0
    return linked + sum(map(len, sample.beside.values()))


def _too_long(_signal: int, _frame: FrameType | None) -> None:
    raise TimeLimit(f"more than {SECONDS:g} s of processor time")
