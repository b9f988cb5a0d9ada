"""Materials on the GPU: their uniform blocks and textures."""

from __future__ import annotations

from collections.abc import Mapping

import moderngl
import numpy as np

from viewer.dataclass import dataclass
from viewer.gpu.bindings import Bindings
from viewer.gpu.texture import checker, glow, image_texture
from viewer.render.blocks import CLAY, MATERIAL, material_block, moving_block
from viewer.scene.material import Appearance, ClipTime, Image, Material, Texture
from viewer.scene.model import Model

CHECKER, GLOW, UNUSED = -1, -2, -3
"""The numbers of the placeholder textures: for surfaces, for particles, and for maps that a material does not
have, which no shader samples."""
UV_PLACE = MATERIAL.fields["u_offset"][1]  # type: ignore[index]
"""The offset of `u_offset` and, behind it, `v_offset` in the block."""
CHECKERED = Texture("checker")
SPOT = Texture("spot", address=("clamp", "clamp"))
MISSING = {"diffuse": CHECKER}
"""The texture units of a material file that was not found."""
COLORS = ("diffuse", "specular", "emissive", "second")
"""Units with colours; a normal map holds directions, which must not be converted from sRGB."""
MAPS = (*COLORS, "normal")
"""The units of `mesh.frag`."""


@dataclass(frozen=True, slots=True, eq=False)
class GpuMaterial:
    """A material ready to draw: its uniform block, and the block and textures that a draw binds."""

    material: Material
    block: moderngl.Buffer
    textures: Bindings
    normal_map: bool
    frames: tuple[moderngl.Texture, ...] = ()

    def appearance(self, moment: ClipTime) -> Appearance | None:
        """The appearance at a time; None if it is constant."""
        return None if self.material.motion is None else self.material.motion(moment)

    def write(self, time: float, shown: Appearance | None = None) -> None:
        """Upload the animated parts of the block for `time` seconds and this appearance."""
        if shown is not None:
            color, places = moving_block(shown)
            self.block.write(color)
            self.block.write(places, offset=UV_PLACE)
        elif self.material.uv_motion is not None:
            self.block.write(np.array(self.material.uv_motion(time), np.float32), offset=UV_PLACE)

    def bindings(self, time: float) -> Bindings:
        """Its block, and its textures at `time` seconds."""
        if self.material.flipbook is None:
            return self.textures
        return {**self.textures, "diffuse_map": self.frames[self.material.flipbook.at(time)]}


class GpuMaterials:
    """The materials and textures of one model.

    `images` are decoded images by texture number; a missing diffuse texture or material shows the checker.
    """

    def __init__(self, ctx: moderngl.Context, model: Model, images: Mapping[int, Image]) -> None:
        self.ctx = ctx
        self._model = model
        self._images = dict(images)
        self._textures: dict[tuple[int, bool], moderngl.Texture] = {}
        self._coats: dict[tuple[int | None, bool], GpuMaterial] = {}
        self._loose: dict[int, tuple[Material, GpuMaterial]] = {}

    def coat(self, number: int | None, lightless: bool) -> GpuMaterial:
        """The material of this number (None: clay), made once. `lightless`: for lines and points."""
        key = (number, lightless)
        if key not in self._coats:
            material = CLAY if number is None else self._model.materials[number]
            self._coats[key] = self._make(material, lightless)
        return self._coats[key]

    def coat_of(self, material: Material) -> GpuMaterial:
        """A material that does not belong to the model; made once."""
        if id(material) not in self._loose:
            # The material is kept, so that no other object gets its id.
            self._loose[id(material)] = material, self._make(material, lightless=False)
        return self._loose[id(material)][1]

    def particle_texture(self, number: int) -> moderngl.Texture:
        """The texture of particles without sRGB decoding; a soft spot if it is missing."""
        if number in self._images and number < len(self._model.textures):
            return self._texture(number, color=False)
        if (GLOW, False) not in self._textures:
            self._textures[GLOW, False] = image_texture(self.ctx, glow(), SPOT, srgb=False)
        return self._textures[GLOW, False]

    def wear(self, number: int, image: Image | None) -> None:
        """Replace the image of a texture, None: the checker. Materials that use it are rebuilt."""
        self._images.pop(number, None)
        if image is not None:
            self._images[number] = image
        for shown in [each for each in self._textures if each[0] == number]:
            self._textures.pop(shown).release()
        for key, coat in [*self._coats.items()]:
            material, pages = coat.material, coat.material.flipbook
            if number in material.units.values() or (pages and number in pages.textures):
                self._coats.pop(key).block.release()
        for own, (material, coat) in [*self._loose.items()]:
            if number in material.units.values():
                self._loose.pop(own)
                coat.block.release()

    def release(self) -> None:
        """Release all blocks and textures."""
        for coat in (*self._coats.values(), *(coat for _, coat in self._loose.values())):
            coat.block.release()
        for texture in self._textures.values():
            texture.release()

    def _make(self, material: Material, lightless: bool) -> GpuMaterial:
        found: dict[str, Texture] = {}
        bound = {f"{unit}_map": self._unused() for unit in MAPS}
        for unit, number in (MISSING if material.missing else material.units).items():
            if unit not in MAPS or (number not in self._images and unit != "diffuse"):
                continue
            found[unit] = self._described(number)
            bound[f"{unit}_map"] = self._texture(number, unit in COLORS)
        block = self.ctx.buffer(material_block(material, found, lightless))
        pages = material.flipbook.textures if material.flipbook else ()
        frames = tuple(self._texture(number, color=True) for number in pages)
        return GpuMaterial(material, block, {"Material": block, **bound}, "normal" in found, frames)

    def _unused(self) -> moderngl.Texture:
        if (UNUSED, False) not in self._textures:
            self._textures[UNUSED, False] = self.ctx.texture((1, 1), 4)
        return self._textures[UNUSED, False]

    def _described(self, number: int) -> Texture:
        return CHECKERED if number == CHECKER else self._model.textures[number]

    def _texture(self, number: int, color: bool) -> moderngl.Texture:
        image = self._images.get(number)
        description = self._described(number)
        srgb = color and description.srgb
        if image is None:
            number, image, description, srgb = CHECKER, checker(), CHECKERED, True
        if (number, srgb) not in self._textures:
            self._textures[number, srgb] = image_texture(self.ctx, image, description, srgb)
        return self._textures[number, srgb]
