"""Findings as SARIF: what consumers need is there, and the schema agrees where it is given.

SARIF_SCHEMA names a file with the schema of SARIF 2.1.0, which the package `jsonschema` reads.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.conftest import ROOT
from tests.reports import BROKEN, CONTROL, REPORT
from viewer import __version__
from viewer.check.checking import check_file
from viewer.check.rules import all_rules
from viewer.commands.findings.sarif import as_sarif
from viewer.library.batch.check_report import CheckedFile, CheckReport

URI = re.compile(r"([a-z]+:)?[A-Za-z0-9/._~!$&'()*+,;=@%-]+")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a folder").mkdir()
    monkeypatch.chdir(tmp_path / "a folder")
    return tmp_path / "a folder"


def run(report: CheckReport = REPORT, status: int = 1) -> Any:
    """The only run of the log of a report."""
    log = json.loads("\n".join(as_sarif(report, status)))
    assert log["version"] == "2.1.0" and "sarif-2.1.0" in log["$schema"]
    (only,) = log["runs"]
    return only


def test_the_tool_tells_its_version_and_rules() -> None:
    driver = run()["tool"]["driver"]
    assert driver["name"] == "Rigscope" and driver["version"] == __version__
    assert [each["id"] for each in driver["rules"]] == [each.id for each in all_rules()]
    for rule, each in zip(all_rules(), driver["rules"], strict=True):
        assert each["shortDescription"]["text"] == f"{rule.title}." and each["help"]["text"] == rule.page
        assert re.fullmatch(r"[A-Z][A-Za-z0-9]+", each["name"])
        assert each["defaultConfiguration"]["level"] == rule.severity.word
    assert len({each["name"] for each in driver["rules"]}) == len(all_rules())


def test_a_result_points_to_its_rule_and_bytes() -> None:
    first = run()["results"][0]
    assert all_rules()[first["ruleIndex"]].id == first["ruleId"] == "weights/sum"
    assert first["level"] == "warning"
    assert first["message"]["text"].endswith("do not add up to 1. The vertices move.")
    (location,) = first["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "models/Jack%20one.mdl", "uriBaseId": "SRCROOT"},
        "region": {"startLine": 1, "byteOffset": 64, "byteLength": 32},
    }
    assert location["logicalLocations"] == [{"fullyQualifiedName": "vertices[3]"}]


def test_names_in_packages_are_uris() -> None:
    results = run()["results"]
    assert results[2]["locations"][0]["physicalLocation"]["artifactLocation"] == {
        "uri": "Data.pak%3A%3AModels/%C3%A4.mdl",
        "uriBaseId": "SRCROOT",
    }
    for each in results:
        assert URI.fullmatch(each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])


def test_a_file_elsewhere_has_an_absolute_uri(here: Path) -> None:
    outside = replace(BROKEN, file="../b c.mdl")
    made = run(CheckReport((CheckedFile("../b c.mdl", (outside,)),)))
    location = made["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location == {"uri": (here.parent / "b c.mdl").as_uri()}
    assert made["originalUriBaseIds"]["SRCROOT"]["uri"] == f"{here.as_uri()}/"


def test_the_run_tells_its_status() -> None:
    assert run()["invocations"] == [
        {"executionSuccessful": True, "exitCode": 1, "exitCodeDescription": "findings make the check fail"}
    ]
    assert run(CheckReport(()), 0)["invocations"][0]["exitCode"] == 0
    assert run(CheckReport(()), 0)["results"] == []


def test_fingerprints_are_stable_and_differ(here: Path) -> None:
    marks = [each["partialFingerprints"] for each in run()["results"]]
    assert all(set(each) == {"primaryLocationLineHash", "rigscope/v1"} for each in marks)
    assert len({each["rigscope/v1"] for each in marks}) == len(marks)
    assert [each["rigscope/v1"][-2:] for each in marks] == [":1", ":1", ":1", ":2", ":2"]
    moved = [
        file._replace(findings=tuple(replace(each, file=str(here / each.file)) for each in file.findings))
        for file in REPORT.files
    ]
    assert [each["partialFingerprints"] for each in run(CheckReport(tuple(moved)))["results"]] == marks


def test_control_characters_are_escapes() -> None:
    text = run()["results"][1]["message"]["text"]
    assert text.isprintable() and text.startswith("bell\\x07, nbsp\\xa0")


def checked() -> CheckReport:
    """What is found in the samples, and a report of everything difficult."""
    samples = [
        path for path in (ROOT / "assets").rglob("*") if path.suffix in (".mdl", ".mesh", ".m2", ".ani")
    ]
    files = [CheckedFile(str(path), check_file(str(path))) for path in sorted(samples)]
    odd = replace(CONTROL, file="..", path="a\x07b")
    return CheckReport((*files, *REPORT.files, CheckedFile("..", (odd,))))


def test_the_schema_agrees() -> None:
    path = os.environ.get("SARIF_SCHEMA")
    if not path:
        pytest.skip("needs SARIF_SCHEMA")
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(Path(path).read_text("utf-8-sig"))
    valid = jsonschema.validators.validator_for(schema)
    checker = valid(schema, format_checker=valid.FORMAT_CHECKER)
    for report in (checked(), CheckReport(())):
        log = json.loads("\n".join(as_sarif(report, 0)))
        assert [error.message for error in checker.iter_errors(log)] == []
    assert list(checker.iter_errors({"version": "2.1.0", "runs": [{}]}))
