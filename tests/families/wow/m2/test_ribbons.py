"""Ribbon records of every generation as evaluation needs them, and what damage to them costs."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import m2_files
from tests.frames import frame_for
from tests.m2_files import CLASSIC, GENERATIONS, HALF, WRATH, keys
from tests.opened import opened_file
from viewer.animation.pose import Layer
from viewer.budget import BUDGET
from viewer.families.wow.m2.layout.fields import VersionTraits
from viewer.families.wow.m2.load import load_model
from viewer.gpu.target import RenderTarget
from viewer.render.bake import bake_ribbons
from viewer.render.renderer import Renderer
from viewer.render.view_parameters import EffectTime
from viewer.scene.camera import Orbit
from viewer.scene.display import DisplayOptions
from viewer.scene.document import Document
from viewer.scene.emitter import Ribbon
from viewer.scene.material import ClipTime

DAMAGED = 24
"""Files with random damage to their ribbons."""


def record(generation: VersionTraits, **changes: Any) -> dict[str, Any]:
    """A ribbon that uses everything."""
    shared = {
        "bone": 2,
        "position": (1, 0, 0.5),
        "textures": [0, 1],
        "materials": [0],
        "color": keys(generation, [([0, 1000], [(1, 0, 0), (0, 1, 0)]), ([0], [(1, 1, 1)])]),
        "alpha": keys(generation, [([0, 1000], [0, HALF]), ([0], [HALF])]),
        "above": keys(generation, [([0], [0.5]), ([0], [0.25])]),
        "below": keys(generation, [([0], [0.5]), ([0], [0.25])]),
        "texture_slot": keys(generation, [([0, 500], [0, 3]), ([0], [1])], interpolation=0),
        "visible": keys(generation, [([0], [1]), ([0], [1])]),
        "edges_per_second": 20.0,
        "edge_lifetime": 0.75,
        "gravity": 0.5,
        "rows": 2,
        "columns": 2,
    }
    return {**shared, **({"priority": 2} if generation.nested else {}), **changes}


def loaded(generation: VersionTraits, **changes: Any) -> tuple[Document, Ribbon]:
    data = m2_files.model(generation, ribbons=[record(generation, **changes)])
    document = load_model(opened_file(Path("made.m2"), data))
    assert document.model is not None
    (found,) = document.model.ribbons
    return document, found


@pytest.mark.parametrize("generation", GENERATIONS, ids=lambda each: str(each.version))
def test_numbers_and_tracks_are_read(generation: VersionTraits) -> None:
    document, found = loaded(generation)
    assert (found.bone, found.rate, found.lifetime, found.gravity) == (2, 20, 0.75, 0.5)
    assert (found.rows, found.columns, found.priority) == (2, 2, 2 if generation.nested else 0)
    curves = found.curves(document.animations[0])
    assert curves["color"].values.tolist() == [[1, 0, 0], [0, 1, 0]]
    assert curves["alpha"].values.ravel().tolist() == [0, 1]
    assert curves["texture_slot"].stepped and curves["texture_slot"].values.ravel().tolist() == [0, 3]
    assert found.curves(document.animations[1])["above"].values.ravel().tolist() == [0.25]
    assert not found.troubles


def test_each_texture_is_a_layer_in_the_materials_blend() -> None:
    _, found = loaded(CLASSIC)
    assert [layer.units for layer in found.layers] == [{"diffuse": 0}, {"diffuse": 1}]
    assert {layer.blend for layer in found.layers} == {"replace"}
    assert all(layer.vertex_color and layer.cull == "none" for layer in found.layers)


@pytest.mark.parametrize(
    ("blend", "flags", "expected"),
    [
        (0, 0, ("replace", None, True, True)),
        (1, 0, ("replace", 128 / 255, True, True)),
        (2, 0, ("alpha", 1 / 255, True, False)),
        (4, 0, ("addalpha", 1 / 255, True, False)),
        (4, 8, ("addalpha", 1 / 255, False, False)),
        (0, 16, ("replace", None, True, False)),
    ],
)
def test_blend_and_depth_are_the_materials(blend: int, flags: int, expected: tuple[Any, ...]) -> None:
    data = m2_files.model(CLASSIC, ribbons=[record(CLASSIC)], materials=[{"blend": blend, "flags": flags}])
    model = load_model(opened_file(Path("made.m2"), data)).model
    assert model is not None
    layer = model.ribbons[0].layers[0]
    assert (layer.blend, layer.alpha_mask, layer.depth_test, layer.depth_write) == expected


@pytest.mark.parametrize(
    ("number", "flags", "unlit"),
    [(0, 0, False), (0, 1, True), (7, 0, True)],
    ids=["lit", "unlit", "without a material"],
)
def test_light_shines_on_it_as_its_material_says(number: int, flags: int, unlit: bool) -> None:
    ribbon = record(CLASSIC, materials=[number])
    model = load_model(
        opened_file(Path("made.m2"), m2_files.model(CLASSIC, ribbons=[ribbon], materials=[{"flags": flags}]))
    ).model
    assert model is not None and model.ribbons[0].layers[0].unlit is unlit


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"bone": 99}, "bone 99 does not exist"),
        ({"textures": [7]}, "texture 7 does not exist"),
        ({"textures": []}, "no texture"),
        ({"materials": []}, "no material"),
        ({"rows": 0}, "rows or columns of 0"),
        ({"gravity": math.nan}, "not finite"),
    ],
)
def test_what_is_wrong_is_told(changes: dict[str, Any], told: str) -> None:
    _, found = loaded(CLASSIC, **changes)
    assert any(told in line for line in found.troubles)


def transformed(flags: int, lookup: tuple[int, ...] = (-1, 0, 9), **changes: Any) -> Ribbon:
    """A ribbon of a model with one texture transform, which moves by (1, 0.5) in a second."""
    moved = keys(WRATH, [([0, 1000], [(0, 0, 0), (1, 0.5, 0)])])
    more = {"flags": flags, "transforms": [{"translation": moved}], "transform_lookup": lookup}
    document = load_model(
        opened_file(Path("made.m2"), m2_files.model(WRATH, ribbons=[record(WRATH, **changes)], **more))
    )
    assert document.model is not None
    return document.model.ribbons[0]


@pytest.mark.parametrize(("lookup", "index"), [((-1, 0, 9), 1), ((0,), 0)])
def test_its_texture_is_transformed_as_those_of_the_mesh(lookup: tuple[int, ...], index: int) -> None:
    move = transformed(0x20000, lookup, transform_index=index).texture_transform
    assert move is not None
    np.testing.assert_allclose(move(ClipTime(0.5, None, 0.5)), ((1, 0, 0, 0.5), (0, 1, 0, 0.25)), atol=1e-6)


@pytest.mark.parametrize(
    ("flags", "index", "told"),
    [(0, 1, False), (0x20000, 0, False), (0x20000, -1, False), (0x20000, 2, True), (0x20000, 50, True)],
    ids=["the model has none", "none in the lookup", "no place", "no such transform", "past the lookup"],
)
def test_a_transform_that_is_none_is_none(flags: int, index: int, told: bool) -> None:
    found = transformed(flags, transform_index=index)
    assert found.texture_transform is None
    assert any("texture transform does not exist" in line for line in found.troubles) is told


def test_damage_never_costs_the_mesh(ctx: Any) -> None:
    renderer, target = Renderer(ctx), RenderTarget(ctx, (16, 16), 0)
    random = np.random.default_rng(5)
    for turn in range(DAMAGED):
        generation = (CLASSIC, WRATH)[turn % 2]
        data = bytearray(m2_files.model(generation, ribbons=[record(generation)]))
        whole = load_model(opened_file(Path("made.m2"), bytes(data)))
        span = next(each for each in whole.root.children if each.name == "ribbons")
        for place in random.integers(span.offset, span.offset + span.size, 1 + turn % 12):
            data[place] = random.integers(0, 256)
        damaged = load_model(opened_file(Path("made.m2"), bytes(data)))
        assert damaged.model is not None
        assert len(damaged.model.geometries) == (0 if generation.nested else 2)
        layers = tuple(Layer(each, 1.25) for each in damaged.animations[:1])
        mesh = renderer.upload(damaged.model)
        renderer.draw(
            mesh,
            frame_for(mesh, (16, 16), None, DisplayOptions(), Orbit(), layers=layers),
            target.framebuffer,
        )
        (edges,) = bake_ribbons(mesh, EffectTime(1.25, layers))
        assert 1 <= len(edges) <= BUDGET.ribbon_edges + 1
        mesh.release()
    assert ctx.error == "GL_NO_ERROR"
    target.release()
    renderer.release()


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_texture_has_at_least_one_row_and_one_column(count: int) -> None:
    found = loaded(CLASSIC, rows=count, columns=count)[1]
    assert (found.rows, found.columns) == (max(count, 1),) * 2
