"""Writes materials, textures and samplers as glTF.

Properties without a glTF counterpart go into `extras` and messages. Source: glTF 2.0 specification, section
3.9; KHR_materials_unlit, KHR_materials_specular, KHR_materials_emissive_strength, KHR_texture_transform.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from viewer.errors import ViewerError, printable
from viewer.export.gltf.buffer import GltfBuffer, Json
from viewer.export.gltf.images import (
    PackedChannels,
    PictureFile,
    PixelChange,
    opaque,
    picture,
    unpacked_normals,
)
from viewer.export.gltf.numbers import plain
from viewer.render.mesh.material_block import to_linear
from viewer.scene.material import STILL_U, STILL_V, Material, PhysicalSurface, Texture
from viewer.scene.model import Model
from viewer.scene.reading_context import ReadingContext

WRAPS = {"wrap": 10497, "mirror": 33648}
CLAMPED = 33071
NEAREST, LINEAR, NEAREST_MIPS, LINEAR_NEAREST_MIP, LINEAR_MIPS = 9728, 9729, 9984, 9985, 9987
MASKS = ("greater", "greater_equal")
BRIGHTEST_GLOSS = 1.0
DIELECTRIC = 0.04
"""The share of light that a non-metal of glTF reflects straight back; `specularColorFactor` multiplies it."""
SHEAR = 1e-4
"""Largest shear of a texture transform that is ignored."""
StorePicture = Callable[[str, PictureFile], Json]
"""A function that stores a picture under a name; it returns the picture's `images` object."""
Say = Callable[[str], None]


class MaterialTable:
    """Adds each material once.

    `store_picture` stores pictures; None leaves textures out. `paths` are files that the user chose for
    textures, by texture number; they are read in a `context`. `say` receives messages for the user.
    """

    def __init__(
        self,
        buffer: GltfBuffer,
        model: Model,
        store_picture: StorePicture | None,
        paths: Mapping[int, str],
        context: ReadingContext,
        say: Say,
    ) -> None:
        self._buffer, self._model, self._store_picture, self._paths, self._say = (
            buffer,
            model,
            store_picture,
            paths,
            say,
        )
        self._context = context
        self._materials: dict[tuple[int, tuple[str, ...]], int] = {}
        self._textures: dict[tuple[int, PixelChange | None], int | None] = {}

    def number(self, material: int, uv_sets: tuple[str, ...]) -> int:
        """Return the index of a material for a geometry with these UV sets. The material is added at the
        first call.
        """
        key = material, uv_sets
        if key not in self._materials:
            made = self._object(self._model.materials[material], uv_sets)
            self._materials[key] = self._buffer.add("materials", made)
        return self._materials[key]

    def _object(self, material: Material, uv_sets: tuple[str, ...]) -> Json:
        lost = differences(material)
        if lost:
            self._say(f"material {printable(material.name)}: glTF has no counterpart of {', '.join(lost)}")
        alpha = material.diffuse[3] if math.isfinite(material.diffuse[3]) else 1.0
        mode, cutoff = alpha_mode(material)
        surface: Json = {"metallicFactor": 0.0, "roughnessFactor": _roughness(material)}
        if material.surface is not None:
            surface |= self._reflection(material, material.surface, uv_sets)
        color = plain(np.clip((*to_linear(np.array(material.diffuse[:3])), alpha), 0, 1))
        if color != [1.0, 1.0, 1.0, 1.0]:
            surface["baseColorFactor"] = color
        change = opaque if material.opaque_texture and mode != "OPAQUE" else None
        found = self._texture(material, "diffuse", uv_sets, change)
        surface |= {"baseColorTexture": found} if found else {}
        made: Json = {"name": material.name, "pbrMetallicRoughness": surface}
        if mode != "OPAQUE":
            made["alphaMode"] = mode
        if mode == "MASK":
            made["alphaCutoff"] = cutoff
        if material.cull == "none":
            made["doubleSided"] = True
        made |= self._maps(material, uv_sets)
        extensions = self._extensions(material)
        extras = _extras(material)
        return (
            made | ({"extensions": extensions} if extensions else {}) | ({"extras": extras} if extras else {})
        )

    def _reflection(self, material: Material, surface: PhysicalSurface, uv_sets: tuple[str, ...]) -> Json:
        """Return the factors and the texture of metalness and roughness. glTF has one texture for both:
        roughness is green and metalness is blue.
        """
        made: Json = {"metallicFactor": surface.metalness, "roughnessFactor": surface.roughness}
        rough, metal = material.units.get("roughness"), material.units.get("metalness")
        number = rough if rough is not None else metal
        if number is None:
            return made
        other = None
        if rough is not None and metal is not None and rough != metal:
            other = self._model.textures[metal], self._paths.get(metal), self._context
        change = PackedChannels(rough is not None, metal is not None, other)
        reference = self._reference(material, number, uv_sets, change)
        return made | ({"metallicRoughnessTexture": reference} if reference else {})

    def _maps(self, material: Material, uv_sets: tuple[str, ...]) -> Json:
        made: Json = {}
        unpack = unpacked_normals if material.packed_normal else None
        bumps = self._texture(material, "normal", uv_sets, unpack)
        if bumps and material.surface is not None and material.surface.normal_strength != 1:
            bumps["scale"] = plain([material.surface.normal_strength])[0]
        made |= {"normalTexture": bumps} if bumps else {}
        glow = self._texture(material, "emissive", uv_sets, None)
        made |= {"emissiveTexture": glow} if glow else {}
        color = to_linear(np.array(material.emissive))
        strength = float(color.max(initial=0.0))
        if strength > 0 or glow:
            made["emissiveFactor"] = plain(color / max(strength, 1.0)) if strength > 0 else [1.0, 1.0, 1.0]
        return made

    def _extensions(self, material: Material) -> Json:
        found: Json = {}
        if material.unlit:
            found["KHR_materials_unlit"] = {}
        strength = float(to_linear(np.array(material.emissive)).max(initial=0.0))
        if strength > 1:
            found["KHR_materials_emissive_strength"] = {"emissiveStrength": plain([strength])[0]}
        metallic = material.surface is not None and material.surface.metalness > 0
        if not material.unlit and any(material.specular[:3]) and not metallic:
            shown = to_linear(np.array(material.specular[:3]))
            scale = 1.0 if material.surface is None else DIELECTRIC
            color = plain(np.clip(shown / scale, 0, BRIGHTEST_GLOSS if material.surface is None else None))
            found["KHR_materials_specular"] = {"specularColorFactor": color}
        for name in found:
            self._buffer.use(name)
        return found

    def _texture(
        self, material: Material, unit: str, uv_sets: tuple[str, ...], change: PixelChange | None
    ) -> Json | None:
        """Return the reference to the texture of a unit."""
        number = material.units.get(unit)
        return None if number is None else self._reference(material, number, uv_sets, change)

    def _reference(
        self, material: Material, number: int, uv_sets: tuple[str, ...], change: PixelChange | None
    ) -> Json | None:
        """Return the reference to a texture by its number; None if it is left out."""
        if self._store_picture is None or number >= len(self._model.textures):
            return None
        uv = f"uv{material.uv_set}"
        if uv not in uv_sets:
            return None
        index = self._stored(number, change)
        if index is None:
            return None
        reference: Json = {"index": index}
        if uv_sets.index(uv):
            reference["texCoord"] = uv_sets.index(uv)
        placed = self._transform(material)
        if placed:
            self._buffer.use("KHR_texture_transform")
            reference["extensions"] = {"KHR_texture_transform": placed}
        return reference

    def _stored(self, number: int, change: PixelChange | None) -> int | None:
        """Return the index of a texture. If its picture cannot be read, add a message and return None."""
        key = number, change
        if key not in self._textures:
            self._textures[key] = self._made(number, change)
        return self._textures[key]

    def _made(self, number: int, change: PixelChange | None) -> int | None:
        texture = self._model.textures[number]
        assert self._store_picture is not None
        try:
            found = picture(texture, self._paths.get(number), change, self._context)
        except (ViewerError, OSError) as error:
            self._say(f"texture {printable(texture.name or str(number))} is left out: {error}")
            return None
        image = self._buffer.add("images", self._store_picture(texture.name or f"texture {number}", found))
        sampler = _sampler(texture)
        samplers = self._buffer.json.setdefault("samplers", [])
        if sampler not in samplers:
            samplers.append(sampler)
        return self._buffer.add("textures", {"sampler": samplers.index(sampler), "source": image})

    def _transform(self, material: Material) -> Json:
        """Return the KHR_texture_transform of a material; empty if it has none."""
        u, v = material.u_offset, material.v_offset
        if (u, v) == (STILL_U, STILL_V) or not np.isfinite((*u, *v)).all():
            return {}
        a, b, c, d = u[0], u[1], v[0], v[1]
        turn, wide = math.atan2(c, a), math.hypot(a, c)
        tall = d * math.cos(turn) - b * math.sin(turn)
        if abs(b + tall * math.sin(turn)) + abs(d - tall * math.cos(turn)) > SHEAR:
            self._say(f"material {printable(material.name)}: the shear of its texture is left out")
        made: Json = {}
        if u[3] or v[3]:
            made["offset"] = plain((u[3], v[3]))
        if turn:
            made["rotation"] = plain([turn])[0]
        if (wide, tall) != (1.0, 1.0):
            made["scale"] = plain((wide, tall))
        return made


def differences(material: Material) -> list[str]:
    """The properties of a material that the exported formats lack or show differently."""
    lost = [
        ("moving textures", material.uv_motion is not None),
        ("animated colours", material.motion is not None),
        ("a flipbook", material.flipbook is not None),
        ("a cube map", bool(material.cube)),
        ("a second texture", material.second is not None),
        ("a sphere map", material.sphere),
        ("detail textures", material.surface is not None and bool(material.surface.details)),
        (
            f"the blend mode {material.blend} (exported as alpha)",
            material.blend not in ("replace", "alpha"),
        ),
        (f"the alpha test {material.alpha_function}", _odd_mask(material)),
    ]
    return [text for text, found in lost if found]


def _odd_mask(material: Material) -> bool:
    return material.alpha_mask is not None and material.alpha_function not in MASKS


def alpha_mode(material: Material) -> tuple[str, float]:
    """Return glTF's alpha mode, and the cutoff of a mask."""
    if material.blend != "replace" or not material.diffuse[3] >= 1:
        return "BLEND", 0.0
    mask = material.alpha_mask
    if mask is None or _odd_mask(material) or not math.isfinite(mask):
        return "OPAQUE", 0.0
    return "MASK", max(mask, 0.0)


def _roughness(material: Material) -> float:
    """Return the roughness that gives a highlight as wide as the material's specular power does; 1 if the
    material has no highlight.
    """
    power = material.specular[3]
    if not any(material.specular[:3]) or not power > 0:
        return 1.0
    return plain([(2 / (power + 2)) ** 0.25])[0]


def _sampler(texture: Texture) -> Json:
    """Return the sampler of a texture; an axis with a border colour is clamped."""
    wraps = [WRAPS.get(each, CLAMPED) for each in texture.address]
    if texture.filter in ("nearest", "none"):
        large, small = NEAREST, NEAREST_MIPS if texture.mipmaps else NEAREST
    else:
        smooth = LINEAR_NEAREST_MIP if texture.filter == "bilinear" else LINEAR_MIPS
        large, small = LINEAR, smooth if texture.mipmaps else LINEAR
    return {"magFilter": large, "minFilter": small, "wrapS": wraps[0], "wrapT": wraps[1]}


def _extras(material: Material) -> Json:
    """Return the properties without a glTF counterpart."""
    made: Json = {}
    if material.blend not in ("replace", "alpha"):
        made["blend"] = material.blend
    if material.technique:
        made["technique"] = material.technique
    if material.parameters:
        made["parameters"] = dict(material.parameters)
    if material.second is not None:
        made["combine"] = material.second.combine
    return made
