"""MPQ archives as places: mapped archives, and models in archives."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.fuzzing import m2_sample_files as m2
from viewer.binary import unexplained
from viewer.commands.cli import main
from viewer.errors import FormatError
from viewer.families.wow.mpq.writer import MpqFile, mpq_bytes
from viewer.library.index.facts import hash_file, index_file
from viewer.scene import reading_context
from viewer.scene.document import Document
from viewer.scene.package import Package
from viewer.scene.reading_context import DEFAULT
from viewer.storage import reading
from viewer.storage.documents import open_document
from viewer.storage.package_path import open_package

TEXT = b"The quick brown fox jumps over the lazy dog. " * 300


@pytest.fixture
def mapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An archive that is larger than the limit of other files, and therefore mapped."""
    monkeypatch.setattr(reading, "MAPPED", 100)
    monkeypatch.setattr(reading_context, "DEFAULT_SIZE", 1000)
    path = tmp_path / "x.mpq"
    path.write_bytes(mpq_bytes([MpqFile("a\\b.txt", TEXT, 0), ("c.txt", TEXT)]))
    return path


def content(document: Document) -> Package:
    assert isinstance(document.content, Package)
    return document.content


def test_a_large_archive_is_mapped_and_read_like_any_other(mapped: Path) -> None:
    document = open_document(mapped)
    assert not isinstance(document.data, bytes)
    assert b"".join(content(document).read(0)) == TEXT
    assert [error for _, error in content(document).check() if error] == []
    assert unexplained(document.root) == 0


def test_other_large_files_keep_their_limit(mapped: Path) -> None:
    other = mapped.with_name("x.txt")
    other.write_bytes(bytes(2000))
    with pytest.raises(FormatError, match="more than the limit of 1,000"):
        open_document(other)


def test_a_mapped_archive_that_is_cut_is_reported(mapped: Path) -> None:
    package = content(open_document(mapped))
    os.truncate(mapped, 50)
    with pytest.raises(FormatError, match="has become smaller since it was opened"):
        b"".join(package.read(0))


def test_the_index_takes_a_mapped_archive(mapped: Path) -> None:
    assert index_file(str(mapped)).facts.kind == "package"
    assert hash_file(str(mapped)) is None


@pytest.fixture
def creature(tmp_path: Path) -> Path:
    """An archive with a model and its textures, whose names have another case."""
    name, model = next(iter(m2.models().items()))
    files = [(f"Creature\\Bear\\{name}", model)]
    files += [(f"CREATURE\\BEAR\\{texture.upper()}", data) for texture, data in m2.textures().items()]
    (tmp_path / "x.mpq").write_bytes(mpq_bytes(files))
    return tmp_path / f"x.mpq::creature\\BEAR\\{name.upper()}"


def test_a_model_is_opened_and_its_textures_are_found_in_the_archive(
    creature: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["info", str(creature), "--json"])
    found = [each["found"] for each in json.loads(capsys.readouterr().out)["textures"] if each["name"]]
    assert found and all("x.mpq::creature/bear/skin.blp" in str(each).lower() for each in found)


def test_files_are_extracted_by_names_of_another_case_and_with_other_slashes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.mpq").write_bytes(mpq_bytes([("Creature\\Bear.txt", TEXT), ("other.txt", TEXT)]))
    out = tmp_path / "out"
    assert main(["extract", str(tmp_path / "x.mpq"), "creature\\*", "-o", str(out)]) == 0
    assert [each.relative_to(out).as_posix() for each in out.rglob("*.txt")] == ["Creature/Bear.txt"]
    assert (out / "Creature/Bear.txt").read_bytes() == TEXT


def test_list_and_verify_print_the_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.mpq").write_bytes(mpq_bytes([("a\\b.txt", TEXT)]))
    assert main(["list", str(tmp_path / "x.mpq"), "--json", "--verify"]) == 0
    found = json.loads(capsys.readouterr().out)["entries"]
    assert (found[0]["name"], found[0]["verified"]) == ("a/b.txt", True)
    assert found[0]["flags"] == ["compressed"]
    assert found[-1]["checksum"] is None


def test_models_are_found_by_a_query(
    creature: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["find", str(tmp_path / "x.mpq"), "kind:model"])
    assert ".m2" in capsys.readouterr().out


def test_a_name_is_found_without_the_list_of_all_names(tmp_path: Path) -> None:
    (tmp_path / "x.mpq").write_bytes(mpq_bytes([("A\\b.txt", TEXT)]))
    source = open_package(str(tmp_path / "x.mpq"), DEFAULT)
    assert source is not None and source.find("a\\B.TXT") == "A/b.txt"
    assert source.read("A/b.txt") == TEXT
    assert "_entries" not in vars(source)


def test_a_name_of_another_case_is_no_exact_name(tmp_path: Path) -> None:
    (tmp_path / "x.mpq").write_bytes(mpq_bytes([("A\\b.txt", TEXT)]))
    source = open_package(str(tmp_path / "x.mpq"), DEFAULT)
    assert source is not None and source.find("a/b.txt", fold=False) is None
    assert source.find("A/b.txt", fold=False) == "A/b.txt"


def test_a_given_list_names_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.mpq").write_bytes(mpq_bytes([("A\\b.txt", TEXT), ("c", TEXT)], listed=False))
    (tmp_path / "names.txt").write_text("..\\none\na\\B.txt\n")
    assert main(["list", str(tmp_path / "x.mpq"), "--listfile", str(tmp_path / "names.txt")]) == 0
    assert [line.split()[-1] for line in capsys.readouterr().out.splitlines()[1:3]] == [
        "a/B.txt",
        "File00000001",
    ]
    assert main(["list", str(tmp_path / "x.mpq")]) == 0
    assert "a/B.txt" not in capsys.readouterr().out


def test_a_given_list_that_is_missing_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.mpq").write_bytes(mpq_bytes([("c", TEXT)]))
    assert main(["list", str(tmp_path / "x.mpq"), "--listfile", str(tmp_path / "none.txt")]) == 1
    assert "none.txt: cannot be read" in capsys.readouterr().err
