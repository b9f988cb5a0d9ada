"""Rules for what keys are relative to fire on clips made to break them, and on no sound one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests import ogre_files as mesh_files
from tests import ogre_skeletons as ogre
from tests.checked import chain, clip, nod, texts, track
from viewer.binary import Struct
from viewer.check.checking import check_file
from viewer.check.clips.composition import RULES
from viewer.families.ogre import skeleton_layout as layout
from viewer.scene.animation import Animation, Composition

BONES = chain(*"abcde")


def moved(*positions: Any, composition: Composition = Composition.ABSOLUTE) -> Animation:
    """A clip with these positions of the bones of `BONES`."""
    tracks = [track(name, "position", (0,), (at,)) for name, at in zip("abcde", positions, strict=False)]
    return replace(clip(*tracks), composition=composition)


REST, NOTHING = [(0, 0, 0)] + [(0, 1, 0)] * 4, [(0, 0, 0)] * 5


@pytest.mark.parametrize("rule", [rule.id for rule in RULES])
def test_a_sound_clip_has_no_findings(rule: str) -> None:
    assert texts(rule, BONES, moved(*REST), clip(nod("a"))) == []
    assert texts(rule, BONES, moved(*NOTHING, composition=Composition.RELATIVE), format="OGRE skeleton") == []


def test_relative_keys_in_urho3d_are_told() -> None:
    (text,) = texts("animation/swapped-keys", BONES, moved(*NOTHING))
    assert text == (
        "clip 'Walk': 4 of 4 bones with positions stay at their parents, but not in the rest pose: the keys "
        "look relative"
    )


def test_absolute_keys_in_ogre_are_told() -> None:
    clips = moved(*REST, composition=Composition.RELATIVE)
    (text,) = texts("animation/swapped-keys", BONES, clips, format="OGRE skeleton")
    assert "4 of 4 bones with positions are moved by their whole rest position" in text


@pytest.mark.parametrize(
    "positions", [NOTHING[:3], [*NOTHING[:3], *REST[3:]]], ids=["few bones", "some bones"]
)
def test_few_bones_show_nothing(positions: Any) -> None:
    assert texts("animation/swapped-keys", BONES, moved(*positions)) == []


STILL = ogre.keys((0, ogre.NO_TURN, (0, 0, 0)))


def based(folder: Path, name: str, time: float, *bones: int, chained: bool = False) -> str:
    """A skeleton whose clip `wave` is relative to clip `name`, and whose clip `idle` moves these bones."""
    own = (layout.BASE, Struct(animation="idle", time=0.0))
    idle = ogre.clip("idle", 2.0, *([own] if chained else []), *(ogre.track(bone, STILL) for bone in bones))
    base = (layout.BASE, Struct(animation=name, time=time))
    wave = ogre.clip("wave", 1.0, base, ogre.track(0, STILL), ogre.track(1, STILL))
    path = folder / "Rig.skeleton"
    path.write_bytes(ogre.skeleton_bytes(*ogre.two_bones(), idle, wave))
    return str(path)


def test_a_base_that_does_not_exist_is_told(tmp_path: Path) -> None:
    (found,) = check_file(based(tmp_path, "rest", 0.0, 0, 1), select=["animation/missing-base"])
    assert found.text == "clip 'wave': its keys are relative to clip 'rest', which does not exist"
    assert found.path == "animation[1]"


def test_a_base_without_a_track_is_told(tmp_path: Path) -> None:
    (found,) = check_file(based(tmp_path, "idle", 0.0, 0), select=["animation/missing-base"])
    assert found.text == "clip 'wave': its keys are relative to clip 'idle', which lacks 1 track: tip"
    assert found.path.startswith("animation[1]/track[1]")


@pytest.mark.parametrize(
    ("time", "chained", "texts"),
    [
        (2.0, False, []),
        (3.0, False, ["clip 'wave': its keys are relative to clip 'idle' at 3 s, but that clip ends at 2 s"]),
        (0.0, True, ["clip 'wave': its keys are relative to clip 'idle', whose own keys are relative too"]),
    ],
)
def test_an_odd_key_to_be_relative_to_is_told(
    tmp_path: Path, time: float, chained: bool, texts: list[str]
) -> None:
    path = based(tmp_path, "idle", time, 0, 1, chained=chained)
    assert [each.text for each in check_file(path, select=["animation/odd-base"])] == texts
    assert check_file(path, select=["animation/missing-base"]) == ()


def test_vertex_clips_have_bases_too(tmp_path: Path) -> None:
    version = mesh_files.NEWEST
    poses = (
        mesh_files.extras.POSES,
        Struct(chunks=mesh_files.stream((mesh_files.extras.POSE_SHAPE, mesh_files.pose("up", version)))),
    )
    for name, count in (("talk", 0), ("shout", 1)):
        clips = (
            mesh_files.extras.ANIMATIONS,
            Struct(
                chunks=mesh_files.stream((mesh_files.extras.VERTEX_ANIMATION, mesh_files.talk((name, 0.0))))
            ),
        )
        path = tmp_path / "square.mesh"
        path.write_bytes(mesh_files.simple(poses, clips))
        assert len(check_file(str(path), select=["animation/missing-base"])) == count
