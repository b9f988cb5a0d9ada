"""Damage to good archives: a document or a FormatError, within memory, and other files stay readable."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.damage import check, damaged, open_bytes
from tests.fuzzing.mpq_sample_files import archives
from viewer.errors import FormatError
from viewer.families.wow.mpq.crypt import decrypt, encrypt
from viewer.families.wow.mpq.layout import COMPRESSED, SINGLE
from viewer.families.wow.mpq.tables import BLOCK_KEY
from viewer.families.wow.mpq.writer import MpqFile, mpq_bytes
from viewer.scene.package import Package
from viewer.storage.documents import open_document

GOOD = archives()


@settings(max_examples=60)
@given(damaged(GOOD, header=44))
def test_a_damaged_archive_is_a_document_or_an_error(seed: tuple[str, bytes]) -> None:
    document = open_bytes(*seed)
    if document is not None:
        check(document, len(seed[1]))
        assert isinstance(document.content, Package)
        for number in range(min(len(document.content), 20)):
            document.content.verify(number)


def changed(at: int, value: int, data: bytes = GOOD["one.mpq"]) -> bytes:
    return data[:at] + struct.pack("<I", value) + data[at + 4 :]


@pytest.mark.parametrize(
    ("at", "value", "why"),
    [
        (24, 0x8FFFFFFF, "entries are more than the limit"),
        (28, 0x00319601, "entries are more than the limit"),
        (28, 500, "500 entries declared"),
    ],
)
def test_a_table_that_claims_too_much_is_reported(tmp_path: Path, at: int, value: int, why: str) -> None:
    (tmp_path / "x.mpq").write_bytes(changed(at, value))
    errors = open_document(tmp_path / "x.mpq").report.errors
    assert [why in str(each) for each in errors] == [True]


def test_a_sector_that_is_too_large_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.mpq").write_bytes(changed(12, 24 << 16))
    with pytest.raises(FormatError, match="sectors of 512 << 24 bytes are too large"):
        open_document(tmp_path / "x.mpq")


def with_size(data: bytes, size: int) -> bytes:
    """The archive with another unpacked size of its first file."""
    at, count = struct.unpack_from("<I", data, 20)[0], struct.unpack_from("<I", data, 28)[0]
    blocks = bytearray(decrypt(data[at : at + 16 * count], BLOCK_KEY))
    struct.pack_into("<I", blocks, 8, size)
    return data[:at] + encrypt(bytes(blocks), BLOCK_KEY)


@pytest.mark.parametrize("flags", [COMPRESSED, COMPRESSED | SINGLE])
def test_a_size_that_lies_costs_one_file(tmp_path: Path, flags: int) -> None:
    data = with_size(mpq_bytes([MpqFile("liar", b"x" * 99, flags), ("good", b"good")]), 0x3FFFFFFF)
    (tmp_path / "x.mpq").write_bytes(data)
    package = open_document(tmp_path / "x.mpq").content
    assert isinstance(package, Package)
    errors = dict(package.check())
    assert errors[0] is not None and errors[1] is None


def test_a_list_of_names_that_is_too_large_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viewer.families.wow.mpq.files.BUDGET", _Small())
    (tmp_path / "x.mpq").write_bytes(GOOD["one.mpq"])
    document = open_document(tmp_path / "x.mpq")
    assert "(listfile): " in str(document.report.errors[0])
    assert isinstance(document.content, Package) and "File00000001" in document.content.names


class _Small:
    file_bytes = 1 << 20
    listfile_bytes = 10
    archive_heads = 10
