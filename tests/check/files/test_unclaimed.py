"""The rule for bytes that belong to no field."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.packages import write_package
from tests.synthetic import animation_bytes, model_bytes
from viewer.binary import unexplained
from viewer.check.checking import check_file
from viewer.scene.finding import Finding
from viewer.scene.items import ByteItem
from viewer.storage.documents import open_document


def found(path: Path, data: bytes) -> tuple[Finding, ...]:
    path.write_bytes(data)
    return check_file(str(path), select=["bytes/unclaimed"])


def test_bytes_behind_the_last_field(tmp_path: Path) -> None:
    path, data = tmp_path / "a.ani", animation_bytes()
    assert found(path, data) == ()
    (only,) = found(path, data + b"more")
    assert (only.text, only.offset) == (f"4 bytes at 0x{len(data):X} belong to no field", len(data))


def test_zeros_behind_the_last_field_are_fill(tmp_path: Path) -> None:
    path = tmp_path / "a.ani"
    assert found(path, animation_bytes() + bytes(40)) == ()
    document = open_document(path)
    assert (document.root.children[-1].name, unexplained(document.root)) == ("zero fill", 0)
    assert document.root.size == len(document.data) and not document.report.notes


def test_of_a_broken_file_nothing_is_told(tmp_path: Path) -> None:
    assert found(tmp_path / "a.mdl", model_bytes()[:-100]) == ()


@pytest.mark.parametrize(("gap", "places"), [(b"gap", 1), (b"\0" * 8, 0)])
def test_gaps_of_a_package_that_are_not_zeros(tmp_path: Path, gap: bytes, places: int) -> None:
    path = write_package(tmp_path)
    data = path.read_bytes()
    assert found(path, data) == ()
    size = len(data) + len(gap)
    findings = found(path, data[:-4] + gap + size.to_bytes(4, "little"))
    assert [each.offset for each in findings] == [len(data) - 4] * places
    assert all(each.text == "3 bytes belong to no field" for each in findings)
    assert all(each.items == (ByteItem(len(data) - 4),) for each in findings)
