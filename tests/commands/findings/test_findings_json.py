"""Findings and rules as JSON."""

from __future__ import annotations

import json

from tests.reports import REPORT
from viewer.check.rules import all_rules
from viewer.commands.findings.findings_json import LISTED, report_json, rules_json
from viewer.library.batch.check_report import CheckedFile, CheckReport
from viewer.scene.finding import Finding, Severity
from viewer.scene.items import BoneItem


def test_each_finding_is_a_line_with_all_that_is_known() -> None:
    lines = list(report_json(REPORT))
    read = json.loads("\n".join(lines))
    assert {key: read[key] for key in ("files", "errors", "warnings", "notes", "known")} == {
        "files": 3,
        "errors": 2,
        "warnings": 1,
        "notes": 2,
        "known": 2,
    }
    assert len(lines) == 5 + 2
    assert read["findings"][0] == {
        "rule": "weights/sum",
        "severity": "warning",
        "text": "the weights of 1 of 4 vertices of <Body> & 'co' do not add up to 1",
        "file": "models/Jack one.mdl",
        "offset": 64,
        "size": 32,
        "path": "vertices[3]",
        "items": ["bone 1"],
        "effect": "The vertices move.",
        "remedy": "Normalise.",
    }
    assert read["findings"][1]["text"].startswith("bell\x07, nbsp\xa0")


def test_nothing_found_is_json_too() -> None:
    assert json.loads("\n".join(report_json(CheckReport(()))))["findings"] == []


def test_each_rule_is_a_line_with_what_its_page_says() -> None:
    lines = list(rules_json())
    read = json.loads("\n".join(lines))
    assert len(lines) == len(all_rules()) + 2 and [each["rule"] for each in read] == [
        each.id for each in all_rules()
    ]
    for rule, each in zip(all_rules(), read, strict=True):
        assert each["severity"] == rule.severity.word and each["effects"] == dict(rule.effects)
        assert all(each[key] in rule.page for key in ("title", "remedy", "example"))


def test_the_first_of_many_items_are_printed() -> None:
    many = tuple(map(BoneItem, range(LISTED + 9)))
    finding = Finding("a/b", Severity.NOTE, "many", "x.mdl", items=many)
    report = CheckReport((CheckedFile("x.mdl", (finding,)),))
    (found,) = json.loads("\n".join(report_json(report)))["findings"]
    assert len(found["items"]) == LISTED
