"""Findings as JUnit XML: a case for each file, and the schema agrees where it is given.

JUNIT_SCHEMA names a file with the schema `junit-10.xsd` of Jenkins, which the package `lxml` reads.
"""

from __future__ import annotations

import os
from xml.etree import ElementTree

import pytest

from tests.reports import REPORT
from viewer.commands.findings.junit import as_junit
from viewer.library.batch.check_report import CheckReport


def suite(report: CheckReport = REPORT) -> ElementTree.Element:
    """The only test suite of the document."""
    (only,) = ElementTree.fromstring("\n".join(as_junit(report)).encode())
    return only


def test_each_file_is_a_case() -> None:
    found = suite()
    assert found.attrib == {
        "name": "rigscope check",
        "tests": "3",
        "failures": "2",
        "errors": "0",
        "skipped": "0",
    }
    names = [(each.attrib["name"], each.attrib["file"]) for each in found]
    assert names == [(file.path, file.path) for file in REPORT.files]
    assert {each.attrib["classname"] for each in found} == {"rigscope.check"}


def test_what_makes_the_check_fail_is_one_failure() -> None:
    first, _, last = suite()
    (failure, output) = first
    assert (failure.tag, failure.attrib["type"], output.tag) == ("failure", "warning", "system-out")
    assert failure.attrib["message"] == "the weights of 1 of 4 vertices of <Body> & 'co' do not add up to 1"
    assert (failure.text or "").splitlines()[1:] == ["The vertices move.", "Normalise."]
    assert last[0].attrib["message"] == "2 findings, the first: the file ends early"
    assert len((last[0].text or "").splitlines()) == 2


def test_a_clean_file_passes() -> None:
    _, clean, _ = suite()
    assert len(clean) == 0 and not clean.text
    assert len(suite(CheckReport(()))) == 0


def test_characters_that_xml_forbids_are_escapes() -> None:
    output = suite()[0][1].text or ""
    assert output.endswith("bell\\x07, nbsp\\xa0, end\\ufffe, \\udcff")


def test_the_schema_agrees() -> None:
    path = os.environ.get("JUNIT_SCHEMA")
    if not path:
        pytest.skip("needs JUNIT_SCHEMA")
    etree = pytest.importorskip("lxml.etree")
    schema = etree.XMLSchema(etree.parse(path))
    for report in (REPORT, CheckReport(())):
        schema.assertValid(etree.fromstring("\n".join(as_junit(report)).encode()))
    assert not schema.validate(etree.fromstring("<testsuite><case/></testsuite>"))
