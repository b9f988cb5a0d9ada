"""Whatever is done to the models that emitters name, a picture comes of it, and no GL error."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import pytest
from hypothesis import given, settings

from tests.damage import damaged
from tests.frames import frame_for
from tests.m2_files import CLASSIC, keys
from tests.named_models import alone, emitter, put, shard
from viewer.animation.effects.approximations import approximations
from viewer.animation.pose import Layer, pose
from viewer.gpu.target import RenderTarget
from viewer.render.renderer import Renderer
from viewer.scene.camera import Orbit
from viewer.scene.display import DisplayOptions
from viewer.scene.model import Model
from viewer.storage.documents import open_document

SIZE = (16, 16)
BOX = np.array(((-1.0, -1, -1), (1, 1, 1)))
TURNING = {"tumble": (0, 0, 0, 3, 3, 3)}
OWNER = alone(
    emitter(geometry_model="Shard.mdx", **TURNING),
    emitter(recursion_model="Sparks.mdx", flags=0x1),
)
SEEDS = {"Shard": shard(), "Sparks": alone(emitter(), emitter(flags=0x41, type=2), emitter(type=3))}


@pytest.fixture(scope="module")
def drawing() -> Iterator[Any]:
    """Draws a file at two times; everything about it is released."""
    context = moderngl.create_context(standalone=True, backend="egl", require=330)
    renderer, target = Renderer(context), RenderTarget(context, SIZE)

    def draw(path: Path) -> Model:
        document = open_document(path)
        model, clip = document.model, document.animations[0]
        assert model is not None and model.skeleton is not None
        for each in model.emitters:
            approximations(each, model.skeleton, clip)
        mesh = renderer.upload(model)
        for time in (0.7, -3.2):
            layers = (Layer(clip, time),)
            made = frame_for(
                mesh,
                SIZE,
                pose(model.skeleton, layers),
                DisplayOptions(),
                Orbit(),
                BOX,
                time=time,
                layers=layers,
            )
            renderer.draw(mesh, made, target.framebuffer)
        mesh.release()
        assert context.error == "GL_NO_ERROR"
        return model

    yield draw
    target.release()
    renderer.release()
    context.release()


@given(damaged(SEEDS, header=0x150))
@settings(max_examples=100)
def test_damage_to_a_named_model_costs_no_picture(drawing: Any, case: tuple[str, bytes]) -> None:
    name, data = case
    with tempfile.TemporaryDirectory() as folder:
        drawing(put(Path(folder), owner=OWNER, **(SEEDS | {name: data})))


@pytest.mark.usefixtures("any_numbers")
@pytest.mark.parametrize(("value", "flags"), [*product((np.nan, np.inf, 3e38, 1e30), (0x1, 0x11, 0x4041))])
def test_bones_past_all_sense_cost_no_picture(drawing: Any, tmp_path: Path, value: float, flags: int) -> None:
    turns = keys(CLASSIC, [([0, 1000], [(0, 0, 0, 1), (value,) * 4])])
    moves = keys(CLASSIC, [([0, 1000], [(0, 0, 0), (value,) * 3])])
    bone = {"key_bone": -1, "parent": -1, "rotation": turns, "translation": moves}
    made = emitter(geometry_model="Shard.mdx", recursion_model="Sparks.mdx", flags=flags, tumble=(value,) * 6)
    drawing(put(tmp_path, owner=alone(made, bones=[bone]), **SEEDS))
