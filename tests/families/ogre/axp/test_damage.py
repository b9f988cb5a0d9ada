"""Damage to good archives: a document or a FormatError, within memory, and other files stay readable."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.damage import check, damaged, open_bytes
from tests.fuzzing.axp_sample_files import axp_archives, small_axp
from viewer.scene.package import Package
from viewer.storage.documents import open_document

GOOD = axp_archives()


@settings(max_examples=60)
@given(damaged(GOOD, header=40))
def test_a_damaged_archive_is_a_document_or_an_error(seed: tuple[str, bytes]) -> None:
    document = open_bytes(*seed)
    if document is not None:
        check(document, len(seed[1]))
        assert isinstance(document.content, Package)
        for number in range(min(len(document.content), 20)):
            document.content.verify(number)


@pytest.mark.parametrize(
    ("at", "value", "why"),
    [
        (12, 0x7FFFFFFF, "the hash table lies outside the file, at 0x7FFFFFFF"),
        (16, 0x7FFFFFFF, "the block table lies outside the file, at 0x7FFFFFFF"),
        (20, 0xFFFFFFFF, "4294967295 entries declared"),
    ],
)
def test_a_table_that_lies_is_reported(tmp_path: Path, at: int, value: int, why: str) -> None:
    data = small_axp()
    (tmp_path / "x.axp").write_bytes(data[:at] + struct.pack("<I", value) + data[at + 4 :])
    errors = open_document(tmp_path / "x.axp").report.errors
    assert any(why in str(each) for each in errors)


def test_a_cut_archive_keeps_the_files_before_the_cut(tmp_path: Path) -> None:
    files = {"a": b"whole", "b": b"x" * 500}
    data = small_axp({"(list)": b"7FED7FED\n2\na|5|0\nb|1F4|0\n", **files}, listed=False)
    (tmp_path / "x.axp").write_bytes(data[:-100])
    document = open_document(tmp_path / "x.axp")
    package = document.content
    assert isinstance(package, Package)
    assert [str(each.why) for each in document.report.errors] == ["b: 500 bytes declared, 400 left"]
    assert b"".join(package.read(list(package.names).index("a"))) == b"whole"
