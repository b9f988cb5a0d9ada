"""Findings as text. The first finding of each rule also has its effect and remedy."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.library.batch.check_report import CheckReport
from viewer.scene.finding import Finding


def report_text(report: CheckReport) -> Iterator[str]:
    """Yield the findings of all files, errors first, then warnings; the last line has their counts."""
    explained: set[str] = set()
    for each in sorted(report.findings, key=lambda found: -found.severity):
        yield line(each)
        if each.rule not in explained:
            explained.add(each.rule)
            yield from (f"    {text}" for text in (each.effect, each.remedy) if text)
    yield report.summary


def line(finding: Finding) -> str:
    """One finding as a line."""
    offset = "" if finding.offset is None else f":0x{finding.offset:X}"
    inside = f" ({finding.path})" if finding.path else ""
    where = f"{finding.file}{offset}"
    return f"{where}: {finding.severity.word} {finding.rule}: {finding.text}{inside}"
