"""Clips of one family on a model of another family: the same rig written as Urho3D and as OGRE."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import ogre_skeletons as ogre
from tests.app.conftest import Make, until
from tests.ogre_files import NEWEST, rich_mesh
from tests.synthetic import animation_bytes, bone, model_bytes, track
from viewer.app.loop import App
from viewer.app.open_files.clip_rigs import with_rig
from viewer.arrays import Array
from viewer.commands.dispatch import run
from viewer.commands.options.apply_options import prepare
from viewer.commands.options.given_options import Options
from viewer.scene.animation import Composition
from viewer.session.requests import Drop
from viewer.session.state import State
from viewer.storage.documents import open_document

HALF = np.sqrt(0.5)
UP, LEFT = (0.0, 0.0, 0.0), (0.3, 0.0, 0.4)


def skeleton_bytes(scale: float = 1.0, prefix: str = "", *more: Any) -> bytes:
    """The post's bones, and a clip that moves the base and turns the tip by 90 degrees about Z."""
    bones = [
        ogre.bone(f"{prefix}base", 0),
        ogre.bone(f"{prefix}tip", 1, (0, 0.5 * scale, 0)),
        ogre.parents((1, 0)),
    ]
    left = tuple(each * scale for each in LEFT)
    base = ogre.track(0, ogre.keys((0.0, ogre.NO_TURN, UP), (1.0, ogre.NO_TURN, left)))
    tip = ogre.track(1, ogre.keys((0.0, ogre.NO_TURN, UP), (1.0, (0, 0, HALF, HALF), UP)))
    return ogre.skeleton_bytes(*bones, ogre.clip("sway", 1.0, base, tip), *more)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """`urho/Post.mdl` with `Post_Sway.ani`, and `ogre/post.mesh` with `bones.skeleton`; the same rig, and the
    same clip in the words of each engine."""
    for name in ("urho", "ogre"):
        (tmp_path / name).mkdir()
    tracks = [
        track("base", [0, 1], position=[UP, LEFT]),
        track("tip", [0, 1], position=[[0, 0.5, 0]] * 2, rotation=[[1, 0, 0, 0], [HALF, 0, 0, HALF]]),
    ]
    (tmp_path / "urho/Post.mdl").write_bytes(model_bytes())
    (tmp_path / "urho/Post_Sway.ani").write_bytes(animation_bytes("Sway", 1.0, tracks))
    (tmp_path / "ogre/post.mesh").write_bytes(rich_mesh(NEWEST))
    (tmp_path / "ogre/bones.skeleton").write_bytes(skeleton_bytes())
    return tmp_path


def world(*paths: Path, animation: str, time: float = 0.4) -> Array:
    """[2, 3, 4]: the bones while the named clip plays."""
    state = prepare(map(str, paths), Options(animation=(animation,), time=time))
    posed = state.playback.posed()
    assert posed is not None and len(posed.world) == 2
    return posed.world


@pytest.mark.parametrize("time", [0.0, 0.4, 0.99])
def test_a_skeleton_plays_on_an_urho3d_model_as_on_its_own(files: Path, time: float) -> None:
    expected = world(files / "ogre/post.mesh", animation="sway", time=time)
    for paths, name in (
        ((files / "urho/Post.mdl", files / "ogre/bones.skeleton"), "sway"),
        ((files / "urho/Post.mdl",), str(files / "ogre/bones.skeleton")),
    ):
        assert np.abs(world(*paths, animation=name, time=time) - expected).max() < 1e-4


@pytest.mark.parametrize("time", [0.0, 0.4, 0.99])
def test_an_animation_plays_on_an_ogre_model_as_on_its_own(files: Path, time: float) -> None:
    expected = world(files / "urho/Post.mdl", animation="Sway", time=time)
    clip = files / "urho/Post_Sway.ani"
    found = world(files / "ogre/post.mesh", animation=str(clip), time=time)
    assert np.abs(found - expected).max() < 1e-4


def test_another_size_and_prefixes_are_converted(files: Path) -> None:
    expected = world(files / "ogre/post.mesh", animation="sway")
    (files / "large.skeleton").write_bytes(skeleton_bytes(40.0, "mixamorig:"))
    found = world(files / "urho/Post.mdl", animation=str(files / "large.skeleton"))
    mirrored = np.diag((-1.0, 1, 1)) @ found @ np.diag((-1.0, 1, 1, 1))  # the X axes of the formats differ
    assert np.abs(mirrored - expected).max() < 1e-3


def test_the_rest_pose_of_a_lone_animation_is_that_of_the_model_near_it(files: Path) -> None:
    document = open_document(files / "urho/Post_Sway.ani")
    skeleton = open_document(files / "ogre/post.mesh").model.skeleton  # type: ignore[union-attr]
    made = with_rig(document, skeleton)
    (clip,) = made.animations
    assert clip is made.content and clip.rig is not None and clip.rig.skeleton.names == ("base", "tip")
    assert made.report.notes == ["the rest pose is that of Post.mdl"]
    own = open_document(files / "urho/Post.mdl").model.skeleton  # type: ignore[union-attr]
    assert with_rig(document, own) is document and with_rig(document, None) is document


def test_without_its_model_an_animation_plays_as_it_is_stored(files: Path) -> None:
    lone = Path(shutil.copy(files / "urho/Post_Sway.ani", (files / "far").mkdir() or files / "far"))
    shutil.rmtree(files / "urho")
    found = world(files / "ogre/post.mesh", animation=str(lone))
    assert found[0, 0, 3] == pytest.approx(0.12)


def test_a_file_that_is_no_clip_for_the_model_is_refused(files: Path, capsys: Any) -> None:
    (files / "other.skeleton").write_bytes(skeleton_bytes(1.0, "quite_another_"))
    for name in ("other.skeleton", "ogre/post.mesh"):
        words = ["render", str(files / "urho/Post.mdl"), "-o", str(files / "a.png")]
        assert run([*words, "--animation", str(files / name)]) == 2
        assert f"{name} is not an animation for this model" in capsys.readouterr().err


def test_what_does_not_match_is_said(files: Path, capsys: Any) -> None:
    (files / "urho/Post.mdl").write_bytes(
        model_bytes(bones=[bone("base", 0, 0, 0), bone("tip", 0, 0.5, 0.7), bone("spare", 0, 0.5, 0.1)])
    )
    more = [ogre.bone("gone", 2), ogre.bone("base2", 3)]
    keys = ogre.keys((0.0, ogre.NO_TURN, UP))
    (files / "more.skeleton").write_bytes(
        skeleton_bytes(1.0, "Bip01_", *more, ogre.clip("lost", 1.0, *(ogre.track(n, keys) for n in (0, 2))))
    )
    words = ["render", str(files / "urho/Post.mdl"), str(files / "more.skeleton"), "--animation", "lost"]
    assert run([*words, "-o", str(files / "a.png"), "--size", "16x16"]) == 0
    said = capsys.readouterr().err
    assert "lost: 1 of 2 tracks matched; without a bone: gone" in said
    assert "lost: matched only without a prefix: Bip01_base" in said
    assert "lost: 2 bones without a track: tip, spare" in said


def dropped(app: App, path: Path) -> State:
    app.post(Drop((str(path),)))
    return until(app, lambda state: not app.busy and len(state.documents.opened) > 1)


def test_a_dropped_skeleton_plays_on_the_model_in_view(make: Make, files: Path) -> None:
    app = make(files / "urho/Post.mdl")
    state = dropped(app, files / "ogre/bones.skeleton")
    assert state.document is state.documents.opened[0], "the model stays in view"
    assert [each.animation.name for each in state.view.playlist] == ["sway"] and state.view.clock.playing
    assert [each.name for each in state.playback.animations] == ["Sway", "sway"]


def test_a_skeleton_for_nothing_in_view_is_a_tab_of_its_own(make: Make, files: Path) -> None:
    (files / "other.skeleton").write_bytes(skeleton_bytes(1.0, "quite_another_"))
    app = make(files / "urho/Post.mdl")
    state = dropped(app, files / "other.skeleton")
    assert state.document is state.documents.opened[1]
    app = make(files / "ogre/post.mesh")
    state = dropped(app, files / "ogre/bones.skeleton")
    assert state.document is state.documents.opened[1], "the mesh has its clips already"


def test_a_dropped_animation_finds_its_rest_pose(make: Make, files: Path) -> None:
    app = make(files / "ogre/post.mesh")
    state = dropped(app, files / "urho/Post_Sway.ani")
    playing = state.view.playlist[0].animation
    assert playing.composition is Composition.ABSOLUTE and playing.rig is not None


def test_an_animation_that_is_opened_with_the_model_finds_its_rest_pose(make: Make, files: Path) -> None:
    app = make(files / "urho/Post_Sway.ani", files / "ogre/post.mesh")
    until(app, lambda state: not app.busy)
    found = [each for each in app.state.playback.animations if each.name == "Sway"]
    assert [each.rig is not None for each in found] == [True]


def test_what_does_not_match_is_in_problems(make: Make, files: Path) -> None:
    (files / "more.skeleton").write_bytes(skeleton_bytes(1.0, "Bip01_").replace(b"Bip01_tip", b"Bip01_top"))
    app = make(files / "urho/Post.mdl")
    state = dropped(app, files / "more.skeleton")
    assert state.documents.opened[1].report.notes == [
        "on Post.mdl: 1 track without a bone: Bip01_top",
        "on Post.mdl: 1 bone without a track: tip",
        "on Post.mdl: 1 track matched without a prefix: Bip01_base",
    ]
