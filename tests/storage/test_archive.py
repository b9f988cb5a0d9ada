"""Zip archives as sources: names in any case and encoding, limits, no way out, damage."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from msgspec.structs import replace

from viewer.budget import BUDGET
from viewer.errors import FormatError, ResourceError
from viewer.families.urho3d.package.writer import package_bytes
from viewer.storage import archive as archives
from viewer.storage.archive import ZipSource, open_archive


def archive(folder: Path, **entries: bytes) -> Path:
    path = folder / "pack.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in entries.items():
            file.writestr(name, data)
    return path


def test_reads_what_was_packed(tmp_path: Path) -> None:
    source = ZipSource(archive(tmp_path, **{"a/Skin.PNG": b"pixels"}))
    assert source.find("A/skin.png") == "a/Skin.PNG"
    assert source.find("A/skin.png", fold=False) is None
    assert source.read("a/skin.png") == b"pixels"
    assert source.where("a/Skin.PNG") == f"{tmp_path / 'pack.zip'}/a/Skin.PNG"


def test_attributes_that_a_mac_packed_are_no_files(tmp_path: Path) -> None:
    source = ZipSource(
        archive(tmp_path, **{"a.png": b"pixels", "__MACOSX/._a.png": b"\0\5\x16\7", "._b": b""})
    )
    assert list(source.names(deep=True)) == ["a.png"]
    assert source.find("._b") is None


def test_lists_a_folder_or_all_of_it(tmp_path: Path) -> None:
    source = ZipSource(archive(tmp_path, **{"top": b"", "a/one": b"", "a/b/two": b"", "ab/three": b""}))
    assert list(source.names()) == ["top"]
    assert list(source.names("A")) == ["a/one"]
    assert list(source.names("a", deep=True)) == ["a/b/two", "a/one"]
    assert len(list(source.names(deep=True))) == 4


def test_names_that_leave_the_archive_are_not_there(tmp_path: Path) -> None:
    source = ZipSource(archive(tmp_path, **{"../out": b"1", "/etc/passwd": b"2", "in": b"3"}))
    assert list(source.names(deep=True)) == ["in"]
    assert source.find("../out") is None
    with pytest.raises(ResourceError, match="not in"):
        source.read("../out")


@pytest.mark.parametrize(
    ("name", "page"), [("骆驼", "gbk"), ("дома", "cp1251"), ("ラマ", "cp932"), ("müde", "cp1252")]
)
def test_names_in_the_code_page_of_their_maker(tmp_path: Path, name: str, page: str) -> None:
    path = archive(tmp_path, **{"xxxx.dds": b"camel"})
    path.write_bytes(path.read_bytes().replace(b"xxxx", name.encode(page)))
    assert ZipSource(path).read(f"{name}.dds") == b"camel"


def test_a_file_over_the_limit_is_not_unpacked(tmp_path: Path) -> None:
    source = ZipSource(archive(tmp_path, bomb=bytes(100_000)))
    assert source.read("bomb", 100_000) == bytes(100_000)
    with pytest.raises(FormatError, match="more than the limit of 99,999"):
        source.read("bomb", 99_999)


def test_a_broken_archive_says_so_when_it_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "pack.zip"
    path.write_bytes(b"no zip at all")
    with pytest.raises(FormatError, match="zip archive cannot be read"):
        ZipSource(path).find("x")


def test_a_broken_entry_says_where(tmp_path: Path) -> None:
    path = archive(tmp_path, data=b"0123456789" * 99)
    damaged = bytearray(path.read_bytes())
    damaged[36:44] = b"\xff" * 8
    path.write_bytes(damaged)
    with pytest.raises(FormatError, match="cannot be unpacked") as caught:
        ZipSource(path).read("data")
    assert caught.value.file == f"{path}/data"


def test_an_archive_of_too_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "BUDGET", replace(BUDGET, archive_entries=2))
    assert len(list(ZipSource(archive(tmp_path, one=b"", two=b"")).names())) == 2
    with pytest.raises(FormatError, match="3 files are more than the limit of 2"):
        list(ZipSource(archive(tmp_path, one=b"", two=b"", three=b"")).names())


def test_files_of_an_archive_that_is_gone_have_size_0(tmp_path: Path) -> None:
    path = tmp_path / "Data.pak"
    path.write_bytes(package_bytes([("a.txt", b"first"), ("b.txt", b"second")]))
    source = open_archive(str(path))
    assert source is not None and [*source.sizes_of([1, 0])] == [6, 5]
    source.forget()
    path.unlink()
    assert [*source.sizes_of([1, 0])] == [0, 0]
