"""The complete state of a draw, so that passes cannot leak state into each other."""

from __future__ import annotations

import moderngl
from msgspec import Struct, field

from viewer.gpu.bindings import Bindings
from viewer.scene.model import Primitive

ONE, ZERO = moderngl.ONE, moderngl.ZERO
SOURCE, REST = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
TARGET, TARGET_REST = moderngl.DST_ALPHA, moderngl.ONE_MINUS_DST_ALPHA

BLEND_FACTORS = {
    "replace": (ONE, ZERO),
    "alpha": (SOURCE, REST),
    "add": (ONE, ONE),
    "addalpha": (SOURCE, ONE),
    "multiply": (moderngl.DST_COLOR, ZERO),
    "premulalpha": (ONE, REST),
    "invdestalpha": (TARGET_REST, TARGET),
    "subtract": (ONE, ONE),
    "subtractalpha": (SOURCE, ONE),
}
"""The factors of source and destination colour for each of `scene.material.BLENDS`. Source: Urho3D
`OGLGraphics.cpp`.
"""

FACTORS = {
    "one": ONE,
    "zero": ZERO,
    "src_color": moderngl.SRC_COLOR,
    "one_minus_src_color": moderngl.ONE_MINUS_SRC_COLOR,
    "dst_color": moderngl.DST_COLOR,
    "one_minus_dst_color": moderngl.ONE_MINUS_DST_COLOR,
    "src_alpha": SOURCE,
    "one_minus_src_alpha": REST,
    "dst_alpha": TARGET,
    "one_minus_dst_alpha": TARGET_REST,
}
"""GL's factor for each of `scene.material.FACTORS`."""

SUBTRACTING = ("subtract", "subtractalpha")
"""The blend modes that subtract the source from the destination (`GL_FUNC_REVERSE_SUBTRACT`)."""

COLORING = (ZERO, moderngl.DST_COLOR)
"""The source factors of blend modes that only tint the destination and add no coverage."""

ADDING = (ONE, moderngl.ONE_MINUS_SRC_COLOR)
"""The destination factors of blend modes that add light and no coverage."""

PRIMITIVES = {
    Primitive.TRIANGLES: moderngl.TRIANGLES,
    Primitive.LINES: moderngl.LINES,
    Primitive.POINTS: moderngl.POINTS,
    Primitive.TRIANGLE_STRIP: moderngl.TRIANGLE_STRIP,
    Primitive.LINE_STRIP: moderngl.LINE_STRIP,
    Primitive.TRIANGLE_FAN: moderngl.TRIANGLE_FAN,
}
"""GL's mode for each `scene.model.Primitive`."""


def blend_factors(blend: str) -> tuple[int, int, int, int]:
    """The factors of source and destination colour, then of source and destination alpha.

    The alpha factors are `ONE` and `ONE_MINUS_SRC_ALPHA`, so that coverage adds up. A blend mode that only
    tints or adds light keeps the destination's alpha, because it covers nothing; `gpu.target.straight_alpha`
    derives the alpha of such light from its brightness. `blend` is a value of the field
    `scene.material.Material.blend`.
    """
    if blend in BLEND_FACTORS:
        source, target = BLEND_FACTORS[blend]
    else:
        source, target = (FACTORS[name] for name in blend.split())
    covers = source not in COLORING and (target not in ADDING or blend in SUBTRACTING)
    return (source, target, ONE, REST) if covers else (source, target, ZERO, ONE)


class Pipeline(Struct, frozen=True):
    """A complete draw: a vertex array with its program, the framebuffer to draw on, the textures and uniform
    blocks that the program reads, and all other state.

    `bindings` must have every sampler and block of the program; a KeyError names a missing entry. `cull` is
    `back`, `front` or `none`; `front_face` is the winding of front faces on the screen, `ccw` or `cw`;
    `depth` is `<=`, `<` or None for no test; `offset` is polygon offset (factor, units).
    """

    vao: moderngl.VertexArray
    framebuffer: moderngl.Framebuffer
    bindings: Bindings = field(default_factory=dict)
    blend: str = "replace"
    depth: str | None = "<="
    depth_write: bool = True
    cull: str = "back"
    front_face: str = "ccw"
    wireframe: bool = False
    offset: tuple[float, float] = (0.0, 0.0)

    def apply(self) -> None:
        """Bind the framebuffer, the textures and the blocks, and set the state on the context."""
        ctx = self.vao.ctx
        if ctx.fbo is not self.framebuffer:
            self.framebuffer.use()
        self.vao.program.extra.bind(self.bindings)
        flags = moderngl.PROGRAM_POINT_SIZE
        if self.depth is not None or self.depth_write:
            flags |= moderngl.DEPTH_TEST
        if self.cull != "none":
            flags |= moderngl.CULL_FACE
            ctx.cull_face = self.cull
        if self.blend != "replace":
            flags |= moderngl.BLEND
            ctx.blend_func = blend_factors(self.blend)  # type: ignore[assignment]
            colour = moderngl.FUNC_REVERSE_SUBTRACT if self.blend in SUBTRACTING else moderngl.FUNC_ADD
            ctx.blend_equation = colour, moderngl.FUNC_ADD
        ctx.enable_only(flags)
        ctx.depth_func = self.depth or "1"
        ctx.front_face = self.front_face
        ctx.wireframe = self.wireframe
        ctx.polygon_offset = self.offset
        self.framebuffer.depth_mask = self.depth_write

    def draw(self, primitive: Primitive, count: int = -1, first: int = 0, instances: int = -1) -> None:
        """Apply the state and draw `count` vertices or indices (-1: all), starting at `first`."""
        self.apply()
        self.vao.render(PRIMITIVES[primitive], count, first=first, instances=instances)
