"""Poses of real files equal the engine's: loop gap, clamping and times before the first key included."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conftest import SHARED, read_json
from viewer.animation.pose import Layer, Pose, pose
from viewer.arrays import Array
from viewer.scene.animation import Animation
from viewer.scene.model import Model
from viewer.storage.documents import open_document

EXTENT_TOLERANCE = 1e-5
POSES = sorted(path.stem for path in (SHARED / "oracle" / "urho3d" / "poses").glob("*.json")) or ["absent"]
MADE, JACK, NINJA = "made-by-engine", "Data/Models/Jack", "Data/Models/NinjaSnowWar/Ninja"
FILES = {
    "bones200_wave": (f"{MADE}/bones200_mapped3.mdl", f"{MADE}/bones200_wave.ani"),
    "jack_bind": (f"{JACK}.mdl", None),
    "jack_walk": (f"{JACK}.mdl", f"{JACK}_Walk.ani"),
    "ninja_attack2": (f"{NINJA}.mdl", f"{NINJA}_Attack2.ani"),
    "ninja_walk": (f"{NINJA}.mdl", f"{NINJA}_Walk.ani"),
    # its names differ in case: they match nothing in the engine, which poses the rest pose
    "two_roots_lowercase": (f"{MADE}/two_roots.mdl", None),
    "two_roots": (f"{MADE}/two_roots.mdl", f"{MADE}/two_roots.ani"),
}


def posed(corpus: Path, name: str, time: float) -> tuple[Model, Pose]:
    model, clip = FILES[next(prefix for prefix in FILES if name.startswith(prefix))]
    content = open_document(corpus / "urho3d" / model).content
    assert isinstance(content, Model)
    assert content.skeleton is not None
    if clip is None:
        return content, pose(content.skeleton)
    animation = open_document(corpus / "urho3d" / clip).content
    assert isinstance(animation, Animation)
    looped = not name.endswith(("_noloop", "_clamped"))
    return content, pose(content.skeleton, [Layer(animation, time, looped=looped)])


def column(bones: list[dict[str, Any]], key: str) -> Array:
    return np.array([bone[key] for bone in bones])


@pytest.mark.parametrize("name", POSES)
def test_a_pose_equals_the_engine(corpus: Path, oracle: Path, name: str) -> None:
    engine = read_json(oracle / "urho3d" / "poses" / f"{name}.json")
    model, made = posed(corpus, name, engine["time"])
    bones = engine["bones"]
    world = column(bones, "world").reshape(-1, 3, 4)
    limit = EXTENT_TOLERANCE * np.ptp(world[..., 3], axis=0).max()
    assert np.abs(made.positions - column(bones, "local_t")).max() < limit
    assert np.abs(made.rotations - np.roll(column(bones, "local_r"), -1, axis=1)).max() < 1e-6
    assert np.abs(made.scales - column(bones, "local_s")).max() < 1e-6
    assert np.abs(made.world - world).max() < limit
    for geometry, batch in zip(model.geometries, engine["batches"], strict=True):
        skin = made.skin if geometry.bone_map is None else made.skin[geometry.bone_map]
        assert np.abs(skin - np.reshape(batch["skin"], (-1, 3, 4))).max() < limit
