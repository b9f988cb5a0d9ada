"""The rules for packages and for checksums."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from tests.opened import opened_file
from tests.packages import block_file, post_files, sharing_package, write_package
from tests.shader_files import CONTAINER, vs4_bytes
from viewer.check.checking import check_file
from viewer.families.urho3d.compiled.shader import load_shader

MAGICS = ("UPAK", "ULZ4", "RPAK", "RLZ4")


@pytest.mark.parametrize("magic", MAGICS)
def test_a_sound_package_has_no_findings(tmp_path: Path, magic: str) -> None:
    assert check_file(str(write_package(tmp_path, magic))) == ()


@pytest.mark.parametrize("magic", MAGICS)
def test_a_wrong_checksum_of_a_file(tmp_path: Path, magic: str) -> None:
    path = write_package(tmp_path, magic)
    data = bytearray(path.read_bytes())
    at = data.index(b"Materials/Post.xml\0") + 19
    begin, _, checksum = struct.unpack_from("<III", data, at)
    struct.pack_into("<I", data, at + 8, checksum ^ 1)
    path.write_bytes(data)
    (found,) = check_file(str(path), select=["bytes/checksum"])
    assert found.text.startswith("Materials/Post.xml: the checksum is ") and found.offset == begin
    assert found.path == "files/Materials/Post.xml"


def test_a_wrong_checksum_of_the_package(tmp_path: Path) -> None:
    path = write_package(tmp_path)
    data = bytearray(path.read_bytes())
    data[8] ^= 1
    path.write_bytes(data)
    (found,) = check_file(str(path), select=["bytes/checksum"])
    assert (found.text, found.offset, found.path) == (
        "the checksum of the package does not fit its files",
        8,
        "checksum",
    )


def test_what_the_reader_told_is_not_told_again(tmp_path: Path) -> None:
    path = tmp_path / "a.pak"
    path.write_bytes(block_file((100, 60_000, b"\x30abc")))
    assert [each.rule for each in check_file(str(path))] == ["bytes/cut-off"]


def test_files_that_share_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.pak"
    path.write_bytes(sharing_package(3, b"shared"))
    (found,) = check_file(str(path), select=["bytes/shared"])
    assert found.text == "2 files share bytes with other files: 0001.bin, 0002.bin"
    path.write_bytes(sharing_package(1, b"shared"))
    assert check_file(str(path), select=["bytes/shared"]) == ()


def test_names_that_hide_each_other(tmp_path: Path) -> None:
    files = [*post_files(), ("models/post.mdl", b"x"), ("Textures/P.png", b"y")]
    found = check_file(str(write_package(tmp_path, "UPAK", files)), select=["bytes/hidden-file"])
    assert [each.text for each in found] == [
        "models/post.mdl differs from Models/Post.mdl only in case",
        "Textures/P.png has the name of an earlier file",
    ]


def test_a_hidden_file_outside_the_package_leads_nowhere(tmp_path: Path) -> None:
    path = write_package(tmp_path, "UPAK", [*post_files(), ("models/post.mdl", b"x")])
    data = bytearray(path.read_bytes())
    struct.pack_into("<I", data, data.index(b"models/post.mdl\0") + 16, 99_999)
    path.write_bytes(data)
    (found,) = check_file(str(path), select=["bytes/hidden-file"])
    assert found.offset is None


def test_the_checksum_of_a_shader_container(tmp_path: Path) -> None:
    path = tmp_path / "a_00000000.vs4"
    hashed = load_shader(opened_file(path, vs4_bytes())).content.expected_hash  # type: ignore[union-attr]
    path.write_bytes(vs4_bytes(element_hash=hashed))
    assert check_file(str(path)) == ()
    container = bytearray(CONTAINER)
    container[4] ^= 1
    path.write_bytes(vs4_bytes(bytes(container), element_hash=hashed))
    (found,) = check_file(str(path))
    assert found.rule == "bytes/checksum" and found.text == "the checksum of the container is wrong"


def test_the_hash_of_the_inputs(tmp_path: Path) -> None:
    path = tmp_path / "a_00000000.vs4"
    path.write_bytes(vs4_bytes(element_hash=0xABC))
    (found,) = check_file(str(path), select=["bytes/checksum"])
    assert found.text.startswith("the hash of the inputs is 00000ABC, not ") and found.path == "element_hash"


@pytest.mark.parametrize(("size", "count"), [(0, 0), (1, 1)])
def test_only_files_with_bytes_share_them(tmp_path: Path, size: int, count: int) -> None:
    path = tmp_path / "a.pak"
    path.write_bytes(sharing_package(2, b"x" * size))
    assert len(check_file(str(path), select=["bytes/shared"])) == count


def test_an_error_outside_the_package_leads_nowhere(tmp_path: Path) -> None:
    path = write_package(tmp_path, "UPAK", [("Models/Far.mdl", b"x" * 40)])
    data = bytearray(path.read_bytes())
    struct.pack_into("<I", data, data.index(b"Models/Far.mdl\0") + 15, 99_999)
    path.write_bytes(data)
    found = check_file(str(path))
    assert found and all(each.offset is None or each.offset <= len(data) for each in found)
