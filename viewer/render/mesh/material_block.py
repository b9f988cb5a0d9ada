"""The uniform blocks of `frame.glsl` and `material.glsl` in std140 layout."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.render.mesh.lights import MOST_LIGHTS, FrameLights
from viewer.scene.choices import Shading, Tone
from viewer.scene.material import (
    ALPHA_FUNCTIONS,
    COMBINES,
    DETAIL_BLENDS,
    Appearance,
    Material,
    PhysicalSurface,
    Texture,
)

FRAME = np.dtype(
    [
        ("view", "f4", (4, 4)),
        ("projection", "f4", (4, 4)),
        ("eye_to_world", "f4", (4, 4)),
        ("shading", "i4"),
        ("chosen_bone", "i4"),
        ("bone_count", "i4"),
        ("handedness", "f4"),
        ("light_count", "i4"),
        ("light_kind", "i4"),
        ("tone", "i4"),
        ("exposure", "f4"),
        ("sky", "f4", 4),
        ("ground", "f4", 4),
        ("light_positions", "f4", (MOST_LIGHTS, 4)),
        ("light_diffuse", "f4", (MOST_LIGHTS, 4)),
        ("light_ambient", "f4", (MOST_LIGHTS, 4)),
    ]
)
MATERIAL = np.dtype(
    [
        ("diffuse", "f4", 4),
        ("specular", "f4", 4),
        ("emissive", "f4", 4),
        ("u_offset", "f4", 4),
        ("v_offset", "f4", 4),
        ("second_u", "f4", 4),
        ("second_v", "f4", 4),
        ("border", "f4", 4),
        ("physical", "f4", 4),
        ("detail_scales", "f4", (2, 4)),
        ("detail_weights", "f4", 4),
        ("features", "i4"),
        ("alpha_passes", "i4"),
        ("combine", "i4"),
        ("detail_blends", "i4"),
    ]
)

SHADINGS = {shading: number for number, shading in enumerate(Shading)}
"""The value of `SHADING_*` in the shaders: the order of the enumeration."""

TONES = {tone: number for number, tone in enumerate(Tone)}
"""The value of `TONE_*` in the shaders: the order of the enumeration."""

MAPS = {"diffuse": 1, "specular": 2, "emissive": 4, "second": 16384}
VERTEX_COLOR, UNLIT, PACKED_NORMAL, BLENDED = 8, 16, 32, 1024
OPAQUE_MAP, SPHERE, SECOND_SPHERE = 2048, 4096, 8192
MASKED, GLOSS = 32768, 65536
PHYSICAL = 1 << 17
PHYSICAL_MAPS = {
    "roughness": 1 << 18,
    "metalness": 1 << 19,
    "detail0": 1 << 20,
    "detail1": 1 << 21,
    "detail_weight": 1 << 22,
}
"""The bits of the textures that only materials with a `surface` have."""
DETAIL_BLEND_BITS = 4
"""Number of bits for the operation of each detail texture in `detail_blends`."""
CUBE = 1 << 23
"""The diffuse texture has the faces of a cube map."""
MIRROR, BORDER = (64, 128), (256, 512)
NO_MASK = -1.0
ALPHA_BELOW, ALPHA_EQUAL, ALPHA_ABOVE = 1, 2, 4
"""The bits of a number of `scene.material.ALPHA_FUNCTIONS`: a pixel passes if its alpha is below, equal to or
above the mask value.
"""
ALL_PASS = ALPHA_BELOW | ALPHA_EQUAL | ALPHA_ABOVE
SAME_ALPHA = 0.25 / 255
"""Alpha values that differ by less than this count as equal: a quarter of a step of 8 bits."""

BRIGHTEST = 1e6
"""Largest colour component that is used from a file: its linear value still fits into f32."""

CLAY = Material("clay", diffuse=(0.79, 0.77, 0.75, 1.0), specular=(0.22, 0.22, 0.22, 24.0), cull="none")
"""Material of a geometry without a material; two-sided, because the intended side is unknown."""


def to_linear(color: Array) -> Array:
    """Convert sRGB 0..1 [..., 3] to linear colours. Values above 1 follow the curve up to `BRIGHTEST`."""
    kept = np.clip(np.nan_to_num(np.asarray(color, np.float64)), 0, BRIGHTEST)
    return np.where(kept <= 0.04045, kept / 12.92, ((kept + 0.055) / 1.055) ** 2.4)


def frame_block(
    view: Array,
    projection: Array,
    to_world: Array,
    shading: Shading,
    bone: int | None,
    bones: int,
    lights: FrameLights,
    tone: Tone = Tone.NONE,
    exposure: float = 0.0,
) -> Array:
    """Make the `Frame` block, [1] of `FRAME`. `exposure` is in stops.

    `view`, `projection` and `to_world` are [4, 4] for column vectors, with eye space as in OpenGL.
    `bone` is the bone whose weights are shown.
    """
    block = np.zeros(1, FRAME)
    block["view"], block["projection"] = view.T, projection.T
    block["eye_to_world"][0, :3, :3] = (to_world[:3, :3] @ np.linalg.inv(view[:3, :3])).T
    mirrored = np.linalg.det(to_world[:3, :3]) < 0
    numbers = (SHADINGS[shading], -1 if bone is None else bone, bones, 1.0 if mirrored else -1.0)
    for name, number in zip(("shading", "chosen_bone", "bone_count", "handedness"), numbers, strict=True):
        block[name] = number
    block["light_kind"] = lights.kind
    block["light_count"] = count = len(lights.rows)
    block["tone"], block["exposure"] = TONES[tone], 2.0**exposure
    block["sky"][0, :3], block["ground"][0, :3] = lights.sky, lights.ground
    for name, part in (
        ("light_positions", "position"),
        ("light_diffuse", "diffuse"),
        ("light_ambient", "ambient"),
    ):
        block[name][0, :count] = lights.rows[part]
    return block


def material_block(material: Material, textures: dict[str, Texture], lightless: bool) -> Array:
    """Make the block of a material, [1] of `MATERIAL`.

    `textures` are the bound textures by unit. `lightless` is True for lines and points, which are drawn
    without lighting because they have no sides.
    """
    block = np.zeros(1, MATERIAL)
    for name, (*color, last) in (
        ("diffuse", material.diffuse),
        ("specular", material.specular),
        ("emissive", (*material.emissive, NO_MASK if material.alpha_mask is None else material.alpha_mask)),
    ):
        block[name] = (*to_linear(np.array(color)), *_sent((last,)))
    masked = material.alpha_mask is not None
    block["alpha_passes"] = ALPHA_FUNCTIONS.index(material.alpha_function) if masked else ALL_PASS
    block["u_offset"], block["v_offset"] = _sent(material.u_offset), _sent(material.v_offset)
    if material.second is not None:
        block["second_u"], block["second_v"] = (
            _sent(material.second.u_offset),
            _sent(material.second.v_offset),
        )
        block["combine"] = COMBINES.index(material.second.combine)
    if material.surface is not None:
        _fill_surface(block, material.surface)
    diffuse = textures.get("diffuse")
    if diffuse is not None:
        block["border"] = (*to_linear(np.array(diffuse.border[:3])), *_sent(diffuse.border[3:]))
    block["features"] = features(material, textures, lightless)
    return block


def _fill_surface(block: Array, surface: PhysicalSurface) -> None:
    block["physical"] = _sent((surface.roughness, surface.metalness, surface.normal_strength, 0.0))
    for number, detail in enumerate(surface.details):
        block["detail_scales"][0, number] = _sent((*detail.scale, *detail.offset))
        block["detail_weights"][0, number] = _sent((detail.weight,))[0]
        block["detail_blends"] |= DETAIL_BLENDS.index(detail.blend) << DETAIL_BLEND_BITS * number


def moving_block(appearance: Appearance) -> tuple[Array, Array]:
    """Return the values of the animated fields of `MATERIAL`: the field `diffuse` as [4], and the four fields
    that begin with `u_offset` as rows [4, 4].
    """
    color = np.append(to_linear(np.array(appearance.diffuse[:3])), _sent(appearance.diffuse[3:]))
    return color.astype(np.float32), _sent(appearance[1:])


def _sent(numbers: Sequence[float] | Sequence[Sequence[float]]) -> Array:
    """Convert numbers of a file to f32. NaN becomes 0; large numbers are limited to the budget."""
    kept = np.nan_to_num(np.array(numbers, np.float64))
    return np.asarray(np.clip(kept, -BUDGET.material_number, BUDGET.material_number), np.float32)


def features(material: Material, textures: dict[str, Texture], lightless: bool) -> int:
    """Return the feature bits of a material; see `material_block` for the parameters."""
    bits = sum(bit for unit, bit in MAPS.items() if unit in textures)
    if material.surface is not None:
        bits |= PHYSICAL | sum(bit for unit, bit in PHYSICAL_MAPS.items() if unit in textures)
    bits |= VERTEX_COLOR * material.vertex_color
    bits |= UNLIT * (material.unlit or lightless)
    bits |= PACKED_NORMAL * material.packed_normal
    bits |= BLENDED * (material.blend != "replace" or material.motion is not None)
    bits |= OPAQUE_MAP * material.opaque_texture | SPHERE * material.sphere
    bits |= SECOND_SPHERE * (material.second is not None and material.second.sphere)
    bits |= MASKED * (material.alpha_mask is not None) | GLOSS * any(material.specular[:3])
    if "diffuse" in textures:
        bits |= CUBE * bool(material.cube)
        for axis, mode in enumerate(textures["diffuse"].address):
            bits |= MIRROR[axis] * (mode == "mirror") | BORDER[axis] * (mode == "border")
    return bits
