"""The lights of a file in the layout of `frame.glsl`."""

from __future__ import annotations

import numpy as np

from viewer.animation.pose import Pose
from viewer.arrays import Array
from viewer.scene.material import AT_FIRST, ClipTime
from viewer.scene.model import Light

LIGHTS = 4
"""Largest number of lights that the client supports for a model."""
LIGHT = np.dtype([("position", "f4", 4), ("diffuse", "f4", 4), ("ambient", "f4", 4)])


NONE = np.zeros(0, LIGHT)
DARK = (0.0, 0.0, 0.0)


def lights_in(
    lights: tuple[Light, ...], pose: Pose | None, view: Array, clip_time: ClipTime = AT_FIRST
) -> Array:
    """Return up to four lights of the file in eye space, [n <= 4] of `LIGHT`, visible lights first.

    `view` [4, 4] converts from the file's axes to eye space. A light that is not visible is dark. The
    `position` of a point light has w = 1. The `position` of a directional light is the direction to the light
    with w = 0, because files state this direction only as a position. The fourth components of `diffuse` and
    `ambient` are the start and end of the attenuation.
    """
    if not lights:
        return NONE
    now = sorted((light.at(clip_time) for light in lights), key=lambda light: not light.visible)[:LIGHTS]
    made = np.zeros(len(now), LIGHT)
    scale = float(np.cbrt(abs(np.linalg.det(view[:3, :3]))))
    for row, light in zip(made, now, strict=True):
        point = light.type == "point"
        at = np.array((*light.position, 1.0))
        if pose is not None and 0 <= light.bone < len(pose.skin):
            at[:3] = pose.skin[light.bone] @ at
        at[3] = float(point)
        row["position"] = np.nan_to_num((view @ at).astype(np.float32))
        row["diffuse"] = *(light.diffuse if light.visible else DARK), light.attenuation[0] * scale
        row["ambient"] = *(light.ambient if light.visible else DARK), light.attenuation[1] * scale
    return made
