"""A run: cases in batches over the worker processes of `library.workers`, and what they find.

A batch whose process dies or hangs is halved and run again until one case is left, which is the finding.
"""

from __future__ import annotations

import atexit
import gc
import signal
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from itertools import count
from pathlib import Path

import numpy as np
from msgspec import Struct, field

from tests.fuzzing.cases import Case, case_of, place_of
from tests.fuzzing.choices import Choices, RecordedChoices, simplify
from tests.fuzzing.executor import Executor
from tests.fuzzing.findings import Finding, write
from viewer.library.workers.pool import ProcessEndedError, WorkerPool
from viewer.view import clip_points, first_view

BATCH = 64
"""The number of executions of a batch."""
SILENT = 90.0
"""Seconds of wall time for one execution, beside those of its batch: the executor limits processor time."""
ADDRESSES = 12 << 30
"""Bytes of memory of a process: a bomb ends as a MemoryError, not with the machine."""
MOMENTS = 4
"""The number of times of a clip at which the first view and the camera are sought: with more, that takes most
of the time of a small picture.
"""

SIMPLIFIED = 20.0
"""Seconds for which a finding is made smaller."""
COLUMNS = ("executions", "refused", "pose", "textures", "draw", "bake", "export", "check", "diff", "findings")
HEADS = (
    "format",
    "executions",
    "refused",
    "posed",
    "textures",
    "drawn",
    "baked",
    "exported",
    "checked",
    "compared",
    "findings",
)
REFUSED_MOST = 0.05
"""The share of the executions that may end at the magic."""
Tally = dict[str, Counter[str]]
"""For each format the number of executions, of those refused, and of those that reached each stage."""
Result = tuple[Tally, list[tuple[int, Finding]]]


class Plan(Struct, frozen=True):
    """What a run does: `end` is the number of its executions and `deadline` its end by `time.monotonic`;
    None: no end of this kind. `jobs` is the number of processes.
    """

    formats: tuple[str, ...]
    seed: int
    corpus: str
    end: int | None
    deadline: float | None
    jobs: int = 1

    def case(self, number: int) -> Case:
        """The case of an execution."""
        format, own = place_of(self.formats, number)
        return case_of(format, self.seed, own, self.corpus)

    def batches(self) -> Iterator[str]:
        """The executions until the end or the deadline, a batch at a time."""
        for first in count(0, BATCH):
            over = self.deadline is not None and time.monotonic() >= self.deadline
            if over or (self.end is not None and first >= self.end):
                return
            last = first + BATCH if self.end is None else min(first + BATCH, self.end)
            yield batch_of(range(first, last))


class Run(Struct):
    """A run of a plan. `report` prints a line; findings are written below `folder`, each cause once.
    `execute` performs a batch, in place of `execute_batch`.
    """

    plan: Plan
    folder: Path
    report: Callable[[str], None]
    execute: Callable[[str, Plan], Result] | None = None
    tally: Tally = field(default_factory=dict)
    findings: dict[str, Path] = field(default_factory=dict)
    seconds: float = 0.0

    def run(self) -> None:
        """Run until the plan is done, or until Ctrl+C."""
        begun = reported = time.monotonic()
        task = partial(self.execute or execute_batch, plan=self.plan)
        pool = WorkerPool(task, self.plan.jobs, SILENT + 5 * BATCH, ADDRESSES, nice=0)
        try:
            for batch in self.plan.batches():
                pool.submit(batch)
                while pool.pending > self.plan.jobs:
                    self._take(pool)
                self.seconds = time.monotonic() - begun
                if time.monotonic() - reported > 60:
                    reported = time.monotonic()
                    self._report_state()
            while pool.pending:
                self._take(pool)
        finally:
            pool.close()
            self.seconds = time.monotonic() - begun

    def _take(self, pool: WorkerPool) -> None:
        """Count the results of finished batches; halve one whose process ended or hung."""
        for path, value, error in pool.poll(1.0):
            numbers = numbers_of(path)
            if isinstance(error, ProcessEndedError) and len(numbers) > 1:
                half = len(numbers) // 2
                pool.submit(batch_of(numbers[:half]))
                pool.submit(batch_of(numbers[half:]))
                continue
            if error is not None and not isinstance(error, ProcessEndedError):
                raise error
            tally, findings = self._ended(numbers[0], str(error)) if error else value
            add(self.tally, tally)
            for number, finding in findings:
                self._found(number, finding)

    def _ended(self, number: int, why: str) -> Result:
        """The finding of a case that ended its process, or that did not end."""
        case, executor = self.plan.case(number), Executor()
        data = case.data(executor.places(case.sample))
        executor.close()
        finding = Finding(case.format, case.sample.name, data, "?", why, (case.sample.name,), why)
        return {case.format: Counter(executions=1, findings=1)}, [(case.number, finding)]

    def _found(self, number: int, finding: Finding) -> None:
        """Write a finding, once."""
        if finding.signature in self.findings:
            return
        path = self.folder / finding.label / finding.name
        command = repeat_line(finding, self.plan, number, path)
        self.findings[finding.signature] = write(finding, self.folder, command)
        last = finding.text.strip().splitlines()[-1] if finding.text else ""
        self.report(
            f"FOUND {finding.stage}: {last[:200]}\n      {' > '.join(finding.frames)}\n      {command}"
        )

    def _report_state(self) -> None:
        whole = summed(self.tally)
        share = whole["refused"] / max(whole["executions"], 1)
        self.report(
            f"{self.seconds:6.0f} s  {whole['executions']:,} executions, {share:.1%} refused, "
            f"{whole['draw']:,} drawn, {len(self.findings)} distinct findings"
        )


def repeat_line(finding: Finding, plan: Plan, number: int, path: Path) -> str:
    """The command that repeats a finding."""
    corpus = f" --corpus {plan.corpus}" if plan.corpus else ""
    return f"python3 dev.py fuzz {finding.format} --seed {plan.seed} --case {number}{corpus} --repeat {path}"


def batch_of(numbers: range) -> str:
    """A batch as the path that a worker process gets."""
    return f"{numbers.start}-{numbers.stop}"


def numbers_of(batch: str) -> range:
    """The numbers of the executions of a batch."""
    return range(*map(int, batch.split("-")))


def prepare() -> None:
    """Make the process strict: warnings are errors."""
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", "invalid escape sequence", DeprecationWarning)  # pyrr's
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    first_view.LOOKED_AT = clip_points.FEWEST = clip_points.MOST = MOMENTS


@cache
def _executor() -> Executor:
    """The executor of this process."""
    prepare()
    made = Executor()
    atexit.register(made.close)
    return made


def execute_batch(batch: str, plan: Plan) -> Result:
    """Execute the cases of a batch: their counts, and each finding, made small, behind its case's number."""
    executor, tally = _executor(), dict[str, Counter[str]]()
    found: dict[str, tuple[int, Finding]] = {}
    with np.errstate(all="warn", under="ignore"):  # as in the program before it enters its own scope
        for number in numbers_of(batch):
            case = plan.case(number)
            finding = execute(executor, case, tally)
            if finding is not None and finding.signature not in found:
                found[finding.signature] = case.number, simplified(executor, case, finding)
    gc.set_threshold(20_000, 20, 20)
    return tally, list(found.values())


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


def simplified(executor: Executor, case: Case, finding: Finding) -> Finding:
    """The same finding in a file with less damage."""
    if finding.kind in ("TimeLimit", "MemoryLimit"):
        return finding
    mutation, choices = case.mutation(executor.places(case.sample)), RecordedChoices(case.key)
    mutation(choices)
    best, end = finding, time.monotonic() + SIMPLIFIED

    def fails(numbers: Choices) -> bool:
        """Whether the file of these choices has the same finding."""
        nonlocal best
        if time.monotonic() > end:
            return False
        _, found = executor.run(case.sample, mutation(numbers), case.stages(), case.key)
        if found is None or found.signature != finding.signature:
            return False
        best = min(best, found, key=lambda each: damage(each.data, case.sample.data))
        return True

    simplify(bytes(choices.recorded), fails)
    return best


def damage(data: bytes, original: bytes) -> int:
    """How much a file differs from its sample."""
    size = min(len(data), len(original))
    one, other = (np.frombuffer(each, np.uint8, size) for each in (data, original))
    return int(np.count_nonzero(one != other)) + abs(len(data) - len(original))


def add(total: Tally, more: Mapping[str, Mapping[str, int]]) -> None:
    """Add the numbers of another tally."""
    for format, counts in more.items():
        total.setdefault(format, Counter()).update(counts)


def summed(tally: Tally) -> Counter[str]:
    """The numbers of all formats together."""
    whole: Counter[str] = Counter()
    for counts in tally.values():
        whole.update(counts)
    return whole


def table(tally: Tally, seconds: float) -> Iterator[str]:
    """A line for each format, one for all, and the speed."""
    yield _line(HEADS)
    for format in sorted(tally):
        yield _line(_cells(format, tally[format]))
    whole = summed(tally)
    yield _line(_cells("all", whole))
    speed = whole["executions"] / seconds if seconds else 0.0
    yield f"{whole['executions']:,} executions in {seconds:,.0f} s, {speed:,.0f} a second"


def _cells(format: str, counts: Counter[str]) -> tuple[str, ...]:
    share = counts["refused"] / max(counts["executions"], 1)
    numbers = (f"{counts[name]:,}" for name in COLUMNS[2:])
    return (format, f"{counts['executions']:,}", f"{share:.1%}", *numbers)


def _line(cells: tuple[str, ...]) -> str:
    return f"{cells[0]:<9}" + "".join(f"{cell:>11}" for cell in cells[1:])
