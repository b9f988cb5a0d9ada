"""Cameras, lights and attachments as nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from viewer.export.gltf.axes import Axes
from viewer.export.gltf.buffer import GltfBuffer
from viewer.export.gltf.points import PointWriter, look_at
from viewer.scene.camera import Camera
from viewer.scene.model import Attachment, Light, Model


def nodes(model: Model) -> Any:
    """The tables after the points of a model were added below an empty root."""
    buffer = GltfBuffer()
    root = buffer.add("nodes", {"name": "root"})
    PointWriter(buffer, Axes.of(np.eye(4)), root, None).add_all(model)
    return buffer.json


def test_a_camera_looks_at_its_target() -> None:
    found = nodes(Model("", cameras=(Camera("eye", (0.0, 0.0, 5.0), (0.0, 0.0, 0.0), 45.0),)))
    node = found["nodes"][1]
    assert node["translation"] == [0, 0, 5] and node["rotation"] == pytest.approx([0, 0, 0, 1])
    assert found["cameras"][0]["perspective"]["yfov"] == pytest.approx(np.radians(45))


def test_a_camera_that_looks_straight_down_has_a_turn() -> None:
    turn = look_at(np.array((0.0, 1.0, 0.0)), np.array((0.0, 1.0, 0.0)))
    assert np.allclose(turn @ turn.T, np.eye(3)) and np.allclose(turn[:, 2], (0, 1, 0))


def test_lights_and_attachments_are_nodes() -> None:
    light = Light("point", -1, (1.0, 2.0, 3.0), (2.0, 1.0, 0.0), attenuation=(1.0, 9.0))
    found = nodes(Model("", lights=(light,), attachments=(Attachment(7, "hand", -1, (0.0, 1.0, 0.0)),)))
    (stored,) = found["extensions"]["KHR_lights_punctual"]["lights"]
    assert stored["intensity"] == 2 and stored["color"] == [1, 0.5, 0] and stored["range"] == 9
    assert found["nodes"][2] == {"translation": [0, 1, 0], "name": "hand", "extras": {"attachment": 7}}
    assert found["nodes"][0]["children"] == [1, 2]
