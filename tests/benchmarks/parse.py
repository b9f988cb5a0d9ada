"""Opening files against reading them."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tests.benchmarks.floors import array_floor
from tests.benchmarks.measure import Row, Rows, best, character
from tests.benchmarks.ogre_floors import ogre_mesh, ogre_skeleton
from tests.ogre_shapes import both_key_sizes, long_tracks, many_tracks, static_mesh
from tests.opened import opened_file
from viewer.binary import Struct, read_layout
from viewer.errors import Report
from viewer.families.ogre.load import load_skeleton
from viewer.families.ogre.mesh import build_model
from viewer.families.ogre.mesh_layout import MESH_FILE
from viewer.families.urho3d.elements import ELEMENT, NORMAL, POSITION, TEXCOORD, VEC2, VEC3
from viewer.families.urho3d.load import load_animation, load_model
from viewer.families.urho3d.model_layout import LOD, MODEL
from viewer.scene.document import Document
from viewer.storage.listing import listed_once

LARGE = 100_000_000
FLOOR = "the same bytes viewed in numpy"
SKELETONS: dict[str, tuple[Callable[[], bytes], float]] = {
    "560 tracks": (many_tracks, 5),
    "69 bones × 13 clips, two key sizes": (both_key_sizes, 5),
    "66,402 keys in 306 tracks": (long_tracks, 2.5),
}
"""What skeletons hold, their bytes, and how many floors an opening may take."""

Load = Callable[[Path, bytes], object]
Floor = Callable[[Path], object]


def rows() -> Rows:
    """A character with its animation, OGRE files of the shapes that games have, and a model of 100 MB."""
    model, walk = character()
    with tempfile.TemporaryDirectory() as folder:
        alone = Path(folder) / model.name
        alone.write_bytes(model.read_bytes())
        yield Row(
            f"parse {model.name} + {walk.name}",
            best(
                lambda: (opened(alone), load_animation(opened_file(walk, walk.read_bytes()))),
                clock=time.thread_time,
            ),
            best(
                array_floor(
                    load_model(opened_file(alone, alone.read_bytes())),
                    load_animation(opened_file(walk, walk.read_bytes())),
                ),
                clock=time.thread_time,
            ),
            80,
            "the same arrays read in numpy",
        )
        yield from ogre_rows(Path(folder))
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


def ogre_rows(folder: Path) -> Rows:
    """Skeletons of many tracks and keys, and a static mesh."""
    for name, (data, limit) in SKELETONS.items():
        path = folder / f"{name}.skeleton"
        path.write_bytes(data())
        yield _against_floor(f"open {name}", load_skeleton, ogre_skeleton, path, limit)
    path = folder / "static.mesh"
    path.write_bytes(static_mesh())
    yield _against_floor("model of a static mesh of 3 MB", static_model, ogre_mesh, path, 15)


def _against_floor(name: str, load: Load, floor: Floor, path: Path, limit: float) -> Row:
    ours = best(lambda: load(path, path.read_bytes()), clock=time.thread_time)
    return Row(name, ours, best(lambda: floor(path), clock=time.thread_time), limit, FLOOR)


def static_model(path: Path, data: bytes) -> object:
    """The model of a mesh without the search for its materials, which the race against OGRE has in it."""
    return build_model(path.stem, read_layout(MESH_FILE, data)[0], None, str(path), Report())


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
