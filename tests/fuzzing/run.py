"""A run: cases over the worker processes of `library.workers`, and what they find."""

from __future__ import annotations

import atexit
import gc
import signal
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import count

import numpy as np
from msgspec import Struct, field

from tests.fuzzing.cases import Case, case_of, format_of
from tests.fuzzing.choices import Choices, RecordedChoices, simplify
from tests.fuzzing.executor import Executor
from tests.fuzzing.findings import Finding, Findings
from viewer.library.workers.pool import ProcessEndedError, WorkerPool
from viewer.view import clip_points, first_view

WAITING = 32
"""The executions of each process that are planned ahead."""
SILENT = 90.0
"""Seconds of wall time for one execution: the executor limits processor time."""
ADDRESSES = 12 << 30
"""Bytes of memory of a process: a bomb ends as a MemoryError, not with the machine."""
MOMENTS = 4
"""The number of times of a clip at which the first view and the camera are sought: with more, that takes most
of the time of a small picture.
"""

SIMPLIFIED = 20.0
"""Seconds for which a finding is made smaller."""
COLUMNS = {
    "executions": "executions",
    "refused": "refused",
    "pose": "posed",
    "textures": "textures",
    "draw": "drawn",
    "bake": "baked",
    "export": "exported",
    "check": "checked",
    "diff": "compared",
    "edit": "edited",
    "findings": "findings",
}
"""What is counted, and what the table calls it."""
REFUSED_MOST = 0.05
"""The share of the executions that may end at the magic."""
Tally = defaultdict[str, Counter[str]]
"""For each format the number of executions, of those refused, and of those that reached each stage."""
Result = tuple[Counter[str], Finding | None]


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
        return case_of(format_of(self.formats, self.seed, number), self.seed, number, self.corpus)

    def numbers(self) -> Iterator[int]:
        """The numbers of the executions until the end or the deadline."""
        for number in count() if self.end is None else range(self.end):
            if self.deadline is not None and time.monotonic() >= self.deadline:
                return
            yield number

    def words(self, case: Case) -> str:
        """The options that choose a case."""
        corpus = f" --corpus {self.corpus}" if self.corpus else ""
        return f"--seed {self.seed} --case {case.number}{corpus}"


class Run(Struct):
    """A run of a plan. `execute` performs an execution, in place of `execute_number`."""

    plan: Plan
    findings: Findings
    execute: Callable[[str, Plan], Result] | None = None
    tally: Tally = field(default_factory=lambda: defaultdict(Counter))
    seconds: float = 0.0

    def run(self) -> None:
        """Run until the plan is done, or until Ctrl+C."""
        begun = reported = time.monotonic()
        task = partial(self.execute or execute_number, plan=self.plan)
        pool = WorkerPool(task, self.plan.jobs, SILENT, ADDRESSES, nice=0)
        try:
            for number in self.plan.numbers():
                pool.submit(str(number))
                while pool.pending >= WAITING * self.plan.jobs:
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
        """Count finished executions; one whose process ended or hung is a finding."""
        for number, value, error in pool.poll(1.0):
            case = self.plan.case(int(number))
            if error is not None and not isinstance(error, ProcessEndedError):
                raise error
            counts, finding = self._ended(case, str(error)) if error else value
            self.tally[case.format].update(counts)
            if finding is not None:
                self.findings.add(finding, self.plan.words(case))

    def _ended(self, case: Case, why: str) -> Result:
        """The finding of a case that ended its process, or that did not end."""
        executor = Executor()
        data = case.data(executor.places(case.sample))
        executor.close()
        finding = Finding(case.format, case.sample.name, data, "?", why, (case.sample.name,), why)
        return Counter(executions=1, findings=1), finding

    def _report_state(self) -> None:
        whole = summed(self.tally)
        share = whole["refused"] / max(whole["executions"], 1)
        self.findings.report(
            f"{self.seconds:6.0f} s  {whole['executions']:,} executions, {share:.1%} refused, "
            f"{whole['draw']:,} drawn, {len(self.findings.written)} distinct findings"
        )


def prepare() -> None:
    """Make the process strict: warnings are errors."""
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", "invalid escape sequence", DeprecationWarning)  # pyrr's
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(20_000, 20, 20)
    first_view.LOOKED_AT = clip_points.FEWEST = clip_points.MOST = MOMENTS


@cache
def _workplace() -> tuple[Executor, set[str]]:
    """The executor of this process, and the signatures of what it has found."""
    prepare()
    made = Executor()
    atexit.register(made.close)
    return made, set()


def execute_number(number: str, plan: Plan) -> Result:
    """The execution of a number in a worker process: what is counted, and what it found, made small."""
    executor, known = _workplace()
    case = plan.case(int(number))
    with np.errstate(all="warn", under="ignore"):  # as in the program before it enters its own scope
        counts, finding = execute(executor, case)
        if finding is None or finding.signature in known:
            return counts, None
        known.add(finding.signature)
        return counts, simplified(executor, case, finding)


def execute(executor: Executor, case: Case) -> Result:
    """One case: what is counted, and what it found."""
    data = case.data(executor.places(case.sample))
    progress, finding = executor.run(case.sample, data, case.stages(), case.key)
    counts = Counter(progress.done)
    counts.update(executions=1, refused=progress.refused, findings=finding is not None)
    return counts, finding


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


def summed(tally: Tally) -> Counter[str]:
    """The numbers of all formats together."""
    return sum(tally.values(), Counter[str]())


def table(tally: Tally, seconds: float) -> Iterator[str]:
    """A line for each format, one for all, and the speed."""
    whole = summed(tally)
    yield _line("format", COLUMNS.values())
    for format, counts in (*sorted(tally.items()), ("all", whole)):
        cells = {name: f"{counts[name]:,}" for name in COLUMNS}
        cells["refused"] = f"{counts['refused'] / max(counts['executions'], 1):.1%}"
        yield _line(format, cells.values())
    speed = whole["executions"] / seconds if seconds else 0.0
    yield f"{whole['executions']:,} executions in {seconds:,.0f} s, {speed:,.0f} a second"


def _line(name: str, cells: Iterable[str]) -> str:
    return f"{name:<9}" + "".join(f"{cell:>11}" for cell in cells)
