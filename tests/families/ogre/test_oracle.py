"""Every real file opens, all its bytes are explained, and its structure equals what the engine says of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conftest import SHARED, read_json
from viewer.arrays import Array
from viewer.binary import Rows, Span, unexplained
from viewer.families.ogre.mesh import PRIMITIVES
from viewer.scene.document import Document
from viewer.scene.model import Geometry, Lod, Model
from viewer.scene.skeleton import Skeleton
from viewer.storage.documents import open_document

STRUCTURE = SHARED / "oracle" / "ogre" / "structure"
CORPUS = SHARED / "corpus" / "ogre"
FILES = sorted(
    str(path.relative_to(CORPUS)) for suffix in ("mesh", "skeleton") for path in CORPUS.rglob(f"*.{suffix}")
)
KNOWN = sorted(path.name.removesuffix(".json").replace("__", "/") for path in STRUCTURE.glob("*.json"))
OPERATIONS = {primitive: number for number, primitive in PRIMITIVES.items()}
SEMANTICS = {"diffuse": "color0"}


def engine(name: str) -> Any:
    return read_json(STRUCTURE / f"{name.replace('/', '__')}.json")


def tiles(span: Span) -> bool:
    if isinstance(span.children, Rows) or not len(span.children):
        return True
    ends = [span.offset, *(child.end for child in span.children)]
    starts = [*(child.offset for child in span.children), span.end]
    return ends == starts and all(map(tiles, span.children))


@pytest.mark.parametrize("name", FILES)
def test_every_file_opens_and_is_explained(corpus: Path, name: str) -> None:
    document = open_document(corpus / "ogre" / name)
    assert document.report.complete
    assert unexplained(document.root) == 0
    assert tiles(document.root)
    assert (document.root.offset, document.root.size) == (0, len(document.data))


@pytest.mark.parametrize("name", [name for name in KNOWN if name.endswith(".mesh")])
def test_meshes(corpus: Path, name: str) -> None:
    document, said = open_document(corpus / "ogre" / name), engine(name)
    model = document.content
    assert isinstance(model, Model)
    assert len(model.geometries) == len(said["submeshes"])
    for geometry, expected in zip(model.geometries, said["submeshes"], strict=True):
        check_submesh(model, geometry, expected, said)
    assert [morph.name for morph in model.morphs] == [pose["name"] for pose in said["poses"]]
    check_vertex_animations(document, said)
    if model.bounds is not None:
        np.testing.assert_allclose(model.bounds.ravel(), said["bounds"][:6], rtol=1e-5, atol=1e-5)
    if "skeleton" in said:
        check_skeleton(document, model.skeleton, said["skeleton"])


@pytest.mark.parametrize("name", [name for name in KNOWN if name.endswith(".skeleton")])
def test_skeletons(corpus: Path, name: str) -> None:
    document = open_document(corpus / "ogre" / name)
    assert isinstance(document.content, Skeleton)
    check_skeleton(document, document.content, engine(name)["skeleton"])


def check_submesh(model: Model, geometry: Geometry, expected: Any, said: Any) -> None:
    full = geometry.lods[0]
    assert OPERATIONS[full.primitive] == expected["op"]
    if full.indices is None:
        assert not expected.get("index") or not expected["index"]["n"]
    else:
        indices = model.index_buffers[full.indices].data[full.start : full.start + full.count]
        assert (len(indices), 8 * indices.itemsize) == (expected["index"]["n"], expected["index"]["bits"])
        check_sums(indices, expected["index"])
    vertices = said["shared"] if expected["shared"] else expected["vertex"]
    for element in vertices["elements"]:
        column = column_of(model, full, SEMANTICS.get(element["semantic"], element["semantic"]))
        check_sums(column, element)
    assert len(geometry.lods) == said["lod_levels"]
    distances = [lod.distance for lod in geometry.lods[1:]]
    assert distances == pytest.approx([level["user"] for level in said["lods"]], rel=1e-6)


def column_of(model: Model, lod: Lod, semantic: str) -> Array:
    """As the shaders find it: in the first of the level's buffers that has it."""
    held = [model.vertex_buffers[stream] for stream in lod.streams]
    return next(column for buffer in held if (column := buffer.column(semantic)) is not None)


def check_sums(values: Array, expected: Any) -> None:
    table = values.astype(np.float64).reshape(len(values), -1)
    weighted = table * np.arange(1, len(table) + 1)[:, None]
    found = (table.sum(0), table.min(0), table.max(0), weighted.sum(0))
    for key, got in zip(("sum", "min", "max", "wsum"), found, strict=True):
        size = max(1.0, float(np.abs(expected[key]).max()))
        np.testing.assert_allclose(got, expected[key], rtol=1e-5, atol=1e-4 * size, err_msg=key)


def check_vertex_animations(document: Document, said: Any) -> None:
    clips = {animation.name: animation for animation in document.animations}
    for expected in said["mesh_animations"]:
        clip = clips[expected["name"]]
        assert clip.duration == pytest.approx(expected["length"], abs=1e-5)
        times = [track.times for track in clip.morph_tracks] + [track.times for track in clip.shape_tracks]
        assert sorted(map(len, times)) == sorted(track["keys"] for track in expected["tracks"])


def check_skeleton(document: Document, skeleton: Skeleton | None, expected: Any) -> None:
    assert skeleton is not None
    bones = expected["bone_list"]
    assert list(skeleton.names) == [bone["name"] for bone in bones]
    assert skeleton.parents.tolist() == [bone["parent"] for bone in bones]
    for path, key in (("positions", "pos"), ("rotations", "rot_xyzw"), ("scales", "scale")):
        stated = np.array([bone[key] for bone in bones])
        np.testing.assert_allclose(getattr(skeleton, path), stated, rtol=1e-5, atol=1e-5, err_msg=path)
    assert skeleton.cumulative == bool(expected["blend_mode"])
    clips = {animation.name: animation for animation in document.animations}
    for animation in expected["animations"]:
        clip = clips[animation["name"]]
        assert clip.duration == pytest.approx(animation["length"], abs=1e-5)
        assert (len(clip.targets), clip.keyframes) == (animation["tracks"], animation["keys"])
