"""Baked vertices against the engine's own."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from viewer.animation.pose import Layer, pose
from viewer.render.bake import BakedGeometry
from viewer.scene.animation import Animation
from viewer.scene.display import ModelDisplay
from viewer.storage.documents import open_document

Bake = Callable[..., list[BakedGeometry]]
MORPHS = "made-by-engine/morphs4_2buffers.mdl"
WEIGHTS = {0: 0.5, 1: 0.75, 2: 1.0}


def test_the_engine_morphs_the_same(baked: Bake, corpus: Any, oracle: Any) -> None:
    model = open_document(corpus / "urho3d" / MORPHS).model
    assert model is not None
    engine = json.loads((oracle / "urho3d" / "morph_weights.json").read_text())["morphVB"]
    for geometry, made in zip(
        model.geometries, baked(model, display=ModelDisplay(morphs=WEIGHTS)), strict=True
    ):
        stored = engine[geometry.lods[0].streams[0]]
        expected = np.array(stored["data"]).reshape(-1, stored["stride"] // 4)[:, :3]
        used = np.isfinite(made.positions[:, 0])
        np.testing.assert_allclose(made.positions[used], expected[used], atol=1e-5)


CLIPS = {
    "jack_walk_0.5_loop": ("Data/Models/Jack.mdl", "Data/Models/Jack_Walk.ani", 0.5),
    "ninja_walk_0.4": ("Data/Models/NinjaSnowWar/Ninja.mdl", "Data/Models/NinjaSnowWar/Ninja_Walk.ani", 0.4),
    "bones200_wave_0.35_loop": (
        "made-by-engine/bones200_mapped3.mdl",
        "made-by-engine/bones200_wave.ani",
        0.35,
    ),
}


@pytest.mark.parametrize("name", CLIPS)
def test_the_engine_skins_the_same(baked: Bake, corpus: Any, oracle: Any, name: str) -> None:
    file, clip, time = CLIPS[name]
    model = open_document(corpus / "urho3d" / file).model
    animation = open_document(corpus / "urho3d" / clip).content
    assert model is not None and model.skeleton is not None and isinstance(animation, Animation)
    engine = json.loads((oracle / "urho3d" / "poses" / f"{name}.json").read_text())["skinned"]
    for made, expected in zip(
        baked(model, pose(model.skeleton, [Layer(animation, time)])), engine, strict=True
    ):
        used = made.positions[np.isfinite(made.positions[:, 0])]
        extent = float(np.ptp(used, axis=0).max())
        np.testing.assert_allclose(used.min(axis=0), expected["min"], atol=1e-5 * extent)
        np.testing.assert_allclose(used.max(axis=0), expected["max"], atol=1e-5 * extent)
        total = made.positions[made.indices].sum(axis=0, dtype=np.float64)
        np.testing.assert_allclose(total, expected["sum"], atol=1e-5 * extent * len(made.indices))
