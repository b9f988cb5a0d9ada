"""Findings as SARIF 2.1.0 for GitHub and editors.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any
from urllib.parse import quote_from_bytes

from viewer import __version__
from viewer.check.fingerprint import fingerprint, numbered
from viewer.check.rule import Rule
from viewer.check.rules import all_rules
from viewer.commands.info.fact_table import json_rows, json_text
from viewer.errors import printable
from viewer.library.batch.check_report import CheckReport
from viewer.scene.finding import Finding
from viewer.storage.project_settings import relative_name

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
VERSION = "2.1.0"
BASE = "SRCROOT"
"""The name of the base folder of relative URIs. This folder is the current folder of the check."""
FINGERPRINTS = ("primaryLocationLineHash", "rigscope/v1")
"""The names of fingerprints. GitHub identifies a finding by the first fingerprint. Without it, GitHub would
use a hash of line 1, which means nothing in a binary file.
"""

Facts = dict[str, Any]


def as_sarif(report: CheckReport, status: int) -> Iterator[str]:
    """Yield the lines of a log with one run and its exit status. Each rule and each finding is one line."""
    here = os.path.abspath(os.curdir)
    numbers = {rule.id: number for number, rule in enumerate(all_rules())}
    driver = {"name": "Rigscope", "version": __version__, "semanticVersion": __version__}
    words = "findings make the check fail" if report.fails else "no finding makes the check fail"
    invocation = {"executionSuccessful": True, "exitCode": status, "exitCodeDescription": words}
    base = {"uri": f"{_absolute(here).rstrip('/')}/"}
    yield f'{{"$schema": "{SCHEMA}", "version": "{VERSION}", "runs": [{{'
    yield f'"tool": {{"driver": {json_text(driver)[:-1]}, "rules": ['
    yield from json_rows(map(_rule, all_rules()))
    yield "]}},"
    yield f'"invocations": [{json_text(invocation)}],'
    yield f'"originalUriBaseIds": {json_text({BASE: base})},'
    yield '"results": ['
    prints = numbered(_fingerprint(each, here) for each in report.findings)
    results = zip(report.findings, prints, strict=True)
    yield from json_rows(_result(each, numbers[each.rule], here, mark) for each, mark in results)
    yield "]}]}"


def _rule(rule: Rule) -> Facts:
    effects = " ".join(f"{family}: {text}" if family else text for family, text in rule.effects.items())
    return {
        "id": rule.id,
        "name": rule.id.title().replace("/", "").replace("-", ""),
        "shortDescription": {"text": f"{rule.title}."},
        "fullDescription": {"text": f"{rule.title}. {effects}"},
        "help": {"text": rule.page},
        "defaultConfiguration": {"level": rule.severity.word, "enabled": not rule.optional},
        "properties": {"tags": [rule.id.partition("/")[0]]},
    }


def _result(finding: Finding, rule: int, here: str, mark: str) -> Facts:
    text = printable(f"{finding.text}. {finding.effect}".strip())
    return {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": finding.severity.word,
        "message": {"text": text},
        "locations": [_location(finding, here)],
        "partialFingerprints": dict.fromkeys(FINGERPRINTS, mark),
    }


def _location(finding: Finding, here: str) -> Facts:
    """The location of a finding. Its region has the byte range, and line 1 because GitHub requires a line."""
    region: Facts = {"startLine": 1}
    if finding.offset is not None:
        region["byteOffset"] = finding.offset
        if finding.size is not None:
            region["byteLength"] = finding.size
    location: Facts = {
        "physicalLocation": {"artifactLocation": _artifact(finding.file, here), "region": region}
    }
    if finding.path:
        location["logicalLocations"] = [{"fullyQualifiedName": printable(finding.path)}]
    return location


def _artifact(path: str, here: str) -> Facts:
    """The location of a file, relative if the file is below the current folder.

    In `PACKAGE::name`, each colon is written as `%3A`.
    """
    name = relative_name(path, here)
    if os.path.isabs(name) or name.startswith("../"):
        return {"uri": _absolute(path)}
    return {"uri": quote_from_bytes(os.fsencode(name)), "uriBaseId": BASE}


def _absolute(path: str) -> str:
    return PurePath(os.path.abspath(path)).as_uri()


def _fingerprint(finding: Finding, here: str) -> str:
    return fingerprint(finding.rule, relative_name(finding.file, here), finding.path, finding.text)
