"""The lights of a frame in the layout of `frame.glsl`: studio, headlamp, or the lights of the file."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

import numpy as np
from msgspec import Struct

from viewer.animation.pose import Pose
from viewer.arrays import Array, Rgb
from viewer.scene.choices import LIGHT_DIRECTIONS, Lighting, LightKind
from viewer.scene.material import AT_FIRST, ClipTime
from viewer.scene.model import Light

MOST_LIGHTS = 4
"""Largest number of lights that the client supports for a model."""
LIGHT = np.dtype([("position", "f4", 4), ("diffuse", "f4", 4), ("ambient", "f4", 4)])


NONE = np.zeros(0, LIGHT)
DARK = (0.0, 0.0, 0.0)


class Lamp(Struct, frozen=True):
    """A distant lamp: its direction in eye space from the model to the lamp (any length), its linear colour
    and the factor of the colour.
    """

    direction: Rgb
    color: Rgb
    strength: float


KEY = Lamp((-0.7, 0.75, 0.7), (1.0, 0.96, 0.9), 0.9)
FILL = Lamp((0.9, 0.1, 0.5), (0.75, 0.85, 1.0), 0.14)
RIM = Lamp((0.45, 0.6, -0.9), (0.9, 0.95, 1.0), 0.35)
SKY, GROUND = Lamp(DARK, (0.85, 0.93, 1.0), 0.3), Lamp(DARK, (1.0, 0.92, 0.84), 0.11)
"""The light from the sky and the light from the ground. Both shine on every surface."""
HEADLAMP = Lamp((0.0, 0.0, 1.0), (1.0, 0.99, 0.97), 1.0)
HEADLAMP_AROUND = Lamp(DARK, (0.95, 0.97, 1.0), 0.13)
"""The light that shines on every surface while the headlamp is on."""


class Illumination(IntEnum):
    """The kind of light on surfaces with materials. The shaders have a constant `LIGHT_*` for each kind
    except STUDIO, which is the default.

    STUDIO has lamps that are constants of the shaders, LAMPS has lamps from `FrameLights`, FILE has the
    lights of the file, NONE draws materials without light, and ENVIRONMENT has the light of an environment.
    """

    STUDIO = 0
    LAMPS = 1
    FILE = 2
    NONE = 3
    ENVIRONMENT = 4


class FrameLights(Struct, frozen=True, eq=False):
    """The lights of a frame. `rows` [n <= 4] of `LIGHT` are the lamps, or the lights of the file. `sky` and
    `ground` are linear colours: the light that comes from above, and the light that comes from below.
    """

    kind: Illumination = Illumination.STUDIO
    rows: Array = NONE
    sky: Rgb = DARK
    ground: Rgb = DARK

    @property
    def of_effects(self) -> Illumination:
        """The kind of light on ribbons and particles, which an environment does not light: they get the light
        of the studio instead.
        """
        return Illumination.STUDIO if self.kind is Illumination.ENVIRONMENT else self.kind


def illumination(light: Lighting, lights: Sequence[Light], environment: bool = False) -> Illumination:
    """Return the kind of light for a model. `lights` are the lights of its file; `environment`: the chosen
    environment is on the GPU. If the user chose the lights of the file and it has none, or an environment
    that is not on the GPU, the result is STUDIO.
    """
    if light.kind is LightKind.UNLIT:
        return Illumination.NONE
    if light.kind is LightKind.FILE and lights:
        return Illumination.FILE
    if light.kind is LightKind.ENVIRONMENT and environment:
        return Illumination.ENVIRONMENT
    turned = light.turns and light.direction is not None
    return Illumination.LAMPS if turned or light.kind is LightKind.HEADLAMP else Illumination.STUDIO


def frame_lights(
    light: Lighting,
    lights: tuple[Light, ...],
    pose: Pose | None,
    view: Array,
    clip_time: ClipTime = AT_FIRST,
    environment: bool = False,
) -> FrameLights:
    """Return the lights of a frame. `lights` are the lights of the file; `view` and `clip_time` are used as
    in `lights_in`, `environment` as in `illumination`.
    """
    kind = illumination(light, lights, environment)
    if kind is Illumination.FILE:
        return FrameLights(kind, lights_in(lights, pose, view, clip_time))
    if kind is not Illumination.LAMPS:
        return FrameLights(kind)
    turn = _turn(light)
    if light.kind is LightKind.HEADLAMP:
        around = _color(HEADLAMP_AROUND)
        return FrameLights(kind, _rows((HEADLAMP,), turn), around, around)
    return FrameLights(kind, _rows((KEY, FILL, RIM), turn), _color(SKY), _color(GROUND))


def _rows(lamps: Sequence[Lamp], turn: Array) -> Array:
    """Rotate the n lamps by `turn` [3, 3]; return a row of `LIGHT` for each lamp, [n]."""
    rows = np.zeros(len(lamps), LIGHT)
    for row, lamp in zip(rows, lamps, strict=True):
        towards = turn @ lamp.direction
        row["position"][:3] = towards / np.linalg.norm(towards)
        row["diffuse"][:3] = _color(lamp)
    return rows


def _color(lamp: Lamp) -> Rgb:
    red, green, blue = (lamp.strength * part for part in lamp.color)
    return red, green, blue


def _turn(light: Lighting) -> Array:
    """Return the rotation [3, 3] in eye space from the default direction of the main lamp to its chosen
    direction.
    """
    usual = LIGHT_DIRECTIONS[light.kind]
    yaw, pitch = light.direction or usual
    return np.asarray(_around_y(yaw) @ _around_x(usual[1] - pitch) @ _around_y(-usual[0]))


def _around_y(degrees: float) -> Array:
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array(((cosine, 0.0, sine), (0.0, 1.0, 0.0), (-sine, 0.0, cosine)))


def _around_x(degrees: float) -> Array:
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array(((1.0, 0.0, 0.0), (0.0, cosine, -sine), (0.0, sine, cosine)))


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
    now = sorted((light.at(clip_time) for light in lights), key=lambda light: not light.visible)[:MOST_LIGHTS]
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
