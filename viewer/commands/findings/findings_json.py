"""Findings and rules as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from viewer.check.rule import Rule
from viewer.check.rules import all_rules
from viewer.commands.info.fact_table import json_rows, json_text
from viewer.library.batch.check_report import CheckReport
from viewer.scene.finding import Finding, Severity

LISTED = 64
"""The largest number of printed items of a finding. The finding's text states the total number."""


def report_json(report: CheckReport) -> Iterator[str]:
    """Yield the lines of a JSON object, one line for each finding."""
    sums = {f"{kind.word}s": report.counts[kind] for kind in sorted(Severity, reverse=True)}
    head = {"files": len(report.files), **sums, "known": report.known}
    yield f'{json_text(head)[:-1]}, "findings": ['
    yield from json_rows(map(_facts, report.findings))
    yield "]}"


def rules_json() -> Iterator[str]:
    """Yield the lines of a JSON list, one line for each rule."""
    yield "["
    yield from json_rows(map(_rule_facts, all_rules()))
    yield "]"


def _facts(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "severity": finding.severity.word,
        "text": finding.text,
        "file": finding.file,
        "offset": finding.offset,
        "size": finding.size,
        "path": finding.path,
        "items": [str(item) for item in finding.items[:LISTED]],
        "effect": finding.effect,
        "remedy": finding.remedy,
    }


def _rule_facts(rule: Rule) -> dict[str, Any]:
    return {
        "rule": rule.id,
        "severity": rule.severity.word,
        "title": rule.title,
        "effects": dict(rule.effects),
        "remedy": rule.remedy,
        "example": rule.example,
        "default": not rule.optional,
    }
