"""OGRE models of the shapes that are raced, each in a folder of its own with its materials and textures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tests import ogre_shapes as shapes
from tests.ogre_files import NEWEST, declared_geometry, mesh_bytes, rows, submesh
from viewer.binary import Struct
from viewer.families.ogre import mesh_layout as mesh
from viewer.storage.image import save_png

ROUND = 24
"""Vertices around a tube."""
MATERIAL = "material {name}\n{{\n technique {{ pass {{ texture_unit {{ texture {name}.png }} }} }}\n}}\n"


def write(folder: Path) -> dict[str, Path]:
    """The meshes by what they stand for."""
    made = {
        "Sinbad's shape": character(folder / "sinbad", 69, shapes.both_key_sizes(), parts=7, rings=60),
        "Elf's shape": character(folder / "elf", 51, shapes.long_tracks(), parts=4, rings=70),
        "keys of both sizes in turn": character(
            folder / "turns", 30, shapes.runs_of_both_sizes(), parts=1, rings=40
        ),
        "ninja's shape": character(folder / "ninja", 28, shapes.many_tracks(), parts=1, rings=40),
    }
    still = folder / "sibenik" / "still.mesh"
    still.parent.mkdir()
    still.write_bytes(shapes.static_mesh())
    return made | {"sibenik's shape": still}


def character(folder: Path, bones: int, skeleton: bytes, parts: int, rings: int) -> Path:
    """A textured tube for each part around the bones of a skeleton, a chain of `bones`."""
    folder.mkdir()
    (folder / "body.skeleton").write_bytes(skeleton)
    chunks: list[tuple[Any, Any]] = []
    for part in range(parts):
        name = f"skin{part}"
        (folder / f"{name}.material").write_text(MATERIAL.format(name=name))
        save_png(folder / f"{name}.png", _picture(part))
        chunks.append((mesh.SUBMESH, _tube(bones, rings, 1 + part / 10, name)))
    low, high = (-bones / 4, 0, -bones / 4), (bones / 4, bones, bones / 4)
    chunks.append((mesh.SKELETON_LINK, Struct(file="body.skeleton")))
    chunks.append((mesh.BOUNDS, Struct(min=low, max=high, radius=float(bones))))
    path = folder / "body.mesh"
    path.write_bytes(mesh_bytes(NEWEST, *chunks))
    return path


def _picture(seed: int) -> Any:
    """[256, 256, 4] u8 of noise."""
    return np.random.default_rng(seed).integers(60, 255, (256, 256, 4), dtype=np.uint8)


def _tube(bones: int, rings: int, width: float, material: str) -> Struct:
    """A tube around a chain of bones, `rings` rows high; each vertex follows two of them."""
    turn, height = np.meshgrid(np.linspace(0, 2 * np.pi, ROUND), np.linspace(1, bones, rings))
    normals = np.stack((np.cos(turn), np.zeros_like(turn), np.sin(turn)), axis=-1).reshape(-1, 3)
    positions = normals * width * bones / 12
    positions[:, 1] = height.reshape(-1)
    around = np.stack((turn / 2 / np.pi, height / bones), axis=-1).reshape(-1, 2)
    geometry = declared_geometry(
        {"position": positions.astype("<f4"), "normal": normals.astype("<f4"), "uv0": around.astype("<f4")}
    )
    first = (np.arange(rings - 1)[:, None] * ROUND + np.arange(ROUND - 1)).reshape(-1, 1)
    indices = (first + np.array((0, ROUND, 1, 1, ROUND, ROUND + 1))).astype(np.uint16).reshape(-1)
    lower = np.minimum(positions[:, 1].astype(int) - 1, bones - 2)
    part = positions[:, 1] - 1 - lower
    assigned = [
        (vertex, bone, weight)
        for vertex, (start, share) in enumerate(zip(lower.tolist(), part.tolist(), strict=True))
        for bone, weight in ((start, 1 - share), (start + 1, share))
    ]
    return submesh(
        geometry,
        (mesh.OWN_ASSIGNMENTS, rows(mesh.OWN_ASSIGNMENTS, *assigned)),
        indices=indices,
        material=material,
    )
