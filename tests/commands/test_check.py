"""`rigscope check` as a shell sees it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests import ogre_files
from tests.packages import write_package
from tests.synthetic import animation_bytes, bone, model_bytes, track
from viewer.binary import Struct
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
    assert effect.startswith("    Tracks and scene nodes find only the first bone of this name; the other ")
    assert remedy.startswith("    Give each bone a unique name") and last == "1 warning in 1 file"


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


@pytest.mark.usefixtures("worker_processes")
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


def material(folder: Path) -> None:
    """The material of the model `Post.mdl` of a folder."""
    (folder / "Materials").mkdir()
    text = '<material><technique name="Techniques/NoTexture.xml"/></material>'
    (folder / "Materials" / "Post.xml").write_text(text)


def nod(name: str, times: Sequence[float] = (0, 0.5, 1), last: Sequence[float] = (1, 0, 0, 0)) -> Struct:
    """A track of a bone that turns and comes back."""
    return track(name, list(times), rotation=[[1, 0, 0, 0], [0.5**0.5, 0, 0, 0.5**0.5], list(last)])


LONG = [nod(f"b{number}") for number in range(12)]
PROBLEMS = {
    "names": (
        animation_bytes("Wave", tracks=[nod("Armature|base"), nod("Armature|tip")]),
        "error animation/no-match: clip 'Wave': none of 2 tracks finds a bone; no bone for 'Armature|base'",
    ),
    "case": (
        animation_bytes("Wave", tracks=[nod("Base"), nod("Tip")]),
        "error animation/no-match: clip 'Wave': none of 2 tracks finds a bone, because upper and lower case",
    ),
    "no tracks": (
        animation_bytes("Wave", tracks=[]),
        "warning animation/no-tracks: clip 'Wave': no tracks in 1 s",
    ),
    "cut loop": (
        animation_bytes("Wave", tracks=[nod("base"), nod("tip", (0, 0.5, 1.04))]),
        "warning animation/late-key: clip 'Wave': 1 of 2 channels have keys outside the clip of 1 s, ",
    ),
}


@pytest.mark.parametrize("problem", PROBLEMS)
def test_why_a_clip_does_nothing_or_twitches_is_said_in_the_first_line(
    tmp_path: Path, capsys: Captured, problem: str
) -> None:
    data, cause = PROBLEMS[problem]
    material(tmp_path)
    (tmp_path / "Post.txt").write_text("Materials/Post.xml")
    (tmp_path / "Post.mdl").write_bytes(model_bytes())
    (tmp_path / "Post_Wave.ani").write_bytes(data)
    for words in ([tmp_path], [tmp_path / "Post.mdl", tmp_path / "Post_Wave.ani"]):
        main(["check", *map(str, words), "--jobs", "1"])
        first, effect, remedy = capsys.readouterr().out.splitlines()[:3]
        assert cause in first and first.startswith(f"{tmp_path / 'Post_Wave.ani'}:0x")
        assert effect.startswith("    ") and remedy.startswith("    ")


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        (
            animation_bytes("Wave", tracks=[*LONG, nod("tip", last=(0.9, 0, 0, 0.4))]),
            "animation/loop-jump: clip 'Wave': 1 of 13 channels have an end that differs from their start, "
            "tip by ",
        ),
        (
            animation_bytes("Wave", 1.2),
            "animation/early-end: clip 'Wave': the last key is at 1 s, but the clip ends at 1.2 s",
        ),
        (
            animation_bytes("Wave", tracks=[track("base", [0, 1], rotation=[[1, 0, 0, 0]] * 2)]),
            "animation/still-clip: clip 'Wave': nothing moves: all keys of each of 1 channel are equal",
        ),
    ],
    ids=["jump", "pause", "still"],
)
def test_a_clip_alone_says_what_a_viewer_sees(
    tmp_path: Path, capsys: Captured, data: bytes, cause: str
) -> None:
    (tmp_path / "Wave.ani").write_bytes(data)
    assert main(["check", str(tmp_path / "Wave.ani")]) == 0
    assert f"note {cause}" in capsys.readouterr().out.splitlines()[0]


def test_a_missing_material_is_said_in_the_first_line(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "Post.mdl").write_bytes(model_bytes())
    (tmp_path / "Post.txt").write_text("Materials/Stone.xml\n")
    (tmp_path / "square.mesh").write_bytes(ogre_files.simple())
    for name, missing in (("Post.mdl", "Materials/Stone.xml"), ("square.mesh", "stone")):
        assert main(["check", str(tmp_path / name)]) == 0
        first = capsys.readouterr().out.splitlines()[0]
        assert f"warning material/missing: material {missing} is missing; searched: {tmp_path}" in first
