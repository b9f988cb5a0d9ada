"""Materials on the GPU: their uniform blocks and textures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import moderngl
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from viewer.gpu.bindings import Bindings
from viewer.gpu.texture import image_texture
from viewer.render.mesh.material_block import CLAY, MATERIAL, features, material_block, moving_block
from viewer.render.mesh.placeholders import CLAMPED, Placeholder, placeholder, spot
from viewer.scene.choices import MissingTextures
from viewer.scene.material import Appearance, ClipTime, Image, Material, Texture, cube_picture
from viewer.scene.model import Model
from viewer.scene.texture_images import TextureImages

SPOT = "spot"
"""Value of `moderngl.Texture.extra` for a soft spot. Particles show the whole spot, not one cell of
a grid.
"""
UV_OFFSET = MATERIAL.fields["u_offset"][1]  # type: ignore[index]
"""Byte offset of `u_offset` in the block; `v_offset` follows it."""
COLORS = ("diffuse", "specular", "emissive", "second", "detail0", "detail1")
"""Texture units with colours. Normal maps are not among these units, because directions must not be decoded
from sRGB.
"""
MAPS = (*COLORS, "normal", "roughness", "metalness", "detail_weight")
"""The texture units of `mesh.frag`."""


class GpuMaterial(Struct, frozen=True, eq=False):
    """A material ready to draw: its uniform block and its textures. `material` is the drawn material; it is
    not the model's material if there is a `placeholder`. `features` are the bits of
    `material_block.features`; `frames` are the textures of a flipbook.
    """

    material: Material
    block: moderngl.Buffer
    textures: Bindings
    normal_map: bool
    features: int = 0
    frames: tuple[moderngl.Texture, ...] = ()
    placeholder: Placeholder | None = None

    def appearance(self, clip_time: ClipTime) -> Appearance | None:
        """Return the appearance at a time; None if it is constant."""
        return None if self.material.motion is None else self.material.motion(clip_time)

    def write(self, time: float, appearance: Appearance | None = None) -> None:
        """Upload the animated parts of the block for `time` in seconds and an appearance."""
        if appearance is not None:
            color, transforms = moving_block(appearance)
            self.block.write(color)
            self.block.write(transforms, offset=UV_OFFSET)
        elif self.material.uv_motion is not None:
            self.block.write(np.array(self.material.uv_motion(time), np.float32), offset=UV_OFFSET)

    def bindings(self, time: float) -> Bindings:
        """Return the block and the textures at `time` in seconds."""
        if self.material.flipbook is None or not self.frames:
            return self.textures
        return {**self.textures, "diffuse_map": self.frames[self.material.flipbook.at(time)]}


class GpuMaterials:
    """The materials and textures of one model.

    `images` are decoded images by texture number; each image is freed when it is uploaded. Missing diffuse
    textures and missing materials are replaced by placeholders; other missing textures are left out.
    """

    def __init__(self, ctx: moderngl.Context, model: Model, images: Mapping[int, Image]) -> None:
        self.ctx = ctx
        self._model = model
        self._images = TextureImages.of(images)
        self._textures: dict[tuple[int, bool], moderngl.Texture] = {}
        self._cubes: dict[tuple[int, ...], moderngl.Texture] = {}
        self._placeholders: dict[tuple[str, bool], moderngl.Texture] = {}
        self._unused: moderngl.Texture | None = None
        self._missing = MissingTextures.CLAY
        self._gpu_materials: dict[tuple[int | None, bool], GpuMaterial] = {}
        self._loose: dict[int, tuple[Material, GpuMaterial]] = {}

    def gpu_material(self, number: int | None, lightless: bool) -> GpuMaterial:
        """Return the material of this number, made on the first call; number None is clay.

        `lightless` is true for lines and points.
        """
        key = (number, lightless)
        if key not in self._gpu_materials:
            material, instead = self._chosen(number)
            self._gpu_materials[key] = self._make(material, lightless, instead)
        return self._gpu_materials[key]

    def kinds(self, used: Iterable[tuple[int | None, bool]]) -> frozenset[int]:
        """Return the set of `features` of the `used` materials, without uploading any material. Each material
        is given by its number and `lightless`, as in `gpu_material`.
        """
        found = set()
        for number, lightless in set(used):
            material, instead = self._chosen(number)
            drawn = instead.material if instead else material
            found.add(features(drawn, self._described(material, instead), lightless))
        return frozenset(found)

    def gpu_material_of(self, material: Material) -> GpuMaterial:
        """Return the GPU material of a ribbon, made on the first call. A ribbon's material is not in the
        model's list of materials.
        """
        if id(material) not in self._loose:
            instead = self._placeholder(material, material.name, effect=True)
            # Keep the material, so that no other object gets its id.
            self._loose[id(material)] = material, self._make(material, False, instead)
        return self._loose[id(material)][1]

    def particle_texture(self, number: int, blend: str) -> moderngl.Texture:
        """Return a particle texture without sRGB decoding. If the texture is missing, return a soft spot that
        suits the mode `blend`.
        """
        if number in self._images and number < len(self._model.textures):
            return self._texture(number, color=False)
        found = self._replacing(f"{SPOT} {blend}", spot(blend), CLAMPED, srgb=False)
        found.extra = SPOT
        return found

    def show_missing(self, missing: MissingTextures) -> bool:
        """Choose the placeholders of missing textures; return whether materials changed."""
        if missing is self._missing:
            return False
        self._missing = missing
        for key in [key for key, gpu_material in self._gpu_materials.items() if gpu_material.placeholder]:
            self._gpu_materials.pop(key).block.release()
        return True

    def replace_texture(self, number: int, image: Image | None) -> None:
        """Replace the image of a texture; None marks the texture as missing. Materials that use it are
        rebuilt.
        """
        self._images.replace(number, image)
        self._forget(number)

    def dress(self, model: Model, images: Mapping[int, Image], changed: Iterable[int]) -> None:
        """Show the model in another look, see `scene.looks.differ_in_look`. The textures `changed` have other
        images; materials that use them are rebuilt.
        """
        self._model, self._images = model, TextureImages.of(images)
        for number in changed:
            self._forget(number)
        for number, _ in self._textures:
            if number in self._images:
                self._images.take(number)  # free the decoded pixels: the GPU has this texture

    def release(self) -> None:
        """Release all blocks and textures."""
        for gpu_material in (
            *self._gpu_materials.values(),
            *(gpu_material for _, gpu_material in self._loose.values()),
        ):
            gpu_material.block.release()
        for texture in (*self._textures.values(), *self._cubes.values(), *self._placeholders.values()):
            texture.release()
        if self._unused is not None:
            self._unused.release()

    def _forget(self, number: int) -> None:
        """Release a texture and the materials that use it."""
        for shown in [each for each in self._textures if each[0] == number]:
            self._textures.pop(shown).release()
        for faces in [each for each in self._cubes if number in each]:
            self._cubes.pop(faces).release()
        for key, gpu_material in [*self._gpu_materials.items()]:
            material, pages = gpu_material.material, gpu_material.material.flipbook
            if number in (*material.units.values(), *material.cube) or (pages and number in pages.textures):
                self._gpu_materials.pop(key).block.release()
        for own, (material, gpu_material) in [*self._loose.items()]:
            if number in material.units.values():
                self._loose.pop(own)
                gpu_material.block.release()

    def _make(self, material: Material, lightless: bool, instead: Placeholder | None) -> GpuMaterial:
        drawn = instead.material if instead else material
        found = self._described(material, instead)
        bound = {f"{unit}_map": self._unsampled() for unit in MAPS}
        for unit in found.keys() & material.units.keys():
            if material.units[unit] in self._images:
                bound[f"{unit}_map"] = self._texture(material.units[unit], unit in COLORS)
        if material.cube:
            bound["diffuse_map"] = self._cube(material.cube)
        if instead:
            bound["diffuse_map"] = self._replacing(instead.key, instead.image, instead.texture, srgb=True)
        made = material_block(drawn, found, lightless)
        block = self.ctx.buffer(made)
        frames = () if instead else self._pages(material)
        bindings: Bindings = {"Material": block, **bound}
        bits = int(made["features"][0])
        return GpuMaterial(drawn, block, bindings, "normal" in found, bits, frames, instead)

    def _chosen(self, number: int | None) -> tuple[Material, Placeholder | None]:
        """Return the material of this number (None: clay) and its placeholder."""
        material = CLAY if number is None else self._model.materials[number]
        return material, self._placeholder(material, material.name or str(number))

    def _described(self, material: Material, instead: Placeholder | None) -> dict[str, Texture]:
        """Return the textures that are drawn, by texture unit. The placeholder `instead` replaces the diffuse
        texture.
        """
        found = {
            unit: self._model.textures[number]
            for unit, number in material.units.items()
            if unit in MAPS and number in self._images
        }
        return found | {"diffuse": instead.texture} if instead else found

    def _placeholder(self, material: Material, name: str, effect: bool = False) -> Placeholder | None:
        """Return the placeholder of a material if its file or its diffuse texture is missing, else None."""
        number = material.units.get("diffuse")
        if material.missing or (number is not None and number not in self._images):
            return placeholder(replace(material, cube=()), name, self._missing, effect)
        return None

    def _pages(self, material: Material) -> tuple[moderngl.Texture, ...]:
        """Return the textures of the flipbook; the diffuse texture replaces a missing page."""
        pages, usual = material.flipbook.textures if material.flipbook else (), material.units.get("diffuse")
        found = [page if page in self._images else usual for page in pages]
        return tuple(self._unsampled() if page is None else self._texture(page, True) for page in found)

    def _cube(self, faces: tuple[int, ...]) -> moderngl.Texture:
        """Return the texture of the faces of a cube map. It has no mip levels, in which faces would mix."""
        if faces not in self._cubes:
            images = [self._images.get(number) for number in faces]
            if not any(images):
                return self._unsampled()
            image = cube_picture(images) if len(faces) > 1 else images[0]
            assert image is not None, "one of the faces has a picture"
            description = replace(self._model.textures[faces[0]], address=CLAMPED.address, mipmaps=False)
            self._cubes[faces] = image_texture(self.ctx, image, description, description.srgb)
        return self._cubes[faces]

    def _unsampled(self) -> moderngl.Texture:
        """Return the texture that is bound in place of a missing map; no shader samples it."""
        if self._unused is None:
            self._unused = self.ctx.texture((1, 1), 4)
        return self._unused

    def _replacing(self, key: str, image: Image, texture: Texture, srgb: bool) -> moderngl.Texture:
        if (key, srgb) not in self._placeholders:
            self._placeholders[key, srgb] = image_texture(self.ctx, image, texture, srgb)
        return self._placeholders[key, srgb]

    def _texture(self, number: int, color: bool) -> moderngl.Texture:
        description = self._model.textures[number]
        srgb = color and description.srgb
        if (number, srgb) not in self._textures:
            self._textures[number, srgb] = image_texture(
                self.ctx, self._images.take(number), description, srgb
            )
        return self._textures[number, srgb]
