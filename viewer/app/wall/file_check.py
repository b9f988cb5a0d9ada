"""Checks listed files with the settings of their projects, in worker processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from viewer.app.tasks import Task
from viewer.check.baseline import Baseline, read_baseline
from viewer.check.checking import check_file, unreadable
from viewer.check.settings_file import SettingsSearch
from viewer.errors import FormatError, ViewerError, counted
from viewer.library.outcome import Outcome
from viewer.library.thumbnails.thumbnail import ThumbnailTask
from viewer.library.workers.batches import LocalRunner, run_batch
from viewer.scene.finding import Finding, Severity
from viewer.session.file_batches import BatchResult, FileResult

NICE = 10
"""The niceness of the processes that check files."""


class CheckTask(Struct, frozen=True):
    """A task for worker processes: checks a file with the resource folders and limits of `drawing`."""

    drawing: ThumbnailTask = ThumbnailTask()

    def __call__(self, path: str, *choice: Any) -> tuple[Finding, ...]:
        """Return the findings of a file; `choice` are further arguments of `check_file`."""
        self.drawing.apply_limits()
        return check_file(path, (), *choice)


def check_files(paths: Sequence[str], drawing: ThumbnailTask, jobs: int, task: Task) -> BatchResult:
    """Check files with `jobs` processes; known findings are left out. ResourceError for invalid settings."""
    search, baselines = SettingsSearch(), dict[str, Baseline]()
    calls = [(path, *search.of(path).choice(path)) for path in paths]
    runner = LocalRunner(max(jobs, 1), nice=NICE, stopped=lambda: task.cancelled)
    found: dict[str, FileResult] = {}
    for number, outcome in enumerate(run_batch(CheckTask(drawing), calls, runner), 1):
        known = search.of(outcome.path).baseline_file
        if known and known not in baselines:
            baselines[known] = read_baseline(known)
        findings = _findings(outcome)
        new = [each for each in findings if not known or not baselines[known].takes(each)]
        if new:
            found[outcome.path] = _result(outcome.path, new)
        task.report(f"checking {number:,} of {len(paths):,}", number / len(paths))
    return BatchResult(
        _summary(len(paths), found), any(_fails(each) for each in found.values()), "", _sorted(paths, found)
    )


def _findings(outcome: Outcome) -> Sequence[Finding]:
    """The findings of a file. An unreadable file has one finding: the reason."""
    if outcome.error is None:
        return tuple(outcome.value)
    error = outcome.error if isinstance(outcome.error, FormatError) else ViewerError(outcome.why)
    return (unreadable(outcome.path, error),)


def _result(path: str, findings: Sequence[Finding]) -> FileResult:
    """Count the findings of a file; its text is the first of the most severe findings."""
    numbers = Counter(each.severity for each in findings)
    worst = max(findings, key=lambda each: each.severity)
    return FileResult(path, worst.text, tuple(sorted(numbers.items(), reverse=True)))


def _fails(result: FileResult) -> bool:
    return any(severity is not Severity.NOTE for severity, _ in result.counts)


def _sorted(paths: Sequence[str], found: dict[str, FileResult]) -> tuple[FileResult, ...]:
    """Sort by the numbers of errors, warnings and notes, the largest first."""
    results = [found[path] for path in paths if path in found]
    kinds = sorted(Severity, reverse=True)
    return tuple(sorted(results, key=lambda each: [-dict(each.counts).get(kind, 0) for kind in kinds]))


def _summary(checked: int, found: dict[str, FileResult]) -> str:
    total: Counter[Severity] = Counter()
    for each in found.values():
        total.update(dict(each.counts))
    numbers = [counted(total[kind], kind.word) for kind in sorted(total, reverse=True)]
    what = f"{', '.join(numbers)} in {counted(len(found), 'file')}" if numbers else "no findings"
    return f"Checked {counted(checked, 'file')}: {what}"
