"""Captures posed vertices and ribbon edges from the vertex shaders that draw them."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from viewer.animation.pose import Pose
from viewer.arrays import Array
from viewer.render.effects.ribbons import EDGE
from viewer.render.mesh.geometry_resources import DrawItem
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.render.view_parameters import EffectTime
from viewer.scene.display import DisplayOptions, ModelDisplay
from viewer.scene.items import RibbonItem
from viewer.view.lod import levels

VARYINGS = ("posed_position", "posed_normal")
ROW = np.dtype(("f4", 6))
"""Data type of a captured vertex: position and normal."""


class BakedGeometry(Struct, frozen=True, eq=False):
    """A posed geometry in the file's axes and vertex order.

    `positions` and `normals` [V, 3] f32 belong to the vertex buffer of the drawn level; rows that `indices`
    [I] do not use are NaN. Normals have length 1, or 0 if the file has none.
    """

    name: str
    positions: Array
    normals: Array
    indices: Array


def bake(mesh: MeshResources, pose: Pose | None, display: ModelDisplay) -> list[BakedGeometry]:
    """Pose every geometry of the model on the GPU and read it back.

    The morphs `display.morphs` are applied, and the level of detail `display.lod` (None: the first) is used.
    For a geometry without levels the arrays are empty.
    """
    mesh.write(pose, DisplayOptions(), display, np.eye(4), np.eye(4))
    chosen = levels(mesh.model, None, display.lod)
    return [_bake(mesh, number, level) for number, level in enumerate(chosen)]


def bake_ribbons(mesh: MeshResources, effect_time: EffectTime) -> list[Array]:
    """Return the edges of each ribbon, [N] of `render.effects.ribbons.EDGE`; N is 0 for a hidden ribbon."""
    drawn = [effect_time.effects.draws(RibbonItem(number)) for number in range(len(mesh.model.ribbons))]
    return [
        mesh.ribbons.capture(number, effect_time) if shown else np.empty(0, EDGE)
        for number, shown in enumerate(drawn)
    ]


def _bake(mesh: MeshResources, number: int, level: int) -> BakedGeometry:
    name = mesh.model.geometries[number].name
    if level < 0:
        nothing = np.empty((0, 3), np.float32)
        return BakedGeometry(name, nothing, nothing, np.empty(0, np.uint32))
    item = mesh.item(number, level)
    indices = mesh.buffers.index_range(item.lod)[: item.count]
    rows = _capture(mesh, item).copy()
    unused = np.ones(len(rows), bool)
    unused[indices] = False
    rows[unused] = np.nan
    return BakedGeometry(name, rows[:, :3], rows[:, 3:], indices.copy())


def _capture(mesh: MeshResources, item: DrawItem) -> Array:
    """Return position and normal of every vertex of the level as [V, 6] f32."""
    count = mesh.buffers.vertex_count(item.lod)
    if not count:
        return np.empty(0, ROW)
    lod = replace(item.lod, indices=None)
    defines = mesh.deformation.defines(mesh.buffers, lod)
    program = mesh.composer.program("mesh.vert", None, defines, VARYINGS)
    mesh.deformation.apply(program, item.number, mesh.buffers, lod)
    vao = mesh.buffers.vertex_array(program, lod, mesh.deformation.parts(mesh.buffers, lod))
    return mesh.composer.capture.read(vao, mesh.bindings(lod), ROW, count)
