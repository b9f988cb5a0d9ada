"""The constants that Python and the shaders share.

The composer defines each constant in the shaders that use it. The value of a constant is defined in the
Python module that writes the data; the table here gives the value a name in GLSL.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from viewer.animation.effects import particle_motion
from viewer.animation.effects.random_hash import FIRST_FACTOR, GOLDEN, PART_BITS, SECOND_FACTOR, RandomDraw
from viewer.animation.effects.ribbon import RIBBON_TEXELS
from viewer.gpu.table import TEXELS_PER_ROW
from viewer.render.effects import emitter_buffers as emitter_constants
from viewer.render.effects.carried_resources import CARRIED_TEXELS
from viewer.render.mesh import lights, material_block
from viewer.render.mesh.deform import BONE_TEXELS
from viewer.render.overlays.grid import CORNERS
from viewer.render.overlays.segments import ACCENT, GROUP_COLOR
from viewer.scene import texture_images, vertex_distances
from viewer.scene.environment_map import (
    LEAST_SIDE,
    MAP_SIZE,
    SIDES,
    SPREAD,
    TABLE_PLACE,
    TABLE_SIDE,
    TEXEL_ANGLE,
)
from viewer.scene.material import COMBINES, DETAIL_BLENDS


def _glsl_name(flag: str) -> str:
    return flag.upper().replace(" ", "_")


def _vec3(color: Sequence[float]) -> str:
    return f"vec3({', '.join(map(repr, color[:3]))})"


def _tables() -> dict[str, str]:
    names = ("BIRTH_TEXELS", "FRAME_TEXELS", "SPLINE_TEXELS")
    sizes = {name: getattr(emitter_constants, name) for name in names}
    sizes |= {"CARRIED_TEXELS": CARRIED_TEXELS, "RIBBON_TEXELS": RIBBON_TEXELS, "BONE_TEXELS": BONE_TEXELS}
    sizes |= {"TABLE_WIDTH": TEXELS_PER_ROW, "TABLE_SHIFT": TEXELS_PER_ROW.bit_length() - 1}
    return {name: str(size) for name, size in sizes.items()}


def _random() -> dict[str, str]:
    draws = {f"{draw.name}_DRAW": str(int(draw)) for draw in RandomDraw if draw is not RandomDraw.RATE}
    words = {"HASH_FIRST": FIRST_FACTOR, "HASH_SECOND": SECOND_FACTOR, "HASH_GOLDEN": GOLDEN}
    words["HALF_WORD"] = emitter_constants.HALF_WORD
    parts = {"PART_SHIFT": str(32 - PART_BITS), "PART_STEPS": repr(float(1 << PART_BITS))}
    return {**draws, **parts, **{name: f"{word}u" for name, word in words.items()}}


def _materials() -> dict[str, str]:
    own = (
        "VERTEX_COLOR",
        "UNLIT",
        "PACKED_NORMAL",
        "BLENDED",
        "OPAQUE_MAP",
        "SPHERE",
        "SECOND_SPHERE",
        "CUBE",
        "MASKED",
        "GLOSS",
        "PHYSICAL",
        "DETAIL_BLEND_BITS",
    )
    bits = {name: getattr(material_block, name) for name in own}
    maps = material_block.MAPS | material_block.PHYSICAL_MAPS
    bits |= {f"{unit.upper()}_MAP": bit for unit, bit in maps.items()}
    bits |= {f"DETAIL_{_glsl_name(name)}": number for number, name in enumerate(DETAIL_BLENDS)}
    for axis, name in enumerate("UV"):
        bits |= {f"MIRROR_{name}": material_block.MIRROR[axis], f"BORDER_{name}": material_block.BORDER[axis]}
    bits |= {name: getattr(material_block, name) for name in ("ALPHA_BELOW", "ALPHA_EQUAL", "ALPHA_ABOVE")}
    bits |= {f"COMBINE_{name.upper()}": number for number, name in enumerate(COMBINES)}
    bits |= {f"SHADING_{shading.name}": number for shading, number in material_block.SHADINGS.items()}
    return {name: str(bit) for name, bit in bits.items()} | {"SAME_ALPHA": repr(material_block.SAME_ALPHA)}


def _emitters() -> dict[str, str]:
    bits = {_glsl_name(flag): bit for flag, bit in emitter_constants.BITS.items()}
    bits |= {
        name: getattr(emitter_constants, name) for name in ("SPINS_BY_LIFE", "BIRTHS_LOOP", "FRAMES_LOOP")
    }
    bits["KIND_SPHERE"] = emitter_constants.KINDS["sphere"]
    limits = {
        "NO_SOURCE": repr(particle_motion.NO_SOURCE),
        "MOST_EXPONENT": repr(particle_motion.MOST_EXPONENT),
    }
    return {name: str(bit) for name, bit in bits.items()} | limits


def _distances() -> dict[str, str]:
    first, second = map(_vec3, vertex_distances.UNMATCHED)
    return {
        "DISTANCE_COLORS": str(len(vertex_distances.DISTANCE_COLORS)),
        "DISTANCE_RAMP": ", ".join(map(_vec3, vertex_distances.DISTANCE_COLORS)),
        "UNMOVED_COLOR": _vec3(vertex_distances.UNMOVED),
        "UNMATCHED_FIRST": first,
        "UNMATCHED_SECOND": second,
        "STRIPE_PIXELS": repr(float(vertex_distances.STRIPE)),
    }


def _lights() -> dict[str, str]:
    """The GLSL constants of the studio's lamps, and the numbers of the kinds of light. The kind STUDIO has no
    number, because it is the default.

    GLSL multiplies colour and strength, because Python would round the product differently.
    """
    kinds = {f"LIGHT_{kind.name}": str(int(kind)) for kind in lights.Illumination if kind}
    lamps = {"KEY": lights.KEY, "FILL": lights.FILL, "RIM": lights.RIM}
    around = {"SKY": lights.SKY, "GROUND": lights.GROUND}
    colors = {f"STUDIO_{name}": _lamp_color(lamp) for name, lamp in {**lamps, **around}.items()}
    directions = {f"STUDIO_{name}_FROM": _vec3(lamp.direction) for name, lamp in lamps.items()}
    tones = {f"TONE_{tone.name}": str(number) for tone, number in material_block.TONES.items() if number}
    return {**kinds, **colors, **directions, **tones, "MOST_LIGHTS": str(lights.MOST_LIGHTS)}


def _environment() -> dict[str, str]:
    """The size of the map of an environment, and the places of its levels and its table."""
    sizes = {
        "SIDE": SIDES[0],
        "LEAST_SIDE": LEAST_SIDE,
        "WIDTH": MAP_SIZE[0],
        "HEIGHT": MAP_SIZE[1],
        "SPREAD": SPREAD,
    }
    sizes |= {"TABLE_SIDE": TABLE_SIDE, "TABLE_LEFT": TABLE_PLACE[0], "TABLE_TOP": TABLE_PLACE[1]}
    found = {f"ENVIRONMENT_{name}": repr(float(size)) for name, size in sizes.items()}
    return found | {"ENVIRONMENT_COUNT": str(len(SIDES)), "ENVIRONMENT_TEXEL": repr(TEXEL_ANGLE)}


def _lamp_color(lamp: lights.Lamp) -> str:
    return f"{_vec3(lamp.color)} * {lamp.strength!r}"


SHADER_CONSTANTS: Mapping[str, str] = {
    **_tables(),
    **_random(),
    **_materials(),
    **_emitters(),
    **_distances(),
    **_lights(),
    **_environment(),
    "GRID_CORNERS": str(CORNERS),
    "ACCENT": _vec3(ACCENT),
    "GROUP": _vec3(GROUP_COLOR),
    "CHECKER_SQUARE": repr(float(texture_images.SQUARE)),
    "CHECKER_DARK": f"{float(texture_images.DARK)} / 255.0",
    "CHECKER_BRIGHT": f"{float(texture_images.BRIGHT)} / 255.0",
}
"""GLSL expression of each constant, by its name in GLSL."""
