"""Broken packages: files that are whole stay, every claim is checked, nothing takes long or much memory."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.damage import BESIDE_A_LARGE_FILE, allowed, check, damaged, open_bytes, peak
from tests.opened import opened_file
from tests.packages import HOSTILE_PACKAGES, LITERAL, LYING, U32, block_file, post_files, write_package
from viewer.budget import BUDGET
from viewer.commands.info.info import facts
from viewer.errors import FormatError
from viewer.families.urho3d.package.extents import FEW
from viewer.families.urho3d.package.load import load_package
from viewer.families.urho3d.package.writer import package_bytes
from viewer.scene.package import BROKEN, GOOD, WRONG, Package
from viewer.storage.documents import open_document

FILES = [("a/one.txt", b"one " * 99), ("two.bin", bytes(range(256)) * 200), ("three", b"3")]
SEEDS = {
    f"{magic}{'behind' if host else ''}.pak": host + package_bytes(FILES, magic, 0)
    for magic in ("UPAK", "ULZ4", "RPAK", "RLZ4")
    for host in (b"", b"MZ" * 50)
}


@given(damaged(SEEDS, 120))
@settings(max_examples=300)
def test_damage_gives_a_document_or_a_format_error(case: tuple[str, bytes]) -> None:
    name, data = case
    document = open_bytes(name, data)
    if document is None:
        return
    check(document, len(data))
    if isinstance(document.content, Package):
        assert len(document.content.names) == len(document.content)
        verdicts = [verdict for verdict, _ in map(document.content.verify, range(len(document.content)))]
        assert set(verdicts) <= {GOOD, WRONG, BROKEN}


@pytest.mark.parametrize("name", sorted(SEEDS))
def test_every_cut_of_the_header_and_the_directory_is_survived(name: str) -> None:
    data = SEEDS[name]
    for length in (*range(100 if "behind" in name else 4, 180), *range(len(data) - 80, len(data))):
        document = load_package(opened_file(Path("/nowhere/at/all") / name, data[:length]))
        assert document.root.size == length


@pytest.mark.parametrize("magic", ["UPAK", "ULZ4"])
def test_a_cut_package_keeps_the_files_that_are_whole(tmp_path: Path, magic: str) -> None:
    path = write_package(tmp_path, magic, FILES)
    path.write_bytes(path.read_bytes()[:-200] if magic == "UPAK" else path.read_bytes()[:-20])
    document = open_document(path)
    package = document.content
    assert isinstance(package, Package)
    assert b"".join(package.read(0)) == FILES[0][1]
    assert [error.path for error in document.report.errors] == ["entries[1]", "entries[2]"]
    assert all("two.bin" in each.why or "three" in each.why for each in document.report.errors)
    with pytest.raises(FormatError):
        b"".join(package.read(1))


def test_a_file_that_begins_behind_the_end_is_told_to_have_no_bytes() -> None:
    data = package_bytes(FILES, "UPAK", 0)
    cut = data.index(FILES[0][1]) + 10
    package = load_package(opened_file(Path("/nowhere/at/all/x.pak"), data[:cut])).content
    assert isinstance(package, Package)
    with pytest.raises(FormatError, match=r"396 bytes declared, 10 left"):
        b"".join(package.read(0))
    with pytest.raises(FormatError, match=r"51200 bytes declared, 0 left"):
        b"".join(package.read(1))


@pytest.mark.parametrize("case", sorted(LYING))
def test_a_lying_block_is_told_with_its_place(case: str) -> None:
    data, why = LYING[case]
    document = load_package(opened_file(Path("/nowhere/at/all/x.pak"), data))
    error = document.report.errors[0]
    assert why in error.why and error.path == "entries[0]" and 26 <= error.offset <= len(data)
    assert isinstance(document.content, Package)
    assert document.content.verify(0)[0] == BROKEN


@pytest.mark.parametrize(
    "block",
    [(100, 4, LITERAL), (2, 4, LITERAL), (3, 4, b"\xf0\xff\xff\xff")],
    ids=["less", "more", "garbage"],
)
def test_a_block_that_does_not_make_what_it_claims_is_broken(block: tuple[int, int, bytes]) -> None:
    document = load_package(opened_file(Path("/nowhere/at/all/x.pak"), block_file(block, size=block[0])))
    assert isinstance(document.content, Package)
    verdict, error = document.content.verify(0)
    assert verdict == BROKEN and error is not None
    assert (error.path, error.offset) == ("entries[0]/blocks[0]", 26)


@pytest.mark.parametrize("count", [1, FEW])
@pytest.mark.parametrize("cut", [0, 1])
def test_a_block_may_end_with_the_package_and_not_behind_it(count: int, cut: int) -> None:
    """Files walked one by one and all at once; they share one block."""
    at = 12 + 14 * count
    entry = b"a\0" + struct.pack("<III", at, 3, 0)
    data = b"ULZ4" + U32(count) + U32(0) + entry * count + struct.pack("<HH", 3, 4) + LITERAL
    document = load_package(opened_file(Path("/nowhere/at/all/x.pak"), data[: len(data) - cut]))
    assert document.report.complete is not bool(cut)


def test_other_bytes_than_the_checksum_says_are_wrong(tmp_path: Path) -> None:
    path = write_package(tmp_path, files=FILES)
    data = bytearray(path.read_bytes())
    data[data.index(b"one one")] ^= 1
    package = load_package(opened_file(path, bytes(data))).content
    assert isinstance(package, Package)
    assert [package.verify(number)[0] for number in range(3)] == [WRONG, GOOD, GOOD]


def test_many_broken_files_are_told_in_few_lines() -> None:
    data = package_bytes([(f"{n}", b"x" * 50) for n in range(500)])[:8000]
    document = load_package(opened_file(Path("/nowhere/at/all/x.pak"), data))
    assert len(document.report.errors) <= BUDGET.package_errors + 1
    assert "more files are incomplete" in document.report.errors[-1].why


@pytest.mark.parametrize("case", sorted(HOSTILE_PACKAGES))
def test_memory_stays_in_proportion(case: str) -> None:
    data = HOSTILE_PACKAGES[case]
    assert peak(lambda: load_package(opened_file(Path("/nowhere/at/all/x.pak"), data))) < allowed(
        data, BESIDE_A_LARGE_FILE
    )
    document = load_package(opened_file(Path("/nowhere/at/all/x.pak"), data))
    check(document, len(data))
    assert not document.report.complete


def test_listing_ten_million_empty_files_stays_in_proportion() -> None:
    data = b"UPAK" + U32(10_000_000) + U32(0) + (b"\0" + bytes(12)) * 200_000
    document = load_package(opened_file(Path("/nowhere/at/all/x.pak"), data))
    assert isinstance(document.content, Package)
    assert len(document.content) < 180_000
    assert "more than the package's size allows" in document.report.errors[0].why
    assert peak(lambda: facts(document)) < 2 * allowed(data, BESIDE_A_LARGE_FILE)


def test_a_model_in_a_cut_package_still_opens(tmp_path: Path) -> None:
    files = [*post_files(), ("end", b"x" * 1000)]
    path = write_package(tmp_path, files=files)
    path.write_bytes(path.read_bytes()[:-500])
    assert open_document(f"{path}::Models/Post.mdl").report.complete
