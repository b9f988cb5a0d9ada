"""Opening files against reading them."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from tests.benchmarks.floors import array_floor
from tests.benchmarks.measure import Row, Rows, best, character
from viewer.binary import Struct
from viewer.formats.urho3d.elements import ELEMENT, NORMAL, POSITION, TEXCOORD, VEC2, VEC3
from viewer.formats.urho3d.load import load_animation, load_model
from viewer.formats.urho3d.model_layout import LOD, MODEL

LARGE = 100_000_000


def rows() -> Rows:
    """A character with its animation; a model of 100 MB."""
    model, walk = character()
    with tempfile.TemporaryDirectory() as folder:
        alone = Path(folder) / model.name
        alone.write_bytes(model.read_bytes())
        yield Row(
            f"parse {model.name} + {walk.name}",
            best(
                lambda: (load_model(alone, alone.read_bytes()), load_animation(walk, walk.read_bytes())),
                clock=time.thread_time,
            ),
            best(
                array_floor(load_model(alone, alone.read_bytes()), load_animation(walk, walk.read_bytes())),
                clock=time.thread_time,
            ),
            80,
            "the same arrays read in numpy",
        )
        large = Path(folder) / "large.mdl"
        large.write_bytes(large_model())
        yield Row(
            "open a model of 100 MB, indices checked",
            best(lambda: load_model(large, large.read_bytes()), 3),
            best(lambda: read_and_copy(large), 3),
            0.8,
            "read + one copy in memory",
        )


def read_and_copy(path: Path) -> bytearray:
    """The floor: what a program that copies a file's bytes once cannot avoid."""
    return bytearray(path.read_bytes())


def large_model() -> bytes:
    """Two thirds vertices of 32 bytes, one third 32-bit indices."""
    elements = np.array([(VEC3, POSITION, 0, 0), (VEC3, NORMAL, 0, 0), (VEC2, TEXCOORD, 0, 0)], ELEMENT)
    dtype = np.dtype([("position", "<f4", 3), ("normal", "<f4", 3), ("uv0", "<f4", 2)])
    vertices = np.zeros(LARGE * 2 // 3 // dtype.itemsize, dtype)
    indices = (np.arange(LARGE // 3 // 12 * 3) % len(vertices)).astype("<u4")
    lods = np.zeros(1, LOD)
    lods["count"] = len(indices)
    buffer = Struct(
        vertex_count=len(vertices), elements=elements, morph_start=0, morph_count=0, vertices=vertices
    )
    return MODEL.pack(
        Struct(
            magic="UMD2",
            vertex_buffers=[buffer],
            index_buffers=[Struct(index_count=len(indices), index_size=4, indices=indices)],
            geometries=[Struct(bone_map=[], lods=lods)],
            morphs=[],
        )
    )
