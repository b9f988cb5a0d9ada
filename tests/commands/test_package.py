"""`list`, `extract` and what the other verbs do with packages, as a shell sees it."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest

from tests.packages import (
    HOSTILE_NAMES,
    HOSTILE_PACKAGES,
    LYING,
    POST,
    post_files,
    sharing_package,
    write_package,
)
from viewer.commands.cli import main
from viewer.families.urho3d.package.writer import package_bytes
from viewer.storage.documents import open_document

Captured = pytest.CaptureFixture[str]


def written(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_list_says_what_is_in_it(tmp_path: Path, capsys: Captured) -> None:
    assert main(["list", str(write_package(tmp_path, "ULZ4"))]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in lines[1:-1]] == [name for name, _ in post_files()]
    assert lines[-1].endswith("4 files")


def test_list_as_json(tmp_path: Path, capsys: Captured) -> None:
    assert main(["list", str(write_package(tmp_path)), "--json", "--verify"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["package"]["files"] == 4 and said["errors"] == []
    first = said["entries"][0]
    keys = [
        "name",
        "offset",
        "size",
        "packed",
        "checksum",
        "verified",
        "refused",
        "archive",
        "hides",
        "flags",
    ]
    assert list(first) == keys and (first["archive"], first["hides"], first["flags"]) == (None, [], [])
    assert (first["name"], first["size"], first["verified"]) == (POST, len(post_files()[0][1]), True)


def test_verify_names_the_file_that_is_wrong(tmp_path: Path, capsys: Captured) -> None:
    path = write_package(tmp_path, files=[("good", b"good bytes"), ("bad", b"bad bytes")])
    path.write_bytes(path.read_bytes().replace(b"bad bytes", b"mad bytes"))
    assert main(["list", str(path), "--verify"]) == 1
    said = capsys.readouterr()
    assert [line.split()[-2:] for line in said.out.splitlines()[1:3]] == [["ok", "good"], ["wrong", "bad"]]
    assert said.err.startswith(f"{path}: bad: the checksum is ") and "entries[1] at 0x" in said.err
    assert main(["list", str(path)]) == 0


def test_verify_knows_the_checksum_of_the_whole(tmp_path: Path, capsys: Captured) -> None:
    path = write_package(tmp_path)
    data = bytearray(path.read_bytes())
    data[8] ^= 1
    path.write_bytes(data)
    assert main(["info", str(path), "--verify"]) == 1
    assert "does not match the checksums" in capsys.readouterr().err


def test_names_cannot_write_to_the_terminal(tmp_path: Path, capsys: Captured) -> None:
    path = write_package(tmp_path, files=[("\x1b[2Jx\n", b""), ("\x9bX", b"")])
    main(["list", str(path)])
    main(["info", str(path)])
    main(["extract", str(path), "-o", str(tmp_path / "out")])
    said = capsys.readouterr()
    assert "\x1b" not in said.out + said.err and "\x9b" not in said.out + said.err
    assert r"\x1b[2Jx\n" in said.out


def test_info_has_the_entries(tmp_path: Path, capsys: Captured) -> None:
    assert main(["info", str(write_package(tmp_path)), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["format"], said["unexplained_bytes"]) == ("Urho3D package", 0)
    assert [entry["name"] for entry in said["entries"]] == [name for name, _ in post_files()]
    assert said["entries"][0]["verified"] is None


def test_info_of_a_model_inside_says_where_its_texture_is(tmp_path: Path, capsys: Captured) -> None:
    path = write_package(tmp_path, "ULZ4")
    assert main(["info", f"{path}::{POST}", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["file"] == f"{path}::{POST}"
    assert said["textures"][0]["found"] == f"{path}::Textures/P.png"
    assert [each["source"] for each in said["animations"]] == [f"{path}::Models/Post_Bend.ani"]


def test_tree_shows_the_blocks(tmp_path: Path, capsys: Captured) -> None:
    assert main(["tree", str(write_package(tmp_path, "ULZ4"))]) == 0
    said = capsys.readouterr().out
    assert "packed_size" in said and POST in said


@pytest.mark.parametrize("verb", ["list", "extract"])
def test_what_is_no_package_is_refused(tmp_path: Path, capsys: Captured, verb: str) -> None:
    (tmp_path / "x.mdl").write_bytes(post_files()[0][1])
    more = ["-o", str(tmp_path / "out")] if verb == "extract" else []
    assert main([verb, str(tmp_path / "x.mdl"), *more]) == 2
    assert "not a package" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_render_of_a_package_says_what_can_be_drawn(tmp_path: Path, capsys: Captured) -> None:
    path = write_package(tmp_path)
    for verb, out in (("render", "x.png"), ("bake", "x.npz")):
        assert main([verb, str(path), "-o", str(tmp_path / out)]) == 2
        assert f"{path}::{POST}" in capsys.readouterr().err


def test_bake_of_a_model_inside_is_that_of_the_same_file(tmp_path: Path) -> None:
    path = write_package(tmp_path, "ULZ4")
    (tmp_path / "Post.mdl").write_bytes(post_files()[0][1])
    pose = ["--animation", f"{path}::Models/Post_Bend.ani", "--time", "0.3"]
    for source, out in ((f"{path}::{POST}", "in.npz"), (str(tmp_path / "Post.mdl"), "out.npz")):
        assert main(["bake", source, "-o", str(tmp_path / out), *pose]) == 0
    first, second = np.load(tmp_path / "in.npz"), np.load(tmp_path / "out.npz")
    assert np.array_equal(first["positions_0"], second["positions_0"], equal_nan=True)


@pytest.mark.parametrize("magic", ["UPAK", "ULZ4", "RPAK", "RLZ4"])
def test_extract_writes_every_file(tmp_path: Path, capsys: Captured, magic: str) -> None:
    out = tmp_path / "new" / "out"
    assert main(["extract", str(write_package(tmp_path, magic)), "-o", str(out)]) == 0
    assert written(out) == dict(post_files())
    assert capsys.readouterr().out == f"4 files written to {out}\n"


def test_what_was_extracted_opens_as_it_did_inside(tmp_path: Path) -> None:
    path = write_package(tmp_path, "ULZ4")
    main(["extract", str(path), "-o", str(tmp_path / "out")])
    inside, outside = open_document(f"{path}::{POST}"), open_document(tmp_path / "out" / POST)
    assert inside.data == outside.data
    assert len(inside.animations) == len(outside.animations) == 1


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        ([POST], {POST}),
        (["Models/"], {POST, "Models/Post_Bend.ani"}),
        (["*.png", "*.xml"], {"Textures/P.png", "Materials/Post.xml"}),
    ],
)
def test_extract_writes_what_is_asked_for(tmp_path: Path, wanted: list[str], names: set[str]) -> None:
    assert main(["extract", str(write_package(tmp_path)), *wanted, "-o", str(tmp_path / "out")]) == 0
    assert set(written(tmp_path / "out")) == names


def test_a_name_that_is_not_there_writes_nothing(tmp_path: Path, capsys: Captured) -> None:
    path = str(write_package(tmp_path))
    assert main(["extract", path, POST, "Models/Pots.mdl", "-o", str(tmp_path / "out")]) == 2
    assert "near: Models/Post.mdl" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_nothing_is_replaced_without_force(tmp_path: Path, capsys: Captured) -> None:
    path, out = str(write_package(tmp_path)), tmp_path / "out"
    (out / "Models").mkdir(parents=True)
    (out / POST).write_bytes(b"mine")
    assert main(["extract", path, "-o", str(out)]) == 2
    said = capsys.readouterr()
    assert said.out == f"3 of 4 files written to {out}\n" and "--force" in said.err
    assert (out / POST).read_bytes() == b"mine"
    assert main(["extract", path, "-o", str(out), "--force"]) == 0
    assert written(out) == dict(post_files())


def test_hostile_names_are_refused_one_by_one(tmp_path: Path, capsys: Captured) -> None:
    names = [
        "../up",
        "/abs",
        "C:/x",
        "NUL",
        "a\x01",
        "good",
        "GOOD",
        "good/below",
        "//s/share/x",
        "b..",
        "a:b",
    ]
    path = write_package(tmp_path, "ULZ4", [(name, b"bytes") for name in names])
    assert main(["extract", str(path), "-o", str(tmp_path / "out")]) == 1
    said = capsys.readouterr()
    assert said.out == f"1 of 11 files written to {tmp_path}/out\n"
    assert said.err.count(": refused, ") == 10
    assert written(tmp_path) == {"Data.pak": path.read_bytes(), "out/good": b"bytes"}


PACKED_NAMES = [name for name in HOSTILE_NAMES if "\0" not in name and "\ud800" not in name]


@pytest.mark.parametrize("name", PACKED_NAMES, ids=range(len(PACKED_NAMES)))
def test_a_hostile_name_reaches_nothing(tmp_path: Path, capsys: Captured, name: str) -> None:
    folder = tmp_path / "deep" / "er"
    folder.mkdir(parents=True)
    path = write_package(folder, files=[(name, b"bytes"), ("good", b"fine")])
    assert main(["extract", str(path), "-o", str(folder / "out")]) == 1
    assert written(tmp_path) == {"deep/er/Data.pak": path.read_bytes(), "deep/er/out/good": b"fine"}
    said = capsys.readouterr()
    assert said.out == f"1 of 2 files written to {folder}/out\n" and HOSTILE_NAMES[name] in said.err


ARCHIVES = HOSTILE_PACKAGES | {case: data for case, (data, _) in LYING.items()}


@pytest.mark.parametrize("case", sorted(ARCHIVES))
def test_a_hostile_package_writes_nothing_that_is_not_whole(
    tmp_path: Path, capsys: Captured, case: str
) -> None:
    path = tmp_path / "x.pak"
    path.write_bytes(ARCHIVES[case])
    assert main(["extract", str(path), "-o", str(tmp_path / "out")]) == 1
    assert list(written(tmp_path)) == ["x.pak"]
    assert f"{path}: " in capsys.readouterr().err


@pytest.mark.parametrize("magic", ["UPAK", "ULZ4"])
def test_of_a_cut_package_the_whole_files_are_written(tmp_path: Path, capsys: Captured, magic: str) -> None:
    files = [(f"{number}.bin", bytes([number]) * 40_000) for number in range(4)]
    path = write_package(tmp_path, magic, files)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 5 // 8])
    assert main(["extract", str(path), "-o", str(tmp_path / "out")]) == 1
    said = capsys.readouterr()
    assert written(tmp_path / "out") == dict(files[:2])
    assert said.err.count("not written") == 2 and "entries[2]" in said.err and "entries[3]" in said.err


def test_a_broken_block_costs_its_file_alone(tmp_path: Path, capsys: Captured) -> None:
    files = [("a", b"first " * 9000), ("b", b"second " * 9000), ("c", b"third " * 9000)]
    data = bytearray(package_bytes(files, "ULZ4"))
    at = struct.unpack_from("<I", data, data.index(b"b\0") + 2)[0]
    data[at + 4 : at + 40] = b"\xff" * 36
    (tmp_path / "x.pak").write_bytes(data)
    assert main(["extract", str(tmp_path / "x.pak"), "-o", str(tmp_path / "out")]) == 1
    assert written(tmp_path / "out") == {"a": files[0][1], "c": files[2][1]}
    said = capsys.readouterr().err
    assert "b: not written, broken LZ4 block" in said and "entries[1]/blocks[0] at 0x" in said


def test_a_file_with_another_checksum_is_written_and_told(tmp_path: Path, capsys: Captured) -> None:
    path = write_package(tmp_path, files=[("a", b"good bytes")])
    path.write_bytes(path.read_bytes().replace(b"good", b"mood"))
    assert main(["extract", str(path), "-o", str(tmp_path / "out")]) == 1
    assert written(tmp_path / "out") == {"a": b"mood bytes"}
    assert "its checksum is" in capsys.readouterr().err


def test_of_two_files_of_one_name_the_later_one_is_written(tmp_path: Path, capsys: Captured) -> None:
    path = write_package(tmp_path, files=[("a", b"old"), ("b", b"other"), ("a", b"new")])
    assert main(["extract", str(path), "-o", str(tmp_path / "out")]) == 0
    assert written(tmp_path / "out") == {"a": b"new", "b": b"other"}
    assert capsys.readouterr().err == "rigscope: a: left out, because a later file has the same name\n"


def test_no_room_is_told_before_anything_is_written(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    import shutil

    full = shutil.disk_usage(tmp_path)._replace(free=10)
    monkeypatch.setattr("viewer.commands.extract.shutil.disk_usage", lambda _: full)
    assert main(["extract", str(write_package(tmp_path)), "-o", str(tmp_path / "out")]) == 2
    assert "not enough space" in capsys.readouterr().err and written(tmp_path / "out") == {}


def test_files_that_share_bytes_are_not_extracted_beyond_the_limit(tmp_path: Path, capsys: Captured) -> None:
    path, out = tmp_path / "Data.pak", tmp_path / "out"
    path.write_bytes(sharing_package(1100, bytes(1 << 20)))
    assert main(["extract", str(path), "-o", str(out)]) == 2
    err = capsys.readouterr().err
    assert (
        "nothing is written, because 1,153,433,600 bytes are more than the limit of 1,073,741,824; --max-size"
        in err
    )
    assert not out.exists()


def test_max_size_replaces_the_limit_of_extract(tmp_path: Path, capsys: Captured) -> None:
    path, out = tmp_path / "Data.pak", tmp_path / "out"
    path.write_bytes(sharing_package(30, bytes(1 << 10)))
    assert main(["extract", str(path), "-o", str(out), "--max-size", "20K"]) == 2
    assert not out.exists()
    assert main(["extract", str(path), "-o", str(out), "--max-size=30k"]) == 0
    assert len(written(out)) == 30


def test_max_size_bounds_a_file_inside_a_package_too(tmp_path: Path, capsys: Captured) -> None:
    path = write_package(tmp_path, "ULZ4", [("a.mdl", bytes(50_000))])
    assert main(["info", f"{path}::a.mdl", "--max-size", "40000"]) == 1
    assert "50,000 bytes are more than the limit of 40,000; --max-size" in capsys.readouterr().err


def test_a_package_does_not_replace_itself(tmp_path: Path, capsys: Captured) -> None:
    path = write_package(tmp_path, files=[("Data.pak", b"other"), ("a.txt", b"text")])
    before = path.read_bytes()
    assert main(["extract", str(path), "-o", str(tmp_path), "--force"]) == 2
    assert "Data.pak: not written, it is the package itself" in capsys.readouterr().err
    assert path.read_bytes() == before and (tmp_path / "a.txt").read_bytes() == b"text"
