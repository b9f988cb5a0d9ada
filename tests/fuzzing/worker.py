"""A worker process: one execution after the other, told to the supervisor."""

from __future__ import annotations

import gc
import resource
import signal
import time
import warnings
from collections import Counter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tests.fuzzing.cases import Case, case_of, place_of
from tests.fuzzing.executor import Executor
from tests.fuzzing.findings import Finding, smaller
from tests.fuzzing.tally import Tally
from viewer.view import clip_points, first_view

RECYCLED = 30_000
"""The executions after which a process makes room for a fresh one."""
ADDRESSES = 12 << 30
"""Bytes of address space: a bomb ends as a MemoryError, not with the machine."""
MOMENTS = 4
"""The moments of a clip at which the first view and the camera are sought: with more, that takes most of the
time of a small picture.
"""
TOLD = 0.5
"""Seconds between two reports."""


class Plan(Struct, frozen=True):
    """What a run does: `end` is the number of its executions and `deadline` its last moment by
    `time.monotonic`; None: no end of this kind. Worker `job` of `jobs` does every `jobs`-th execution.
    """

    formats: tuple[str, ...]
    seed: int
    corpus: str
    end: int | None
    deadline: float | None
    jobs: int = 1
    job: int = 0

    def case(self, number: int) -> Case:
        """The case of an execution."""
        format, own = place_of(self.formats, number)
        return case_of(format, self.seed, own, self.corpus)


def prepare() -> None:
    """Make the process strict: warnings are errors, and memory has an end."""
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", "invalid escape sequence", DeprecationWarning)  # pyrr's
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    first_view.LOOKED_AT = clip_points.FEWEST = clip_points.MOST = MOMENTS
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))


def work(plan: Plan, first: int, channel: Any, number_now: Any, time_now: Any) -> None:
    """Execute from number `first` on. Tallies, findings and in the end the next number go into `channel`;
    the running number and when it began are in the shared values.
    """
    prepare()
    executor, known = Executor(), set[str]()
    tally: Tally = {}
    number, told, count = first, time.monotonic(), 0
    try:
        while (plan.end is None or number < plan.end) and count < RECYCLED:
            now = time.monotonic()
            if plan.deadline is not None and now >= plan.deadline:
                break
            number_now.value, time_now.value = number, now
            case = plan.case(number)
            finding = execute(executor, case, tally)
            if finding is not None and finding.signature not in known:
                known.add(finding.signature)
                time_now.value = now + 600
                channel.send(("finding", case.number, minimised(executor, case, finding)))
            number, count = number + plan.jobs, count + 1
            if count == 100:
                gc.freeze()
                gc.set_threshold(20_000, 20, 20)
            if now - told > TOLD:
                channel.send(("tally", tally))
                tally, told = {}, now
    finally:
        executor.close()
        channel.send(("tally", tally))
    ended = (plan.end is not None and number >= plan.end) or (count < RECYCLED)
    channel.send(("end", None if ended else number))


def execute(executor: Executor, case: Case, tally: Tally) -> Finding | None:
    """One case, counted."""
    data = case.data(executor.places(case.sample))
    progress, finding = executor.run(case.sample, data, case.stages(), case.key)
    counts = tally.setdefault(case.format, Counter())
    counts["executions"] += 1
    counts["refused"] += progress.refused
    counts.update(progress.done)
    counts["findings"] += finding is not None
    return finding


def minimised(executor: Executor, case: Case, finding: Finding) -> Finding:
    """The finding of a smaller file."""
    if finding.kind in ("TimeLimit", "MemoryLimit"):
        return finding
    last = finding

    def holds(data: bytes) -> bool:
        nonlocal last
        _, found = executor.run(case.sample, data, case.stages(), case.key)
        if found is None or found.signature != finding.signature:
            return False
        last = found
        return True

    data = smaller(finding.data, case.sample.data, holds)
    return replace(last, data=data)
