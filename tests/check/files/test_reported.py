"""Each topic of a reader's message is told by one rule, with its place in the bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checked import document_of, findings, texts
from tests.ogre_files import NEWEST, rich_mesh
from tests.ogre_skeletons import rich_skeleton
from tests.shader_files import shader_bytes
from tests.synthetic import animation_bytes, model_bytes
from viewer.check.checking import check, check_file
from viewer.errors import FormatError, Report, Topic
from viewer.scene.model import Model

RULES = {
    Topic.CUT: "bytes/cut-off",
    Topic.UNCLAIMED: "bytes/unclaimed",
    Topic.LENGTH: "bytes/declared-length",
    Topic.VERSION: "bytes/version-unknown",
    Topic.PARTLY: "bytes/version-limited",
    Topic.REFERENCE: "m2/reference-outside",
    Topic.UNUSED: "m2/unused-file",
    Topic.CHECKSUM: "bytes/checksum",
    Topic.INDEX: "mesh/stray-index",
    Topic.NUMBER: "mesh/number",
    Topic.LEVEL: "mesh/empty-level",
    Topic.PROGRAM: "bytes/program",
    Topic.PICTURE: "bytes/picture-level",
    Topic.CYCLE: "skeleton/cycle",
    Topic.TRACK: "animation/odd-track",
    Topic.TRIGGERS: "animation/trigger-file",
    Topic.LINK: "animation/missing-link",
    Topic.OTHER: "file/damage",
}


@pytest.mark.usefixtures("wow")
@pytest.mark.parametrize("topic", Topic)
def test_a_message_is_told_by_one_rule(topic: Topic) -> None:
    report = Report()
    report.warn("odd", topic=topic, offset=7)
    found = check(document_of(Model(""), report=report))
    assert (
        [(each.rule, each.text) for each in found] == [(RULES[topic], "odd")] if topic in RULES else not found
    )


@pytest.mark.usefixtures("wow")
@pytest.mark.parametrize("topic", [Topic.CUT, Topic.REFERENCE, Topic.PROGRAM, Topic.PICTURE, Topic.OTHER])
def test_an_error_is_told_by_one_rule_with_its_place(topic: Topic) -> None:
    report = Report()
    report.fail(FormatError("the file ends", "bones[3]", 0x40, "made.mdl", topic))
    (found,) = check(document_of(Model(""), report=report))
    assert found.rule == {**RULES, Topic.OTHER: "file/broken"}[topic]
    assert (found.path, found.offset, found.file) == ("bones[3]", 0x40, "made.mdl")


@pytest.mark.usefixtures("wow")
def test_a_whole_file_has_no_findings() -> None:
    for rule in RULES.values():
        assert texts(rule, Model("")) == []


def test_a_message_of_another_file_names_that_file() -> None:
    report, other = Report(), Report()
    other.note("a length", Topic.LENGTH, 9)
    report.adopt(other, "beside.skeleton")
    (found,) = findings("bytes/declared-length", Model(""), report=report)
    assert (found.text, found.file, found.offset) == ("a length", "beside.skeleton", 9)


@pytest.mark.parametrize(("name", "data"), [("A.ani", animation_bytes()), ("A.mdl", model_bytes())])
def test_a_count_larger_than_the_file(tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(data[: len(data) // 2])
    (found,) = check_file(str(path), select=["bytes"])
    assert found.rule == "bytes/cut-off" and found.offset and found.path
    path.write_bytes(data)
    assert check_file(str(path), select=["bytes"]) == ()


def test_a_wrong_length_leads_to_its_chunk(tmp_path: Path) -> None:
    (tmp_path / "bones.skeleton").write_bytes(rich_skeleton())
    path, data = tmp_path / "a.mesh", bytearray(rich_mesh(NEWEST))
    path.write_bytes(data)
    assert check_file(str(path), select=["bytes"]) == ()
    at = data.index(b"\x00\x90")
    data[at + 2] += 1
    path.write_bytes(data)
    found = check_file(str(path), select=["bytes/declared-length"])
    assert [each.text for each in found] == ["bounds (chunk 0x9000) declares 35 bytes and has 34"]
    assert (found[0].offset, found[0].path) == (at, "mesh/bounds")


def test_a_broken_program(tmp_path: Path) -> None:
    path = tmp_path / "a_00000000.vs3"
    path.write_bytes(shader_bytes())
    assert check_file(str(path), select=["bytes"]) == ()
    path.write_bytes(shader_bytes(b"what"))
    (found,) = check_file(str(path), select=["bytes"])
    assert found.rule == "bytes/program" and found.offset


@pytest.mark.parametrize(("format", "files"), [("WoW M2 model", ["part.skin"]), ("Urho3D model", [])])
def test_parts_are_told_with_the_document(format: str, files: list[str]) -> None:
    part = document_of(None, format="WoW M2 view")
    part.path = "part.skin"
    part.report.note("a length", Topic.LENGTH, 9)
    found = findings("bytes/declared-length", Model(""), format=format, attached=(part,))
    assert [each.file for each in found] == files
