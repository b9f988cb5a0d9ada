"""Materials, textures and images, in the terms of the shaders."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct, field

from viewer.arrays import Array, Color
from viewer.scene.animation import Animation


class ImageHeader(NamedTuple):
    """The `width` and `height` of a picture in pixels; `alpha`: its pixels have alpha.

    `levels` is the declared number of mip levels, `stored` the number of completely stored ones. `block` is
    the side of compressed blocks in pixels (1: none). `damage` describes faults of the levels. `cost`
    estimates the time to decode a small picture, in units of copying one pixel.
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

    @property
    def full_levels(self) -> int:
        """The number of levels down to one pixel."""
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
"""The blend factors, which multiply source and destination before they are added."""

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
"""The alpha tests, which decide which pixels are drawn. Each number is a set of bits: 1 below, 2 at, 4 above
the reference value.
"""

UvMotion = Callable[[float], tuple[Color, Color]]
"""A function of seconds that returns `u_offset` and `v_offset`."""

COMBINES = ("opaque", "mod", "decal", "add", "mod2x", "fade", "mod2x_na", "add_na")
"""How the second texture combines with the first, in stored (not linear) values: `opaque` and `_na` keep the
alpha. Source: wowdev.wiki M2, texture combiner combos.
"""

STILL_U: Color = (1.0, 0.0, 0.0, 0.0)
STILL_V: Color = (0.0, 1.0, 0.0, 0.0)


class ClipTime(NamedTuple):
    """A time: `time` in seconds, never wrapped; `animation` is the clip that plays, at `at` seconds of the
    clip.
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
    """The second texture of a material: the texture of the unit `second`, mixed in by one of `COMBINES`.

    `uv_set`, `sphere`, `u_offset` and `v_offset` are as in `Material`.
    """

    combine: str = "mod"
    uv_set: int = 0
    sphere: bool = False
    u_offset: Color = STILL_U
    v_offset: Color = STILL_V


class Image(Struct, frozen=True, eq=False):
    """A decoded image: `levels` of [height, width, 4] u8, the largest first; a single level gets generated
    mips. `warnings` name omitted parts of the file.
    """

    levels: tuple[Array, ...]
    encoding: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.levels[0].shape[1], self.levels[0].shape[0]


class Texture(Struct, frozen=True, eq=False):
    """An image by its name in the file. `path` is the found file, `searched` are the searched paths.

    `decode` reads it; it raises FormatError if the bytes are no image. `decode_small(side)` reads a small
    version, whose longer side has at least `side` pixels if the image has them. `header` reads no pixels; it
    returns None for a format without a short header. `address` is per axis: wrap, mirror, clamp or border.
    `anisotropy` is the largest number of samples of the filter `anisotropic`. `kind` is the texture's purpose
    if the program chooses the file; `choices` are the candidates, the first `fitting` of which match the
    model by name.
    """

    name: str
    path: str | None = None
    searched: tuple[str, ...] = ()
    decode: Callable[[], Image] | None = None
    decode_small: Callable[[int], Image] | None = None
    header: Callable[[], ImageHeader | None] | None = None
    address: tuple[str, str] = ("wrap", "wrap")
    border: Color = (0.0, 0.0, 0.0, 0.0)
    filter: str = "trilinear"
    anisotropy: int = 8
    mipmaps: bool = True
    srgb: bool = True
    kind: int | None = None
    choices: tuple[str, ...] = ()
    fitting: int = 0


class Flipbook(Struct, frozen=True):
    """Textures shown in turn, each once in `duration` seconds; duration 0 shows only the first.

    `textures` are numbers of the model's textures.
    """

    textures: tuple[int, ...]
    duration: float

    def at(self, time: float) -> int:
        """The index in `textures` at `time` seconds."""
        if self.duration <= 0:
            return 0
        return int(time % self.duration / self.duration * len(self.textures)) % len(self.textures)


class Material(Struct, frozen=True):
    """The material of a geometry.

    `units` maps `diffuse`, `second`, `normal`, `specular`, `emissive`, `environment` to numbers of the
    model's textures. `found` is the file; None if it is missing or the material was made by the program.

    `blend` is one of `BLENDS`, or two of `FACTORS` for source and destination: `zero one_minus_src_color`. A
    pixel is drawn if its alpha passes `alpha_function` against `alpha_mask` (None: every pixel is drawn).
    `cull` is `back`, `front` or `none`; `fill` is `solid`, `wireframe` or `point`. Textures are sampled at `u
    = dot(uv, u_offset.xy) + u_offset.w`, and v likewise; `uv_motion`, if given, replaces these offsets. `uv`
    is the set of number `uv_set`. `flipbook` replaces the diffuse texture.

    `motion` returns the animated values at a time; alpha 0 hides the material, and an alpha between 0 and 1
    fades an opaque material. `opaque_texture`: the diffuse texture's alpha is ignored. `sphere`: textures are
    sampled by the reflection vector (sphere map). `second` is the second texture. `unsampled` names the
    textures, by unit, that the `technique` does not sample. `shader` is the pixel shader of the unlit pass,
    with `shader_defines`; empty if the file names none. Materials of equal depth and `render_order` are drawn
    in the order of `layer`.
    """

    name: str
    found: str | None = None
    searched: tuple[str, ...] = ()
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
    motion: Callable[[ClipTime], Appearance] | None = None
    opaque_texture: bool = False
    sphere: bool = False
    second: TextureStage | None = None
    layer: int = 0
    parameters: dict[str, str] = field(default_factory=dict)
    technique: str = ""
    unsampled: dict[str, str] = field(default_factory=dict)
    shader: str = ""
    shader_defines: tuple[str, ...] = ()

    @property
    def missing(self) -> bool:
        """Whether the material has a name and its file was not found."""
        return self.found is None and bool(self.searched)


class MaterialSet(NamedTuple):
    """A model's materials and textures; `per_geometry` holds numbers of materials (None: the default
    material).
    """

    materials: tuple[Material, ...]
    textures: tuple[Texture, ...]
    per_geometry: tuple[int | None, ...]
