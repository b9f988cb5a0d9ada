"""Every real file opens, all its bytes are explained, and its structure equals what the engine says of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conftest import SHARED, read_json
from viewer.binary import unexplained
from viewer.families.urho3d.elements import SEMANTICS, TYPES, semantic_name
from viewer.families.urho3d.model import PRIMITIVES
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.scene.model import Model, VertexBuffer
from viewer.storage.documents import open_document

STRUCTURE = SHARED / "oracle" / "urho3d" / "structure"
NONE = ["absent"]
"""What stands for the files where there are none: the fixture skips it and says why."""
FILES = sorted(path.name[:-5] for path in STRUCTURE.glob("*.json") if not path.name.endswith(".pak.json"))
MODELS = [name for name in FILES if name.endswith(".mdl")] or NONE
ANIMATIONS = [name for name in FILES if name.endswith(".ani")] or NONE
CORPUS = (
    sorted(
        str(path.relative_to(SHARED / "corpus" / "urho3d"))
        for suffix in ("mdl", "ani")
        for path in (SHARED / "corpus" / "urho3d").rglob(f"*.{suffix}")
    )
    or NONE
)


def opened(corpus: Path, name: str) -> tuple[Document, Any]:
    document = open_document(corpus / "urho3d" / name.replace("__", "/"))
    return document, read_json(STRUCTURE / f"{name}.json")


@pytest.mark.parametrize("name", CORPUS)
def test_every_file_opens_and_is_explained(corpus: Path, name: str) -> None:
    document = open_document(corpus / "urho3d" / name)
    assert document.report.complete
    assert unexplained(document.root) == 0
    assert (document.root.offset, document.root.size) == (0, len(document.data))


@pytest.mark.parametrize("name", MODELS)
def test_models(corpus: Path, name: str) -> None:
    document, said = opened(corpus, name)
    model = document.content
    assert isinstance(model, Model)
    check_buffers(model, said)
    assert [geometry(model, number) for number in range(len(model.geometries))] == [
        {"boneMap": g["boneMap"], "lods": [level_said(level) for level in g["lods"]]}
        for g in said["geometries"]
    ]
    check_morphs(document, said)
    check_bones(model, said)


@pytest.mark.parametrize("name", ANIMATIONS)
def test_animations(corpus: Path, name: str) -> None:
    document, said = opened(corpus, name)
    animation = document.content
    assert isinstance(animation, Animation)
    assert animation.name == said["name"]
    assert animation.duration == pytest.approx(said["length"], abs=1e-6)
    assert list(animation.targets) == [track["name"] for track in said["tracks"]]
    assert animation.keyframes == sum(len(track["keys"]) for track in said["tracks"])
    for track in said["tracks"]:
        check_track(animation, track)
    assert [event.time for event in animation.events] == pytest.approx(said.get("triggers", []), abs=1e-6)


def check_buffers(model: Model, said: Any) -> None:
    assert len(model.vertex_buffers) == len(said["vertexBuffers"])
    for buffer, expected in zip(model.vertex_buffers, said["vertexBuffers"], strict=True):
        assert (buffer.count, buffer.stride) == (expected["count"], expected["stride"])
        assert elements(buffer) == [tuple(element) for element in expected["elements"]]
        assert sdbm(buffer.data) == expected["sdbm"]
    for indices, expected in zip(model.index_buffers, said["indexBuffers"], strict=True):
        assert (len(indices.data), indices.data.dtype.itemsize) == (expected["count"], expected["size"])
        assert sdbm(indices.data.view(np.uint8)) == expected["sdbm"]


def elements(buffer: VertexBuffer) -> list[tuple[int, int, int, int]]:
    """[type, semantic, index, offset] as the engine numbers them."""
    codes = {
        semantic_name(code, index): (code, index) for code in range(len(SEMANTICS)) for index in range(8)
    }
    types = {(t.type, t.components, t.normalized): code for code, t in enumerate(TYPES)}
    return [
        (types[e.type, e.components, e.normalized], *codes[e.semantic], e.offset) for e in buffer.elements
    ]


def geometry(model: Model, number: int) -> Any:
    drawn = model.geometries[number]
    levels = [
        (
            pytest.approx(level.distance),
            PRIMITIVES.index(level.primitive),
            level.streams[0],
            level.indices,
            level.start,
            level.count,
        )
        for level in drawn.lods
    ]
    return {"boneMap": [] if drawn.bone_map is None else drawn.bone_map.tolist(), "lods": levels}


def level_said(level: Any) -> tuple[Any, ...]:
    return tuple(level[key] for key in ("distance", "prim", "vb", "ib", "start", "count"))


def check_morphs(document: Document, said: Any) -> None:
    model = document.content
    assert isinstance(model, Model)
    assert [morph.name for morph in model.morphs] == [morph["name"] for morph in said["morphs"]]
    for number, morph in enumerate(said["morphs"]):
        assert [t.buffer for t in model.morphs[number].targets] == [t["vb"] for t in morph["buffers"]]
        for index, expected in enumerate(morph["buffers"]):
            span = document.root.child("morphs").children[number + 1].child("targets").children[index + 1]
            records = span.child("records").child("records")
            assert (
                sdbm(np.frombuffer(document.data, np.uint8, records.size, records.offset)) == expected["sdbm"]
            )


def check_bones(model: Model, said: Any) -> None:
    if not said["bones"]:
        assert model.skeleton is None
        return
    skeleton = model.skeleton
    assert skeleton is not None
    assert skeleton.root == said["root"]
    assert list(skeleton.names) == [bone["name"] for bone in said["bones"]]
    own = np.arange(len(skeleton))
    assert np.where(skeleton.parents < 0, own, skeleton.parents).tolist() == [
        bone["parent"] for bone in said["bones"]
    ]
    for path, key, width in (("positions", "pos", 3), ("scales", "scale", 3)):
        expected = np.array([bone[key] for bone in said["bones"]]).reshape(-1, width)
        np.testing.assert_allclose(getattr(skeleton, path), expected, rtol=1e-6, atol=1e-12)
    rotations = np.array([bone["rot"] for bone in said["bones"]])
    np.testing.assert_allclose(skeleton.rotations[:, [3, 0, 1, 2]], rotations, rtol=1e-6, atol=1e-12)
    offsets = np.array([bone["offset"] for bone in said["bones"]]).reshape(-1, 3, 4)
    np.testing.assert_allclose(skeleton.inverse_bind, offsets, rtol=1e-6, atol=1e-12)
    assert [box is not None and box.radius is not None for box in skeleton.hitboxes] == [
        bool(bone["coll"] & 1) for bone in said["bones"]
    ]


def check_track(animation: Animation, said: Any) -> None:
    channels = {track.path: track for track in animation.tracks if track.target == said["name"]}
    assert sum({"position": 1, "rotation": 2, "scale": 4}[path] for path in channels) == said["mask"]
    for path, key in (("position", "p"), ("rotation", "r"), ("scale", "s")):
        if path not in channels or not said["keys"]:
            continue
        values = channels[path].values[:, [3, 0, 1, 2]] if path == "rotation" else channels[path].values
        np.testing.assert_allclose(values, [k[key] for k in said["keys"]], rtol=1e-6, atol=1e-12)
        np.testing.assert_allclose(channels[path].times, [k["t"] for k in said["keys"]], rtol=1e-6)


def sdbm(data: Any) -> int:
    """h = c + 65599·h over the bytes, as a polynomial modulo 2³²."""
    powers = np.full(len(data), 65599, np.uint32)
    powers[:1] = 1
    powers = np.multiply.accumulate(powers, dtype=np.uint32)[::-1]
    return int((data.astype(np.uint32) * powers).sum(dtype=np.uint32))
