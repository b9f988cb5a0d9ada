"""`rigscope diff` as a shell and as git see it."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.creature_files import write_creature
from tests.program import SHELL
from tests.synthetic import animation_bytes, bone, model_bytes, track
from viewer.commands.cli import main

Captured = pytest.CaptureFixture[str]
BASE, TIP = bone("base", 0, 0, 0), bone("tip", 0, 0.5, 0.5)
EAR = bone("ear\x1b[31m", 1, 0.7, 0.2)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model, one with a bone more, a cut one, and two animations."""
    (tmp_path / "A.mdl").write_bytes(model_bytes())
    (tmp_path / "B.mdl").write_bytes(model_bytes(bones=[BASE, TIP, EAR]))
    (tmp_path / "cut.mdl").write_bytes(model_bytes()[:300])
    (tmp_path / "junk.mdl").write_bytes(b"junk")
    for name, length in (("A.ani", 1.0), ("B.ani", 2.0)):
        (tmp_path / name).write_bytes(animation_bytes("Bend", length))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_differences_are_told_below_a_summary(capsys: Captured) -> None:
    assert main(["diff", "A.mdl", "B.mdl"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "different: 1 bone",
        "bones",
        "  + ear\\x1b[31m: under tip",
    ]


def test_equal_files_are_status_0(capsys: Captured) -> None:
    assert main(["diff", "A.mdl", "A.mdl"]) == 0
    assert capsys.readouterr().out == "same bytes\n"


def test_the_order_of_the_files_is_that_of_the_change(capsys: Captured) -> None:
    assert main(["diff", "B.mdl", "A.mdl"]) == 1
    assert "  - ear" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["junk.mdl", "A.mdl"], "junk.mdl"),
        (["A.mdl", "none.mdl"], "none.mdl"),
        (["A.mdl", "cut.mdl"], "cut.mdl"),
        ([], "needs two files, A and B, not none"),
        (["A.mdl"], "needs two files, A and B, not 1"),
        (["A.mdl", "B.mdl", "--format", "sarif"], "text|json"),
        (["A.mdl", "B.mdl", "A.ani"], "needs two files"),
        (["A.mdl", "B.mdl", "--tolerance", "-1"], "must be 0 or more"),
        (["--textconv"], "needs one file"),
        (["--git", "a", "b"], "seven arguments"),
    ],
)
def test_what_cannot_be_compared_is_status_2(words: list[str], told: str, capsys: Captured) -> None:
    assert main(["diff", *words]) == 2
    assert told in capsys.readouterr().err


def test_bytes_are_listed_with_both_values(capsys: Captured) -> None:
    assert main(["diff", "A.ani", "B.ani", "--bytes"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "different: 1 animation",
        "animations",
        "  ~ Bend: length 1 → 2 s",
        "bytes",
        "  00000009 00000009  length: 1 → 2",
    ]
    assert main(["diff", "A.mdl", "B.mdl", "--bytes"]) == 1
    added = capsys.readouterr().out.splitlines()[-1]
    assert added.startswith("  -------- 0000") and "  bones[2]: nothing → " in added


def test_json_has_every_difference(capsys: Captured) -> None:
    assert main(["diff", "A.mdl", "B.mdl", "--json", "--bytes"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["same"], told["summary"], told["notes"]) == (False, "different: 1 bone", [])
    assert told["unequal_bytes"] > 0 and told["tolerance"] == pytest.approx(1e-5)
    assert told["differences"] == [
        {
            "group": "bones",
            "change": "added",
            "name": "ear\x1b[31m",
            "text": "under tip",
            "amount": 0,
            "unit": "",
            "times": [],
            "items": [],
            "other_items": ["bone 2"],
            "minor": False,
        }
    ]
    assert {key: told["bytes"][0][key] for key in ("path", "value", "other_value")} == {
        "path": "bones/count",
        "value": 2,
        "other_value": 3,
    }
    assert main(["diff", "A.mdl", "A.mdl", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["differences"] == []


def test_long_lists_are_shortened(files: Path, capsys: Captured) -> None:
    tracks = [track(f"bone {number}", [0, 1], position=[(0, 0, 0), (0, 1, 0)]) for number in range(60)]
    (files / "C.ani").write_bytes(animation_bytes("Bend", 1.0, tracks))
    assert main(["diff", "A.ani", "C.ani"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + 40 + 1 and lines[-1] == "  … 21 more; --json lists all"


def test_a_long_list_of_bytes_says_where_it_ends(files: Path, capsys: Captured) -> None:
    for name, x in (("C.ani", 1), ("D.ani", 2)):
        keys = track("tip", [float(time) for time in range(1001)], position=[(x, 0, 0)] * 1001)
        (files / name).write_bytes(animation_bytes("Bend", 1.0, [keys]))
    assert main(["diff", "C.ani", "D.ani", "--bytes"]) == 1
    lines = capsys.readouterr().out.splitlines()
    listed = lines[lines.index("bytes") + 1 :]
    assert len(listed) == 1000 + 1 and listed[-1] == "  … only the first 1,000 are listed"


def git(folder: Path, *words: str, **variables: str) -> str:
    """What git prints in a folder, without the settings of the user."""
    alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(folder)}
    names = {
        f"GIT_{who}_{what}": "person@place.org"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | alone | names | variables
    command = ["git", "-c", "init.defaultBranch=main", "-c", "core.autocrlf=false", *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    assert not done.stderr and not done.returncode, done.stderr
    return done.stdout


@pytest.fixture
def repository(files: Path) -> Path:
    """Two commits: a clip gets longer, a model a bone, another clip comes and one goes."""
    folder = files / "repository"
    folder.mkdir()
    (folder / ".gitattributes").write_text("*.mdl diff=rigscope\n*.ani diff=rigscope\n")
    (folder / "Post.mdl").write_bytes(model_bytes())
    (folder / "Post_Bend.ani").write_bytes(animation_bytes("Bend", 1.0))
    (folder / "Gone.ani").write_bytes(animation_bytes("Gone", 1.0))
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "First"]):
        git(folder, *words)
    (folder / "Post.mdl").write_bytes(model_bytes(bones=[BASE, TIP, EAR]))
    (folder / "Post_Bend.ani").write_bytes(animation_bytes("Bend", 2.0))
    (folder / "New.ani").write_bytes(animation_bytes("New", 1.0))
    (folder / "Gone.ani").unlink()
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "Second")
    return folder


def test_git_shows_what_changed_by_meaning(repository: Path) -> None:
    git(repository, "config", "diff.rigscope.command", f"{SHELL} diff --git")
    assert git(repository, "diff", "HEAD~", "HEAD").splitlines() == [
        "Gone.ani: removed",
        "New.ani: added",
        "Post.mdl: different: 1 bone",
        "bones",
        "  + ear\\x1b[31m: under tip",
        "Post_Bend.ani: different: 1 animation",
        "animations",
        "  ~ Bend: length 1 → 2 s",
    ]


def test_git_shows_the_lines_of_two_descriptions(repository: Path) -> None:
    git(repository, "config", "diff.rigscope.textconv", f"{SHELL} diff --textconv")
    shown = git(repository, "diff", "HEAD~", "HEAD", "--", "Post.mdl", "Post_Bend.ani").splitlines()
    changes = [line for line in shown if line[:1] in "+-" and not line.startswith(("+++", "---"))]
    assert "+bone ear\\x1b[31m: under tip, 0 0.2 0, 0 0 0 1, 1 1 1" in changes
    assert {"-animation Bend: 1 s", "+animation Bend: 2 s"} <= set(changes)
    assert len(changes) < 12


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["a.mdl"], "a.mdl: not merged"),
        (["a.mdl", "A.mdl", "0", "0", "A.mdl", "0", "0"], "a.mdl: same bytes"),
        (
            ["a.mdl", "A.mdl", "0", "0", "A.mdl", "0", "0", "b.mdl", "similarity index 100%"],
            "a.mdl: same bytes",
        ),
        (["a.mdl", "/dev/null", ".", ".", "A.mdl", "0", "0"], "a.mdl: added"),
        (["a.mdl", "A.mdl", "0", "0", "/dev/null", ".", "."], "a.mdl: removed"),
    ],
)
def test_git_gives_one_seven_or_nine_arguments(words: list[str], told: str, capsys: Captured) -> None:
    assert main(["diff", "--git", *words]) == 0
    assert capsys.readouterr().out == f"{told}\n"


def test_a_file_that_cannot_be_read_stops_no_git(repository: Path) -> None:
    (repository / "Post.mdl").write_bytes(b"junk")
    for setting, option, told in (
        ("command", "--git", "Post.mdl: not compared, the format is unknown"),
        ("textconv", "--textconv", "+not readable: the format is unknown"),
    ):
        git(repository, "config", f"diff.rigscope.{setting}", f"{SHELL} diff {option}")
        assert told in git(repository, "diff")
        git(repository, "config", "--unset", f"diff.rigscope.{setting}")


def test_the_difftool_gets_both_files(repository: Path) -> None:
    git(repository, "config", "difftool.rigscope.cmd", f'{SHELL} diff "$LOCAL" "$REMOTE"')
    told = git(repository, "difftool", "-y", "-t", "rigscope", "HEAD~", "HEAD", "--", "Post.mdl")
    assert told.splitlines()[0] == "different: 1 bone"


def test_models_are_compared_as_their_files_are_whatever_their_games_show(tmp_path: Path) -> None:
    one, other = write_creature(tmp_path / "a"), write_creature(tmp_path / "b", {})
    assert main(["diff", str(one), str(other)]) == 0
