"""The programs of surfaces, with the features of the material and the frame as constants.

At first the materials of a model share a program, so that the first frame comes sooner. Later each kind of
material gets its own program; one program is built per frame.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import reduce
from operator import and_, or_

from msgspec import Struct

from viewer.gpu.program import Program
from viewer.gpu.shader import Composer
from viewer.render.mesh.lights import Illumination
from viewer.render.mesh.material_block import (
    BLENDED,
    BORDER,
    GLOSS,
    MAPS,
    MASKED,
    MIRROR,
    OPAQUE_MAP,
    PACKED_NORMAL,
    PHYSICAL_MAPS,
    SHADINGS,
    UNLIT,
)
from viewer.scene.choices import Shading
from viewer.scene.display import DisplayOptions

CHEAP = BLENDED | OPAQUE_MAP | PACKED_NORMAL | sum(MIRROR) | sum(BORDER)
"""Features whose cost does not justify separate programs."""
REFLECTION = PHYSICAL_MAPS["roughness"] | PHYSICAL_MAPS["metalness"]
LIT_ONLY = UNLIT | GLOSS | MAPS["specular"] | MAPS["emissive"] | REFLECTION
"""Features that have no effect in a frame without light."""
SETTLED = 4
"""The number of frames after which materials start to get their own programs."""
FRAGMENT = "mesh.frag"
OWN_PROGRAMS = 8
"""Largest number of programs that each serve a single kind of material, per model and shading. Shared
programs do not count.
"""

Defines = tuple[str, ...]


class FrameKind(Struct, frozen=True):
    """The properties of a frame that select programs: the shading, the kind of light, whether the light is
    `toned` by an exposure or a tone of its own, and whether surfaces are `occluded` by an occlusion map.
    """

    shading: Shading = Shading.LIT
    light: Illumination = Illumination.STUDIO
    toned: bool = False
    occluded: bool = False

    @classmethod
    def of(cls, options: DisplayOptions, light: Illumination, occluded: bool = False) -> FrameKind:
        """Make the kind of a frame with these options."""
        return cls(options.shading, light, options.toned, occluded)

    @property
    def defines(self) -> Defines:
        """The defines by which the shaders know the shading and the kind of light."""
        lit = self.shading is Shading.LIT
        light = self.light if lit else Illumination.STUDIO
        chosen = {
            "DISTANCES": self.shading is Shading.DISTANCE,
            "ENVIRONMENT": light is Illumination.ENVIRONMENT,
            "TONED": lit and self.toned,
            "OCCLUDED": lit and self.occluded,
        }
        more = (name for name, wanted in chosen.items() if wanted)
        return f"SHADING={SHADINGS[self.shading]}", f"LIGHT={int(light)}", *more

    def shown(self, features: int) -> int:
        """Return the bits of `features` that are visible in a frame of this kind."""
        if self.shading is Shading.LIT:
            return features & ~LIT_ONLY if self.light is Illumination.NONE else features
        tested = self.shading is not Shading.SILHOUETTE and features & MASKED
        return features & ~LIT_ONLY if tested else features & PACKED_NORMAL


def features_define(always: int, sometimes: int) -> str:
    """Return the define for materials that have all `always` features and perhaps some of `sometimes`."""
    return f"FEATURES=({always}|({sometimes}&features))"


class MeshPrograms:
    """Chooses the program of each draw.

    `kinds` are the feature bits of all materials of the model, see `material_block.features`; `vertex` is the
    vertex shader.
    """

    def __init__(self, composer: Composer, kinds: Collection[int], vertex: str = "mesh.vert") -> None:
        self._composer = composer
        self._vertex = vertex
        self._kinds = kinds
        self._frame = FrameKind()
        self._frames = 0
        self._may_build = False
        self._always, self._sometimes = 0, 0
        self._found: dict[tuple[Defines, str | None, int], Program] = {}
        self._own: set[tuple[Defines, str | None, int]] = set()
        self.begin(self._frame)

    def begin(self, frame: FrameKind) -> None:
        """Begin a frame of this kind; if the kind changed, programs are chosen again."""
        if frame != self._frame or not self._frames:
            kinds = [frame.shown(features) for features in self._kinds] or [0]
            self._always, self._sometimes = reduce(and_, kinds), reduce(or_, kinds) & ~reduce(and_, kinds)
            self._frame, self._frames = frame, 0
            self._found.clear()
            self._own.clear()
        self._frames += 1
        self._may_build = self._frames > SETTLED

    def program(self, defines: Defines, features: int, geometry: str | None = None) -> Program:
        """Return the program for a material with these `features` and vertices with these `defines`."""
        key = (defines, geometry, features)
        found = self._found.get(key)
        if found is None or (self._may_build and key not in self._own and len(self._own) < OWN_PROGRAMS):
            found = self._found[key] = self._choose(key)
        return found

    def _choose(self, key: tuple[Defines, str | None, int]) -> Program:
        """Return the material's own program if this frame may build one, else the shared program."""
        defines, geometry, features = key
        shown = self._frame.shown(features)
        always, sometimes = self._always, self._sometimes
        shared = shown & always == always and not shown & ~(always | sometimes)
        if self._may_build or not shared:
            sometimes &= CHEAP
            always = shown & ~sometimes
            self._own.add(key)
            self._may_build = False
        common = (*defines, *self._frame.defines)
        whole = (*common, features_define(always, sometimes))
        if not self._composer.has_room(self._vertex, FRAGMENT, whole, geometry):
            whole = common
        return self._composer.program(self._vertex, FRAGMENT, whole, geometry=geometry)
