"""Opening files against reading them."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from tests.benchmarks.measure import Row, Rows, best, character
from tests.ogre_shapes import both_key_sizes, long_tracks, many_tracks, static_mesh
from tests.opened import opened_file
from viewer.binary import Struct
from viewer.families.urho3d.elements import ELEMENT, NORMAL, POSITION, TEXCOORD, VEC2, VEC3
from viewer.families.urho3d.load import load_animation, load_model
from viewer.families.urho3d.model_layout import LOD, MODEL
from viewer.scene.document import Document
from viewer.storage.documents import open_document
from viewer.storage.listing import listed_once

LARGE = 100_000_000
NOTICED = 0.1
"""Seconds after which a person notices that a file is opened."""
SHAPES: dict[str, Callable[[], bytes]] = {
    "560 tracks.skeleton": many_tracks,
    "two key sizes, 69 bones × 13 clips.skeleton": both_key_sizes,
    "66,402 keys in 306 tracks.skeleton": long_tracks,
    "static, 3 MB.mesh": static_mesh,
}
"""Files of OGRE of the shapes that games have."""


def rows() -> Rows:
    """A character with its animation, OGRE files of the shapes that games have, and a model of 100 MB."""
    model, walk = character()
    with tempfile.TemporaryDirectory() as folder:
        alone = Path(folder) / model.name
        alone.write_bytes(model.read_bytes())
        clip = opened_file(walk, walk.read_bytes())
        seconds = best(lambda: (opened(alone), load_animation(clip)), clock=time.thread_time)
        yield Row(f"open {model.name} + {walk.name}", seconds, NOTICED, 0.5, "100 ms")
        for name, data in SHAPES.items():
            path = Path(folder) / name
            path.write_bytes(data())
            seconds = best(partial(open_document, path), clock=time.thread_time)
            yield Row(f"open {name}", seconds, NOTICED, 0.5, "100 ms")
        large = Path(folder) / "large.mdl"
        large.write_bytes(large_model())
        yield Row(
            "open a model of 100 MB, indices checked",
            best(lambda: load_model(opened_file(large, large.read_bytes())), 3),
            best(lambda: read_and_copy(large), 3),
            0.8,
            "read + one copy in memory",
        )


def opened(path: Path) -> Document:
    """The model, with its folders listed once, as `open_document` lists them."""
    with listed_once():
        return load_model(opened_file(path, path.read_bytes()))


def read_and_copy(path: Path) -> bytearray:
    """The floor: what a program that copies a file's bytes once cannot avoid."""
    return bytearray(path.read_bytes())


def large_model() -> bytes:
    """Two thirds vertices of 32 bytes, on a rough ground; one third 32-bit indices."""
    elements = np.array([(VEC3, POSITION, 0, 0), (VEC3, NORMAL, 0, 0), (VEC2, TEXCOORD, 0, 0)], ELEMENT)
    dtype = np.dtype([("position", "<f4", 3), ("normal", "<f4", 3), ("uv0", "<f4", 2)])
    vertices = np.zeros(LARGE * 2 // 3 // dtype.itemsize, dtype)
    along, across = np.arange(len(vertices)) % 1024, np.arange(len(vertices)) // 1024
    vertices["position"] = np.stack((along, along * 7919 % 31, across), axis=-1)
    vertices["normal"] = 0, 1, 0
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
