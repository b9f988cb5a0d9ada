"""Packages: every kind, behind other files, written again to the byte, and what the engine's tool made."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import read_json
from tests.opened import opened_file
from tests.packages import post_files, write_package
from viewer.binary import Span, unexplained
from viewer.binary.file_ranges import FILL, GAP, tiles
from viewer.families.urho3d.checksum import sdbm
from viewer.families.urho3d.package.load import load_package
from viewer.families.urho3d.package.probe import IDS
from viewer.families.urho3d.package.writer import package_bytes
from viewer.scene.document import Document
from viewer.scene.package import GOOD, Package
from viewer.storage.documents import open_document

MAGICS = [magic.decode() for magic in IDS]
HOST = b"MZ" + bytes(998)


def content(document: Document) -> Package:
    assert isinstance(document.content, Package)
    return document.content


def files_of(package: Package) -> list[tuple[str, bytes]]:
    return [(name, b"".join(package.read(number))) for number, name in enumerate(package.names)]


@pytest.mark.parametrize("magic", MAGICS)
@pytest.mark.parametrize("host", [b"", HOST], ids=["alone", "behind"])
def test_every_kind_opens_alone_and_behind_another_file(tmp_path: Path, magic: str, host: bytes) -> None:
    path = tmp_path / "program.exe"
    path.write_bytes(host + package_bytes(post_files(), magic))
    document = open_document(path)
    package = content(document)
    assert document.report.complete and document.report.warnings == []
    assert files_of(package) == post_files()
    assert (package.start, package.compressed) == (len(host), "LZ4" in magic)
    assert unexplained(document.root) == 0
    assert package.sound()


def test_one_packed_by_hand_opens(tmp_path: Path) -> None:
    entry = b"a.txt\0" + struct.pack("<III", 12 + 18, 3, (97 * 65599 + 98) * 65599 + 99 & 0xFFFFFFFF)
    head = b"UPAK" + struct.pack("<II", 1, 0) + entry
    (tmp_path / "x.pak").write_bytes(head + b"abc" + struct.pack("<I", len(head) + 7))
    package = content(open_document(tmp_path / "x.pak"))
    assert files_of(package) == [("a.txt", b"abc")]
    assert package.verify(0) == (GOOD, None)


def test_one_of_blocks_packed_by_hand_opens(tmp_path: Path) -> None:
    literal = bytes([0x30]) + b"abc"  # a token of three literals, which ends an LZ4 block
    blocks = struct.pack("<HH", 3, len(literal)) + literal
    entry = b"a\0" + struct.pack("<III", 12 + 14, 6, 0)
    (tmp_path / "x.pak").write_bytes(b"ULZ4" + struct.pack("<II", 1, 0) + entry + blocks + blocks)
    assert files_of(content(open_document(tmp_path / "x.pak"))) == [("a", b"abcabc")]


def test_a_package_without_files_opens(tmp_path: Path) -> None:
    document = open_document(write_package(tmp_path, files=[]))
    assert len(content(document)) == 0 and document.report.complete
    assert unexplained(document.root) == 0


def test_empty_files_and_files_of_many_blocks(tmp_path: Path) -> None:
    large = np.random.default_rng(3).integers(0, 4, 300_000, np.uint8).tobytes()
    files = [("empty", b""), ("large", large), ("end", b"!")]
    package = content(open_document(write_package(tmp_path, "ULZ4", files)))
    assert files_of(package) == files
    assert package.packed[0] == 0 and package.packed[1] < 300_000


def test_the_tree_has_header_entries_files_and_blocks(tmp_path: Path) -> None:
    document = open_document(write_package(tmp_path, "RLZ4", [("Models/a", bytes(70_000)), ("b", b"two")]))
    root = document.root
    names = [span.name for span in root.children]
    assert names[:5] == ["magic", "file_count", "checksum", "version", "directory_offset"]
    assert names[5:] == ["files", "entries", "package_size"]
    entry = root.child("entries").children[1]
    assert [(span.name, span.value) for span in entry.children][:1] == [("name", "b")]
    assert entry.child("checksum").value == sdbm(b"two")
    file = root.child("files").children[0]
    assert [block.child("unpacked_size").value for block in file.children] == [32768, 32768, 4464]
    found = root.at(file.children[1].offset + 5)
    assert [span.name for span in found[1:]] == ["files", "Models/a", "[1]", "data"]


def test_bytes_of_no_file_are_unexplained(tmp_path: Path) -> None:
    data = package_bytes([("a", b"abc")])
    (tmp_path / "x.pak").write_bytes(data[:-4] + b"odd" + struct.pack("<I", len(data) + 3))
    document = open_document(tmp_path / "x.pak")
    assert unexplained(document.root) == 3
    assert [span.type for span in document.root.child("files").children] == ["file", "unknown"]


def test_zeros_of_no_file_are_fill(tmp_path: Path) -> None:
    data = package_bytes([("a", b"abc")])
    (tmp_path / "x.pak").write_bytes(data[:-4] + bytes(5) + struct.pack("<I", len(data) + 5))
    document = open_document(tmp_path / "x.pak")
    assert unexplained(document.root) == 0
    rows = document.root.child("files").children
    assert [(span.name, span.type) for span in rows] == [("a", "file"), ("zero fill", "padding")]
    assert "belong to no file" in rows[1].note


def test_files_on_the_same_bytes_are_told(tmp_path: Path) -> None:
    data = bytearray(package_bytes([("a", b"abc"), ("b", b"def")]))
    at = data.index(b"b\0") + 2
    data[at : at + 4] = data[at - 14 : at - 10]
    (tmp_path / "x.pak").write_bytes(data)
    document = open_document(tmp_path / "x.pak")
    assert document.report.warnings == ["files that share bytes with other files: 1"]
    assert files_of(content(document))[1] == ("b", b"abc")


def test_tiles_cover_everything_once() -> None:
    begins, ends = np.array([10, 30, 12, 25, 40]), np.array([20, 35, 18, 32, 40])
    laid = tiles(begins, ends, 5, 50, b"x" * 20 + bytes(5) + b"x" * 25)
    assert laid.starts.tolist() == [5, 10, 20, 25, 32, 35, 50]
    assert laid.owners.tolist() == [GAP, 0, FILL, 3, 1, GAP]
    assert laid.shared == 2
    assert laid.unexplained == 20


def test_of_two_files_of_one_name_the_later_one_opens(tmp_path: Path) -> None:
    files = [("a.mdl", b"old"), *post_files(), ("a.mdl", post_files()[0][1])]
    assert open_document(f"{write_package(tmp_path, files=files)}::a.mdl").format == "Urho3D model"


SAMPLES = "urho3d/made-by-engine/paks"
NAMES = ("NinjaSnowWar.pak", "mixed_lz4.pak", "lines_lz4_exe_appended.pak")


@pytest.mark.parametrize("name", NAMES)
def test_every_entry_has_the_bytes_that_the_engine_read(corpus: Path, oracle: Path, name: str) -> None:
    document = open_document(corpus / SAMPLES / name)
    package = content(document)
    stated = read_json(oracle / "urho3d/structure" / f"made-by-engine__paks__{name}.json")
    assert document.report.complete and unexplained(document.root) == 0
    assert (package.checksum, package.sound()) == (stated["checksum"], True)
    for number, entry in enumerate(stated["entries"]):
        data = b"".join(package.read(number))
        assert package.names[number] == entry["name"]
        assert (int(package.offsets[number]), len(data)) == (entry["offset"], entry["size"])
        assert sdbm(data) == entry["readSdbm"]


def test_the_engines_package_is_written_again_to_the_byte(corpus: Path) -> None:
    data = (corpus / SAMPLES / "NinjaSnowWar.pak").read_bytes()
    document = load_package(opened_file(corpus / SAMPLES / "NinjaSnowWar.pak", data))
    assert package_bytes(files_of(content(document))) == data


def test_spans_are_made_when_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [(f"{number}.txt", b"x") for number in range(5000)]
    path = write_package(tmp_path, "ULZ4", files)
    made: list[str] = []
    plain = Span.__init__

    def counted(self: Span, name: str, *more: object, **fields: object) -> None:
        made.append(name)
        plain(self, name, *more, **fields)  # type: ignore[arg-type]

    monkeypatch.setattr(Span, "__init__", counted)
    document = open_document(path)
    assert unexplained(document.root) == 0
    assert len(made) < 100
    assert document.root.child("files").children[4999].name == "4999.txt"
