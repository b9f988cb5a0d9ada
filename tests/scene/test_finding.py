"""Severities are ordered, and findings can be compared."""

from __future__ import annotations

from viewer.scene.finding import Finding, Severity
from viewer.scene.items import BoneItem


def test_an_error_is_worse_than_a_warning() -> None:
    assert [each.word for each in sorted(Severity, reverse=True)] == ["error", "warning", "note"]


def test_equal_findings_count_once() -> None:
    first, second = (Finding("a/b", Severity.NOTE, "text", "file", 3, "", (BoneItem(1),)) for _ in range(2))
    assert len({first, second}) == 1
