"""Starts the workers, watches them, and collects what they find."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from tests.fuzzing import tally as tallies
from tests.fuzzing.executor import Executor
from tests.fuzzing.findings import Finding, write
from tests.fuzzing.tally import Tally
from tests.fuzzing.worker import Plan, work

SILENT = 90.0
"""Seconds of wall time after which an execution hangs: processor time is limited by the worker itself."""


class Worker(Struct):
    """A running process."""

    plan: Plan
    process: Any
    channel: Any
    number: Any
    begun: Any


class Supervisor(Struct):
    """A run. `tell` prints a line; findings are written below `folder`."""

    plan: Plan
    folder: Path
    tell: Callable[[str], None]
    tally: Tally = field(default_factory=dict)
    findings: dict[str, Path] = field(default_factory=dict)
    seconds: float = 0.0
    _context: Any = field(default_factory=lambda: multiprocessing.get_context("spawn"))

    def run(self) -> None:
        """Run until the plan is done, or until Ctrl+C."""
        begun = time.monotonic()
        workers = [self._start(replace(self.plan, job=job), job) for job in range(self.plan.jobs)]
        told = begun
        try:
            while workers:
                for channel in wait([each.channel for each in workers], 1.0):
                    worker = next(each for each in workers if each.channel is channel)
                    self._hear(worker, workers)
                for worker in [*workers]:
                    if time.monotonic() - worker.begun.value > SILENT:
                        worker.process.kill()
                if time.monotonic() - told > 60:
                    told = time.monotonic()
                    self._state(told - begun)
        finally:
            for worker in workers:
                worker.process.terminate()
            self.seconds = time.monotonic() - begun

    def _start(self, plan: Plan, first: int) -> Worker:
        receive, send = self._context.Pipe(duplex=False)
        number, begun = self._context.RawValue("q", first), self._context.RawValue("d", time.monotonic() + 60)
        process = self._context.Process(target=work, args=(plan, first, send, number, begun), daemon=True)
        process.start()
        send.close()
        return Worker(plan, process, receive, number, begun)

    def _hear(self, worker: Worker, workers: list[Worker]) -> None:
        """Take one message of a worker; one that died is replaced."""
        try:
            kind, *rest = worker.channel.recv()
        except EOFError:
            workers.remove(worker)
            worker.process.join()
            workers.append(self._start(worker.plan, self._died(worker) + worker.plan.jobs))
            return
        if kind == "tally":
            tallies.add(self.tally, rest[0])
        elif kind == "finding":
            self._found(*rest)
        else:
            workers.remove(worker)
            worker.process.join()
            if rest[0] is not None:
                workers.append(self._start(worker.plan, rest[0]))

    def _died(self, worker: Worker) -> int:
        """Write the file that killed a worker; its number."""
        number = int(worker.number.value)
        case = worker.plan.case(number)
        executor = Executor()
        data = case.data(executor.places(case.sample))
        executor.close()
        code = worker.process.exitcode
        kind = "hang" if code == -9 else f"exit {code}"
        text = f"the process ended with {code}"
        finding = Finding(case.format, case.sample.name, data, "?", kind, (case.sample.name,), text)
        tallies.add(self.tally, {case.format: {"executions": 1, "findings": 1}})
        self._found(case.number, finding)
        return number

    def _found(self, number: int, finding: Finding) -> None:
        """Write a finding, once."""
        if finding.signature in self.findings:
            return
        path = self.folder / finding.label / finding.name
        command = repeat_line(finding, self.plan, number, path)
        self.findings[finding.signature] = write(finding, self.folder, command)
        last = finding.text.strip().splitlines()[-1] if finding.text else ""
        self.tell(f"FOUND {finding.stage}: {last[:200]}\n      {' > '.join(finding.frames)}\n      {command}")

    def _state(self, seconds: float) -> None:
        whole = tallies.summed(self.tally)
        share = whole["refused"] / max(whole["executions"], 1)
        self.tell(
            f"{seconds:6.0f} s  {whole['executions']:,} executions, {share:.1%} refused, "
            f"{whole['draw']:,} drawn, "
            f"{len(self.findings)} distinct findings"
        )


def repeat_line(finding: Finding, plan: Plan, number: int, path: Path) -> str:
    """The command that repeats a finding."""
    corpus = f" --corpus {plan.corpus}" if plan.corpus else ""
    return f"python3 dev.py fuzz {finding.format} --seed {plan.seed} --case {number}{corpus} --repeat {path}"
