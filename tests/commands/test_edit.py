"""`rigscope get` and `rigscope set` as a shell sees them."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.m2_files import model as m2_bytes
from tests.ogre_files import NEWEST, rich_mesh
from tests.packages import write_package
from tests.synthetic import animation_bytes, bone, model_bytes, track
from viewer.commands.cli import main
from viewer.commands.completion.candidates import candidates

Captured = pytest.CaptureFixture[str]
LIMITED = """
import resource, signal, sys
sys.dont_write_bytecode = True
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
from viewer.commands.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two models, a clip, a mesh of OGRE, an M2 and a cut model."""
    (tmp_path / "A.mdl").write_bytes(model_bytes())
    (tmp_path / "B.mdl").write_bytes(model_bytes(bones=[bone("base", 0, 0, 0), bone("end", 0, 0.5, 0.5)]))
    (tmp_path / "A.ani").write_bytes(animation_bytes("Bend", 1.0))
    (tmp_path / "a.mesh").write_bytes(rich_mesh(NEWEST))
    (tmp_path / "a.m2").write_bytes(m2_bytes())
    (tmp_path / "cut.mdl").write_bytes(model_bytes()[:-20])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_value_is_one_line(capsys: Captured) -> None:
    assert main(["get", "A.mdl", "bones[1]", "bones[1]/parent", "bones[1]/pose/position"]) == 0
    assert capsys.readouterr().out == "tip\n0\n0.0 0.5 0.0\n"


def test_a_node_without_a_value_is_all_values_below_it(capsys: Captured) -> None:
    assert main(["get", "A.mdl", "bones[1]/pose"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "bones[1]/pose/position=0.0 0.5 0.0" and len(lines) == 4
    assert main(["set", "A.mdl", *lines, "--dry-run"]) == 0
    assert capsys.readouterr().out == ""


def test_several_files_begin_their_lines(capsys: Captured) -> None:
    assert main(["get", "A.mdl", "B.mdl", "--", "bones[1]/name"]) == 0
    assert capsys.readouterr().out == "A.mdl: tip\nB.mdl: end\n"


def test_a_folder_and_a_pattern_are_their_files(capsys: Captured) -> None:
    assert main(["get", "*.mdl", "--", "bones[0]"]) == 1  # one is cut
    assert capsys.readouterr().out == "A.mdl: base\nB.mdl: base\ncut.mdl: base\n"


def test_values_as_json(capsys: Captured) -> None:
    assert main(["get", "A.mdl", "bones[1]/parent", "bones[1]", "--json"]) == 0
    first, second = json.loads(capsys.readouterr().out)
    assert (first["path"], first["value"], first["type"], first["size"]) == ("bones[1]/parent", 0, "u32", 4)
    assert (second["file"], second["value"]) == ("A.mdl", "tip")


def test_the_text_that_an_m2_refers_to_is_a_value(capsys: Captured) -> None:
    assert main(["get", "a.m2", "textures[0]/name"]) == 0
    assert capsys.readouterr().out == "Made\\Skin.blp\n"


def test_a_wrong_path_is_status_2_and_names_near_ones(capsys: Captured) -> None:
    assert main(["get", "A.mdl", "bones[1]/parnt"]) == 2
    assert "A.mdl: no path 'bones[1]/parnt'; near: bones[1]/parent" in capsys.readouterr().err
    assert main(["set", "A.mdl", "bones[1]/parnt=1", "-o", "new.mdl"]) == 2
    assert not os.path.exists("new.mdl")


def test_a_changed_file_is_written_elsewhere(files: Path, capsys: Captured) -> None:
    before = (files / "A.mdl").read_bytes()
    assert main(["set", "A.mdl", "bones[1]=Kopf=links", "bones[1]/parent=1", "-o", "new.mdl"]) == 0
    assert main(["get", "new.mdl", "bones[1]", "bones[1]/parent"]) == 0
    assert capsys.readouterr().out == "Kopf=links\n1\n"
    assert (files / "A.mdl").read_bytes() == before
    assert sorted(files.glob(".rigscope*")) == []


def test_a_file_is_changed_in_its_place(files: Path) -> None:
    assert main(["set", "A.mdl", "bones[1]=Kopf", "--write"]) == 0
    assert (files / "A.mdl").read_bytes() == model_bytes().replace(b"tip\0", b"Kopf\0")
    assert sorted(each.name for each in files.iterdir() if "A.mdl" in each.name) == ["A.mdl"]


def test_the_input_is_no_output(files: Path, capsys: Captured) -> None:
    assert main(["set", "A.mdl", "bones[1]=Kopf", "-o", "A.mdl"]) == 2
    assert "one of the files being read" in capsys.readouterr().err
    assert (files / "A.mdl").read_bytes() == model_bytes()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["bones[1]/parent=99999"], "bones[1]/parent: 99999 is out of range: bones has 2 rows"),
        (["bones[1]=base"], "bones[0]/name has the name 'base' already"),
        (["bones[1]/collision=sphere"], "would be read differently"),
        (["bones[0]=new", "bones[1]/parent=x"], "'x' is no whole number"),
    ],
)
def test_a_refused_value_is_status_1_and_nothing_is_written(
    words: list[str], why: str, files: Path, capsys: Captured
) -> None:
    assert main(["set", "A.mdl", *words, "--write"]) == 1
    assert why in capsys.readouterr().err
    assert (files / "A.mdl").read_bytes() == model_bytes()
    assert main(["set", "A.mdl", *words, "-o", "new.mdl"]) == 1 and not os.path.exists("new.mdl")
    assert main(["set", "A.mdl", *words, "--dry-run"]) == 1


def test_a_dry_run_lists_differences_as_diff_does(files: Path, capsys: Captured) -> None:
    assert main(["set", "A.mdl", "bones[1]/parent=1", "--dry-run"]) == 0
    told = capsys.readouterr().out
    assert "bones[1]/parent: 0 → 1" in told and (files / "A.mdl").read_bytes() == model_bytes()
    assert main(["set", "A.mdl", "bones[1]/parent=1", "-o", "new.mdl"]) == 0
    main(["diff", "A.mdl", "new.mdl", "--bytes"])
    assert told.strip() in capsys.readouterr().out


def test_lines_of_a_dry_run_of_several_files_begin_with_the_file(capsys: Captured) -> None:
    assert main(["set", "A.mdl", "B.mdl", "--", "bones[1]/parent=1", "--dry-run"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("A.mdl: ") and second.startswith("B.mdl: ")


def test_several_files_are_written_into_a_folder(files: Path) -> None:
    assert main(["set", "A.mdl", "B.mdl", "--", "bones[1]/parent=1", "-o", "out"]) == 0
    assert sorted(each.name for each in (files / "out").iterdir()) == ["A.mdl", "B.mdl"]
    assert main(["get", "out", "--", "bones[1]/parent"]) == 0


def test_two_files_have_no_output_together(files: Path, capsys: Captured) -> None:
    for name in ("one", "two"):
        (files / name).mkdir()
        (files / name / "A.mdl").write_bytes(model_bytes())
    assert main(["set", "one/A.mdl", "two/A.mdl", "--", "bones[1]=x", "-o", "out"]) == 2
    assert "would both be written to out/A.mdl" in capsys.readouterr().err and not (files / "out").exists()
    assert main(["set", "A.mdl", "one/A.mdl", "--", "bones[1]=x", "-o", "two"]) == 2
    assert main(["set", "one", "--", "bones[1]=x", "-o", "one"]) == 2
    assert (files / "one" / "A.mdl").read_bytes() == model_bytes()


def test_one_bad_file_ends_no_other(files: Path, capsys: Captured) -> None:
    assert main(["set", "cut.mdl", "A.mdl", "--", "bones[1]/parent=1", "--write"]) == 1
    captured = capsys.readouterr()
    assert (
        "cut.mdl: the file was not read completely" in captured.err and "changed 1 of 2 files" in captured.err
    )
    assert (files / "cut.mdl").read_bytes() == model_bytes()[:-20]
    assert main(["set", "cut.mdl", "bones[0]=longer name", "--write", "--incomplete"]) == 0
    assert (files / "cut.mdl").read_bytes() == model_bytes()[:-20].replace(b"base", b"longer name")


@pytest.mark.parametrize("name", ["A.mdl", "B.mdl", "A.ani", "a.mesh", "a.m2"])
def test_without_a_value_the_bytes_are_the_same(name: str, files: Path) -> None:
    assert main(["set", name, "-o", "same"]) == 0
    assert (files / "same").read_bytes() == (files / name).read_bytes()


def test_what_cannot_be_written_anew_is_copied_with_status_1(files: Path, capsys: Captured) -> None:
    assert main(["set", "cut.mdl", "-o", "copy.mdl"]) == 1
    assert "copy.mdl is a copy" in capsys.readouterr().err
    assert (files / "copy.mdl").read_bytes() == (files / "cut.mdl").read_bytes()


def test_a_package_is_not_edited(files: Path, capsys: Captured) -> None:
    os.rename(write_package(files, files=[("A.mdl", model_bytes())]), "a.pak")
    assert main(["set", "a.pak", "magic=x", "--write"]) == 1
    assert "a file of the format Urho3D package is not edited" in capsys.readouterr().err
    assert main(["set", "a.pak::A.mdl", "bones[1]=x", "--write"]) == 1
    assert "a file in a package is not replaced" in capsys.readouterr().err
    assert main(["set", "a.pak::A.mdl", "bones[1]=x", "-o", "loose.mdl"]) == 0
    assert main(["get", "loose.mdl", "bones[1]"]) == 0


def test_a_part_of_names_is_replaced_in_many_files(files: Path, capsys: Captured) -> None:
    assert main(["set", ".", "--replace", "tip=End", "--of", "bones", "--write"]) == 1  # cut.mdl
    assert "changed 2 of 6 files" in capsys.readouterr().err
    assert main(["get", "A.mdl", "A.ani", "--", "bones[1]"]) == 1
    assert (files / "A.ani").read_bytes() == animation_bytes("Bend", 1.0).replace(b"tip", b"End")
    assert main(["set", "a.m2", "--replace", r"Made\=Other\Folder", "--of", "textures", "--write"]) == 0
    capsys.readouterr()
    main(["get", "a.m2", "textures[0]/name"])
    assert capsys.readouterr().out == "Other\\FolderSkin.blp\n"


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["A.mdl"],
        ["A.mdl", "bones[1]=x"],
        ["A.mdl", "bones[1]", "-o", "b.mdl"],
        ["A.mdl", "=x", "-o", "b.mdl"],
        ["A.mdl", "bones[1]=x", "-o", "b.mdl", "--write"],
        ["A.mdl", "--replace", "a=b", "--write"],
        ["A.mdl", "--of", "bones", "--write"],
        ["A.mdl", "--replace", "=b", "--of", "bones", "--write"],
        ["A.mdl", "--replace", "a=b", "--of", "arms", "--write"],
    ],
)
def test_bad_usage_is_status_2(words: list[str], files: Path) -> None:
    assert main(["set", *words]) == 2
    assert (files / "A.mdl").read_bytes() == model_bytes()


def test_get_needs_a_path() -> None:
    assert main(["get", "A.mdl"]) == 2
    assert main(["get", "A.mdl", "B.mdl", "--"]) == 2


def test_missing_files_are_status_1(capsys: Captured) -> None:
    assert main(["set", "none.mdl", "bones[1]=x", "--write"]) == 1
    assert "none.mdl" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="needs permissions")
def test_a_read_only_file_stays(files: Path) -> None:
    (files / "A.mdl").chmod(0o444)
    assert main(["set", "A.mdl", "bones[1]=x", "--write"]) == 1
    assert (files / "A.mdl").read_bytes() == model_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of the system")
def test_a_full_disk_leaves_the_earlier_file(files: Path) -> None:
    command = [sys.executable, "-c", LIMITED, "set", "A.mdl", "bones[1]=Kopf", "--write"]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert done.returncode == 2 and "A.mdl: cannot be written" in done.stderr
    assert (files / "A.mdl").read_bytes() == model_bytes()
    assert list(files.glob(".rigscope*")) == []


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_a_killed_program_leaves_the_old_or_the_new_file(files: Path) -> None:
    killed_runs(files, 4)


def killed_runs(folder: Path, count: int) -> None:
    """Kill `set --write` `count` times at random moments: the file is always the old or the new one."""
    path, chance = folder / "A.mdl", random.Random(count)
    old, new = model_bytes(), model_bytes().replace(b"tip\0", b"Kopf\0")
    command = [sys.executable, "-m", "viewer", "set", str(path), "bones[1]=Kopf", "--write"]
    began = time.monotonic()
    subprocess.run(command, cwd=ROOT, check=True)
    took = time.monotonic() - began
    for _ in range(count):
        path.write_bytes(old)
        process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
        time.sleep(took * chance.uniform(0.3, 1.1))
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert path.read_bytes() in (old, new)


def test_a_shell_completes_paths() -> None:
    offered = [each.text for each in candidates(["get", "A.mdl", "bones[1]/p"], 2).words]
    assert "bones[1]/parent" in offered and "bones[1]/pose" in offered
    assert "bones" in [each.text for each in candidates(["set", "A.mdl", ""], 2).words]
    assert candidates(["set", ""], 1).kind == "files"


def test_tracks_of_bones_are_renamed_with_them(files: Path) -> None:
    (files / "A.ani").write_bytes(animation_bytes(tracks=[track("tip", [0.0], position=[(0, 0, 0)])]))
    assert main(["set", "A.mdl", "A.ani", "--replace", "tip=Head", "--of", "bones", "--write"]) == 0
    assert b"tip" not in (files / "A.ani").read_bytes() + (files / "A.mdl").read_bytes()
