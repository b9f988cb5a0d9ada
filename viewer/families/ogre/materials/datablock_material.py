"""Makes materials from datablocks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from viewer.arrays import Rgb
from viewer.errors import Report, Topic
from viewer.families.ogre.materials.datablock import (
    DETAILS,
    DIELECTRIC,
    METALLIC,
    MOST_DETAILS,
    SPECULAR_OGRE,
    Datablock,
)
from viewer.families.ogre.materials.texture_unit import TextureUnit
from viewer.scene.material import Detail, Material, PhysicalSurface

COLORS = ("diffuse", "emissive", "environment", *(f"detail{number}" for number in range(MOST_DETAILS)))
"""Units whose textures are colours (sRGB). The textures of the unit `specular` are colours too."""
ROUGHEST, SMOOTHEST = 1.0, 0.001
BLENDED = {"transparent": "alpha", "fade": "alpha", "refractive": "alpha"}
NumberOf = Callable[..., int]
"""`OgreTextures.number`: returns the number of a file's texture."""


def datablock_material(
    name: str, path: str, datablock: Datablock, number: NumberOf, report: Report
) -> Material:
    """Return the material of a datablock. `number` adds its textures to the model. What is not drawn is
    noted.
    """
    hidden = [*datablock.hidden, *_hidden_maps(datablock)]
    if hidden:
        verb = "is" if len(hidden) == 1 else "are"
        report.note(f"material {name}: {', '.join(hidden)} {verb} not drawn", Topic.UNDRAWN)
    base = datablock.maps.get("diffuse", TextureUnit())
    tested = datablock.alpha_function in ("greater", "greater_equal")
    reference = datablock.alpha_mask if tested else None
    units = {
        unit: number(
            texture.files[0], texture, color=unit in COLORS, alpha=reference if unit == "diffuse" else None
        )
        for unit, texture in _drawn_maps(datablock).items()
    }
    surface = None if datablock.type == "unlit" else _surface(datablock)
    red, green, blue = _diffuse(datablock)
    return Material(
        name,
        path,
        units=units,
        diffuse=(*encoded((red, green, blue)), _alpha(datablock)),
        specular=(*encoded(_reflected(datablock)), _power(datablock)),
        emissive=encoded(_emitted(datablock)),
        blend=BLENDED.get(datablock.mode, datablock.blend),
        alpha_mask=None if datablock.alpha_function == "always_pass" else datablock.alpha_mask,
        alpha_function=datablock.alpha_function,
        cull=datablock.cull,
        fill=datablock.fill,
        unlit=datablock.type == "unlit",
        depth_test=datablock.depth_test,
        depth_write=datablock.depth_write,
        uv_set=base.uv_set,
        opaque_texture=datablock.mode in BLENDED and not datablock.texture_alpha,
        surface=surface,
        parameters=datablock.attributes,
    )


def encoded(color: Rgb) -> Rgb:
    """Encode a linear colour as sRGB, because colours of materials are in sRGB."""
    linear = np.clip(np.nan_to_num(np.array(color, np.float64)), 0, 1e6)
    red, green, blue = np.where(
        linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055
    ).tolist()
    return red, green, blue


def _drawn_maps(datablock: Datablock) -> dict[str, TextureUnit]:
    return {
        unit: texture
        for unit, texture in datablock.maps.items()
        if texture.files and not _why_hidden(datablock, unit)
    }


def _hidden_maps(datablock: Datablock) -> list[str]:
    """Texts about the textures that are not drawn."""
    hidden = []
    for unit, texture in datablock.maps.items():
        why = _why_hidden(datablock, unit) if texture.files else ""
        if why:
            hidden.append(f"{why} ({texture.files[0]})")
    return hidden


def _why_hidden(datablock: Datablock, unit: str) -> str:
    """The name of a texture that is not drawn; empty for a drawn texture."""
    texture, base = datablock.maps[unit], datablock.maps.get("diffuse", TextureUnit())
    if unit == "environment":
        return "the reflection map"
    if unit.startswith("detail_normal"):
        return f"detail normal map {unit[-1]}"
    if unit.startswith("detail") and unit[-1].isdigit() and int(unit[-1]) >= DETAILS:
        return f"detail map {unit[-1]}"
    if unit == "specular" and datablock.is_metallic and "metalness" in datablock.maps:
        return "the specular map, because the material has a metalness map"
    if texture.uv_set != base.uv_set:
        return f"the {unit} map, which uses UV set {texture.uv_set}"
    return ""


def _surface(datablock: Datablock) -> PhysicalSurface:
    metalness = datablock.metalness if datablock.metalness is not None else 1.0
    return PhysicalSurface(
        min(max(datablock.roughness, SMOOTHEST), ROUGHEST),
        min(max(metalness, 0.0), 1.0) if datablock.is_metallic else 0.0,
        datablock.normal_strength,
        tuple(datablock.details.get(number, Detail()) for number in range(DETAILS))
        if any(f"detail{number}" in datablock.maps for number in range(DETAILS))
        else (),
    )


def _diffuse(datablock: Datablock) -> Rgb:
    """The linear base colour. Values above 1, which some programs use as brightness, are divided by the
    largest. Black is replaced by white if there is a texture: a game whose datablock is black sets the colour
    itself.
    """
    red, green, blue = datablock.diffuse
    if "diffuse" not in datablock.maps and datablock.type != "unlit":
        tint = datablock.background
        red, green, blue = red * tint[0], green * tint[1], blue * tint[2]
    largest = max(red, green, blue)
    if "diffuse" in datablock.maps and largest <= 0:
        return 1.0, 1.0, 1.0
    divisor = max(1.0, largest)
    return red / divisor, green / divisor, blue / divisor


def _alpha(datablock: Datablock) -> float:
    alpha = datablock.alpha if datablock.type == "unlit" else 1.0
    return alpha * min(max(datablock.transparency, 0.0), 1.0) if datablock.mode in BLENDED else alpha


def _reflected(datablock: Datablock) -> Rgb:
    """The linear colour that is reflected straight back without metalness."""
    if datablock.type == "unlit":
        return 0.0, 0.0, 0.0
    if datablock.workflow == METALLIC:
        return DIELECTRIC, DIELECTRIC, DIELECTRIC
    if datablock.workflow == SPECULAR_OGRE:
        red, green, blue = (
            tint * back for tint, back in zip(datablock.specular, datablock.fresnel, strict=True)
        )
        return red, green, blue
    return datablock.fresnel


def _emitted(datablock: Datablock) -> Rgb:
    """The linear colour of emitted light. An emissive texture without a colour is shown as it is."""
    if datablock.emissive is not None:
        return datablock.emissive
    return (1.0, 1.0, 1.0) if "emissive" in datablock.maps else (0.0, 0.0, 0.0)


def _power(datablock: Datablock) -> float:
    """The specular power that gives a highlight as wide as the roughness does."""
    rough = min(max(datablock.roughness, SMOOTHEST), ROUGHEST)
    return float(min(max(2 / rough**4 - 2, 1.0), 1e4))
