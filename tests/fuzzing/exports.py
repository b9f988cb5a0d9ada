"""Exports documents, and reads what was written."""

from __future__ import annotations

import json
import random
import shutil
import struct
import tempfile
from pathlib import Path
from typing import Any

from viewer.animation.pose import Layer, moves, pose
from viewer.export.gltf.export import export_gltf
from viewer.export.gltf.model import ExportSource
from viewer.export.gltf.options import ExportOptions
from viewer.export.posed_mesh import write_mesh
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.scene.model import Model
from viewer.scene.skeleton import BONELESS

EXPORTED, MANY_BONES = 3, 1000
"""The clips of a file that are exported; of a skeleton with very many bones only the first is."""
RATES = (None, None, 30.0)


def check_export(document: Document, folder: Path, numbers: random.Random) -> bool:
    """Export the model with its first clips, as glTF and as a posed mesh; False without one.

    Each message is one line, what is written can be read, and nothing else is left in the folder.
    """
    model = document.model
    if model is None:
        return False
    options = ExportOptions(
        fps=numbers.choice(RATES),
        textures=numbers.choice(("embed", "files", "none")),
        keep_axes=numbers.random() < 0.5,
    )
    place = Path(tempfile.mkdtemp(dir=folder))
    try:
        few = 1 if model.skeleton is not None and len(model.skeleton) > MANY_BONES else EXPORTED
        told = _written(model, document.animations[:few], options, place, numbers)
        assert all("\n" not in line for line in told), "a message of several lines"
        assert not [each for each in place.iterdir() if each.name.startswith(".")], "an unfinished file"
    finally:
        shutil.rmtree(place)
    return True


def _written(
    model: Model,
    clips: tuple[Animation, ...],
    options: ExportOptions,
    folder: Path,
    numbers: random.Random,
) -> list[str]:
    if numbers.random() < 0.2:
        layers = [Layer(each, 0.3) for each in clips[:1]]
        motion = moves(pose(model.skeleton or BONELESS, layers), {})
        output = folder / numbers.choice(("out.obj", "out.ply"))
        return write_mesh(ExportSource(model, motion=motion), options, str(output))
    output = folder / numbers.choice(("out.glb", "out.gltf"))
    told = export_gltf(ExportSource(model, clips), options, str(output))
    check_gltf(output)
    return told


def check_gltf(path: Path) -> None:
    """The file is JSON without numbers that JSON does not have, and its parts are inside its buffer."""
    data = path.read_bytes()
    if path.suffix == ".glb":
        magic, version, size, length, _ = struct.unpack_from("<5I", data)
        assert (magic, version, size) == (0x46546C67, 2, len(data)), "the head is wrong"
        data = data[20 : 20 + length]
    content = json.loads(data, parse_constant=_refuse)
    size = sum(each["byteLength"] for each in content.get("buffers", ()))
    views = content.get("bufferViews", ())
    assert all(each["byteOffset"] + each["byteLength"] <= size for each in views), "a view is outside"
    counts = {name: len(each) for name, each in content.items() if isinstance(each, list)}
    for clip in content.get("animations", ()):
        for each in clip["samplers"]:
            assert max(each["input"], each["output"]) < counts["accessors"], "a sampler without keys"
        assert all(each["target"]["node"] < counts["nodes"] for each in clip["channels"]), "no such node"


def _refuse(name: str) -> Any:
    raise AssertionError(f"{name} is written")
