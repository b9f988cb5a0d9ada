"""Findings as JUnit XML for GitLab and Jenkins, with a test case for each file.

Source: the schema `junit-10.xsd` of the xUnit plugin of Jenkins, and GitLab, "Unit test reports".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from viewer.commands.findings.text import line
from viewer.errors import counted, printable
from viewer.library.batch.check_report import CheckedFile, CheckReport
from viewer.scene.finding import Finding

SUITE = "rigscope check"
CLASS = "rigscope.check"
"""The class name of the test cases, by which Jenkins groups them."""


def as_junit(report: CheckReport) -> Iterator[str]:
    """Yield the lines of a document with one test suite.

    A finding of the severity `fail_on` or worse is a failure of its file; any other finding is part of the
    file's output.
    """
    failed = sum(bool(each.failures) for each in report.files)
    sums = f'tests="{len(report.files)}" failures="{failed}" errors="0"'
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<testsuites name="{SUITE}" {sums}>'
    yield f'<testsuite name="{SUITE}" {sums} skipped="0">'
    for each in report.files:
        yield from _case(each)
    yield "</testsuite>"
    yield "</testsuites>"


def _case(file: CheckedFile) -> Iterator[str]:
    name = _attribute(file.path)
    head = f'<testcase name={name} classname="{CLASS}" file={name}'
    if not file.findings:
        yield f"{head}/>"
        return
    yield f"{head}>"
    if failures := file.failures:
        worst = max(each.severity for each in failures)
        message = failures[0].text
        if len(failures) > 1:
            message = f"{counted(len(failures), 'finding')}, the first: {message}"
        yield f'<failure message={_attribute(message)} type="{worst.word}">{_lines(failures)}</failure>'
    if others := [each for each in file.findings if each not in failures]:
        yield f"<system-out>{_lines(others)}</system-out>"
    yield "</testcase>"


def _lines(findings: Sequence[Finding]) -> str:
    """Each finding with its effect and remedy, as escaped text."""
    texts = (text for each in findings for text in (line(each), each.effect, each.remedy) if text)
    return escape("\n".join(map(printable, texts)))


def _attribute(text: str) -> str:
    return quoteattr(printable(text))
