"""The layouts of a model's textures, made once."""

from __future__ import annotations

import numpy as np

from tests.quads import UV, quad
from viewer.scene.material import Material, Texture
from viewer.scene.mesh.uv_layout import texture_uses
from viewer.view.texture_shot import UvLayer, uv_layers
from viewer.view.uv_meshes import FOUND, UvMeshes


def layouts(uv: np.ndarray, **fields: object) -> tuple[UvMeshes, tuple[UvLayer, ...]]:
    """The layouts of a quad, and its layer."""
    model = quad(Material("m", units={"diffuse": 0}, **fields), (Texture("t"),), columns={"uv0": uv})
    return UvMeshes(model), uv_layers(model, texture_uses(model, 0), 0)


def test_the_bounds_hold_the_texture_and_the_moved_layouts() -> None:
    meshes, layers = layouts(UV * 0.5, u_offset=(1.0, 0.0, 0.0, 2.0))
    assert np.allclose(meshes.bounds(layers), ((0.0, 0.0), (2.5, 1.0)))
    meshes, layers = layouts(UV, u_offset=(1.0, 0.0, 0.0, 2.0), v_offset=(0.0, 1.0, 0.0, 3.0))
    assert np.allclose(meshes.bounds(layers), ((0.0, 0.0), (3.0, 4.0)))
    assert meshes.bounds(()) is None and meshes.lines(layers) == 5


def test_a_layout_is_made_once() -> None:
    meshes, (layer,) = layouts(UV)
    assert meshes.mesh(layer) is meshes.mesh(layer)


def test_points_of_all_layers_have_a_limit() -> None:
    meshes, layers = layouts(UV * 16)
    assert len(meshes.points(layers, (0.25, 0.125), repeats=True)) == FOUND
    assert len(meshes.points(layers, (0.25, 0.125), repeats=False)) == 1
