"""How a model is shown: what the view's buttons and the command line's picture options set."""

from __future__ import annotations

from dataclasses import field
from enum import Enum

from viewer.dataclass import dataclass
from viewer.scene.effects import EffectOptions


class Shading(Enum):
    """What the surface shows."""

    LIT = "lit"
    UNLIT = "unlit"
    NORMALS = "normals"
    UV = "uv"
    WEIGHTS = "weights"
    BONES = "bones"
    SILHOUETTE = "silhouette"


PAINTED = (Shading.LIT, Shading.UNLIT)
"""The shadings that show materials as they are; the others are opaque, and show nothing but the surface."""


@dataclass(slots=True)
class DisplayOptions:
    """View options. `background` is sRGB 0..1, alpha 0 is transparent; None for the default gradient, which
    is dark, or with `light` light.

    `names`, `hitboxes`, `vertex_normals`, `bounds` and `emitters` are overlays: the bones' names, what they
    are hit by, the directions of the vertices, the model's own and true box, where and which way emitters
    send particles. `bone` is the bone whose weights show and which the overlay marks. `lod` is a forced
    level, None for the engine's own choice by distance. `morphs` are weights by morph number, absent ones at
    the file's default. `hidden` are numbers of geometries that are not drawn. `effects` says which particles
    and ribbons are, and how.

    `collision`, `attachments`, `events` and `lights` are overlays too: what bodies run into, and points that
    follow bones. With `file_lights` the lights of the file shine in place of the studio's. `textures` are
    files by texture number, for those that a model leaves to the program. `through` is the number of the
    file's camera that is looked through.
    """

    shading: Shading = Shading.LIT
    wireframe: bool = False
    skeleton: bool = False
    names: bool = False
    hitboxes: bool = False
    vertex_normals: bool = False
    bounds: bool = False
    collision: bool = False
    attachments: bool = False
    events: bool = False
    lights: bool = False
    file_lights: bool = False
    grid: bool = True
    axes: bool = True
    background: tuple[float, float, float, float] | None = None
    light: bool = False
    samples: int = 4
    bone: int | None = None
    emitters: bool = False
    lod: int | None = None
    morphs: dict[int, float] = field(default_factory=dict)
    hidden: set[int] = field(default_factory=set)
    effects: EffectOptions = field(default_factory=EffectOptions)
    textures: dict[int, str] = field(default_factory=dict)
    through: int | None = None
