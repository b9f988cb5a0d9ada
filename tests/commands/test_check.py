"""`rigscope check` as a shell sees it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.packages import write_package
from tests.synthetic import animation_bytes, bone, model_bytes, track
from viewer.commands.cli import main

Captured = pytest.CaptureFixture[str]
TWICE = [bone("base", 0, 0, 0), bone("base", 0, 0.5, 0.5)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with a name twice and no material, a sound clip, a cut model, and a package."""
    files = tmp_path_factory.mktemp("checked")
    (files / "all").mkdir()
    (files / "all" / "B.mdl").write_bytes(model_bytes(bones=TWICE))
    (files / "all" / "A.mdl").write_bytes(model_bytes()[:300])
    (files / "all" / "Bend.ani").write_bytes(animation_bytes())
    (files / "packed").mkdir()
    write_package(files / "packed")
    return files


@pytest.fixture(autouse=True)
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


def test_a_finding_is_told_with_its_place_and_what_it_means(capsys: Captured) -> None:
    assert main(["check", "all/B.mdl", "--select", "skeleton/duplicate-name"]) == 0
    first, effect, remedy, *_, last = capsys.readouterr().out.splitlines()
    assert first.startswith("all/B.mdl:0x") and first.endswith(
        ": warning skeleton/duplicate-name: 2 bones are called 'base': #0, #1 (bones[0])"
    )
    assert effect == "    Tracks and scene nodes find the first bone only; the others keep their rest pose."
    assert remedy.startswith("    Give each bone a name") and last == "1 warning in 1 file"


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (["--fail-on", "warning"], 1),
        (["--fail-on", "note"], 1),
        (["--fail-on", "error"], 0),
        (["--fail-on", "note", "--ignore", "skeleton,material"], 0),
        (["--fail-on", "note", "--select", "weights", "--select=mesh"], 0),
    ],
)
def test_the_status_follows_the_severity(options: list[str], status: int) -> None:
    assert main(["check", "all/B.mdl", *options]) == status


def test_a_folder_is_checked_in_order_in_processes_of_its_own(capsys: Captured) -> None:
    assert main(["check", "all", "--format", "json", "--jobs", "1"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert said["files"] == 3 and said["errors"] == 1
    files = [each["file"] for each in said["findings"]]
    assert files == sorted(files) and set(files) == {"all/A.mdl", "all/B.mdl"}
    assert said["findings"][0]["rule"] == "bytes/cut-off" and said["findings"][0]["offset"]
    (twice,) = (each for each in said["findings"] if each["rule"] == "skeleton/duplicate-name")
    assert twice["items"] == ["bone 0", "bone 1"] and twice["severity"] == "warning"


def test_json_is_short_for_its_format(capsys: Captured) -> None:
    texts = []
    for words in (["--json"], ["--format", "json"]):
        assert main(["check", "all/Bend.ani", *words]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] and json.loads(texts[0])["findings"] == []


def test_json_stays_json_with_any_name(capsys: Captured, folder: Path) -> None:
    (folder / "odd").mkdir()
    (folder / "odd" / "a\xa0b\ue000.mdl").write_bytes(model_bytes(bones=TWICE))
    assert main(["check", "odd", "--json", "--select", "skeleton/duplicate-name"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert found["file"] == "odd/a\xa0b\ue000.mdl"


@pytest.mark.parametrize("form", ["sarif", "junit"])
def test_other_forms_hold_the_same_findings(capsys: Captured, form: str) -> None:
    assert main(["check", "all", "--format", form, "--jobs", "1"]) == 1
    said = capsys.readouterr().out
    if form == "sarif":
        (run,) = json.loads(said)["runs"]
        assert run["invocations"][0]["exitCode"] == 1
        rules = {each["ruleId"] for each in run["results"]}
    else:
        (suite,) = ElementTree.fromstring(said.encode())
        assert [(case.attrib["name"], len(case)) for case in suite][2] == ("all/Bend.ani", 0)
        rules = set(re.findall(r" (?:error|warning|note) ([a-z/-]+):", said))
    assert {"skeleton/duplicate-name", "material/missing"} <= rules


def test_a_file_in_a_package_is_checked(capsys: Captured) -> None:
    assert main(["check", "packed/Data.pak::Models/Post.mdl"]) == 0
    assert capsys.readouterr().out.endswith("in 1 file\n")


def test_a_package_is_checked_with_its_files(capsys: Captured, folder: Path) -> None:
    path = folder / "packed" / "Data.pak"
    whole = path.read_bytes()
    assert main(["check", "packed/Data.pak", "--jobs", "1", "--select", "bytes"]) == 0
    assert capsys.readouterr().out == "nothing found in 3 files\n"
    path.write_bytes(whole[:8] + bytes(4) + whole[12:])
    for place in ("packed/Data.pak", "packed"):
        assert main(["check", place, "--jobs", "1", "--select", "bytes"]) == 1
        first = capsys.readouterr().out.splitlines()[0]
        assert first.startswith("packed/Data.pak:0x8: error bytes/checksum: the checksum of the package")
    path.write_bytes(whole)


def test_an_unreadable_file_is_an_error(capsys: Captured, folder: Path) -> None:
    (folder / "other.mdl").write_bytes(b"glTF")
    assert main(["check", "other.mdl"]) == 1
    assert "error file/unreadable: " in capsys.readouterr().out


def test_a_place_that_cannot_be_read_is_an_error_beside_the_others(capsys: Captured) -> None:
    words = ["check", "gone.mdl", "all/Bend.ani", "--ignore", "file", "--json"]
    assert main(words) == 1
    said = json.loads(capsys.readouterr().out)
    assert [(each["rule"], each["file"]) for each in said["findings"]] == [("file/unreadable", "gone.mdl")]
    assert said["files"] == 2


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["packed", "--fail-on", "fatal"],
        ["all", "--select", "bones"],
        ["all", "--select", ","],
        ["all", "--format", "xml"],
        ["--explain", "bones"],
    ],
)
def test_bad_usage_is_status_2(words: list[str]) -> None:
    assert main(["check", *words]) == 2


def test_the_rules_are_listed_and_explained(capsys: Captured) -> None:
    assert main(["check", "--rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "weights/sum                warning  The weights of a vertex do not add up to 1" in lines
    assert main(["check", "--explain", "weights/sum"]) == 0
    page = capsys.readouterr().out
    assert page.startswith("weights/sum (warning)\n\nThe weights of a vertex") and "Example: " in page
    assert main(["check", "--rules", "--format", "json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == len(lines)
    assert main(["check", "--rules", "--format", "junit"]) == 2


def test_an_animation_behind_a_model_is_for_it(capsys: Captured, folder: Path) -> None:
    tracks = [track("wing", [0], position=[[0, 0, 0]])]
    (folder / "packed" / "Fly.ani").write_bytes(animation_bytes("Fly", tracks=tracks))
    assert main(["check", "all/B.mdl", "packed/Fly.ani", "--select", "animation", "--jobs", "1"]) == 1
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith(
        "packed/Fly.ani:0x10: error animation/no-match: clip 'Fly': none of 1 track finds"
    )
