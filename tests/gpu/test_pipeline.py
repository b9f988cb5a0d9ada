"""A draw is complete: what was drawn or bound before does not matter."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from viewer.arrays import Array
from viewer.gpu.bindings import Bindings
from viewer.gpu.pipeline import Pipeline
from viewer.gpu.shader import Composer
from viewer.gpu.target import RenderTarget, clear
from viewer.scene.model import Primitive

SIZE = (4, 4)
VERTEX = """
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }
"""
FRAGMENT = """
layout(std140) uniform Material { vec4 tint; };
uniform sampler2D diffuse_map;
out vec4 color;
void main() { color = texture(diffuse_map, vec2(0.5)) * tint; }
"""


class Stage:
    """Textures, blocks and framebuffers of which draws take some."""

    def __init__(self, ctx: Any, folder: Path) -> None:
        (folder / "all.vert").write_text(VERTEX)
        (folder / "tinted.frag").write_text(FRAGMENT)
        self.composer = Composer(ctx, folder)
        self.vao = ctx.vertex_array(self.composer.program("all.vert", "tinted.frag").handle, [])
        self.targets = [RenderTarget(ctx, SIZE) for _ in range(2)]
        self.textures = [ctx.texture((1, 1), 4, bytes(color)) for color in ((255, 0, 255, 255), (255,) * 4)]
        blocks = ((1.0, 1.0, 0.0, 1.0), (0.0, 1.0, 1.0, 1.0))
        self.blocks = [ctx.buffer(np.array(tint, np.float32)) for tint in blocks]

    def bindings(self, texture: int, block: int) -> Bindings:
        return {"diffuse_map": self.textures[texture], "Material": self.blocks[block]}

    def draw(self, target: int, bindings: Bindings, **state: Any) -> None:
        Pipeline(self.vao, self.targets[target].framebuffer, bindings, cull="none", **state).draw(
            Primitive.TRIANGLES, 3
        )

    def pixel(self, target: int) -> list[int]:
        return [int(value) for value in self.targets[target].read()[0, 0]]

    def release(self) -> None:
        for owned in (self.vao, *self.targets, *self.textures, *self.blocks, self.composer):
            owned.release()


@pytest.fixture
def stage(ctx: Any, tmp_path: Path) -> Iterator[Stage]:
    made = Stage(ctx, tmp_path)
    for target in made.targets:
        clear(target.framebuffer, SIZE)
    yield made
    made.release()


@pytest.mark.parametrize(
    "before",
    [
        {},
        {"target": 1},
        {"texture": 1},
        {"block": 1},
        {"blend": "add"},
        {"depth": None, "depth_write": False},
        {"target": 1, "texture": 1, "block": 1, "blend": "multiply", "wireframe": True},
    ],
)
def test_a_draw_after_another_is_the_same_as_alone(stage: Stage, before: dict[str, Any]) -> None:
    stage.draw(0, stage.bindings(0, 0))
    alone = stage.pixel(0)
    assert alone == [255, 0, 0, 255]
    numbers = {name: before.pop(name, 0) for name in ("target", "texture", "block")}
    stage.draw(numbers["target"], stage.bindings(numbers["texture"], numbers["block"]), **before)
    clear(stage.targets[0].framebuffer, SIZE)
    stage.draw(0, stage.bindings(0, 0))
    assert stage.pixel(0) == alone


def test_a_draw_binds_its_own_framebuffer(stage: Stage) -> None:
    stage.draw(1, stage.bindings(1, 1))
    assert stage.pixel(0) == [0, 0, 0, 0] and stage.pixel(1) == [0, 255, 255, 255]


def test_a_draw_over_the_same_surface_passes_the_depth_test(stage: Stage, ctx: Any) -> None:
    """Also where the surface slopes: depths are not moved unless the draw says so."""
    (stage.composer.root / "slope.vert").write_text(VERTEX.replace("0.0, 1.0)", "0.1 * gl_VertexID, 1.0)"))
    array = ctx.vertex_array(stage.composer.program("slope.vert", "tinted.frag").handle, [])
    framebuffer = stage.targets[0].framebuffer
    for number, state in enumerate(({"offset": (0.0, 0.0)}, {})):
        Pipeline(array, framebuffer, stage.bindings(number, number), cull="none", **state).draw(
            Primitive.TRIANGLES, 3
        )
    assert stage.pixel(0) == [0, 255, 255, 255]
    array.release()


@pytest.mark.parametrize("missing", ["diffuse_map", "Material"])
def test_what_a_draw_does_not_state_is_named(stage: Stage, missing: str) -> None:
    stated = {name: bound for name, bound in stage.bindings(0, 0).items() if name != missing}
    with pytest.raises(KeyError, match=missing):
        stage.draw(0, stated)


def test_a_draw_may_state_what_its_program_does_not_read(stage: Stage) -> None:
    stage.draw(0, {**stage.bindings(0, 0), "mask": stage.textures[1], "Frame": stage.blocks[1]})
    assert stage.pixel(0) == [255, 0, 0, 255]


def test_a_capture_leaves_no_state_for_the_next_draw(stage: Stage, ctx: Any) -> None:
    (stage.composer.root / "told.vert").write_text(
        "layout(std140) uniform Material { vec4 tint; };\nout vec4 told;\n"
        "void main() { told = tint + float(gl_VertexID); gl_Position = vec4(0.0); }\n"
    )
    handle = stage.composer.program("told.vert", varyings=("told",)).handle
    array = ctx.vertex_array(handle, [])
    rows: Array = stage.composer.capture.read(array, stage.bindings(1, 1), np.dtype(("f4", 4)), 2)
    assert rows.tolist() == [[0, 1, 1, 1], [1, 2, 2, 2]]
    assert stage.composer.capture.read(array, {}, np.dtype(("f4", 4)), 0).shape == (0, 4)
    stage.draw(0, stage.bindings(0, 0))
    assert stage.pixel(0) == [255, 0, 0, 255]
    array.release()


@pytest.mark.parametrize(
    ("blend", "covers"),
    [
        ("alpha", True),
        ("premulalpha", True),
        ("one zero", True),
        ("subtract", True),
        ("add", False),
        ("addalpha", False),
        ("one one", False),
        ("one_minus_dst_color one", False),
        ("one one_minus_src_color", False),
        ("multiply", False),
    ],
)
def test_layers_that_only_add_light_or_tint_cover_nothing(stage: Stage, blend: str, covers: bool) -> None:
    """What a transparent picture shows of them is their light."""
    stage.draw(0, stage.bindings(1, 1), blend=blend)
    assert stage.pixel(0)[3] == (255 if covers else 0)
