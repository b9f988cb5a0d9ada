"""MPQ archives: every way in which files are stored, names and their absence, and real archives."""

from __future__ import annotations

import json
import os
import random
import shutil
import struct
import subprocess
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from viewer.binary import unexplained
from viewer.binary.span import unused
from viewer.commands.cli import main
from viewer.errors import FormatError, ResourceError
from viewer.families.wow.mpq.crypt import decrypt, encrypt
from viewer.families.wow.mpq.layout import (
    ADJUSTED,
    BLOCK,
    COMPRESSED,
    DELETED,
    ENCRYPTED,
    IMPLODED,
    PATCH,
    SINGLE,
    SUMMED,
)
from viewer.families.wow.mpq.tables import BLOCK_KEY
from viewer.families.wow.mpq.writer import MpqFile, by_bzip2, by_sparse, mpq_bytes
from viewer.scene.document import Document
from viewer.scene.package import GOOD, WRONG, Package
from viewer.scene.reading_context import DEFAULT
from viewer.storage.documents import open_document
from viewer.storage.package_path import folder_of, open_package, read_path

TEXT = b"The quick brown fox jumps over the lazy dog. " * 300
ZEROS = bytes(5000) + b"end" + bytes(9000)
WAYS = {
    "stored": MpqFile("a\\b.txt", TEXT, 0),
    "zlib": MpqFile("a\\b.txt", TEXT),
    "bzip2": MpqFile("a\\b.txt", TEXT, pack=by_bzip2),
    "sparse": MpqFile("a\\b.txt", ZEROS, pack=by_sparse),
    "encrypted": MpqFile("a\\b.txt", TEXT, COMPRESSED | ENCRYPTED),
    "adjusted key": MpqFile("a\\b.txt", TEXT, COMPRESSED | ENCRYPTED | ADJUSTED),
    "stored, encrypted": MpqFile("a\\b.txt", TEXT, ENCRYPTED),
    "single unit": MpqFile("a\\b.txt", TEXT, COMPRESSED | SINGLE),
    "encrypted single unit": MpqFile("a\\b.txt", TEXT, COMPRESSED | SINGLE | ENCRYPTED | ADJUSTED),
    "sector checksums": MpqFile("a\\b.txt", TEXT, COMPRESSED | SUMMED | ENCRYPTED),
    "empty": MpqFile("a\\b.txt", b""),
}
HOST = b"MZ" + bytes(1022)


def content(document: Document) -> Package:
    assert isinstance(document.content, Package)
    return document.content


def opened(folder: Path, data: bytes, name: str = "x.mpq") -> Document:
    (folder / name).write_bytes(data)
    return open_document(folder / name)


def file_bytes(package: Package, name: str) -> bytes:
    return b"".join(package.read(list(package.names).index(name)))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("version", [1, 2])
def test_a_file_is_read_whichever_way_it_is_stored(tmp_path: Path, way: str, version: int) -> None:
    document = opened(tmp_path, mpq_bytes([WAYS[way]], version))
    package = content(document)
    assert file_bytes(package, "a/b.txt") == WAYS[way].data
    assert package.verify(0) == (GOOD, None) and document.version == str(version)
    assert document.report.complete and unexplained(document.root) == 0


@pytest.mark.parametrize("host", [HOST, b"MPQ\x1b" + struct.pack("<3I", 500, 1024, 16) + bytes(1008)])
def test_an_archive_behind_other_data_opens(tmp_path: Path, host: bytes) -> None:
    document = opened(tmp_path, host + mpq_bytes([WAYS["adjusted key"]]), "setup.exe")
    assert content(document).start == 1024
    assert file_bytes(content(document), "a/b.txt") == TEXT
    assert unexplained(document.root) in (0, len(host) - 16 - host.count(0) if host[0] == 77 else 0)


def test_a_header_whose_tables_lie_outside_the_file_is_passed_over(tmp_path: Path) -> None:
    fake = b"MPQ\x1a" + struct.pack("<IIHHIIII", 32, 0, 0, 3, 1 << 30, 1 << 30, 4, 4)
    document = opened(tmp_path, fake.ljust(512, b"\0") + mpq_bytes([("a", b"b")]))
    assert content(document).start == 512


def test_an_archive_packed_by_hand_opens(tmp_path: Path) -> None:
    # The tables are encrypted by a loop that follows the specification.
    from viewer.families.wow.mpq.crypt import encrypt
    from viewer.storage.name_hashes import hash_name

    checks = [hash_name(b"A\\B", kind) for kind in (1, 2)]
    hashes = struct.pack("<IIHBBI", *checks, 0, 0, 0, 0) + b"\xff" * 16
    blocks = struct.pack("<4I", 32, 3, 3, 0x80000000)
    head = b"MPQ\x1a" + struct.pack("<IIHHIIII", 32, 83, 0, 3, 35, 67, 2, 1)
    data = head + b"xyz" + encrypt(hashes, 0xC3AF3770) + encrypt(blocks, 0xEC83B3A3)
    (tmp_path / "x.mpq").write_bytes(data)
    assert read_path(f"{tmp_path}/x.mpq::a/b", DEFAULT)[1] == b"xyz"


def test_files_without_a_name_are_listed_by_number(tmp_path: Path) -> None:
    files = [("a\\b.txt", TEXT), MpqFile("c", TEXT, COMPRESSED | ENCRYPTED | SINGLE)]
    document = opened(tmp_path, mpq_bytes(files, listed=False, summed=False))
    package = content(document)
    assert list(package.names) == ["File00000000", "File00000001"]
    assert file_bytes(package, "File00000000") == TEXT
    with pytest.raises(FormatError, match="its name, which is a part of the key, is unknown"):
        file_bytes(package, "File00000001")
    assert document.report.notes == ["2 files without a name, listed by the number of the block"]


@pytest.mark.parametrize("more", [0, ADJUSTED, SUMMED | ADJUSTED])
def test_the_offsets_of_sectors_show_the_key_of_a_file_without_a_name(tmp_path: Path, more: int) -> None:
    skin = b"BLP2" + TEXT
    file = MpqFile("a\\b.blp", skin, COMPRESSED | ENCRYPTED | more)
    package = content(opened(tmp_path, mpq_bytes([file], listed=False, summed=False)))
    assert list(package.names) == ["File00000000.blp"]
    assert file_bytes(package, "File00000000.blp") == skin and package.verify(0) == (GOOD, None)


def test_a_file_without_a_name_has_the_suffix_of_its_content(tmp_path: Path) -> None:
    skin = b"BLP2" + bytes(5000)
    files = [
        ("a", skin),
        MpqFile("b", b"MD20" + bytes(9), COMPRESSED | SINGLE),
        MpqFile("c", TEXT, ENCRYPTED),
    ]
    document = opened(tmp_path, mpq_bytes(files, listed=False, summed=False))
    assert list(content(document).names) == ["File00000000.blp", "File00000001.m2", "File00000002"]
    assert read_path(tmp_path / "x.mpq::FILE00000000.blp", DEFAULT)[1] == skin


def test_archives_with_only_the_later_tables_are_refused_by_their_names(tmp_path: Path) -> None:
    offsets = 0, 0, 0, 1 << 12, 0x200, 0x300  # no classic tables; then the size, BET and HET
    head = struct.pack(
        "<4sIIHH4IQHHQQQ", b"MPQ\x1a", 0xD0, 0x1000, 3, 3, *offsets[:3], 0, 0, 0, 0, *offsets[3:]
    )
    with pytest.raises(FormatError, match="only the tables HET and BET are not supported"):
        opened(tmp_path, head.ljust(0x1000, b"\0"))


@pytest.mark.parametrize("name", ["a/b.txt", "A\\B.TXT"])
def test_a_file_is_found_by_the_hash_of_its_name(tmp_path: Path, name: str) -> None:
    file = MpqFile("a\\b.txt", TEXT, COMPRESSED | ENCRYPTED)
    (tmp_path / "x.mpq").write_bytes(mpq_bytes([file], listed=False))
    assert read_path(f"{tmp_path}/x.mpq::{name}", DEFAULT)[1] == TEXT
    assert folder_of(f"{tmp_path}/x.mpq::a/c", DEFAULT).find("B.txt") is not None


def test_a_missing_file_names_similar_files(tmp_path: Path) -> None:
    (tmp_path / "x.mpq").write_bytes(mpq_bytes([("a\\bear.m2", b"")]))
    with pytest.raises(ResourceError, match=r"a/bear\.m2"):
        read_path(f"{tmp_path}/x.mpq::a/baer.m2", DEFAULT)


def test_names_that_lead_out_of_the_archive_are_not_in_its_source(tmp_path: Path) -> None:
    (tmp_path / "x.mpq").write_bytes(mpq_bytes([("..\\..\\evil.txt", b"x"), ("good.txt", b"y")]))
    source = open_package(str(tmp_path / "x.mpq"), DEFAULT)
    assert source is not None
    assert sorted(source.names(deep=True)) == ["(attributes)", "(listfile)", "good.txt"]


def test_a_game_takes_the_neutral_file_of_a_name(tmp_path: Path) -> None:
    files = [MpqFile("t.txt", b"neutral"), MpqFile("t.txt", b"deutsch", locale=0x407)]
    package = content(opened(tmp_path, mpq_bytes(files)))
    assert file_bytes(package, "t.txt") == b"neutral"
    assert file_bytes(package, "t.0407.txt") == b"deutsch"


def test_deletion_markers_are_noted_and_not_listed(tmp_path: Path) -> None:
    document = opened(tmp_path, mpq_bytes([("a", b"b"), MpqFile("c", b"", DELETED)]))
    assert "c" not in content(document).names
    assert document.report.notes == ["1 deletion marker for files of other archives"]


def test_a_patch_costs_no_other_file(tmp_path: Path) -> None:
    document = opened(tmp_path, mpq_bytes([MpqFile("a", TEXT, COMPRESSED | PATCH), ("b", TEXT)]))
    assert file_bytes(content(document), "b") == TEXT
    with pytest.raises(FormatError, match="is a patch"):
        file_bytes(content(document), "a")


def test_a_changed_byte_is_found_by_the_checksum_of_the_file(tmp_path: Path) -> None:
    data = mpq_bytes([MpqFile("a", b"stored as it is", 0)])
    package = content(opened(tmp_path, data.replace(b"stored as", b"stored is")))
    verdict, error = package.verify(0)
    assert verdict == WRONG and error is not None and "(attributes) has" in error.why


def test_a_changed_sector_is_found_by_its_checksum(tmp_path: Path) -> None:
    packed = zlib.compress(bytes(range(256)) * 2)
    data = mpq_bytes([MpqFile("a", bytes(range(256)) * 2, COMPRESSED | SUMMED)], summed=False)
    # The window size in the zlib header may be larger than needed, so that only the checksum changes.
    package = content(opened(tmp_path, data.replace(packed[:2], b"\x68\x81", 1)))
    verdict, error = package.verify(0)
    assert verdict == WRONG and error is not None and error.why == "the checksum of sector 0 is wrong"


def test_files_without_checksums_have_none(tmp_path: Path) -> None:
    package = content(opened(tmp_path, mpq_bytes([("a", b"b")], summed=False)))
    assert package.checksum_of(0) is None and package.checksum is None


@pytest.mark.parametrize(("flags", "compressed"), [(0, False), (COMPRESSED, True), (IMPLODED, True)])
def test_an_archive_is_compressed_if_a_file_is(tmp_path: Path, flags: int, compressed: bool) -> None:
    data = mpq_bytes([MpqFile("a", b"", flags), MpqFile("b", b"text", 0)], listed=False, summed=False)
    assert content(opened(tmp_path, data)).compressed is compressed


def test_the_tree_has_the_tables_with_their_names_and_the_sectors(tmp_path: Path) -> None:
    document = opened(tmp_path, mpq_bytes([WAYS["sector checksums"]]))
    tables = document.root.child("hash_table")
    assert "a/b.txt" in [row.value for row in tables.children]
    file = document.root.child("files").children[0]
    assert [part.name for part in file.children] == ["sector_offsets", "sectors", "checksums"]
    assert len(file.child("sectors").children) == 4


def test_a_file_without_an_archive_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="has no header of an MPQ archive"):
        opened(tmp_path, b"this is not an archive, but a text")


SMPQ = [
    *(f"-M {version} -C {method}" for version in "1234" for method in ("ZLIB", "none", "BZIP2", "PKWARE")),
    *("-M 1 -C IMPLODE", "-M 2 -C SPARSE", "-M 2 -C SPARSE+ZLIB", "-M 2 -C SPARSE+BZIP2"),
    *("-M 2 -C SPARSE+PKWARE", "-M 2 -C ZLIB+PKWARE", "-M 1 -N -A -C ZLIB"),
    *(f"-M 1 {way} -C {method}" for way in ("-E", "-E -F", "-U", "-S") for method in ("ZLIB", "IMPLODE")),
    *("-M 1 -U -E -F -C ZLIB", "-M 1 -S -E -F -C ZLIB"),
]


@pytest.mark.parametrize("options", SMPQ)
def test_archives_of_smpq_have_the_bytes_of_their_files(tmp_path: Path, options: str) -> None:
    if not shutil.which("smpq"):
        pytest.skip("needs smpq")
    files = {"World/t.txt": TEXT, "World/z.bin": ZEROS, "small": b"ab"}
    (tmp_path / "World").mkdir()
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    subprocess.run(
        ["smpq", "-c", *options.split(), "x.mpq", *files], cwd=tmp_path, check=True, capture_output=True
    )
    package = content(open_document(tmp_path / "x.mpq"))
    assert {name: file_bytes(package, name) for name in files} == files
    assert [error for _, error in package.check() if error] == []


REAL = ("Patch-A.MPQ", "patch-C.mpq", "test.mpq", "TheDeathSheep.w3m")


@pytest.mark.parametrize("name", REAL)
def test_real_archives_unpack_as_stormlib_unpacks_them(corpus: Path, tmp_path: Path, name: str) -> None:
    path = next((corpus / "archives/mpq").rglob(name))
    package = content(open_document(path))
    assert [error for _, error in package.check() if error] == []
    if not shutil.which("smpq"):
        pytest.skip("needs smpq")
    subprocess.run(["smpq", "-x", str(path)], cwd=tmp_path, check=False, capture_output=True)
    theirs = {each.relative_to(tmp_path).as_posix(): each for each in tmp_path.rglob("*") if each.is_file()}
    shared = [each for each in package.names if each in theirs]
    assert shared
    assert all(file_bytes(package, each) == theirs[each].read_bytes() for each in shared)


def test_an_archive_of_three_gigabytes_opens(tmp_path: Path) -> None:
    """The file is sparse: between its only file and its tables are 3 GiB of nothing."""
    path = tmp_path / "common.MPQ"
    made = bytearray(mpq_bytes([("a\\b.txt", b"text")]))
    hashes, blocks = struct.unpack_from("<2I", made, 16)
    gap = 3 << 30
    struct.pack_into("<2I", made, 16, hashes + gap, blocks + gap)
    with path.open("wb") as file:
        file.write(made[: min(hashes, blocks)])
        file.seek(gap, os.SEEK_CUR)
        file.write(made[min(hashes, blocks) :])
    if path.stat().st_blocks * 512 > 64 << 20:
        pytest.skip("needs a file system with sparse files")
    document = open_document(path)
    assert document.report.complete
    assert "a/b.txt" in content(document).names
    assert read_path(f"{path}::a/b.txt", DEFAULT)[1] == b"text"


def info(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    """The status of `info --json`, and its facts."""
    status = main(["info", str(path), "--json"])
    return status, json.loads(capsys.readouterr().out)


def test_the_space_of_removed_files_is_free(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    noise = random.Random(1).randbytes(3000)
    gone = MpqFile("gone.txt", noise, 0, removed=True)
    (tmp_path / "x.mpq").write_bytes(mpq_bytes([MpqFile("a.txt", b"a", 0), gone, MpqFile("b.txt", b"b", 0)]))
    status, facts = info(tmp_path / "x.mpq", capsys)
    assert (status, facts["unexplained_bytes"], facts["removed_bytes"]) == (0, 0, 3000)
    assert [each["name"] for each in facts["entries"]] == ["a.txt", "b.txt", "(listfile)", "(attributes)"]
    assert main(["tree", str(tmp_path / "x.mpq")]) == 0
    assert "free space  free  · space of removed files" in capsys.readouterr().out


def test_bytes_that_no_row_names_stay_unexplained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The row of the removed file is cut to its first 1000 bytes: the other 2000 are named by nothing."""
    noise = random.Random(1).randbytes(3000)
    data = bytearray(mpq_bytes([MpqFile("gone.txt", noise, 0, removed=True), MpqFile("b.txt", b"b", 0)]))
    at = int.from_bytes(data[20:24], "little")
    blocks = np.frombuffer(decrypt(bytes(data[at:]), BLOCK_KEY), BLOCK).copy()
    blocks["packed"][0] = 1000
    data[at:] = encrypt(blocks.tobytes(), BLOCK_KEY)
    (tmp_path / "x.mpq").write_bytes(data)
    status, facts = info(tmp_path / "x.mpq", capsys)
    assert (status, facts["unexplained_bytes"], facts["removed_bytes"]) == (1, 2000, 1000)


def test_a_removed_file_whose_space_was_used_again_takes_nothing_from_files(tmp_path: Path) -> None:
    data = bytearray(mpq_bytes([MpqFile("gone.txt", b"x" * 500, 0, removed=True), ("b.txt", TEXT)]))
    at = int.from_bytes(data[20:24], "little")
    blocks = np.frombuffer(decrypt(bytes(data[at:]), BLOCK_KEY), BLOCK).copy()
    blocks["packed"][0] = 600
    data[at:] = encrypt(blocks.tobytes(), BLOCK_KEY)
    document = opened(tmp_path, bytes(data))
    assert (unexplained(document.root), unused(document.root)[1]) == (0, 500)
    assert document.report.warnings == []
