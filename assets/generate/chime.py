"""Chime, a still life for the light: a bronze bell and two balls on a stone.

Each part has another kind of material: the bell is a metal, the stone is rough, the lacquer has a classic
highlight, the glass is translucent. The lacquer is a material of OGRE 1, the others are datablocks of
OGRE-Next.
"""

from __future__ import annotations

import numpy as np

from generate.mesh import Mesh, Rect, Surface, join, patch, placed, revolved, shade, spread
from generate.ogre import Submesh, pack_mesh
from viewer.arrays import Array

WHOLE = Rect(0.0, 0.0, 1.0, 1.0)
STONE = (
    *((0.0, 0.0),) * 3,
    *((0.86, 0.0),) * 2,
    *((0.92, 0.03),) * 2,
    (0.93, 0.10),
    *((0.88, 0.15),) * 2,
    (0.80, 0.16),
    *((0.0, 0.16),) * 3,
)
"""Radius and height along the outline, from below to above. Repeated points are corners."""
BELL = (
    *((0.0, 0.92),) * 3,
    (0.20, 0.90),
    (0.28, 0.70),
    (0.33, 0.45),
    *((0.47, 0.20),) * 2,
    *((0.52, 0.185),) * 3,
    *((0.53, 0.215),) * 2,
    (0.45, 0.30),
    (0.375, 0.45),
    *((0.355, 0.50), (0.362, 0.515), (0.355, 0.53)),
    (0.325, 0.72),
    (0.27, 0.93),
    (0.13, 1.00),
    *((0.05, 1.01),) * 2,
    *((0.0, 1.01),) * 3,
)
"""The same from the inside over the rim to the top."""
RING, RING_HEIGHT, RING_WIDTH = 0.09, 1.09, 0.026
LACQUER, GLASS = (0.42, 0.16, 0.62, 0.17), (-0.46, 0.16, 0.55, 0.21)
"""Place of a ball on the stone (x, height of the stone, z) and its radius."""

SCRIPT = """// A metal, a rough stone and glass of OGRE-Next, and a lacquer of OGRE 1.
hlms Chime/Bronze pbs
{
    workflow metallic
    diffuse 0.83 0.50 0.22
    roughness 0.24
    metalness 1
}

hlms Chime/Stone pbs
{
    workflow metallic
    diffuse 0.30 0.29 0.27
    roughness 0.9
    metalness 0
}

hlms Chime/Glass pbs
{
    workflow metallic
    diffuse 0.20 0.55 0.50
    roughness 0.05
    metalness 0
    transparency 0.45
    transparency_mode transparent
}

material Chime/Lacquer
{
    technique
    {
        pass
        {
            diffuse 0.62 0.06 0.05
            specular 0.9 0.9 0.9 80
        }
    }
}
"""


def ogre() -> dict[str, bytes]:
    """Mesh and material script, by their names below the resource folder."""
    ring = shade(_part(_torus, 24, 10))
    parts = (
        Submesh("Stone", "Chime/Stone", shade(_part(revolved(STONE, at(0.0, 0.0, 0.0)), 26, 48))),
        Submesh(
            "Bell", "Chime/Bronze", join([shade(_part(revolved(BELL, at(0.0, 0.02, 0.0)), 44, 48)), ring])
        ),
        Submesh("Lacquer", "Chime/Lacquer", _ball(*LACQUER)),
        Submesh("Glass", "Chime/Glass", _ball(*GLASS)),
    )
    return {
        "models/Chime.mesh": pack_mesh(parts, "", {}, {}),
        "materials/scripts/Chime.material": SCRIPT.encode(),
    }


def at(x: float, y: float, z: float) -> Array:
    """[3, 4]: the upright frame at a place."""
    return np.hstack((np.eye(3), ((x,), (y,), (z,))))


def _ball(x: float, height: float, z: float, radius: float) -> Mesh:
    frame = at(x, height + radius, z)

    def surface(u: Array, v: Array) -> Array:
        around, polar = 2 * np.pi * u, np.pi * v
        ring = np.sin(polar)
        ways = np.stack((ring * np.sin(around), -np.cos(polar), ring * np.cos(around)), axis=-1)
        return placed(frame, radius * ways)

    return shade(_part(surface, 16, 28))


def _torus(u: Array, v: Array) -> Array:
    """The ring of the bell, in the plane of x and y."""
    along, around = 2 * np.pi * v, -2 * np.pi * u
    radius = RING + RING_WIDTH * np.cos(around)
    ring = (radius * np.sin(along), radius * np.cos(along) + RING_HEIGHT, RING_WIDTH * np.sin(around))
    return np.stack(ring, axis=-1)


def _part(surface: Surface, rows: int, columns: int) -> Mesh:
    """A surface as a mesh without the vertices of triangles that have no area."""
    whole = patch(surface, spread(rows), spread(columns), WHOLE, lambda u, v, points: np.ones((*u.shape, 1)))
    used, corners = np.unique(whole.triangles, return_inverse=True)
    return Mesh(whole.positions[used], whole.uvs[used], corners.reshape(-1, 3), np.ones((len(used), 1)))
