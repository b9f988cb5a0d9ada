"""Settings and known findings, as a shell sees them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.packages import write_package
from tests.synthetic import animation_bytes, bone, model_bytes, track
from viewer.commands.check import given_clips
from viewer.commands.cli import main
from viewer.scene.finding import Finding, Severity

Captured = pytest.CaptureFixture[str]
SETTINGS = """\
select = ["skeleton/duplicate-name", "mesh/too-many-triangles"]
fail-on = "warning"

[severity]
"skeleton/duplicate-name" = "error"

[limits]
triangles = 20

[per-path]
"old/" = ["mesh/too-many-triangles"]
"old/Big.mdl" = { severity = { skeleton = "note" } }
"""
TWICE = [bone("base", 0, 0, 0), bone("base", 0, 0.5, 0.5)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two models with a name twice, one of them in `old`, and a package in `packed`; one process."""
    monkeypatch.setattr("viewer.commands.batches.usable_processors", lambda: 1)
    (tmp_path / "old").mkdir()
    (tmp_path / "packed").mkdir()
    for name in ("Post.mdl", "old/Post.mdl"):
        (tmp_path / name).write_bytes(model_bytes(bones=TWICE))
    write_package(tmp_path / "packed")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(capsys: Captured, *words: str) -> list[tuple[str, str, str]]:
    """The findings as rule, severity and file."""
    capsys.readouterr()
    main(["check", *words, "--json"])
    said = json.loads(capsys.readouterr().out)
    return [(each["rule"], each["severity"], each["file"]) for each in said["findings"]]


def test_settings_choose_rules_severities_and_limits_by_path(capsys: Captured, folder: Path) -> None:
    (folder / "rigscope.toml").write_text(SETTINGS)
    twice, many = "skeleton/duplicate-name", "mesh/too-many-triangles"
    assert found(capsys, ".", "packed/Data.pak") == [
        (twice, "error", "Post.mdl"),
        (many, "warning", "Post.mdl"),
        (twice, "error", "old/Post.mdl"),
        (many, "warning", "packed/Data.pak::Models/Post.mdl"),
    ]
    (folder / "old" / "Post.mdl").rename(folder / "old" / "Big.mdl")
    assert found(capsys, "old") == [(twice, "error", "old/Big.mdl")]


def test_the_nearest_settings_count_for_each_file(capsys: Captured, folder: Path) -> None:
    (folder / "rigscope.toml").write_text('select = ["skeleton/duplicate-name"]')
    (folder / "old" / "pyproject.toml").write_text('[tool.rigscope.check]\nselect = ["material/missing"]')
    rules = {file: rule for rule, _, file in found(capsys, "Post.mdl", "old/Post.mdl")}
    assert rules == {"Post.mdl": "skeleton/duplicate-name", "old/Post.mdl": "material/missing"}


def test_settings_make_the_check_fail(folder: Path) -> None:
    assert main(["check", "Post.mdl"]) == 0
    (folder / "rigscope.toml").write_text('fail-on = "note"')
    assert main(["check", "Post.mdl"]) == 1
    assert main(["check", "Post.mdl", "--fail-on", "error"]) == 0
    assert main(["check", "Post.mdl", "--no-config"]) == 0


def test_settings_can_be_given_or_left_out(capsys: Captured, folder: Path) -> None:
    (folder / "other.toml").write_text('[check]\nselect = ["material/missing"]')
    (folder / "rigscope.toml").write_text('select = ["weights"]')
    assert found(capsys, "Post.mdl") == []
    assert found(capsys, "Post.mdl", "--config", "other.toml") == [
        ("material/missing", "warning", "Post.mdl")
    ]
    rules = {rule for rule, *_ in found(capsys, "Post.mdl", "--no-config")}
    assert {"material/missing", "skeleton/duplicate-name"} <= rules


def test_wrong_settings_are_status_2(capsys: Captured, folder: Path) -> None:
    (folder / "rigscope.toml").write_text("ignroe = []")
    assert main(["check", "Post.mdl"]) == 2
    said = capsys.readouterr().err
    assert "rigscope.toml: no key 'ignroe'; near: ignore" in said
    assert main(["check", "Post.mdl", "--config", "gone.toml"]) == 2


def test_a_finding_is_told_at_the_file_that_it_is_about(capsys: Captured, folder: Path) -> None:
    tracks = [track("wing", [0], position=[[0, 0, 0]])]
    (folder / "packed" / "Fly.ani").write_bytes(animation_bytes("Fly", tracks=tracks))
    words = ["Post.mdl", "packed/Fly.ani", "--format", "junit", "--select", "animation/no-match"]
    assert main(["check", *words]) == 1
    model, clip = capsys.readouterr().out.partition("packed/Fly.ani")[::2]
    assert "no-match" not in model and "animation/no-match" in clip
    assert main(["check", *words, "--separate"]) == 0
    (folder / "packed" / "rigscope.toml").write_text('ignore = ["animation"]')
    assert main(["check", *words]) == 1  # --select replaces what the settings ignore
    (folder / "packed" / "rigscope.toml").write_text('[per-path]\n"*.ani" = ["animation"]')
    assert main(["check", *words]) == 0


def test_files_have_the_names_that_the_user_knows(
    capsys: Captured, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Finding("skeleton/unused-bone", Severity.NOTE, "text", str(folder / "Post.mdl"))
    others = [replace(made, file=name) for name in (str(folder / "old" / "b.skeleton"), "/elsewhere/c.mdl")]
    monkeypatch.setattr("viewer.commands.check.check_file", lambda *call: (made, *others))
    names = [file for *_, file in found(capsys, "./Post.mdl")]
    assert names == ["Post.mdl", "old/b.skeleton", "/elsewhere/c.mdl"]


def test_known_findings_are_left_out(capsys: Captured, folder: Path) -> None:
    words = ["check", "Post.mdl", "old", "--select", "skeleton/duplicate-name,material/missing"]
    assert main([*words, "--write-baseline", "known.json"]) == 0
    said = capsys.readouterr()
    assert said.out == "known.json: 4 findings in 2 files will count as known\n" and not said.err
    assert main([*words, "--baseline", "known.json", "--fail-on", "note"]) == 0
    said = capsys.readouterr()
    assert said.out == "nothing found in 2 files; 4 known findings left out\n" and "gone" not in said.err
    (folder / "Post.mdl").write_bytes(model_bytes(bones=[*TWICE, bone("tip", 0, 0, 0), bone("tip", 0, 0, 0)]))
    assert main([*words, "--baseline", "known.json", "--fail-on", "warning"]) == 1
    assert capsys.readouterr().out.count("called 'tip'") == 1


def test_settings_name_a_baseline(capsys: Captured, folder: Path) -> None:
    assert main(["check", "old", "--write-baseline", "old/known.json"]) == 0
    (folder / "old" / "rigscope.toml").write_text('baseline = "known.json"')
    assert found(capsys, "old") == []
    assert {file for *_, file in found(capsys, "Post.mdl", "old")} == {"Post.mdl"}
    assert found(capsys, "old", "--no-config")


def test_known_findings_that_are_gone_are_told_in_one_line(capsys: Captured, folder: Path) -> None:
    assert (
        main(
            [
                "check",
                "Post.mdl",
                "old",
                "--select",
                "skeleton/duplicate-name",
                "--write-baseline",
                "known.json",
            ]
        )
        == 0
    )
    (folder / "Post.mdl").write_bytes(model_bytes())
    capsys.readouterr()

    def gone(*words: str) -> str:
        main(["check", *words, "--baseline", "known.json"])
        return "".join(line for line in capsys.readouterr().err.splitlines() if "gone" in line)

    assert gone("old") == gone("Post.mdl", "--select", "mesh") == ""  # they were not looked for
    told = "known.json: 1 known finding is gone; --write-baseline known.json removes them from the file"
    assert gone("Post.mdl", "old") == f"rigscope: {told}"
    (folder / "old" / "Post.mdl").unlink()
    assert "2 known findings are gone" in gone("Post.mdl")


def test_a_baseline_that_is_none_is_status_2(folder: Path) -> None:
    (folder / "known.json").write_text("[]")
    assert main(["check", "Post.mdl", "--baseline", "known.json"]) == 2
    assert main(["check", "Post.mdl", "--baseline", "gone.json"]) == 2
    assert main(["check", "Post.mdl", "--write-baseline", "Post.mdl"]) == 2


def test_a_place_that_cannot_be_read_is_never_known(capsys: Captured) -> None:
    assert main(["check", "Post.mdl", "gone.mdl", "--write-baseline", "known.json"]) == 1
    assert "gone.mdl: cannot be read" in capsys.readouterr().err
    assert "gone.mdl" not in Path("known.json").read_text()


def test_animations_belong_to_the_model_before_them() -> None:
    words = ["x.ani", "a.mdl", "b.mdl", "y.ani", "z.ani", "folder", "w.ani"]
    assert given_clips(words) == {"b.mdl": ("y.ani", "z.ani")}
