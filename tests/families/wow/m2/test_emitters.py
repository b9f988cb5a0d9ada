"""Emitter records of every generation as evaluation needs them, and what damage to them costs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import m2_files
from tests.frames import frame_for
from tests.m2_files import CLASSIC, CRUSADE, GENERATIONS, WRATH, keys
from tests.opened import opened_file
from viewer.animation.effects.approximations import approximations
from viewer.animation.effects.bone_path import bone_motion, path, turned_offset
from viewer.animation.effects.emission import emission
from viewer.animation.pose import Layer, pose
from viewer.families.wow.m2.layout.fields import VersionTraits
from viewer.families.wow.m2.load import load_model
from viewer.gpu.target import RenderTarget
from viewer.render.effects.emitter_buffers import emitter_block
from viewer.render.renderer import Renderer
from viewer.scene.camera import Orbit
from viewer.scene.display import DisplayOptions
from viewer.scene.document import Document
from viewer.scene.emitter import Emitter


def record(generation: VersionTraits, **changes: Any) -> dict[str, Any]:
    """An emitter that uses everything."""

    def track(first: Any, second: Any) -> Any:
        return keys(generation, [([0, 500], [first, second]), ([0], [first])])

    shared = {
        "flags": 0x60001,
        "type": 2,
        "blend": 4,
        "bone": 2,
        "texture": 0,
        "rows": 2,
        "columns": 4,
        "priority": 3,
        "speed": track(1.0, 2.0),
        "lifespan": track(1.0, 1.5),
        "rate": track(20.0, 40.0),
        "gravity": track(0.0, 1.0),
        "enabled": track(1, 0),
        "width": track(0.5, 1.0),
        "tail_length": 0.25,
        "drag": 0.5,
        "twinkle_speed": 10.0,
        "twinkle_share": 1.0,
        "twinkle_scale": (1.0, 1.0),
        "follow": (2.5, 0.7, 7.0, 0.9),
        "spline": [(0, 0, 0), (1, 0, 0), (1, 1, 0), (2, 1, 0)],
    }
    own = {
        "middle": 0.25,
        "colors": (0x80FF0000, 0xFF00FF00, 0x000000FF),
        "scales": (1.0, 2.0, 3.0),
        "head_cells": (0, 3, 2, 4, 7, 1),
        "tail_cells": (0, 1, 2, 3),
        "head_or_tail": 2,
        "spin": 1.5,
    }
    return shared | ({} if generation.nested else own) | changes


def opened(generation: VersionTraits, *records: dict[str, Any], data: bytes | None = None) -> Document:
    raw = m2_files.model(generation, particles=list(records)) if data is None else data
    return load_model(opened_file(Path("made.m2"), raw))


def first(document: Document) -> Emitter:
    assert document.model is not None
    return document.model.emitters[0]


@pytest.mark.parametrize("generation", GENERATIONS, ids=lambda each: str(each.version))
def test_tracks_are_those_of_the_sequence(generation: VersionTraits) -> None:
    document = opened(generation, record(generation))
    stand, walk = document.animations[:2]
    emitter = first(document)
    curve = emitter.curves(stand)["rate"]
    np.testing.assert_allclose(curve.times, (0.0, 0.5))
    np.testing.assert_allclose(curve.values, (20.0, 40.0))
    np.testing.assert_allclose(emitter.curves(walk)["rate"].values, (20.0,))
    assert "z_source" not in emitter.curves(stand)


@pytest.mark.parametrize("generation", (CLASSIC, CRUSADE), ids=lambda each: str(each.version))
def test_fixed_ramps(generation: VersionTraits) -> None:
    emitter = first(opened(generation, record(generation)))
    np.testing.assert_allclose(emitter.colors.times, (0, 0.25, 1))
    np.testing.assert_allclose(emitter.colors.values, ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    np.testing.assert_allclose(emitter.alphas.values[:, 0], (128 / 255, 1, 0))
    np.testing.assert_allclose(emitter.scales.values, ((1, 1), (2, 2), (3, 3)))
    np.testing.assert_allclose(emitter.head_cells.times, (0, 0.25, 0.25, 1))
    np.testing.assert_allclose(emitter.head_cells.values[:, 0], (0, 3, 4, 7))
    assert (emitter.phases.first, emitter.phases.second) == (2, 1)
    assert emitter.head and emitter.tail and emitter.spins_by_life


def test_ramps_over_life_since_264() -> None:
    ramps = {
        "color_ramp": ([0, 32767], [(255, 0, 0), (0, 0, 255)]),
        "alpha_ramp": ([0, 16384], [32767, 0]),
        "scale_ramp": ([0], [(1.0, 2.0)]),
        "lifespan_variation": 0.5,
        "rate_variation": 3.0,
        "base_spin": 0.25,
    }
    emitter = first(opened(WRATH, record(WRATH, **ramps)))
    np.testing.assert_allclose(emitter.colors.values, ((1, 0, 0), (0, 0, 1)))
    np.testing.assert_allclose(emitter.alphas.times, (0, 0.5), atol=1e-4)
    np.testing.assert_allclose(emitter.scales.values, ((1, 2),))
    assert (emitter.lifespan_variation, emitter.rate_variation, emitter.base_spin[0]) == (0.5, 3.0, 0.25)
    assert emitter.head and emitter.tail and not emitter.spins_by_life


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"texture": 99}, "texture 99 does not exist"),
        ({"bone": 77}, "bone 77 does not exist"),
        ({"rows": 0}, "rows or columns of 0 are read as 1"),
        ({"drag": float("nan")}, "numbers that are not finite are read as 0"),
        (
            {"geometry_model": "Rock.mdx"},
            "each particle is the model Rock.mdx, which is missing; a quad is drawn instead",
        ),
        (
            {"recursion_model": "Fire.mdx"},
            "each particle carries the emitters of Fire.mdx, which is missing; no emitter is drawn",
        ),
        ({"lifespan": 0.0}, "the lifespan is 0, so nothing is visible"),
        ({"lifespan": float("nan")}, "keys that are not finite are read as 0: lifespan"),
        ({"rate": float("inf")}, "the rate is limited to 1,000,000 particles a second"),
        ({"lifespan": 1e9}, "the lifespan is limited to 3,600 s"),
        ({"rate": 1e6, "lifespan": 100.0}, "only the newest 1,048,576 of 100,000,001 particles are drawn"),
        ({"gravity": 0}, "gravity changes with time, but each particle keeps the gravity at its birth"),
        ({"bone": 3}, "the bone faces the camera, but earlier births are computed with the present camera"),
        ({"type": 4}, "particles of an emitter of type bone start on a plane"),
    ],
)
def test_what_is_done_otherwise_is_named(changes: dict[str, Any], line: str) -> None:
    made = {
        name: keys(CLASSIC, [([0], [value])]) if name in ("rate", "lifespan") else value
        for name, value in changes.items()
        if name != "gravity"
    }
    still = {} if "gravity" in changes else {"gravity": keys(CLASSIC, [([0], [1.0])])}
    enabled = {"enabled": keys(CLASSIC, [([0], [1])])}
    document = opened(CLASSIC, record(CLASSIC, **still, **enabled, **made))
    assert document.model is not None
    found = approximations(first(document), document.model.skeleton, document.animations[0])
    assert line in found


def test_an_emitter_as_it_should_be_has_nothing_to_say() -> None:
    gravity = keys(CLASSIC, [([0], [1.0])])
    document = opened(CLASSIC, record(CLASSIC, gravity=gravity))
    assert document.model is not None
    assert approximations(first(document), document.model.skeleton, document.animations[0]) == ()
    assert not any("emitter" in line for line in document.report.warnings)


@pytest.mark.parametrize(
    ("stored", "head", "tail"), [(0, True, False), (1, False, True), (2, True, True), (3, True, False)]
)
def test_head_and_tail_before_264(stored: int, head: bool, tail: bool) -> None:
    emitter = first(opened(CLASSIC, record(CLASSIC, head_or_tail=stored)))
    assert (emitter.head, emitter.tail) == (head, tail)


@pytest.mark.parametrize(
    ("blend", "name", "mask", "writes"),
    [
        (0, "replace", 0.0, True),
        (1, "replace", 128 / 255, True),
        (2, "alpha", 1 / 255, False),
        (7, "premulalpha", 1 / 255, False),
        (8, "alpha", 1 / 255, False),
    ],
)
def test_blends_of_an_emitter(blend: int, name: str, mask: float, writes: bool) -> None:
    emitter = first(opened(CLASSIC, record(CLASSIC, blend=blend)))
    assert (emitter.blending, emitter.alpha_mask, emitter.depth_write) == (name, mask, writes)


@pytest.mark.parametrize(
    ("changes", "faults"), [({"texture": 1, "bone": 3}, 0), ({"texture": 2, "bone": 4}, 2)]
)
def test_the_last_texture_and_bone_exist_and_none_behind_them(changes: dict[str, int], faults: int) -> None:
    found = first(opened(CLASSIC, record(CLASSIC, **changes))).troubles
    assert sum("does not exist" in line for line in found) == faults


@pytest.mark.parametrize(("number", "told"), [(10, False), (11, True), (12, True), (13, True), (14, False)])
def test_colours_that_the_game_replaces_are_told(number: int, told: bool) -> None:
    found = first(opened(WRATH, record(WRATH, color_index=number))).troubles
    assert any("may replace its colours" in line for line in found) is told


def test_wrong_numbers_are_warned_of() -> None:
    document = opened(CLASSIC, record(CLASSIC), record(CLASSIC, texture=99))
    assert "emitter 1: texture 99 does not exist" in document.report.warnings


def damaged(generation: VersionTraits, seed: int) -> bytes:
    """A model whose particle section, and all that it points at, is full of chance."""
    whole = m2_files.model(generation, particles=[record(generation), record(generation, flags=0)])
    begin = len(m2_files.model(generation, particles=[]))
    assert begin < len(whole)
    random, data = np.random.default_rng(seed), bytearray(whole)
    for place in random.integers(begin, len(data), 40):
        data[place] = random.choice((0, 1, 0x7F, 0x80, 0xFF, int(random.integers(256))))
    return bytes(data)


@pytest.mark.usefixtures("any_numbers")
@pytest.mark.parametrize("generation", GENERATIONS, ids=lambda each: str(each.version))
def test_damage_to_emitters_is_baked_to_finite_numbers(generation: VersionTraits) -> None:
    for seed in range(25):
        document = opened(generation, data=damaged(generation, seed))
        if document.model is None:
            continue
        clip = document.animations[0] if document.animations else None
        layers = [] if clip is None else [Layer(clip, 0.0)]
        for emitter in document.model.emitters[:4]:
            made = emission(emitter, clip)
            way = path(
                bone_motion(document.model.skeleton, emitter.bone, layers),
                turned_offset(emitter),
                emitter.follow,
            )
            block, table = emitter_block(emitter, made, way, 1)
            assert np.isfinite(table).all()
            for name in block.dtype.names or ():
                assert np.isfinite(block[name]).all()
            assert approximations(emitter, document.model.skeleton, clip) is not None


def test_emitters_never_cost_the_mesh(ctx: Any) -> None:
    renderer, size = Renderer(ctx), (32, 32)
    target = RenderTarget(ctx, size, 0)
    bare = opened(CLASSIC)
    camera, display_options = Orbit(yaw=30.0, distance=8.0), DisplayOptions(grid=False, axes=False, samples=0)
    shown = 0
    for seed in range(25):
        document = opened(CLASSIC, data=damaged(CLASSIC, seed))
        assert bare.model is not None and document.model is not None
        assert len(document.model.geometries) == len(bare.model.geometries)
        layers = tuple(Layer(clip, 0.7) for clip in document.animations[:1])
        assert document.model.skeleton is not None
        frame = frame_for(
            document.model,
            size,
            pose(document.model.skeleton, layers),
            display_options,
            camera,
            time=0.7,
            layers=layers,
        )
        mesh = renderer.upload(document.model)
        drawn = renderer.draw(mesh, frame, target.framebuffer)
        shown += drawn.triangles > 2
        assert ctx.error == "GL_NO_ERROR"
        mesh.release()
    target.release()
    renderer.release()
    assert shown > 5
