"""The layouts of a model's textures, made once, and the points of the mesh at a point of a texture."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from viewer.arrays import Array
from viewer.scene.mesh.surface_points import SurfacePoint
from viewer.scene.mesh.uv_layout import UvMesh, UvTriangles, points_at, uv_mesh, uv_triangles
from viewer.scene.model import Model
from viewer.view.framing import bounds_of
from viewer.view.texture_shot import UvLayer

WHOLE = np.array(((0.0, 0.0), (1.0, 1.0)))
"""The texture coordinates of the corners of a texture."""
FOUND = 32
"""For a point of a texture, at most this number of points of the mesh is marked."""
Key = tuple[int, int, int]


def key_of(layer: UvLayer) -> Key:
    """Return the numbers of the layer's geometry, its level, and its set of texture coordinates."""
    return layer.use.geometry, layer.level, layer.use.uv_set


class UvMeshes:
    """The layouts of the geometries of one model. Each layout is made at its first use and then kept."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._meshes: dict[Key, UvMesh | None] = {}
        self._triangles: dict[Key, tuple[tuple[float, ...], UvTriangles]] = {}

    def mesh(self, layer: UvLayer) -> UvMesh | None:
        """Return the layout of a layer; None if it has no edges."""
        key = key_of(layer)
        if key not in self._meshes:
            found = uv_mesh(self._model, *key)
            self._meshes[key] = found if found is not None and len(found.edges) else None
        return self._meshes[key]

    def lines(self, layers: Iterable[UvLayer]) -> int:
        """Return the number of edges in these layers."""
        return sum(len(mesh.edges) for mesh in map(self.mesh, layers) if mesh is not None)

    def bounds(self, layers: Iterable[UvLayer]) -> Array | None:
        """Return the box [2, 2] around these layers and the texture itself; None if no layer has edges."""
        boxes = [found.box for found in map(self._moved, layers) if found is not None]
        return bounds_of(np.concatenate((WHOLE, *boxes))) if boxes else None

    def points(
        self, layers: Iterable[UvLayer], uv: tuple[float, float], repeats: bool
    ) -> tuple[SurfacePoint, ...]:
        """Find the points of the mesh at which these layers show the point `uv` of the texture, at most
        `FOUND`. With `repeats`, the texture repeats.
        """
        found: tuple[SurfacePoint, ...] = ()
        for layer in layers:
            triangles = self._moved(layer)
            if triangles is not None and len(found) < FOUND:
                owner = layer.use.geometry, layer.level
                found += points_at(triangles, owner, uv, repeats, FOUND - len(found))
        return found

    def _moved(self, layer: UvLayer) -> UvTriangles | None:
        mesh, key = self.mesh(layer), key_of(layer)
        if mesh is None:
            return None
        known = self._triangles.get(key)
        if known is None or known[0] != layer.matrix:
            known = self._triangles[key] = layer.matrix, uv_triangles(mesh, layer.moves)
        return known[1]
