"""Datablocks, the materials of OGRE-Next: their values from a script or from JSON.

Source: OGRE-Next `OgreHlmsPbs.cpp`, `OgreHlmsPbsDatablock.cpp`, `OgreHlmsJsonPbs.cpp`, `OgreHlmsJson.cpp`,
`OgreHlmsUnlitDatablock.cpp`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from viewer.arrays import Color, Rgb
from viewer.errors import printable
from viewer.families.ogre.materials.render_pass import BLENDS_BY_FACTORS, CULLS, FILLS, NAMED_BLENDS, SWITCH
from viewer.families.ogre.materials.script import JsonDatablock, ScriptBlock, ScriptLine
from viewer.families.ogre.materials.texture_unit import (
    ADDRESS_MODES,
    ComplainOfLine,
    Fields,
    ScriptWords,
    TextureUnit,
    color,
    finite_number,
    value_numbers,
)
from viewer.scene.material import DETAIL_BLENDS, FACTORS, Detail

WHITE: Rgb = (1.0, 1.0, 1.0)
FRESNEL = 0.818
"""The default colour that a surface reflects straight back in the workflow `specular_ogre`."""
DIELECTRIC = 0.04
"""The default share of light that a surface with metalness 0 reflects straight back in the workflow
`metallic`.
"""
METALLIC, SPECULAR_OGRE, SPECULAR_FRESNEL = "metallic", "specular_ogre", "specular_fresnel"
WORKFLOWS = (SPECULAR_OGRE, SPECULAR_FRESNEL, METALLIC)
DETAILS = 2
"""Number of detail textures that are drawn."""
MOST_DETAILS = 4

KEPT_ALPHA = {
    "less": "less_equal",
    "less_equal": "less",
    "equal": "not_equal",
    "not_equal": "equal",
    "greater": "greater_equal",
    "greater_equal": "greater",
    "always": "always_pass",
    "always_pass": "always_pass",
    "disabled": "always_pass",
}
"""For each function of an alpha test, a comparison of a pixel's alpha with the reference value. This
comparison is true for drawn pixels. The function itself compares the reference value with the alpha, and is
true for discarded pixels.
"""
BLEND_MODES = {
    "normalnonpremul": "normal",
    "normalpremul": "premultiplied",
    "grainextract": "grain extract",
    "grainmerge": "grain merge",
    **{name: name for name in DETAIL_BLENDS},
}


class Datablock(Struct, frozen=True):
    """A datablock. `diffuse`, `specular`, `fresnel` and `emissive` are linear colours; `fresnel` is the
    colour that is reflected straight back; `emissive` is None if it is not given. `background` replaces the
    diffuse texture if there is none.

    `maps` are textures by unit of `scene.material.Material`; `details` belong to the units `detail0` to
    `detail3`. `transparency` is an alpha, `mode` one of none, transparent, fade, refractive. `hidden` names
    what is not drawn.
    """

    type: str = "pbs"
    workflow: str = SPECULAR_OGRE
    maps: dict[str, TextureUnit] = field(default_factory=dict)
    diffuse: Rgb = WHITE
    alpha: float = 1.0
    background: Color = (1.0, 1.0, 1.0, 1.0)
    specular: Rgb = WHITE
    fresnel: Rgb = (FRESNEL, FRESNEL, FRESNEL)
    emissive: Rgb | None = None
    roughness: float = 1.0
    metalness: float | None = None
    normal_strength: float = 1.0
    details: dict[int, Detail] = field(default_factory=dict)
    transparency: float = 1.0
    mode: str = "none"
    texture_alpha: bool = True
    blend: str = "replace"
    alpha_function: str = "always_pass"
    alpha_mask: float = 0.5
    cull: str = "back"
    fill: str = "solid"
    depth_test: bool = True
    depth_write: bool = True
    hidden: tuple[str, ...] = ()
    attributes: dict[str, str] = field(default_factory=dict)

    @property
    def is_metallic(self) -> bool:
        """Whether metalness is used."""
        return self.workflow == METALLIC


def read_datablock(block: ScriptBlock, complain: ComplainOfLine) -> Datablock:
    """Return a datablock from its block. A value that is not valid is ignored, and `complain` is called with
    the reason and its line.
    """
    if block.json is not None:
        made = _from_json(block.json, block.type, lambda why: complain(why, _json_line(block)))
    else:
        made = _from_lines(block, complain)
    named = "metalness" in made.maps or made.metalness is not None
    return replace(made, workflow=METALLIC) if named and made.workflow == SPECULAR_OGRE else made


def _json_line(block: ScriptBlock) -> ScriptLine:
    return ScriptLine("", (), block.position)


def reflectance(index: float) -> float:
    """Return the share of light that a surface with this index of refraction reflects straight back."""
    return ((1 - index) / (1 + index)) ** 2 if index != -1 else 1.0


# Scripts.

SCRIPT_MAPS = {
    "diffuse_map": "diffuse",
    "normal_map": "normal",
    "specular_map": "specular",
    "metalness_map": "metalness",
    "roughness_map": "roughness",
    "emissive_map": "emissive",
    "reflection_map": "environment",
    "detail_weight_map": "detail_weight",
}
IGNORED = (
    "ambient",
    "brdf",
    "receive_shadows",
    "shadow_const_bias",
    "alpha_hash",
    "depth_func",
    "depth_bias",
)
"""Keywords that change nothing in the picture of a single model."""


def _from_lines(block: ScriptBlock, complain: ComplainOfLine) -> Datablock:
    made = Datablock(block.type)
    attributes = {}
    for line in block.lines:
        attributes[line.keyword] = " ".join(line.values)
        try:
            made = _with_line(made, line.keyword, line.values)
        except (ValueError, IndexError, KeyError):
            complain(f"{line.keyword} {' '.join(line.values)} is not valid", line)
    return replace(made, attributes=attributes)


def _with_line(datablock: Datablock, keyword: str, values: ScriptWords) -> Datablock:
    """The datablock with one more attribute of a script. ValueError, IndexError or KeyError if its values are
    not valid.
    """
    if datablock.type == "unlit" and keyword.startswith("diffuse_map"):
        return _with_unlit_map(datablock, keyword.removeprefix("diffuse_map"), values)
    if keyword in SCRIPT_MAPS:
        return _with_map(datablock, SCRIPT_MAPS[keyword], TextureUnit(files=(values[0],)))
    name = keyword.removeprefix("uv_")
    if name != keyword and (name in SCRIPT_MAPS or name.startswith("detail_")):
        unit = SCRIPT_MAPS.get(name) or _detail_unit(name)
        return _with_map(
            datablock, unit, replace(datablock.maps.get(unit, TextureUnit()), uv_set=_uv_set(values[0]))
        )
    if keyword.startswith(("detail_map", "detail_normal_map")):
        return _with_map(datablock, _detail_unit(keyword), TextureUnit(files=(values[0],)))
    if keyword.startswith("detail_blend_mode"):
        number = _detail_number(keyword)
        return _with_detail(datablock, number, {"blend": BLEND_MODES[values[0].lower()]})
    if keyword.startswith("detail_offset_scale"):
        u, v, wide, high = value_numbers(values, 4)
        return _with_detail(datablock, _detail_number(keyword), {"offset": (u, v), "scale": (wide, high)})
    rule = RULES.get(keyword)
    return datablock if rule is None else replace(datablock, **rule(values))


def _detail_number(keyword: str) -> int:
    number = int(keyword[-1])
    if number >= MOST_DETAILS:
        raise ValueError(keyword)
    return number


def _detail_unit(keyword: str) -> str:
    """The unit of a keyword such as `detail_map0` or `detail_normal_map0`."""
    kind = "detail_normal" if keyword.startswith("detail_normal") else "detail"
    return f"{kind}{_detail_number(keyword)}"


def _with_map(datablock: Datablock, unit: str, texture: TextureUnit) -> Datablock:
    """The datablock with one more texture. If the unit has a texture already, the new texture keeps its set
    of texture coordinates.
    """
    known = datablock.maps.get(unit)
    kept = known.uv_set if known is not None and texture.files and not texture.uv_set else texture.uv_set
    return replace(datablock, maps={**datablock.maps, unit: replace(texture, uv_set=kept)})


def _with_detail(datablock: Datablock, number: int, changed: Fields) -> Datablock:
    detail = replace(datablock.details.get(number, Detail()), **changed)
    return replace(datablock, details={**datablock.details, number: detail})


def _with_unlit_map(datablock: Datablock, number: str, values: ScriptWords) -> Datablock:
    """The unlit datablock with one more texture, given as a file, a set of texture coordinates and a blend
    mode in any order. Only the first texture is drawn.
    """
    if int(number or 0) > 0:
        return replace(
            datablock, hidden=_named(datablock.hidden, "more than one texture of an unlit datablock")
        )
    sets = [value for value in values if value.isdigit()]
    files = [value for value in values if not value.isdigit() and value.lower() not in BLEND_MODES]
    texture = TextureUnit(files=(files[0],), uv_set=_uv_set(sets[0]) if sets else 0)
    return replace(datablock, maps={"diffuse": texture})


def _named(hidden: tuple[str, ...], what: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*hidden, what)))


def _uv_set(text: str) -> int:
    return min(max(int(text), 0), 7)


def _diffuse(values: ScriptWords) -> Fields:
    """The fields of `diffuse`, which has the numbers of a colour; without numbers there are no fields."""
    if not values or values[0].lower() in SWITCH:
        return {}
    red, green, blue, alpha = color(values)
    return {"diffuse": (red, green, blue), "alpha": alpha}


def _rgb(values: ScriptWords) -> Rgb:
    """Three numbers, or one for all three."""
    if len(values) < 3:
        grey = finite_number(values[0])
        return grey, grey, grey
    red, green, blue = value_numbers(values, 3)
    return red, green, blue


def _fresnel(values: ScriptWords) -> Fields:
    red, green, blue = map(reflectance, _rgb(values))
    return {"fresnel": (red, green, blue)}


def _alpha_test(values: ScriptWords) -> Fields:
    """The fields of `alpha_test [FUNCTION] [THRESHOLD] [SHADOWS ONLY]` in any order."""
    function, mask = "less", 0.5
    for value in map(str.lower, values):
        if value in KEPT_ALPHA:
            function = value
        elif value in SWITCH:
            if SWITCH[value]:
                return {}
        else:
            mask = finite_number(value)
    return {"alpha_function": KEPT_ALPHA[function], "alpha_mask": mask}


def _scene_blend(values: ScriptWords) -> Fields:
    if len(values) == 1:
        return {"blend": NAMED_BLENDS[values[0].lower()]}
    return {"blend": _factors(values[0], values[1])}


def _factors(source: str, destination: str) -> str:
    pair = [
        each.lower().replace("colour", "color").replace("dest_", "dst_") for each in (source, destination)
    ]
    if not set(pair) <= set(FACTORS):
        raise ValueError(pair)
    return BLENDS_BY_FACTORS.get(" ".join(pair), " ".join(pair))


def _workflow(values: ScriptWords) -> Fields:
    if values[0].lower() not in WORKFLOWS:
        raise ValueError(values)
    return {"workflow": values[0].lower()}


def _switched(name: str) -> Callable[[ScriptWords], Fields]:
    return lambda values: {name: SWITCH[values[0].lower()]}


def _numbered(name: str) -> Callable[[ScriptWords], Fields]:
    return lambda values: {name: finite_number(values[0])}


def _culled(values: ScriptWords) -> Fields:
    return {"cull": CULLS[values[0].lower()]}


RULES: dict[str, Callable[[ScriptWords], Fields]] = {
    "diffuse": _diffuse,
    "background_diffuse": lambda values: {"background": color(values)},
    "specular": lambda values: {"specular": _rgb(values)},
    "emissive": lambda values: {"emissive": _rgb(values)},
    "fresnel": _fresnel,
    "fresnel_coeff": lambda values: {"fresnel": _rgb(values)},
    "roughness": _numbered("roughness"),
    "metalness": _numbered("metalness"),
    "workflow": _workflow,
    "transparency": _numbered("transparency"),
    "transparency_mode": lambda values: {"mode": values[0].lower()},
    "alpha_from_textures": _switched("texture_alpha"),
    "alpha_test": _alpha_test,
    "scene_blend": _scene_blend,
    "separate_scene_blend": lambda values: _scene_blend(values[: max(len(values) // 2, 1)]),
    "cull_mode": _culled,
    "cull_hardware": _culled,
    "two_sided": lambda values: {"cull": "none"} if SWITCH[values[0].lower()] else {},
    "polygon_mode": lambda values: {"fill": FILLS[values[0].lower()]},
    "depth_check": _switched("depth_test"),
    "depth_write": _switched("depth_write"),
    "clearcoat": lambda values: {} if finite_number(values[0]) <= 0 else {"hidden": ("the clear coat",)},
}
"""Functions from an attribute's values to fields of `Datablock`, by keyword. Other keywords are ignored."""


# JSON.

JSON_MAPS = {
    "diffuse": "diffuse",
    "normal": "normal",
    "specular": "specular",
    "roughness": "roughness",
    "emissive": "emissive",
    "reflection": "environment",
    "detail_weight": "detail_weight",
    "metalness": "metalness",
    "metallness": "metalness",
    "fresnel": "specular",
    **{f"detail_diffuse{number}": f"detail{number}" for number in range(MOST_DETAILS)},
    **{f"detail_normal{number}": f"detail_normal{number}" for number in range(MOST_DETAILS)},
    "diffuse_map0": "diffuse",
}
"""The units of textures by key. Some files have the misspelt `metallness`."""
FILTERS = ("nearest", "bilinear", "trilinear", "anisotropic")
Say = Callable[[str], None]


def _from_json(json: JsonDatablock, type: str, say: Say) -> Datablock:
    values = json.values
    made = Datablock(type, maps=_json_maps(json, say))
    for fields in _json_fields(json, type, say):
        made = replace(made, **fields)
    details = {}
    for number in range(MOST_DETAILS):
        entry = _object(values, f"detail_diffuse{number}")
        details[number] = _json_detail(entry, say) if entry else Detail()
    return replace(made, details={n: each for n, each in details.items() if f"detail{n}" in made.maps})


def _json_maps(json: JsonDatablock, say: Say) -> dict[str, TextureUnit]:
    maps: dict[str, TextureUnit] = {}
    for key, unit in JSON_MAPS.items():
        entry = _object(json.values, key)
        named = entry.get("texture")
        file = named[0] if isinstance(named, list) and named else named
        if file is None:
            continue
        if not isinstance(file, str):
            say(f"{key}/texture is no file name")
            continue
        sampler = _object(_object(json.named, "samplers"), entry.get("sampler"))
        maps.setdefault(unit, _sampled(file, entry.get("uv"), sampler))
    return maps


def _sampled(file: str, uv: Any, sampler: Mapping[str, Any]) -> TextureUnit:
    """A texture with its sampler. Without a sampler the texture is repeated."""
    modes = [str(sampler.get(axis, "clamp" if sampler else "wrap")).lower() for axis in "uv"]
    address = [mode if mode in ADDRESS_MODES else "wrap" for mode in modes]
    smooth = [str(sampler.get(which, "linear")).lower() for which in ("min", "mag", "mip")]
    kind = "anisotropic" if "anisotropic" in smooth else "nearest" if smooth[1] == "point" else "trilinear"
    anisotropy: Any = sampler.get("max_anisotropic", 1)
    border: Any = sampler.get("border")
    return TextureUnit(
        files=(file,),
        uv_set=min(max(uv, 0), 7) if isinstance(uv, int) else 0,
        address=(address[0], address[1]),
        filter=kind,
        anisotropy=min(max(int(anisotropy), 1), 16) if _is_number(anisotropy) else 1,
        mipmaps=smooth[2] != "none",
        border=color(tuple(map(str, border))) if _numbers(border, 4) else (0.0, 0.0, 0.0, 1.0),
    )


def _json_detail(entry: Mapping[str, Any], say: Say) -> Detail:
    blend = BLEND_MODES.get(str(entry.get("mode", "NormalNonPremul")).lower())
    if blend is None:
        say(f"blend mode {printable(str(entry.get('mode')))} is unknown")
    weight: Any = entry.get("value")
    offset: Any = entry.get("offset")
    scale: Any = entry.get("scale")
    return Detail(
        blend or "normal",
        float(weight) if _is_number(weight) else 1.0,
        (float(offset[0]), float(offset[1])) if _numbers(offset, 2) else (0.0, 0.0),
        (float(scale[0]), float(scale[1])) if _numbers(scale, 2) else (1.0, 1.0),
    )


def _json_fields(json: JsonDatablock, type: str, say: Say) -> Iterator[Fields]:
    """Yield the fields of a datablock from the entries of its object. An entry with an invalid value yields
    nothing, and `say` is called.
    """
    values = json.values
    readers: Sequence[tuple[str, Callable[[], Fields]]] = (
        ("macroblock", lambda: _macroblock(json)),
        ("blendblock", lambda: _blendblock(json)),
        ("diffuse", lambda: _json_diffuse(values, type)),
        ("specular", lambda: _json_color(values, "specular")),
        ("emissive", lambda: _json_color(values, "emissive")),
        ("fresnel", lambda: _json_fresnel(_object(values, "fresnel"))),
        ("roughness", lambda: _json_number(values, "roughness", "roughness")),
        ("metalness", lambda: _json_number(values, "metalness", "metalness")),
        ("metallness", lambda: _json_number(values, "metallness", "metalness")),
        ("normal", lambda: _json_number(values, "normal", "normal_strength")),
        ("workflow", lambda: _workflow((str(values["workflow"]),)) if "workflow" in values else {}),
        ("transparency", lambda: _json_transparency(_object(values, "transparency"))),
        ("alpha_test", lambda: _alpha_test(_words(values["alpha_test"])) if "alpha_test" in values else {}),
        ("two_sided", lambda: {"cull": "none"} if values.get("two_sided") is True else {}),
    )
    for key, read in readers:
        try:
            yield read()
        except (ValueError, IndexError, KeyError, TypeError):
            say(f"{key} is not valid")
    more = [key for key in values if key.startswith("diffuse_map") and key != "diffuse_map0"]
    if more:
        yield {"hidden": ("more than one texture of an unlit datablock",)}


def _object(values: Mapping[str, Any], key: Any) -> Mapping[str, Any]:
    found = values.get(key) if isinstance(key, str) else None
    return found if isinstance(found, dict) else {}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _numbers(value: Any, count: int) -> bool:
    """Whether a value is a list of at least `count` finite numbers."""
    return isinstance(value, list) and len(value) >= count and all(map(_is_number, value))


def _words(value: Any) -> ScriptWords:
    """The items of a list, or a single value, as words of a script."""
    items = value if isinstance(value, list) else [value]
    return tuple(str(each).lower() if isinstance(each, bool) else str(each) for each in items)


def _words_of(entry: Mapping[str, Any], key: str = "value") -> ScriptWords:
    return _words(entry[key]) if key in entry else ()


def _json_color(values: Mapping[str, Any], key: str) -> Fields:
    given = _words_of(_object(values, key))
    return {key: _rgb(given)} if given else {}


def _json_number(values: Mapping[str, Any], key: str, name: str) -> Fields:
    given = _words_of(_object(values, key))
    return {name: finite_number(given[0])} if given else {}


def _json_diffuse(values: Mapping[str, Any], type: str) -> Fields:
    if type == "unlit" and isinstance(values.get("diffuse"), list):
        return _diffuse(_words(values["diffuse"]))
    entry = _object(values, "diffuse")
    made = _diffuse(_words_of(entry))
    if "background" in entry:
        made["background"] = color(_words(entry["background"]))
    return made


def _json_fresnel(entry: Mapping[str, Any]) -> Fields:
    given = _words_of(entry)
    if not given:
        return {}
    is_index = "ior" in str(entry.get("mode", "coeff")).lower()
    return _fresnel(given) if is_index else {"fresnel": _rgb(given)}


def _json_transparency(entry: Mapping[str, Any]) -> Fields:
    made: Fields = {}
    if "value" in entry:
        made["transparency"] = finite_number(_words_of(entry)[0])
    if "mode" in entry:
        made["mode"] = str(entry["mode"]).lower()
    if isinstance(entry.get("use_alpha_from_textures"), bool):
        made["texture_alpha"] = entry["use_alpha_from_textures"]
    return made


def _referred(json: JsonDatablock, key: str) -> Mapping[str, Any]:
    """The named block that a datablock uses. If the datablock gives a pair of names, the first name counts,
    because the second name is for shadows.
    """
    named = json.values.get(key)
    name = named[0] if isinstance(named, list) and named else named
    return _object(_object(json.named, f"{key}s"), name)


def _macroblock(json: JsonDatablock) -> Fields:
    block, made = _referred(json, "macroblock"), dict[str, Any]()
    if "cull_mode" in block:
        made |= _culled((str(block["cull_mode"]),))
    if "polygon_mode" in block:
        made["fill"] = FILLS[str(block["polygon_mode"]).lower()]
    for key, name in (("depth_check", "depth_test"), ("depth_write", "depth_write")):
        if isinstance(block.get(key), bool):
            made[name] = block[key]
    return made


def _blendblock(json: JsonDatablock) -> Fields:
    block = _referred(json, "blendblock")
    if "src_blend_factor" not in block or "dst_blend_factor" not in block:
        return {}
    return {"blend": _factors(str(block["src_blend_factor"]), str(block["dst_blend_factor"]))}
