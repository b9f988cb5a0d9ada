"""Writes cameras, lights, attachments and events of a model as glTF nodes.

Source: glTF 2.0 specification, section 3.10; KHR_lights_punctual.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from viewer.arrays import Array
from viewer.export.gltf.axes import Axes
from viewer.export.gltf.buffer import GltfBuffer, Json
from viewer.export.gltf.joints import Joints
from viewer.export.gltf.numbers import plain, quaternions
from viewer.scene.maths import normalise, transform
from viewer.scene.model import Model

ASPECT = 4 / 3
"""Aspect ratio that is assumed for cameras whose field of view depends on the aspect ratio."""


class PointWriter:
    """Adds nodes below the root node, or below the joint that a node follows."""

    def __init__(self, buffer: GltfBuffer, axes: Axes, root: int, joints: Joints | None) -> None:
        self._buffer, self._axes, self._root, self._joints = buffer, axes, root, joints

    def add_all(self, model: Model) -> None:
        """Add the cameras, lights, attachments and events of a model."""
        for camera in model.cameras:
            self._camera(
                camera.name, camera.position, camera.target, camera.angle(ASPECT), camera.near, camera.far
            )
        for number, light in enumerate(model.lights):
            color = np.nan_to_num(np.array(light.diffuse, np.float64))
            strength = float(color.max(initial=0.0))
            item: Json = {"type": light.type, "name": f"light {number}", "intensity": plain([strength])[0]}
            if strength > 0:
                item["color"] = plain(np.clip(color / strength, 0, 1))
            if light.type == "point" and light.attenuation[1] > 0:
                item["range"] = plain([light.attenuation[1]])[0]
            lights = self._buffer.json.setdefault("extensions", {}).setdefault(
                "KHR_lights_punctual", {"lights": []}
            )["lights"]
            lights.append(item)
            self._buffer.use("KHR_lights_punctual")
            node: Json = {
                "name": f"light {number}",
                "extensions": {"KHR_lights_punctual": {"light": len(lights) - 1}},
            }
            self._put(node, light.bone, light.position)
        for attachment in model.attachments:
            extras = {"attachment": attachment.id}
            self._put(
                {"name": attachment.name or f"attachment {attachment.id}", "extras": extras},
                attachment.bone,
                attachment.position,
            )
        for event in model.events:
            self._put({"name": event.name, "extras": {"event": event.name}}, event.bone, event.position)

    def _put(self, node: Json, bone: int, position: Sequence[float]) -> None:
        """Add a node at `position` in model space that follows `bone`."""
        point = np.nan_to_num(np.array(position, np.float64))
        parent = self._root
        if self._joints is not None and 0 <= bone < len(self._joints.tree.inverse_bind):
            point = transform(self._joints.tree.inverse_bind[bone], point)
            parent = self._joints.first + bone
        node = {"translation": plain(self._axes.vectors(point)), **node}
        self._child(node, parent)

    def _child(self, node: Json, parent: int) -> None:
        number = self._buffer.add("nodes", node)
        self._buffer.json["nodes"][parent].setdefault("children", []).append(number)

    def _camera(
        self,
        name: str,
        position: Sequence[float],
        target: Sequence[float],
        angle: float,
        near: float,
        far: float,
    ) -> None:
        eye, at = (
            self._axes.vectors(np.nan_to_num(np.array(each, np.float64))) for each in (position, target)
        )
        turn = look_at(eye - at, np.linalg.inv(self._axes.root[:, :3])[:, 1])
        lens: Json = {"yfov": plain([np.radians(angle)])[0], "znear": plain([max(near, 1e-4)])[0]}
        if far > max(near, 1e-4) and np.isfinite(far):
            lens["zfar"] = plain([far])[0]
        camera = self._buffer.add("cameras", {"type": "perspective", "name": name, "perspective": lens})
        node = {
            "name": name,
            "camera": camera,
            "translation": plain(eye),
            "rotation": plain(quaternions(turn)),
        }
        self._child(node, self._root)


def look_at(backward: Array, up: Array) -> Array:
    """Return the rotation [3, 3] of a camera that looks in the direction opposite to `backward`, with `up` as
    upright as possible.
    """
    z = normalise(backward) if np.linalg.norm(backward) > 0 else np.array((0.0, 0.0, 1.0))
    x = np.cross(up, z)
    if not np.linalg.norm(x) > 1e-9:
        x = np.cross((0.0, 0.0, 1.0) if abs(z[2]) < 0.9 else (1.0, 0.0, 0.0), z)
    x = normalise(x)
    return np.stack((x, np.cross(z, x), z), axis=-1)
