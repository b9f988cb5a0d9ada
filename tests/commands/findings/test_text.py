"""Findings as text for people."""

from __future__ import annotations

from tests.reports import BODY, BROKEN, CONTROL, REPORT
from viewer.commands.findings.text import line, report_text
from viewer.library.batch.check_report import CheckedFile, CheckReport
from viewer.scene.finding import Severity


def test_a_finding_has_its_place_and_what_it_means_once() -> None:
    lines = list(report_text(REPORT))
    body = lines.index(f"models/Jack one.mdl:0x40: warning weights/sum: {BODY.text} (vertices[3])")
    assert lines[body + 1 : body + 3] == ["    The vertices move.", "    Normalise."]
    assert lines.count(line(BROKEN)) == 2 and len(lines) == 5 + 2 + 1


def test_errors_come_first() -> None:
    lines = list(report_text(REPORT))
    first = [lines.index(line(each)) for each in (BROKEN, BODY, CONTROL)]
    assert first == sorted(first) and first[0] == 0


def test_the_last_line_has_the_sums() -> None:
    assert (
        list(report_text(REPORT))[-1] == "2 errors, 1 warning, 2 notes in 3 files; 2 known findings left out"
    )
    assert list(report_text(CheckReport((CheckedFile("a.mdl"),)))) == ["nothing found in 1 file"]


def test_a_file_fails_by_its_own_severity() -> None:
    first, clean, last = REPORT.files
    assert first.failures == (BODY,) and clean.failures == () and last.failures == (BROKEN, BROKEN)
    assert REPORT.fails
    assert not CheckReport((clean, CheckedFile("a", (BODY, CONTROL), Severity.ERROR))).fails
