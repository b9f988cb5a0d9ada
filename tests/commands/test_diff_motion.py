"""`rigscope diff --animation`: the bones that two clips move differently."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.families.ogre.test_poses import animated
from tests.ogre_files import NEWEST, pose, talk
from tests.synthetic import animation_bytes, bone, model_bytes, track, write_pair
from viewer.commands.cli import main

Captured = pytest.CaptureFixture[str]


def turns(*degrees: float, target: str = "tip", times: list[float] | None = None) -> bytes:
    """The clip of a second that turns a bone about Z, with keys at equal steps."""
    halves = np.radians(degrees) / 2
    rotation = [[np.cos(half), 0, 0, np.sin(half)] for half in halves]
    at = times or [number / max(len(degrees) - 1, 1) for number in range(len(degrees))]
    return animation_bytes("clip", 1.0, [track(target, at, rotation=rotation)] if degrees else [])


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A post with the clips Walk and Run, whose middle key is turned by 40 degrees more."""
    write_pair(tmp_path)
    for name, clip in (("Walk", turns(0, 20, 0)), ("Run", turns(0, 60, 0)), ("Still", turns())):
        (tmp_path / f"{name}.ani").write_bytes(clip)
    monkeypatch.chdir(tmp_path)
    return tmp_path


WALK_AND_RUN = ("diff", "Post.mdl", "--animation", "Walk.ani", "--with-animation", "Run.ani")


def test_the_turned_bone_is_told_with_its_angle_and_moment(capsys: Captured) -> None:
    assert main([*WALK_AND_RUN]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "1 of 2 bones move differently",
        "  ~ tip: turned by up to 40° at 0.5 s",
    ]


def test_json_has_a_row_for_each_bone(capsys: Captured) -> None:
    assert main([*WALK_AND_RUN, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["same"], told["notes"]) == (False, [])
    (row,) = told["animation"]
    assert row == {
        "bone": "tip",
        "angle": pytest.approx(40, abs=1e-3),
        "distance": 0,
        "time": pytest.approx(0.5),
    }


def test_a_clip_and_itself_are_status_0(capsys: Captured) -> None:
    assert main([*WALK_AND_RUN[:-1], "Walk.ani", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["same"] and told["animation"] == [] and told["summary"] == "same motion"


def test_one_clip_of_two_files_is_compared_in_both(files: Path, capsys: Captured) -> None:
    (files / "other").mkdir()
    (files / "other" / "Post.mdl").write_bytes(model_bytes())
    (files / "other" / "Post_Bend.ani").write_bytes(
        animation_bytes("Bend", tracks=[track("tip", [0], rotation=[[1, 0, 0, 0]])])
    )
    assert main(["diff", "Post.mdl", "other/Post.mdl", "--animation", "Bend"]) == 1
    assert "tip: turned by up to 90° at 0.5 s" in capsys.readouterr().out
    (files / "other" / "Post_Bend.ani").unlink()
    assert main(["diff", "Post.mdl", "other/Post.mdl", "--animation", "Bend"]) == 2
    assert "no animation 'Bend'" in capsys.readouterr().err


def test_clips_of_other_length_are_the_same_by_share_alone(files: Path, capsys: Captured) -> None:
    half = np.sqrt(0.5)
    slow = track("tip", [0, 1, 2], rotation=[[1, 0, 0, 0], [half, 0, 0, half], [1, 0, 0, 0]])
    (files / "Slow.ani").write_bytes(animation_bytes("Slow", 2.0, [slow]))
    (files / "Quick.ani").write_bytes(turns(0, 90, 0))
    words = ("diff", "Post.mdl", "--animation", "Quick.ani", "--with-animation", "Slow.ani")
    assert main([*words, "--tie", "share"]) == 0
    assert capsys.readouterr().out == "same motion\nnote: length 1 → 2 s\n"
    assert main([*words]) == 1


@pytest.mark.parametrize("other", ["Still.ani", "none"])
def test_a_clip_without_keys_is_the_rest_pose(other: str, capsys: Captured) -> None:
    assert main([*WALK_AND_RUN[:-1], other]) == 1
    assert "tip: turned by up to 20° at 0.5 s" in capsys.readouterr().out


def test_clips_of_one_key_and_of_times_that_are_not_finite_are_compared(
    files: Path, capsys: Captured
) -> None:
    (files / "One.ani").write_bytes(turns(30))
    (files / "Strange.ani").write_bytes(turns(0, 20, 0, times=[0, float("nan"), 1]))
    assert main([*WALK_AND_RUN[:-1], "One.ani"]) == 1
    assert "turned by up to 30°" in capsys.readouterr().out
    assert main([*WALK_AND_RUN[:-1], "Strange.ani", "--json"]) in (1, 2)
    assert json.loads(capsys.readouterr().out)["animation"]


def test_models_without_a_common_bone_have_a_note(files: Path, capsys: Captured) -> None:
    (files / "Snake.mdl").write_bytes(model_bytes(bones=[bone("x", 0, 0, 0), bone("y", 0, 0.5, 0.5)]))
    assert main(["diff", "Post.mdl", "Snake.mdl", "--animation", "Walk.ani"]) in (0, 2)
    assert "no bone" in capsys.readouterr().out


def test_clips_of_morphs_are_told_though_no_bone_moves(tmp_path: Path, capsys: Captured) -> None:
    mesh = tmp_path / "Wave.mesh"
    mesh.write_bytes(animated(talk(), poses=(pose("up", NEWEST),)))
    words = ("diff", str(mesh), "--animation", "#0", "--with-animation")
    assert main([*words, "none"]) == 1
    assert "only one side moves vertices without bones" in capsys.readouterr().out
    assert main([*words, "#0"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "same motion"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["Post.mdl", "--animation", "Bend"], "two models, or one with --with-animation"),
        (["Post.mdl", "--with-animation", "Bend"], "needs --animation"),
        (["Post.mdl", "Post.mdl", "--animation", "Bend", "--with-animation", "Bend"], "a single model"),
        (["Post.mdl", "--animation", "Bent", "--with-animation", "Bend"], "near: Bend"),
        (["Post.mdl", "Post.mdl", "--animation", "Bend", "--bytes"], "give one of them"),
        (["none.mdl", "--animation", "Bend", "--with-animation", "Bend"], "none.mdl"),
        (["Walk.ani", "--animation", "Bend", "--with-animation", "Bend"], "is an animation"),
    ],
)
def test_what_cannot_be_compared_is_status_2(words: list[str], told: str, capsys: Captured) -> None:
    assert main(["diff", *words]) == 2
    assert told in capsys.readouterr().err
