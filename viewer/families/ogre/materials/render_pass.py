"""Read `pass` blocks, choose the technique of a material, and merge its passes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from itertools import chain

from msgspec import Struct, field
from msgspec.structs import replace

from viewer.arrays import Color, Rgb
from viewer.families.ogre.materials.script import ScriptBlock, ScriptLine
from viewer.families.ogre.materials.texture_unit import (
    ComplainOfLine,
    Fields,
    ScriptWords,
    TextureUnit,
    color,
    finite_number,
    read_unit,
    value_numbers,
)
from viewer.scene.material import ADDED, ALPHA_FUNCTIONS, FACTORS, tint_of
from viewer.storage.image import PICTURES

NAMED_BLENDS = {
    "alpha_blend": "alpha",
    "add": "add",
    "modulate": "multiply",
    "colour_blend": "src_color one_minus_src_color",
    "replace": "replace",
}
BLENDS_BY_FACTORS = {
    "one zero": "replace",
    "src_alpha one_minus_src_alpha": "alpha",
    "one one": "add",
    "src_alpha one": "addalpha",
    "dst_color zero": "multiply",
    "zero src_color": "multiply",
    "one one_minus_src_alpha": "premulalpha",
}
"""Blends by source and destination factor."""

CULLS = {"clockwise": "back", "anticlockwise": "front", "none": "none"}
"""The culled side, by the winding of the triangles that a script culls. The winding of front faces is
counter-clockwise, so `clockwise` culls back faces.
"""

PROGRAM = "fragment_program_ref"
"""The attribute that names the fragment shader of a pass."""
FILLS = {"solid": "solid", "wireframe": "wireframe", "points": "point"}
SWITCH = {"on": True, "off": False, "true": True, "false": False, "yes": True, "no": False}


class Pass(Struct, frozen=True):
    """A render pass, in the terms of `scene.material.Material`. `ambient` is the colour under ambient light.
    A pass without `color_write` only fills the depth buffer.

    `maps` are texture files by role: the pass names these files for OGRE's shader generator, outside of
    texture units. `attributes` are the pass's words in the script by keyword, and the names of its programs.
    `program_colors` are the colours that the script gives to the fragment program, by name.
    """

    ambient: Color = (1.0, 1.0, 1.0, 1.0)
    diffuse: Color = (1.0, 1.0, 1.0, 1.0)
    specular: Color = (0.0, 0.0, 0.0, 1.0)
    emissive: tuple[float, float, float] = (0.0, 0.0, 0.0)
    vertex_color: bool = False
    blend: str = "replace"
    alpha_function: str = "always_pass"
    alpha_mask: float = 0.0
    cull: str = "back"
    fill: str = "solid"
    lighting: bool = True
    depth_test: bool = True
    depth_write: bool = True
    color_write: bool = True
    units: tuple[TextureUnit, ...] = ()
    maps: dict[str, str] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    program_colors: dict[str, Rgb] = field(default_factory=dict)

    @property
    def base(self) -> TextureUnit | None:
        """The unit of the base colour: the first image with the role `diffuse`, else the first image except
        normal maps and ramps of light. A cube map that is the only texture is the base of a sky box.
        """
        images = [unit for unit in self.units if unit.is_image and unit.role not in ("normal", "ramp")]
        sky = [unit for unit in self.units if unit.cubic and not unit.environment and len(self.units) == 1]
        return next((unit for unit in images if unit.role == "diffuse"), next(iter(images + sky), None))

    @property
    def color(self) -> Color:
        """The base colour, which multiplies the base texture. Without a base texture and a diffuse colour of
        the pass, it is the colour that the fragment program gets as diffuse, else as ambient colour, else the
        ambient colour of the pass.
        """
        if self.base is not None or "diffuse" in self.attributes or PROGRAM not in self.attributes:
            color = self.diffuse if self.lighting else (1.0, 1.0, 1.0, 1.0)
            tint = tint_of(self.program_colors) if self.blend in ADDED and not any(color[:3]) else None
            return color if tint is None else (*tint, color[3])
        named = [
            value
            for word in ("diffuse", "ambient")
            for name, value in self.program_colors.items()
            if word in name.lower()
        ]
        red, green, blue = named[0] if named else self.ambient[:3]
        return red, green, blue, self.diffuse[3]

    @property
    def has_diffuse_map(self) -> bool:
        """Whether the base colour comes from an image with the role `diffuse`."""
        return self.base is not None and self.base.role == "diffuse"

    @property
    def is_black(self) -> bool:
        """Whether the surface stays black under directional lights."""
        return self.lighting and not self.vertex_color and not any(self.diffuse[:3])


def drawn_passes(material: ScriptBlock, complain: ComplainOfLine) -> list[Pass]:
    """Choose a technique, and return its passes in the order of drawing. The technique is the first with a
    diffuse map, else the first with a base texture, else the first with passes. All passes of the technique
    are merged into the first pass. A pass stays separate if it draws the pixels that the alpha test of the
    first pass rejects.
    """
    aliases = {
        line.values[0]: line.values[1]
        for line in material.lines
        if line.keyword == "set_texture_alias" and len(line.values) > 1
    }
    techniques = [
        [read_pass(block, aliases, complain) for block in technique.inner("pass")]
        for technique in material.inner("technique")
    ]
    mapped = (passes for passes in techniques if any(each.has_diffuse_map for each in passes))
    based = (passes for passes in techniques if any(each.base for each in passes))
    passes = next(chain(mapped, based, filter(None, techniques)), [Pass()])
    if material.lacks_parent and not any(each.base for each in passes):
        passes = [replace(passes[0], units=passes[0].units + _named_units(material, aliases)), *passes[1:]]
    fills = [each for each in passes[1:] if _fills_in(passes[0], each)]
    return [merged_pass([each for each in passes if each not in fills]), *fills]


def _named_units(material: ScriptBlock, aliases: Mapping[str, str]) -> tuple[TextureUnit, ...]:
    """Return texture units in place of the units of a material's missing parent: a unit for each texture file
    to which the aliases and variables of the material refer. A diffuse map comes first.
    """
    named = dict(aliases)
    for name, value in material.variables.items():
        if os.path.splitext(value)[1].lower() in PICTURES:
            named.setdefault(name, value)
    units = [TextureUnit(name, name, (file,)) for name, file in named.items()]
    return tuple(sorted(units, key=lambda unit: "diffuse" not in unit.name.lower()))


def _fills_in(first: Pass, later: Pass) -> bool:
    """Whether a later pass blends the picture of the first pass where the alpha test of the first pass
    rejects pixels.
    """
    if later.base is None or first.base is None or later.base.files != first.base.files:
        return False
    tested = first.alpha_function in ("greater", "greater_equal")
    return tested and later.blend == "alpha" and later.alpha_function in ("less", "less_equal", "always_pass")


def merged_pass(passes: Sequence[Pass]) -> Pass:
    """Merge several passes into one with the same look.

    The first pass gives the state, the pass with the diffuse map gives the textures, and the first lit pass
    that is not black gives the light. The reason: such passes draw ambient light first, then add each light,
    and at last multiply the sum by a decal. Other passes add their normal, specular and emissive maps.
    """
    drawn = [each for each in passes if each.color_write] or passes
    first = drawn[0]
    based = [each for each in drawn if each.base]
    textured = next((each for each in based if each.has_diffuse_map), next(iter(based), first))
    maps = {role: file for each in reversed(drawn) for role, file in each.maps.items()}
    others = (unit for each in drawn if each is not textured for unit in each.units)
    units = textured.units + tuple(unit for unit in others if unit.is_image and unit.role != "diffuse")
    shaded = next((each for each in drawn if PROGRAM in each.attributes), first)
    programs = {key: shaded.attributes[key] for key in (PROGRAM,) if key in shaded.attributes}
    attributes = {**first.attributes, **programs}
    whole = replace(
        first, units=units, maps=maps, attributes=attributes, program_colors=shaded.program_colors
    )
    before = drawn[: drawn.index(textured) + 1]
    if textured is not first:
        whole = replace(whole, lighting=any(each.lighting for each in before))
    if not whole.is_black:
        return whole
    light = next((each for each in drawn if each.lighting and not each.is_black), None)
    if light is not None:
        return replace(whole, diffuse=light.diffuse, specular=light.specular, vertex_color=light.vertex_color)
    red, green, blue = first.ambient[:3]
    return whole if any(first.emissive) else replace(whole, diffuse=(red, green, blue, whole.diffuse[3]))


def read_pass(block: ScriptBlock, aliases: dict[str, str], complain: ComplainOfLine) -> Pass:
    """Read a `pass` block; see `read_unit` for `aliases` and `complain`."""
    state = Pass()
    for line in block.lines:
        rule = RULES.get(line.keyword)
        try:
            state = replace(state, **rule(line.values)) if rule else state
        except (ValueError, IndexError, KeyError):
            complain(f"{line.keyword} {' '.join(line.values)} is not valid", line)
    units = tuple(read_unit(unit, aliases, complain) for unit in block.inner("texture_unit"))
    maps: dict[str, str] = {}
    for system in (*block.inner("rtshader_system"), block):
        for line in system.lines:
            maps |= _stage_map(line.keyword, line.values)
    attributes = {line.keyword: " ".join(line.values) for line in block.lines}
    attributes |= {inner.kind: inner.name for inner in block.blocks if inner.kind.endswith("_program_ref")}
    parameters = (line for program in block.inner(PROGRAM) for line in program.lines)
    colors = {line.values[0]: color for line in parameters if (color := _parameter_color(line)) is not None}
    return replace(state, units=units, maps=maps, attributes=attributes, program_colors=colors)


def _parameter_color(line: ScriptLine) -> Rgb | None:
    """The colour of `param_named NAME float4 RED GREEN BLUE ALPHA`, or of `float3` without alpha."""
    if line.keyword != "param_named" or line.values[1:2] not in (("float3",), ("float4",)):
        return None
    try:
        red, green, blue = value_numbers(line.values[2:], 3)
    except (ValueError, IndexError):
        return None
    return red, green, blue


def _stage_map(keyword: str, values: ScriptWords) -> dict[str, str]:
    """The texture file of a stage by role, from `[lighting_stage] normal_map FILE` or `lighting_stage
    metal_roughness texture FILE`.
    """
    if keyword == "lighting_stage" and values:
        keyword, values = values[0].lower(), values[1:]
    if keyword == "normal_map" and values:
        return {"normal": values[0]}
    if keyword == "metal_roughness" and len(values) > 1 and values[0].lower() == "texture":
        return {"metal_roughness": values[1]}
    return {}


def _diffuse(values: ScriptWords) -> Fields:
    if values[0].lower() == "vertexcolour":
        return {"vertex_color": True}
    return {"diffuse": color(values), "vertex_color": False}


def _specular(values: ScriptWords) -> Fields:
    """Read the values of `specular`: a colour of three or four numbers, then the shininess. If the shininess
    is 0, the specular colour is black.
    """
    if values[0].lower() == "vertexcolour":
        return {}
    given = value_numbers(values, 5 if len(values) > 4 else 4)
    power = max(given[-1], 0.0)
    return {"specular": (*(given[:3] if power else (0.0, 0.0, 0.0)), max(power, 1.0))}


def _emissive(values: ScriptWords) -> Fields:
    return {} if values[0].lower() == "vertexcolour" else {"emissive": value_numbers(values, 3)}


def _blend(values: ScriptWords) -> Fields:
    if len(values) == 1:
        return {"blend": NAMED_BLENDS[values[0].lower()]}
    factors = [
        value.lower().replace("colour", "color").replace("dest_", "dst_") for value in (values[0], values[1])
    ]
    if not set(factors) <= set(FACTORS):
        raise ValueError(values)
    pair = " ".join(factors)
    return {"blend": BLENDS_BY_FACTORS.get(pair, pair)}


def _alpha_rejection(values: ScriptWords) -> Fields:
    function = values[0].lower()
    if function not in ALPHA_FUNCTIONS:
        raise ValueError(values)
    value = finite_number(values[1]) if len(values) > 1 else 0.0
    return {"alpha_function": function, "alpha_mask": min(max(value / 255, 0.0), 1.0)}


def _ambient(values: ScriptWords) -> Fields:
    return {} if values[0].lower() == "vertexcolour" else {"ambient": color(values)}


RULES: dict[str, Callable[[ScriptWords], Fields]] = {
    "ambient": _ambient,
    "diffuse": _diffuse,
    "specular": _specular,
    "emissive": _emissive,
    "self_illumination": _emissive,
    "scene_blend": _blend,
    "separate_scene_blend": lambda values: _blend(values[: len(values) // 2]),
    "alpha_rejection": _alpha_rejection,
    "cull_hardware": lambda values: {"cull": CULLS[values[0].lower()]},
    "polygon_mode": lambda values: {"fill": FILLS[values[0].lower()]},
    "lighting": lambda values: {"lighting": SWITCH[values[0].lower()]},
    "depth_check": lambda values: {"depth_test": SWITCH[values[0].lower()]},
    "depth_write": lambda values: {"depth_write": SWITCH[values[0].lower()]},
    "colour_write": lambda values: {"color_write": any(SWITCH[value.lower()] for value in values)},
}
"""Functions from an attribute's values to fields of `Pass`, by keyword."""
