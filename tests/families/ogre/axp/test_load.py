"""AXP archives: their files, names and checksums, and what is special about them."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path

import pytest

from tests.fuzzing.axp_sample_files import ENCRYPTED, FILES, TEXT, small_axp
from viewer.binary import unexplained
from viewer.binary.span import unused
from viewer.commands.cli import main
from viewer.errors import FormatError
from viewer.families.ogre.axp.names import name_keys
from viewer.families.ogre.axp.writer import axp_bytes
from viewer.scene import reading_context
from viewer.scene.document import Document
from viewer.scene.package import GOOD, WRONG, Package
from viewer.scene.reading_context import DEFAULT
from viewer.storage import reading
from viewer.storage.documents import open_document
from viewer.storage.package_path import folder_of, open_package, read_path


def opened(folder: Path, data: bytes, name: str = "x.axp") -> Document:
    (folder / name).write_bytes(data)
    return open_document(folder / name)


def content(document: Document) -> Package:
    assert isinstance(document.content, Package)
    return document.content


def file_bytes(package: Package, name: str) -> bytes:
    return b"".join(package.read(list(package.names).index(name)))


def test_the_hash_of_a_name_counts_bytes_from_0x80_as_negative() -> None:
    # A loop that follows the specification: 4 kinds of numbers, signed bytes, kinds 1 and 2.
    numbers, seed = [0] * 0x400, 0x00100001
    for low in range(0x100):
        for row in range(4):
            high = seed = (seed * 125 + 3) % 0x2AAAAB
            seed = (seed * 125 + 3) % 0x2AAAAB
            numbers[low + 0x100 * row] = (high & 0xFFFF) << 16 | (seed & 0xFFFF)

    def check(raw: bytes, kind: int) -> int:
        a, b = 0x7FED7FED, 0xEEEEEEEE
        for c in struct.unpack(f"{len(raw)}b", raw):
            a = numbers[0x100 * kind + c] ^ (a + b & 0xFFFFFFFF)
            b = c + a + b * 33 + 3 & 0xFFFFFFFF
        return a

    raw = "model/天龙.mesh".encode("gbk")
    assert name_keys(["Model\\天龙.MESH"]).tolist() == [check(raw, 1) << 32 | check(raw, 2)]
    assert name_keys(["(list)"]).tolist() == [0x8EE2C597_1EC97D8E]  # of a real archive


def test_letters_of_two_bytes_keep_their_second_byte(tmp_path: Path) -> None:
    # The second byte of these letters is `A`, `\` and `|`.
    names = [raw.decode("gb18030") for raw in (b"a/\x81\x41.txt", b"a/\x81\x5c.txt", b"a/\x81\x7c.txt")]
    package = content(opened(tmp_path, small_axp({name: name.encode() for name in names})))
    assert list(package.names) == [*names, "(list)"]
    assert [file_bytes(package, name).decode() for name in names] == names


@pytest.mark.parametrize("summed", [True, False])
def test_files_are_read_and_all_bytes_are_explained(tmp_path: Path, summed: bool) -> None:
    document = opened(tmp_path, small_axp(summed=summed))
    package = content(document)
    assert {name: file_bytes(package, name) for name in FILES} == FILES
    assert document.report.complete and unexplained(document.root) == 0
    assert [error for _, error in package.check() if error] == []


def test_an_archive_of_the_usual_size_opens(tmp_path: Path) -> None:
    document = opened(tmp_path, axp_bytes(FILES))
    assert file_bytes(content(document), "Model/龙.mesh") == TEXT and unexplained(document.root) == 0
    assert [each.name for each in document.root.children] == [
        *("header", "hash_table", "block_table", "free_blocks", "files")
    ]


def test_a_file_directly_after_the_blocks_leaves_no_space_for_more(tmp_path: Path) -> None:
    data = bytearray(axp_bytes({"a": b"text"}, room=2 * 12, hash_count=4))
    struct.pack_into("<I", data, 24, 240)  # block_capacity
    document = opened(tmp_path, bytes(data))
    assert [each.name for each in document.root.children] == ["header", "hash_table", "block_table", "files"]


def test_an_archive_packed_by_hand_opens(tmp_path: Path) -> None:
    key = name_keys(["a.txt"]).tolist()[0]
    head = b"AXPK" + struct.pack("<9I", 0x10001, 0, 40, 52, 1, 12, 64, 3, 0)
    tables = struct.pack("<3I", key >> 32, key & 0xFFFFFFFF, 1 << 31) + struct.pack("<3I", 64, 3, 1 << 31)
    (tmp_path / "x.axp").write_bytes(head + tables + b"xyz")
    assert read_path(f"{tmp_path}/x.axp::A.TXT", DEFAULT)[1] == b"xyz"


def test_the_tree_has_the_names_of_the_hashes(tmp_path: Path) -> None:
    document = opened(tmp_path, small_axp())
    rows = [row.value for row in document.root.child("hash_table").children]
    assert {"Model/龙.mesh", "Model/B.txt", "(list)"} <= set(rows)


@pytest.mark.parametrize("name", ["Model/龙.mesh", "MODEL\\龙.MESH"])
@pytest.mark.parametrize("listed", [True, False])
def test_a_file_is_found_by_its_name(tmp_path: Path, name: str, listed: bool) -> None:
    (tmp_path / "x.axp").write_bytes(small_axp(listed=listed))
    assert read_path(f"{tmp_path}/x.axp::{name}", DEFAULT)[1] == TEXT
    assert folder_of(f"{tmp_path}/x.axp::model/b", DEFAULT).find("B.TXT") is not None


def test_files_without_a_name_are_listed_by_number_and_content(tmp_path: Path) -> None:
    files = {"a": b"DDS rest", "b": b"\0\x10[MeshSerializer_v1.40]\n", "c": TEXT}
    document = opened(tmp_path, small_axp(files, listed=False))
    assert content(document).names == ["File00000000.dds", "File00000001.mesh", "File00000002"]
    assert document.report.notes == ["3 files without a name, listed by the number of the block"]
    assert read_path(tmp_path / "x.axp::file00000000.DDS", DEFAULT)[1] == b"DDS rest"


def test_a_list_without_an_entry_in_the_hash_table_is_the_last_block(tmp_path: Path) -> None:
    text = b"7FED7FED\r\n1\r\nA.txt|00000004|00000000\r\n"
    document = opened(tmp_path, small_axp({"a.txt": TEXT, "other": text}, listed=False))
    assert content(document).names == ["A.txt", "(list)"]
    assert document.report.notes == ["1 file with another size in the list than in the block table"]


def test_names_of_the_list_without_a_file_are_noted(tmp_path: Path) -> None:
    text = b"7FED7FED\n2\na.txt|4|0\ngone.txt|4|0\n"
    document = opened(tmp_path, small_axp({"a.txt": b"1234", "(list)": text}, listed=False))
    assert content(document).names == ["a.txt", "(list)"]
    assert document.report.notes == ["1 name of the list without a file"]


def test_a_changed_byte_is_found_by_the_checksum(tmp_path: Path) -> None:
    package = content(opened(tmp_path, small_axp().replace(TEXT, TEXT.replace(b"tian", b"Tian", 1))))
    assert package.checksum_of(0) == zlib.crc32(TEXT)
    verdict, error = package.verify(0)
    assert verdict == WRONG and error is not None and "(list) has" in error.why
    assert package.verify(1) == (GOOD, None)


def test_check_words_of_names_are_no_checksums(tmp_path: Path) -> None:
    package = content(opened(tmp_path, small_axp(summed=False).replace(TEXT, bytes(len(TEXT)))))
    assert package.checksum_of(0) is None and package.verify(0) == (GOOD, None)


def test_check_words_of_an_unknown_kind_are_no_checksums(tmp_path: Path) -> None:
    data = small_axp({"a": b"one", "b": b"two"})
    for each in (b"one", b"two"):
        data = data.replace(b"%08X\n" % zlib.crc32(each), b"12345678\n")
    assert content(opened(tmp_path, data)).checksum_of(0) is None


def test_encrypted_files_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = opened(tmp_path, small_axp())
    (note,) = document.report.notes
    assert note.startswith("the protector of the client encrypted 1 of 5 examined files")
    assert file_bytes(content(document), "Model/Monster/E.mesh") == ENCRYPTED
    assert main(["info", str(tmp_path / "x.axp::Model/Monster/E.mesh")]) == 1
    assert "a file that the protector of its client encrypted" in capsys.readouterr().err


def test_of_a_large_archive_some_evenly_spaced_files_are_examined(tmp_path: Path) -> None:
    """One file in three of 514, since not more than 256 are examined."""
    for first, encrypted in ((0, 172), (1, 0)):
        files = [(str(n), ENCRYPTED if n % 3 == first else b"plain") for n in range(514)]
        document = opened(tmp_path, axp_bytes(files, listed=False, room=514 * 12, hash_count=1024))
        notes = [each for each in document.report.notes if "encrypted" in each]
        assert len(notes) == bool(encrypted)
        assert all(f" encrypted {encrypted} of 172 examined files; " in each for each in notes)


def test_an_archive_that_a_tool_did_not_finish_is_read(tmp_path: Path) -> None:
    document = opened(tmp_path, small_axp(edited=True))
    assert "the edit flag is set" in document.report.warnings[0]
    assert file_bytes(content(document), "Model/B.txt") == b"b"


def test_another_version_is_refused(tmp_path: Path) -> None:
    data = small_axp()
    with pytest.raises(FormatError, match=r"version 1\.2 is not supported, only 1\.1"):
        opened(tmp_path, data[:4] + struct.pack("<I", 0x10002) + data[8:])


def test_a_pointer_of_git_lfs_is_named(tmp_path: Path) -> None:
    text = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1230000000\n"
    with pytest.raises(FormatError, match="a Git LFS pointer"):
        opened(tmp_path, text)


def test_names_that_lead_out_of_the_archive_are_not_extracted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.axp").write_bytes(small_axp({"../evil.txt": b"x", "C:/evil.txt": b"y", "good.txt": b"z"}))
    source = open_package(str(tmp_path / "x.axp"), DEFAULT)
    assert source is not None and sorted(source.names(deep=True)) == ["(list)", "good.txt"]
    main(["extract", str(tmp_path / "x.axp"), "-o", str(tmp_path / "out")])
    assert sorted(each.name for each in tmp_path.rglob("*.txt")) == ["good.txt"]


def test_a_large_archive_is_mapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAPPED", 100)
    monkeypatch.setattr(reading_context, "DEFAULT_SIZE", 1000)
    document = opened(tmp_path, small_axp())
    assert not isinstance(document.data, bytes)
    assert file_bytes(content(document), "Model/龙.mesh") == TEXT


def test_a_block_without_a_name_is_a_hole(tmp_path: Path) -> None:
    data = small_axp({"a": b"gone", "b": b"here"})
    at = data.index(struct.pack("<Q", name_keys(["a"]).tolist()[0])[4:])
    document = opened(tmp_path, data[: at + 8] + bytes(4) + data[at + 12 :])
    assert content(document).names == ["b", "(list)"] and unexplained(document.root) == 0
    assert document.root.child("files").children[0].note == "space of removed files"
    assert unused(document.root)[1] == 4


def test_the_list_command_prints_checksums(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.axp").write_bytes(small_axp())
    assert main(["list", str(tmp_path / "x.axp"), "--json", "--verify"]) == 0
    first, *others, last = json.loads(capsys.readouterr().out)["entries"]
    assert [each["flags"] for each in (first, others[-1])] == [[], ["encrypted"]]
    assert (last["name"], last["checksum"]) == ("(list)", None)
    assert (first["name"], first["verified"], first["checksum"]) == ("Model/龙.mesh", True, zlib.crc32(TEXT))


def test_a_real_archive_is_read_whole(corpus: Path) -> None:
    document = open_document(next((corpus / "archives/axp").rglob("Update.axp")))
    package = content(document)
    assert len(package) == 7 and package.names[1] == "Bg_Info/ClientBG1.jpg"
    assert file_bytes(package, "Bg_Info/ClientBG1.jpg")[:3] == b"\xff\xd8\xff"
    assert unexplained(document.root) == 0 and document.report.notes == []
