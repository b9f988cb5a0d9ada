"""Read `texture_unit` blocks as texture settings. Unknown attributes are ignored."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from viewer.arrays import Color
from viewer.families.ogre.materials.script import ScriptBlock, ScriptLine
from viewer.families.ogre.materials.texture_transform import TARGETS, WAVES, TextureTransform, Wave

ScriptWords = tuple[str, ...]
Fields = dict[str, Any]
ComplainOfLine = Callable[[str, ScriptLine], None]

ROLES = {
    "normal": re.compile(
        r"(?i:normal|bump(?!er)|(?:^|[_ .-])(?:n|nm|nrm|nor|norm|ddn)$)|(?<=[a-z0-9])(?:NM|NRM|Nm|Nrm)$"
    ),
    "specular": re.compile(r"specular|gloss|(?:^|[_ .-])(?:spec|s)$", re.I),
    "emissive": re.compile(r"emissive|selfillum|glow|(?:^|[_ .-])illum$", re.I),
}
"""Patterns of the roles of units, searched in a unit's name, then its alias, then its file name."""

WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
RAMP_WORDS = frozenset(("toon", "ramp", "shade", "shades", "cel"))
"""Words in the name, alias or file name of a unit whose texture is a ramp of light."""

PLACEHOLDER = re.compile(r"<[^<>]*>")
"""Matches a texture name that a parent material leaves to the texture aliases of its children."""

FACES = ("fr", "bk", "lf", "rt", "up", "dn")
"""Endings of the face files of a cube map, in the order in which a `cubic_texture` lists six files."""

ADDRESS_MODES = ("wrap", "mirror", "clamp", "border")
STILL = TextureTransform()
FILTERS = {"none": "nearest", "bilinear": "bilinear", "trilinear": "trilinear", "anisotropic": "anisotropic"}


class TextureUnit(Struct, frozen=True):
    """A texture layer of a pass. The defaults are those of OGRE 14.

    `files` are one image, the pages of a flipbook of `duration` seconds, or the faces of a cube map in the
    order of `FACES`. A `ramp` is looked up by the brightness of the light, and is no picture of the surface.
    """

    name: str = ""
    alias: str = ""
    files: tuple[str, ...] = ()
    duration: float = 0.0
    cubic: bool = False
    one_dimensional: bool = False
    ramp: bool = False
    environment: str = ""
    content: str = "named"
    operation: str = "modulate"
    uv_set: int = 0
    address: tuple[str, str] = ("wrap", "wrap")
    border: Color = (0.0, 0.0, 0.0, 1.0)
    filter: str = "bilinear"
    anisotropy: int = 1
    mipmaps: bool = True
    transform: TextureTransform = STILL

    @property
    def is_image(self) -> bool:
        """Whether the unit shows an image at the texture coordinates of the surface, and no cube map or
        environment map.
        """
        return bool(self.files) and not self.cubic and not self.environment and self.content == "named"

    @property
    def cube(self) -> tuple[str, ...]:
        """The files of the faces of a cube map: right, left, up, down, front, back; or the only file."""
        if not self.cubic or len(self.files) < len(FACES):
            return self.files if self.cubic else ()
        return tuple(self.files[FACES.index(face)] for face in ("rt", "lf", "up", "dn", "fr", "bk"))

    @property
    def role(self) -> str:
        """The unit's role: `ramp`; else `normal`, `specular` or `emissive` if a name matches `ROLES`, else
        `diffuse`.
        """
        if self.ramp:
            return "ramp"
        for text in self._names:
            for role, pattern in ROLES.items():
                if pattern.search(text):
                    return role
        return "diffuse"

    @property
    def ramp_signs(self) -> int:
        """How many signs say that the texture is a ramp of light: a word of its names, the sampling of exact
        steps, a single dimension.
        """
        words = {word.lower() for text in self._names for word in WORD.findall(text)}
        steps = self.filter == "nearest" and self.address[0] == "clamp"
        return sum((bool(words & RAMP_WORDS), steps, self.one_dimensional))

    @property
    def _names(self) -> Iterator[str]:
        """The unit's name, its alias and the stem of its file, as far as they are given."""
        stem = os.path.splitext(self.files[0])[0] if self.files else ""
        return filter(None, (self.name, self.alias, stem))


def read_unit(block: ScriptBlock, aliases: dict[str, str], complain: ComplainOfLine) -> TextureUnit:
    """Read a `texture_unit` block. `aliases` are texture files by alias: each replaces the texture of the
    units with this alias. A placeholder such as `<DiffuseMap>` names no file unless an alias replaces it.

    An attribute with invalid values is ignored, and `complain` is called with the reason and its line.
    """
    unit = TextureUnit(block.name, block.name)
    for line in block.lines:
        rule = RULES.get(line.keyword)
        transform = TRANSFORMS.get(line.keyword)
        try:
            if rule is not None:
                unit = replace(unit, **rule(line.values))
            elif transform is not None:
                changed = replace(unit.transform, **transform(unit.transform, line.values))
                unit = replace(unit, transform=changed)
        except (ValueError, IndexError, KeyError):
            complain(f"{line.keyword} {' '.join(line.values)} is not valid", line)
    file = aliases.get(unit.alias) if unit.alias else None
    if file is None and not any(PLACEHOLDER.fullmatch(each) for each in unit.files):
        return unit
    return replace(unit, files=(file,) if file else (), duration=0.0)


def finite_number(text: str) -> float:
    """Return a text as a finite number. ValueError for any other text."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def value_numbers(values: ScriptWords, count: int) -> tuple[float, ...]:
    """Return the first `count` values. ValueError if a value is not a finite number, IndexError if there are
    fewer values.
    """
    return tuple(finite_number(values[k]) for k in range(count))


def color(values: ScriptWords) -> Color:
    """Return red, green, blue and alpha, which is 1 by default. ValueError if a value is not a finite number,
    IndexError if one is missing.
    """
    red, green, blue = value_numbers(values, 3)
    return red, green, blue, finite_number(values[3]) if len(values) > 3 else 1.0


def _texture(values: ScriptWords) -> Fields:
    """The fields of `texture FILE [type] [mips] [alpha] [format] [gamma]`."""
    options = [value.lower() for value in values[1:]]
    cubic = "cubic" in options
    return {
        "files": _faces(values[0]) if cubic else (values[0],),
        "duration": 0.0,
        "cubic": cubic,
        "one_dimensional": "1d" in options,
        "mipmaps": "0" not in options,
    }


def _cubic_texture(values: ScriptWords) -> Fields:
    """The fields of `cubic_texture FILE [combinedUVW|separateUV]` or of `cubic_texture` with six files."""
    return {"files": values[:6] if len(values) >= 6 else _faces(values[0]), "duration": 0.0, "cubic": True}


def _faces(file: str) -> tuple[str, ...]:
    """The files of a cube map: `X_fr.png`, `X_bk.png` … for `X.png`. A DDS file contains all faces."""
    stem, suffix = os.path.splitext(file)
    return (file,) if suffix.lower() == ".dds" else tuple(f"{stem}_{face}{suffix}" for face in FACES)


def _anim_texture(values: ScriptWords) -> Fields:
    """The fields of `anim_texture BASE.ext COUNT SECONDS`, which stands for the files `BASE_0.ext` and so on,
    or of `anim_texture FILE… SECONDS`.
    """
    *files, duration = values
    if len(files) == 2 and files[1].isdigit():
        stem, suffix = os.path.splitext(files[0])
        files = [f"{stem}_{page}{suffix}" for page in range(min(int(files[1]), 256))]
    if not files:
        raise IndexError(values)
    return {"files": tuple(files), "duration": max(finite_number(duration), 0.0)}


def _address(values: ScriptWords) -> Fields:
    modes = [value.lower() for value in values[:2]]
    if not set(modes) <= set(ADDRESS_MODES):
        raise ValueError(values)
    return {"address": (modes[0], modes[-1])}


def _filtering(values: ScriptWords) -> Fields:
    """The fields of `filtering` with one word, or with filters for minification, magnification, mips."""
    if len(values) < 3:
        return {"filter": FILTERS[values[0].lower()], "mipmaps": values[0].lower() != "none"}
    smaller, larger, mips = (value.lower() for value in values[:3])
    if "anisotropic" in (smaller, larger):
        return {"filter": "anisotropic", "mipmaps": mips != "none"}
    kind = "nearest" if larger in ("point", "none") else "trilinear" if mips == "linear" else "bilinear"
    return {"filter": kind, "mipmaps": mips != "none"}


def _environment(values: ScriptWords) -> Fields:
    kind = values[0].lower() if values else "spherical"
    return {"environment": "" if kind == "off" else kind}


RULES: dict[str, Callable[[ScriptWords], Fields]] = {
    "texture": _texture,
    "anim_texture": _anim_texture,
    "cubic_texture": _cubic_texture,
    "texture_alias": lambda values: {"alias": values[0]},
    "content_type": lambda values: {"content": values[0].lower()},
    "env_map": _environment,
    "tex_coord_set": lambda values: {"uv_set": min(max(int(values[0]), 0), 7)},
    "tex_address_mode": _address,
    "tex_border_colour": lambda values: {"border": color(values)},
    "filtering": _filtering,
    "max_anisotropy": lambda values: {"anisotropy": min(max(int(values[0]), 1), 16)},
    "colour_op": lambda values: {"operation": values[0].lower()},
    "colour_op_ex": lambda values: {"operation": "replace" if values[0].lower() == "source1" else "modulate"},
}
"""Functions from an attribute's values to fields of `TextureUnit`, by keyword."""

TRANSFORMS: dict[str, Callable[[TextureTransform, ScriptWords], Fields]] = {
    "scroll": lambda old, values: {"scroll": value_numbers(values, 2)},
    "scale": lambda old, values: {"scale": value_numbers(values, 2)},
    "rotate": lambda old, values: {"rotation": finite_number(values[0]) / 360},
    "scroll_anim": lambda old, values: {"scroll_speed": value_numbers(values, 2)},
    "rotate_anim": lambda old, values: {"rotation_speed": finite_number(values[0])},
    "wave_xform": lambda old, values: {"waves": (*old.waves, _wave(values))},
}
"""Functions from an attribute's values to fields of `TextureTransform`, by keyword."""


def _wave(values: ScriptWords) -> Wave:
    target, shape = (value.lower() for value in values[:2])
    if target not in TARGETS or shape not in WAVES:
        raise ValueError(values)
    base, frequency, phase, amplitude = value_numbers(values[2:], 4)
    return Wave(target, shape, base, frequency, phase, amplitude)
