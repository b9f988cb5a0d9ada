"""Materials, textures and images, as the shaders use them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
from msgspec import Struct, field

from viewer.arrays import Array, Color, Rgb
from viewer.errors import NeedState, counted
from viewer.scene.animation import Animation

FoundBy = Literal["given", "near", "project", "game", "name"]
"""How a file was found: given by the user, near the model (its folder, subfolders, siblings and resource
roots above), in its project, by a game's tables or archives, or guessed from a name.
"""
FoundHow = Literal[
    "stored", "case", "suffix", "tail", "list", "scene", "table", "name", "only", "given", "built-in"
]
"""How a found file fits the name in a model.

`stored`: the name as the file says it. `case`: other upper and lower case. `suffix`: another suffix. `tail`:
only the end of a longer or absolute path. `list`, `scene` and `table`: a list of materials, a prefab or
scene, or a table of a game names the file for the model. `name`: a similar name. `only`: the only file of its
kind. `given`: the user chose it. `built-in`: the program or the engine brings it.
"""
MOST_MATERIALS = 3
"""Of at most this many different materials that scenes give to a part, the most used one is its own."""
NAMELESS = "nameless"
"""The name of a texture to which the file gives an empty name. Nothing is searched for it."""


class ImageHeader(NamedTuple):
    """The facts in the header of an image file. `width` and `height` are in pixels; `alpha`: the pixels have
    alpha.

    `levels` is the declared number of mip levels, `stored` the number of levels that are stored completely.
    `block` is the side of compressed blocks in pixels (1: none). `palette`: the pixels are numbers of colours
    in a palette. `damage` describes faults of the levels (empty: none). `cost` estimates the time to decode a
    small picture; its unit is the time to copy one pixel.
    """

    encoding: str
    width: int
    height: int
    alpha: bool
    levels: int = 1
    stored: int = 1
    block: int = 1
    damage: str = ""
    cost: int = 0
    palette: bool = False

    @property
    def full_levels(self) -> int:
        """The number of mip levels in a full chain, down to one pixel."""
        return max(self.width, self.height).bit_length()


BLENDS = (
    "replace",
    "alpha",
    "add",
    "addalpha",
    "multiply",
    "premulalpha",
    "invdestalpha",
    "subtract",
    "subtractalpha",
)

ADDED = frozenset(("add", "addalpha"))
"""Blends that add the colour of a material to the picture."""
TINTS = ("tint", "color", "colour")
"""The words of parameters that colour a material, the most telling first."""


def tint_of(colors: Mapping[str, Rgb]) -> Rgb | None:
    """The first colour whose name says that it is a tint, else any colour. Black does not count."""
    return next(
        (color for word in TINTS for name, color in colors.items() if word in name.lower() and any(color)),
        None,
    )


FACTORS = (
    "one",
    "zero",
    "src_color",
    "one_minus_src_color",
    "dst_color",
    "one_minus_dst_color",
    "src_alpha",
    "one_minus_src_alpha",
    "dst_alpha",
    "one_minus_dst_alpha",
)
"""The blend factors. They multiply the source and the destination colour; the products are added."""

ALPHA_FUNCTIONS = (
    "always_fail",
    "less",
    "equal",
    "less_equal",
    "greater",
    "not_equal",
    "greater_equal",
    "always_pass",
)
"""The alpha tests by number. The bits of a number say which alpha passes: 1 below, 2 equal to, 4 above the
reference value.
"""

UvMotion = Callable[[float], tuple[Color, Color]]
"""A function of seconds that returns `u_offset` and `v_offset`."""

COMBINES = ("opaque", "mod", "decal", "add", "mod2x", "fade", "mod2x_na", "add_na")
"""The operations that combine the second texture with the first, on stored (not linear) values. `opaque` and
the names with `_na` keep the first texture's alpha. Source: wowdev.wiki M2, texture combiner combos.
"""

STILL_U: Color = (1.0, 0.0, 0.0, 0.0)
STILL_V: Color = (0.0, 1.0, 0.0, 0.0)


class ClipTime(Struct, frozen=True):
    """A time for animated values. `time` is in seconds and never wrapped. `animation` is the playing clip;
    None if no clip plays. `at` is the time within the clip in seconds.
    """

    time: float
    animation: Animation | None = None
    at: float = 0.0


AT_FIRST = ClipTime(0.0)


class Appearance(NamedTuple):
    """The animated properties of a material; fields as in `Material` and `TextureStage`."""

    diffuse: Color
    u_offset: Color = STILL_U
    v_offset: Color = STILL_V
    second_u: Color = STILL_U
    second_v: Color = STILL_V


class TextureStage(Struct, frozen=True):
    """The second texture of a material, which is the texture of the unit `second`. `combine` is one of
    `COMBINES`.

    `uv_set`, `sphere`, `u_offset` and `v_offset` are as in `Material`.
    """

    combine: str = "mod"
    uv_set: int = 0
    sphere: bool = False
    u_offset: Color = STILL_U
    v_offset: Color = STILL_V


DETAIL_BLENDS = (
    "normal",
    "premultiplied",
    "add",
    "subtract",
    "multiply",
    "multiply2x",
    "screen",
    "overlay",
    "lighten",
    "darken",
    "grain extract",
    "grain merge",
    "difference",
)
"""The operations that lay a detail texture over the base colour, on linear values. Source: OGRE-Next
`OgreHlmsPbsPrerequisites.h`, `PbsBlendModes`.
"""


class Detail(Struct, frozen=True):
    """A detail texture over the base colour. `blend` is one of `DETAIL_BLENDS`, `weight` its strength. The
    texture is sampled at `uv * scale + offset`.
    """

    blend: str = "normal"
    weight: float = 1.0
    offset: tuple[float, float] = (0.0, 0.0)
    scale: tuple[float, float] = (1.0, 1.0)


class PhysicalSurface(Struct, frozen=True):
    """The reflection of a physically based material. `roughness` and `metalness` are between 0 and 1. They
    are multiplied by red of the textures of the units `roughness` and `metalness`.

    The colour that is reflected straight back is `Material.specular` for metalness 0, and the base colour for
    metalness 1. `details` are the textures of the units `detail0` and `detail1`; red and green of the unit
    `detail_weight` multiply their weights.
    """

    roughness: float = 1.0
    metalness: float = 0.0
    normal_strength: float = 1.0
    details: tuple[Detail, ...] = ()


class Image(Struct, frozen=True, eq=False):
    """A decoded image: `levels` of [height, width, 4] u8, the largest first. If there is only one level, the
    renderer generates the smaller levels. `warnings` name parts of the file that were left out.
    """

    levels: tuple[Array, ...]
    encoding: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.levels[0].shape[1], self.levels[0].shape[0]


class Texture(Struct, frozen=True, eq=False):
    """A texture by its name in the file. `path` is the found file (None: not found); `searched` are the
    searched paths. `by` is the place in which it was found, `how` says how it fits the name; `rivals` are the
    paths of other files that fit equally well and have other bytes. `state` and `error` say what the first
    bytes of the found file show, see `NeedState`; damage that only decoding shows is not in them.

    `decode` returns the image; it raises FormatError if the bytes are no image. `decode_small(side)` returns
    a small version, whose longer side has at least `side` pixels if the image has them. `header` reads no
    pixels; it returns None for a format without a short header. `read` returns the bytes of the file.
    `address` is the address mode of each axis: wrap, mirror, clamp or border. `anisotropy` is the largest
    number of samples of the filter `anisotropic`.
    `alpha_reference` is the reference value of an alpha test. With it, all mip levels keep the share of
    pixels that pass the test. If the model names no file for the texture, `kind` is the format's number for
    the purpose of the texture, and `choices` are the candidate files. The first `fitting` candidates match
    the model by name.
    """

    name: str
    path: str | None = None
    searched: tuple[str, ...] = ()
    by: FoundBy | None = None
    how: FoundHow | None = None
    rivals: tuple[str, ...] = ()
    state: NeedState = "found"
    error: str = ""
    decode: Callable[[], Image] | None = None
    decode_small: Callable[[int], Image] | None = None
    header: Callable[[], ImageHeader | None] | None = None
    read: Callable[[], bytes] | None = None
    address: tuple[str, str] = ("wrap", "wrap")
    border: Color = (0.0, 0.0, 0.0, 0.0)
    filter: str = "trilinear"
    anisotropy: int = 8
    mipmaps: bool = True
    srgb: bool = True
    alpha_reference: float | None = None
    kind: int | None = None
    choices: tuple[str, ...] = ()
    fitting: int = 0


FACE_SIDE = 2048
"""The longest side in pixels of a face of a cube map."""


def cube_picture(faces: Sequence[Image | None]) -> Image:
    """Join the pictures of the faces of a cube map, of which one is not None: two rows of three. A missing
    face is black, and all have the size of the first picture, but no side is longer than `FACE_SIDE`.
    """
    first = next(each for each in faces if each is not None)
    width, height = (min(side, FACE_SIDE) for side in first.size)
    pixels = np.zeros((2 * height, 3 * width, 4), np.uint8)
    pixels[..., 3] = 255
    for number, face in enumerate(faces):
        if face is not None:
            rows = np.arange(height) * face.size[1] // height
            columns = np.arange(width) * face.size[0] // width
            top, left = number // 3 * height, number % 3 * width
            pixels[top : top + height, left : left + width] = face.levels[0][rows][:, columns]
    return Image((pixels,), first.encoding, first.warnings)


class Flipbook(Struct, frozen=True):
    """Textures shown in turn, all of them once in `duration` seconds. With duration 0 only the first texture
    is shown.

    `textures` are numbers of the model's textures.
    """

    textures: tuple[int, ...]
    duration: float

    def at(self, time: float) -> int:
        """The index in `textures` at `time` seconds."""
        if self.duration <= 0:
            return 0
        return int(time % self.duration / self.duration * len(self.textures)) % len(self.textures)


UNITS = (
    *("diffuse", "second", "normal", "specular", "emissive", "environment", "ramp"),
    *("roughness", "metalness", "detail0", "detail1", "detail_weight"),
)
"""The texture units of a material. The second row belongs to a `surface`; `environment` and `ramp` (of
light) are not drawn.
"""


class Material(Struct, frozen=True):
    """The material of a geometry.

    `units` maps names of `UNITS` to numbers of the model's textures. `found` is the material's file; None if
    the file is missing or the material has no file. `by` is the place in which it was found, `how` says how
    it fits the name. `rivals` are the paths of other files that define the material differently.

    `blend` is one of `BLENDS`, or two of `FACTORS` for source and destination: `zero one_minus_src_color`. A
    pixel is drawn if its alpha passes `alpha_function` against `alpha_mask` (None: every pixel is drawn).
    `cull` is `back`, `front` or `none`; `fill` is `solid`, `wireframe` or `point`. Textures are sampled at `u
    = dot(uv, u_offset.xy) + u_offset.w`, and v likewise; `uv_motion`, if given, replaces these offsets. `uv`
    are the texture coordinates of the set with the number `uv_set`. `flipbook` replaces the diffuse texture.
    `cube` are the textures of the faces of a cube map, which the material samples by the direction from the
    origin of the model in place of the diffuse texture: those to +X, -X, +Y, -Y, +Z and -Z of left-handed
    axes, or one texture whose picture has all of them (`cube_picture`).

    `motion` returns the animated values at a time; alpha 0 hides the material, and an alpha between 0 and 1
    fades an opaque material. `opaque_texture`: the diffuse texture's alpha is ignored. `sphere`: textures are
    sampled by the reflection vector (sphere map). `second` is the second texture. `unsampled` has the
    textures that the `technique` does not sample: their names by unit. `surface` is the reflection of a
    physically based material; None for other materials, whose highlight is `specular`. `shader` is the pixel
    shader of the unlit pass, with `shader_defines`; empty if the file names none. `shader_known`: one of the
    engine's own shaders draws the material, so that the meaning of its units is known. Materials of equal
    depth and `render_order` are drawn in the order of `layer`.
    """

    name: str
    found: str | None = None
    searched: tuple[str, ...] = ()
    by: FoundBy | None = None
    how: FoundHow | None = None
    rivals: tuple[str, ...] = ()
    units: dict[str, int] = field(default_factory=dict)
    diffuse: Color = (1.0, 1.0, 1.0, 1.0)
    specular: Color = (0.0, 0.0, 0.0, 1.0)
    emissive: tuple[float, float, float] = (0.0, 0.0, 0.0)
    blend: str = "replace"
    alpha_mask: float | None = None
    alpha_function: str = "greater_equal"
    cull: str = "back"
    fill: str = "solid"
    unlit: bool = False
    vertex_color: bool = False
    packed_normal: bool = False
    depth_test: bool = True
    depth_write: bool = True
    render_order: int = 128
    u_offset: Color = (1.0, 0.0, 0.0, 0.0)
    v_offset: Color = (0.0, 1.0, 0.0, 0.0)
    uv_motion: UvMotion | None = None
    uv_set: int = 0
    flipbook: Flipbook | None = None
    cube: tuple[int, ...] = ()
    motion: Callable[[ClipTime], Appearance] | None = None
    opaque_texture: bool = False
    sphere: bool = False
    second: TextureStage | None = None
    layer: int = 0
    parameters: dict[str, str] = field(default_factory=dict)
    technique: str = ""
    unsampled: dict[str, str] = field(default_factory=dict)
    surface: PhysicalSurface | None = None
    shader: str = ""
    shader_defines: tuple[str, ...] = ()
    shader_known: bool = True

    @property
    def missing(self) -> bool:
        """Whether the material has a name and its file was not found."""
        return self.found is None and bool(self.searched)

    def opacity(self, clip_time: ClipTime) -> float:
        """How much of the material is seen at a time: its alpha. 0 if its colour is black and is added to the
        picture.
        """
        moved = self.motion(clip_time) if self.motion else None
        red, green, blue, alpha = moved.diffuse if moved else self.diffuse
        shines = any(self.emissive) or "emissive" in self.units or (any(self.specular[:3]) and not self.unlit)
        plain = not shines and self.surface is None and self.second is None and not self.sphere
        if self.blend in ADDED and plain and not (red or green or blue):
            return 0.0
        return alpha if moved or self.blend != "replace" else 1.0


class MaterialCandidate(Struct, frozen=True):
    """Materials that prefabs or scenes give to a model that names none. `name` says which, `uses` is the
    number of their components with these materials. To choose the candidate means to choose the second of
    each pair of `files` for the first, which is the name that the model stands for.
    """

    name: str
    uses: int
    files: tuple[tuple[str, str], ...]


def is_undecided(uses: Sequence[int]) -> bool:
    """Whether none of the different materials that scenes give to a part is its usual one: there are more
    than `MOST_MATERIALS`, and none has half of the uses. `uses` are the numbers of their uses, the largest
    first.
    """
    return len(uses) > MOST_MATERIALS and 2 * uses[0] < sum(uses)


def ambiguity(kind: str, name: str, used: str | None, rivals: Sequence[str]) -> str:
    """Say which file is used for a material or texture, and that its `rivals` differ."""
    more = f"; {counted(len(rivals) - 1, 'more file')} too" if len(rivals) > 1 else ""
    differs = "defines it differently" if kind == "material" else "is another picture"
    return f"{kind} {name}: {used} is used, but {rivals[0]} {differs}{more}"


class MaterialSet(Struct, frozen=True):
    """A model's materials and textures. `per_geometry` has the number of each geometry's material (None: the
    default material). `layers` has, for each geometry, the numbers of the materials that are drawn over this
    material (empty: none). `candidates` are the different materials that scenes give to the model.
    """

    materials: tuple[Material, ...]
    textures: tuple[Texture, ...]
    per_geometry: tuple[int | None, ...]
    layers: tuple[tuple[int, ...], ...] = ()
    candidates: tuple[MaterialCandidate, ...] = ()
