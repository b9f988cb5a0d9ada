"""How a model is shown: the options behind the view's buttons and the command line's picture options."""

from __future__ import annotations

from dataclasses import field

from viewer.dataclass import dataclass
from viewer.scene.effects import EffectOptions
from viewer.scene.shading import PAINTED as PAINTED
from viewer.scene.shading import Shading as Shading


@dataclass(slots=True)
class DisplayOptions:
    """View options. `background` is sRGB 0..1, alpha 0 is transparent; None is the default gradient: dark, or
    bright with `light`.

    `names`, `hitboxes`, `vertex_normals`, `bounds` and `emitters` are overlays: bone names, the bones'
    hitboxes, vertex normals, the file's and the computed bounding box, and the positions and directions of
    emitters. `bone` is the bone whose weights are shown and which the overlay marks. `lod` is a forced level
    of detail; None chooses by distance as the engine does. `morphs` are weights by morph number; missing
    numbers keep the file's default. `hidden` are numbers of geometries that are not drawn. `effects` are the
    options of particles and ribbons.

    `collision`, `attachments`, `events` and `lights` are overlays too: the collision mesh, and points that
    follow bones. With `file_lights` the lights of the file replace the studio lights. `textures` are files by
    texture number, for textures that a model leaves to the program. `through` is the number of the file's
    camera that is looked through.
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
