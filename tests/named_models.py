"""Models whose emitters name others: shards that turn, and sparks that particles carry."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import tests.wow  # noqa: F401
from tests import m2_files
from tests.m2_files import CLASSIC, keys, rotation
from viewer.families.wow.m2.layout.records import VERTEX
from viewer.families.wow.m2.layout.writer import model_bytes

Fields = dict[str, Any]
RED, WHITE = (0xFFFF0000,) * 3, (0xFFFFFFFF,) * 3


def still(value: float) -> Any:
    """A track of one number."""
    return keys(CLASSIC, [([0], [value])])


def emitter(**changes: Any) -> Fields:
    """Ten particles a second that live for a second and rise at 2."""
    numbers = {"rate": 10, "lifespan": 1, "speed": 2, **changes.pop("numbers", {})}
    return {
        "type": 1,
        "blend": 4,
        "flags": 0x11,
        "middle": 0.5,
        "colors": WHITE,
        "scales": (1.0, 1.0, 1.0),
        "twinkle_share": 1.0,
        "twinkle_scale": (1.0, 1.0),
        **{name: still(value) for name, value in numbers.items()},
        **changes,
    }


def shard(blend: int = 0, turning: bool = True, **changes: Any) -> bytes:
    """An eight-sided stone of half size 1 on one bone, which turns a quarter in a second."""
    tips = np.concatenate((np.eye(3), -np.eye(3))) * (0.6, 0.6, 1.0)
    vertices = np.zeros(24, VERTEX)
    vertices["position"] = tips[np.ravel(_faces(tips))]
    corners = vertices["position"].reshape(8, 3, 3)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    vertices["normal"] = np.repeat(normals / np.linalg.norm(normals, axis=1, keepdims=True), 3, axis=0)
    vertices["weights"][:, 0] = 255
    view = {
        "vertices": list(range(24)),
        "indices": list(range(24)),
        "joints": [(0, 0, 0, 0)] * 24,
        "submeshes": [{"vertex_count": 24, "index_count": 24, "bone_count": 1, "influences": 1}],
        "batches": [{"submesh": 0, "color": -1}],
        "bone_limit": 64,
    }
    ends = [rotation(CLASSIC, (0.0, 0.0, 0.0, 1.0)), rotation(CLASSIC, m2_files.QUARTER)]
    turn = {"rotation": keys(CLASSIC, [([0, 1000], ends)])} if turning else {}
    fields = {
        "name": "Shard",
        "sequences": [{"id": 0, "flags": 0x20, "next_variation": -1, "start": 1000, "end": 2000}],
        "bones": [{"key_bone": -1, "parent": -1, **turn}],
        "vertices": vertices,
        "materials": [{"blend": blend, "flags": 1}],
        "bone_combos": [0],
        "bounds": (-1, -1, -1, 1, 1, 1),
        "views": [view],
    }
    return model_bytes(CLASSIC, fields | changes)


def _faces(tips: np.ndarray) -> list[tuple[int, int, int]]:
    """The triangles of the stone, each seen from outside."""
    found = []
    for x in (0, 3):
        for y in (1, 4):
            for z in (2, 5):
                outside = np.linalg.det(tips[[x, y, z]]) > 0
                found.append((x, y, z) if outside else (x, z, y))
    return found


def alone(*emitters: Fields, **changes: Any) -> bytes:
    """A model that is nothing but emitters on a bone that keeps still."""
    fields = {
        "name": "Alone",
        "sequences": [{"id": 0, "flags": 0x20, "next_variation": -1, "start": 1000, "end": 3000}],
        "bones": [{"key_bone": -1, "parent": -1}],
        "particles": list(emitters),
        "views": [{}],
    }
    return model_bytes(CLASSIC, fields | changes)


def put(folder: Path, **files: bytes) -> Path:
    """Write models `NAME.m2`; the path of the first."""
    for name, data in files.items():
        (folder / f"{name}.m2").write_bytes(data)
    return folder / f"{next(iter(files))}.m2"
