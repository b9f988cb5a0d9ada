"""`info --animation`: the contacts of feet in a clip, as JSON and as text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.animation.motion.turned_keys import spun, swing
from tests.animation.motion.walker import CONTACTS, FRAME, LEFT, NAMES, RIGHT, SPEED, walk, walker
from tests.synthetic import BONE_POSE, animation_bytes, bone, model_bytes, track, write_pair
from viewer.commands.cli import main


def write_walker(folder: Path, names: tuple[str, ...] = NAMES) -> Path:
    """`Walker.mdl`, beside it the clip `Walker_Walk.ani` on the spot, and `clips/Skate.ani` over the
    ground.
    """
    skeleton = walker(names)
    bones = []
    for number, name in enumerate(names):
        made = bone(name, max(int(skeleton.parents[number]), 0), 0.0, 0.0)
        assert made.pose.dtype == BONE_POSE
        made.pose["position"] = skeleton.positions[number]
        bones.append(made)
    (folder / "Walker.mdl").write_bytes(model_bytes(bones=bones))
    for file, clip in (("Walker_Walk", walk()), ("clips/Skate", walk(SPEED, pace=0.5))):
        tracks = [track(each.target, each.times.tolist(), position=each.values) for each in clip.tracks]
        (folder / "clips").mkdir(exist_ok=True)
        (folder / f"{file}.ani").write_bytes(animation_bytes(Path(file).name, clip.duration, tracks))
    return folder / "Walker.mdl"


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(write_walker(tmp_path))


def judged(capsys: Any, *words: str) -> dict[str, dict[str, Any]]:
    assert main(["info", *words, "--json"]) == 0
    return {each["name"]: each for each in json.loads(capsys.readouterr().out)["animations"]}


def test_without_animation_nothing_is_judged(path: str, capsys: Any) -> None:
    (clip,) = judged(capsys, path).values()
    assert [clip[key] for key in ("feet", "contacts", "slide", "spikes")] == [None] * 4


def test_a_clip_has_its_contacts_and_its_slide(path: str, capsys: Any) -> None:
    clip = judged(capsys, path, "--animation", "Walker_Walk", "--ground-speed", str(SPEED))["Walker_Walk"]
    feet = {
        "bones": ["L_Foot", "R_Foot"],
        "by": "names",
        "ground_speed": SPEED,
        "travels": False,
        "why": None,
    }
    assert {key: value for key, value in clip["feet"].items() if key != "ground"} == feet
    assert clip["feet"]["ground"] == pytest.approx(0.08)
    for bone_number in (LEFT, RIGHT):
        spans = [
            (each["start"], each["end"]) for each in clip["contacts"] if each["bone"] == NAMES[bone_number]
        ]
        assert np.allclose(spans, CONTACTS[bone_number], atol=FRAME)
    assert [each["bone"] for each in clip["slide"]] == ["L_Foot", "R_Foot"]
    assert all(each["length"] < 0.0036 and each["speed"] < 0.01 for each in clip["slide"])


def test_a_file_of_a_clip_is_added_and_judged(path: str, capsys: Any) -> None:
    skate = str(Path(path).with_name("clips") / "Skate.ani")
    clips = judged(capsys, path, "--animation", skate)
    assert clips["Walker_Walk"]["contacts"] is None and clips["Skate"]["source"] == skate
    assert clips["Skate"]["feet"]["travels"] and clips["Skate"]["feet"]["ground_speed"] is None
    assert [each["speed"] for each in clips["Skate"]["slide"]] == [pytest.approx(0.7, rel=0.02)] * 2


def test_feet_are_those_that_are_given(path: str, capsys: Any) -> None:
    clip = judged(capsys, path, "--animation", "#0", "--foot", "r_foot")["Walker_Walk"]
    assert clip["feet"]["bones"] == ["R_Foot"] and clip["feet"]["by"] == "given"
    assert {each["bone"] for each in clip["contacts"]} == {"R_Foot"}


def test_the_text_says_that_contacts_are_guessed(path: str, capsys: Any) -> None:
    assert main(["info", path, "--animation", "Walker_Walk"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (first,) = (line for line in lines if line.startswith("  Walker_Walk: "))
    assert "feet L_Foot, R_Foot (guessed by their names)" in first and "--ground-speed N moves it" in first
    at = lines.index("contacts in Walker_Walk, guessed 5")
    assert lines[at + 2].split() == ["L_Foot", "0", "s", "0.6", "s"]
    at = lines.index("slide in Walker_Walk 2")
    assert lines[at + 2].split() == ["L_Foot", "1.68", "1.4"]


def test_how_the_ground_moves_is_said(path: str, capsys: Any) -> None:
    skate = str(Path(path).with_name("clips") / "Skate.ani")
    main(["info", path, "--animation", "Walker_Walk", "--animation", skate, "--ground-speed", "1.4"])
    text = capsys.readouterr().out
    assert "Walker_Walk: " in text and "which moves 1.4 a second" in text
    assert "which stands still, as the clip itself moves the model" in text


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--animation", "#0"), "no bone looks like a foot; --foot BONE names one"),
        (("--animation", "#0", "--foot", "tip"), None),
    ],
)
def test_a_model_without_feet_has_a_line(tmp_path: Path, capsys: Any, words: Any, why: str | None) -> None:
    clip = judged(capsys, str(write_pair(tmp_path)), *words)["Bend"]
    assert clip["feet"]["why"] == why
    assert main(["info", str(tmp_path / "Post.mdl"), *words]) == 0
    assert (why is None) or f"  Bend: no contacts of feet: {why}\n" in capsys.readouterr().out


def test_a_lone_clip_has_no_bones_to_judge(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "a.ani").write_bytes(animation_bytes())
    clip = judged(capsys, str(tmp_path / "a.ani"), "--animation", "#0")["Bend"]
    assert clip["feet"]["why"] == "the file has no bones" and clip["contacts"] == clip["slide"] == []


def test_a_clip_of_one_key_has_a_line(tmp_path: Path, capsys: Any) -> None:
    path = write_walker(tmp_path)
    still = animation_bytes("Still", 1.0, [track("Root", [0.0], position=[[0, 0, 0]])])
    (tmp_path / "Still.ani").write_bytes(still)
    clip = judged(capsys, str(path), "--animation", str(tmp_path / "Still.ani"))["Still"]
    assert (
        clip["feet"]["why"] == "the clip moves no bone of the model, or it has no length that can be judged"
    )
    assert clip["contacts"] == []


@pytest.mark.parametrize("damage", [np.nan, np.inf, 1e38])
@pytest.mark.parametrize("length", [2.0, np.nan, np.inf, 1e-30, 1e30, 0.0, -1.0])
def test_damaged_numbers_give_no_contacts_of_them(
    tmp_path: Path, capsys: Any, damage: float, length: float
) -> None:
    path = write_walker(tmp_path)
    tracks = []
    for number, each in enumerate(walk().tracks):
        values, times = each.values.copy(), each.times.copy()
        values[3:9], times[30 + number] = damage, damage
        tracks.append(track(each.target, times.tolist(), position=values))
    (tmp_path / "Broken.ani").write_bytes(animation_bytes("Broken", length, tracks))
    clip = judged(capsys, str(path), "--animation", str(tmp_path / "Broken.ani"))["Broken"]
    numbers = [each[key] for each in clip["contacts"] for key in ("start", "end")]
    numbers += [each[key] for each in clip["slide"] for key in ("length", "speed")]
    assert all(number is not None and number < 1e6 for number in numbers)
    assert (length == 2.0) or clip["contacts"] == []


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--animation", "Wlak"), "no animation 'Wlak'; there is Walker_Walk"),
        (("--animation", "#0", "--foot", "L_Fot"), "no bone 'L_Fot'; near: L_Foot"),
        (("--foot", "L_Foot"), "--foot needs --animation"),
        (("--ground-speed", "2"), "--ground-speed needs --animation"),
        (("--animation", "#0", "--ground-speed", "fast"), "--ground-speed"),
    ],
)
def test_bad_usage_is_one_line(path: str, capsys: Any, words: tuple[str, ...], line: str) -> None:
    assert main(["info", path, *words]) == 2
    error = capsys.readouterr().err
    assert line in error and error.count("\n") == 1


def test_a_clip_has_the_keys_that_leave_their_neighbours(path: str, capsys: Any) -> None:
    swung = swing()
    swung[12] += 40
    pops = animation_bytes("Pops", 1, [track("L_Foot", np.linspace(0, 1, 41).tolist(), rotation=spun(swung))])
    (Path(path).parent / "Pops.ani").write_bytes(pops)
    spikes = judged(capsys, path, "--animation", str(Path(path).with_name("Pops.ani")))["Pops"]["spikes"]
    assert spikes[0] == {
        "bone": "L_Foot",
        "time": pytest.approx(0.3),
        "angle": pytest.approx(40, abs=1),
        "ratio": pytest.approx(8, abs=3),
    }
    assert main(["info", path, "--animation", str(Path(path).with_name("Pops.ani"))]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["L_Foot", "0.3", "s", "40°"] in [line[:4] for line in lines]
