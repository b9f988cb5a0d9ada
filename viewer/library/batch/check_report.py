"""The result of a check of many files, independent of its output format."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from viewer.errors import counted
from viewer.scene.finding import Finding, Severity


class CheckedFile(NamedTuple):
    """A file with its findings. Findings of severity `fail_on` or worse make the check fail."""

    path: str
    findings: tuple[Finding, ...] = ()
    fail_on: Severity = Severity.ERROR

    @property
    def failures(self) -> tuple[Finding, ...]:
        """The findings that make the check fail."""
        return tuple(each for each in self.findings if each.severity >= self.fail_on)


class CheckReport(Struct, frozen=True, dict=True):
    """All checked files in their order.

    If a finding concerns several files, it is listed at only one of them. `known` is the number of known
    findings that are left out.
    """

    files: tuple[CheckedFile, ...]
    known: int = 0

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of all files."""
        return tuple(finding for file in self.files for finding in file.findings)

    @cached_property
    def counts(self) -> Counter[Severity]:
        """The number of findings of each severity."""
        return Counter(each.severity for each in self.findings)

    @property
    def summary(self) -> str:
        """The numbers of findings and files in one line."""
        counts = [counted(self.counts[kind], kind.word) for kind in sorted(self.counts, reverse=True)]
        known = f"; {counted(self.known, 'known finding')} left out" if self.known else ""
        return f"{', '.join(counts) or 'nothing found'} in {counted(len(self.files), 'file')}{known}"

    @property
    def fails(self) -> bool:
        """Whether the check fails."""
        return any(each.failures for each in self.files)
