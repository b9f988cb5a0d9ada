"""`render` and `bake` of many models."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conftest import ROOT
from tests.packages import write_package
from tests.program import PROGRAM
from tests.synthetic import animation_bytes, write_pair
from viewer.commands.cli import main
from viewer.commands.many_models import write_each
from viewer.commands.options.given_options import Values
from viewer.commands.reading import context_of
from viewer.library.batch import models
from viewer.library.batch.journal import Journal
from viewer.library.batch.models import ModelTask, listed_jobs
from viewer.library.outcome import Outcome
from viewer.scene.reading_context import DEFAULT
from viewer.storage.documents import open_document
from viewer.storage.resource_folders import forget_resources

SMALL = ("--size", "32x24")
posix = pytest.mark.skipif(sys.platform == "win32", reason="FIFOs and signals of POSIX")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIGSCOPE_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder with two models, one of them in a folder; each has a material."""
    folder = tmp_path / "in"
    (folder / "sub").mkdir(parents=True)
    post = write_pair(folder)
    shutil.copy(post, folder / "sub/other.mdl")
    for name in ("Post", "sub/other"):
        (folder / f"{name}.txt").write_text("Post.xml\n")
    (folder / "Post.xml").write_text("<material/>")
    return folder


def files(folder: Path) -> list[str]:
    """The files below a folder."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.mark.usefixtures("worker_processes")
@posix
def test_a_bad_file_ends_no_other(tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "broken.mdl").write_bytes(b"UMD2" + bytes(3))
    (tree / "wrong.mdl").write_bytes(b"nothing")
    os.mkfifo(tree / "pipe.mdl")
    package = write_package(tmp_path)
    out = tmp_path / "out"
    assert main(["render", str(tree), str(package), "-o", f"{out}/", *SMALL]) == 1
    said = capsys.readouterr()
    written = files(out)
    assert written == ["Models/Post.png", "Post.png", "broken.png", "sub/other.png"]
    lines = said.err.splitlines()
    assert lines[0] == f"{tree}/pipe.mdl: cannot be read: it is a FIFO, not a regular file"
    assert sum(line.startswith(f"{tree}/broken.mdl: ") for line in lines) == 1
    assert sum(line.startswith(f"{tree}/wrong.mdl: ") for line in lines) == 1
    assert lines[-2:] == [
        "rigscope: 1 of 5 files failed",
        "rigscope: 1 of 5 files could not be read completely, or a required file is missing",
    ]
    assert said.out == f"4 of 5 files written to {out}\n"
    one = tmp_path / "one.png"
    assert main(["render", str(tree / "Post.mdl"), "-o", str(one), *SMALL]) == 0
    assert (out / "Post.png").read_bytes() == one.read_bytes()


def test_nothing_is_replaced_without_force(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    (out / "sub").mkdir(parents=True)
    for name in ("Post.npz", "sub/other.npz"):
        (out / name).write_bytes(b"mine")
    assert main(["bake", str(tree), "-o", str(out)]) == 2
    said = capsys.readouterr()
    assert said.err == f"rigscope: {out}/Post.npz and 1 more exist already; --force replaces files\n"
    assert said.out == f"0 of 2 files written to {out}\n" and (out / "Post.npz").read_bytes() == b"mine"
    assert main(["bake", str(tree), "-o", str(out), "--force"]) == 0
    assert capsys.readouterr() == (f"2 files written to {out}\n", "")
    with np.load(out / "Post.npz") as arrays:
        assert len(arrays["positions_0"])


@posix
def test_ctrl_c_on_the_terminal_is_one_line_and_the_batch_goes_on(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(100):
        shutil.copy(tree / "Post.mdl", tree / f"post{number}.mdl")
        shutil.copy(tree / "Post.txt", tree / f"post{number}.txt")
    out = tmp_path / "out"
    words = ["bake", str(tree), "-o", f"{out}/", "--no-plugins"]
    command = [*PROGRAM, *words, "--jobs", "1"]
    program = subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # tests in the background ignore it
    )
    end = time.monotonic() + 120
    while len([*out.glob("*.npz")]) < 3:
        assert time.monotonic() < end
        time.sleep(0.005)
    os.killpg(program.pid, signal.SIGINT)
    output, errors = program.communicate(timeout=120)
    assert (program.returncode, output) == (130, ""), errors
    assert errors.count("\n") == 1 and "the same command continues with the remaining files" in errors
    done = files(out)
    assert 3 <= len(done) < 102 and all(name.endswith(".npz") for name in done)
    before = {name: (out / name).stat().st_mtime_ns for name in done}
    assert main(words) == 0
    assert "files were written by the same command before" in capsys.readouterr().err
    assert len(files(out)) == 102
    assert sum((out / name).stat().st_mtime_ns == at for name, at in before.items()) >= len(before) - 1


def open_one(files: Sequence[str], values: Values, output: str) -> int:
    """Open a model and write an output."""
    open_document(files[0], context_of(values))
    Path(output).write_bytes(b"x")
    return 0


def test_a_batch_draws_a_model_again_whose_project_has_changed(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A material is missing. The batch's own outputs are no change."""
    (tree / ".git").mkdir()
    for name in ("Post", "sub/other"):
        (tree / f"{name}.txt").unlink()
    (tree / "Post.xml").unlink()

    def run(task: ModelTask, calls: Iterable[Any], _runner: object) -> Iterator[Outcome]:
        forget_resources()  # each batch has new processes
        yield from (Outcome(path, task(path, *rest)) for path, *rest in calls)

    def written() -> str:
        folders = [str(tree / name) for name in ("Post.mdl", "sub")]
        assert write_each("bake", open_one, folders, {"output": f"{tree}/out"}, (".npz",)) == 0
        forget_resources()
        return capsys.readouterr().out

    monkeypatch.setattr(models, "run_batch", run)
    close = Journal.close
    monkeypatch.setattr(Journal, "close", lambda journal, whole: close(journal, whole=False))
    assert written() == f"2 files written to {tree}/out\n"
    assert written() == f"0 files written to {tree}/out\n"
    (tree / "x.png").touch()
    assert written() == f"2 files written to {tree}/out\n"


def test_animations_belong_to_the_models_before_them(tree: Path, tmp_path: Path) -> None:
    clips = [tmp_path / f"{name}.ani" for name in "abc"]
    for clip in clips:
        clip.write_bytes(animation_bytes())
    first, second, third = map(str, clips)
    post, other = str(tree / "Post.mdl"), str(tree / "sub/other.mdl")
    jobs = listed_jobs([first, post, second, str(tree / "sub"), third], print, DEFAULT)
    assert [job.files for job in jobs] == [(first, post, second), (first, other, third)]


def test_animations_alone_are_jobs(tmp_path: Path) -> None:
    clip = tmp_path / "a.ani"
    clip.write_bytes(animation_bytes())
    assert [job.files for job in listed_jobs([str(clip)], print, DEFAULT)] == [(str(clip),)]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["render", "-o", "{name}.png"], "needs a FILE"),
        (["render", "a.mdl", "-o", "{name}.jpg"], "must end with"),
        (["render", "a.mdl", "b.mdl", "-o", "{name}.png", "--compare", "side"], "-o has to name one file"),
        (["bake", "a.mdl", "-o", "{name}.ply", "--jobs", "0"], "must be 1 or more"),
    ],
)
def test_bad_usage_is_status_2(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert why in capsys.readouterr().err


def test_a_folder_needs_an_output_for_many(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", str(tree), "-o", "a.png"]) == 2
    assert f"{tree} is a folder: to write all its models, -o has to be a folder" in capsys.readouterr().err


def test_nothing_found_is_status_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", str(tmp_path / "no.mdl"), "-o", str(tmp_path)]) == 1
    assert "no such file" in capsys.readouterr().err
