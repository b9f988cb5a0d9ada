"""The soft shadow of a model on the ground: it is dark where the model touches the ground.

The model is drawn from below: each pixel stores how high the lowest surface above it is, as shares of four
layers of height. Each layer is blurred by its own width, because a high surface darkens the ground weakly,
but over a wide area. The sum darkens a square of the ground. The shadow does not depend on the lights.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from weakref import ref

import moderngl
import numpy as np

from viewer.arrays import Array
from viewer.gpu.drawable import Drawable
from viewer.gpu.pipeline import REST, Pipeline, blend_factors
from viewer.gpu.shader import Composer
from viewer.gpu.target import RenderTarget, clear, release_framebuffers
from viewer.render.frame import Frame
from viewer.render.mesh.draw_order import VisibleItem
from viewer.render.mesh.geometry_resources import DrawItem, prepared, visible
from viewer.render.mesh.lights import FrameLights
from viewer.render.mesh.material_block import BLENDED, MASKED
from viewer.render.mesh.mesh_programs import FRAGMENT, FrameKind
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.scene.model import TRIANGULAR, Primitive
from viewer.view.camera import Matrices
from viewer.view.ground import GroundPlane, ShadowArea, ground_plane, shadow_area

SIDE, SHARP_LEVEL = 256, 1
"""The model is drawn as seen from below into a picture of SIDE × SIDE pixels. Its mip level SHARP_LEVEL gives
the lowest layer of the shadow, which is not blurred.
"""
BLURRED, LEVEL = 64, 2
"""The side of the blurred picture in pixels, and the mip level at which the picture from below has this side.
"""
ENDS = (0.06, 0.22, 0.6, 1.3)
"""Heights at which the layers end, in radii of the model."""
BLURS = (0.0, 0.06, 0.13, 0.25)
"""Width of the blur of each layer (standard deviation), in radii of the model."""
DENSITIES = (3.0, 3.0, 3.0, 3.0)
"""How strongly each layer absorbs the light that reaches the ground."""
DARKEST = 0.8
"""Largest opacity of the shadow."""
SPREAD = 2.6
"""The distance at which a blur ends, in standard deviations."""
BELOW = 8.0
"""Surfaces count as touching the ground if they are at most this far below the ground, in radii of the model.
"""
SLANT = (0.1, -0.06)
"""Shift of the shadow in x and z of viewer space for a height of 1. Without it, upright walls would have no
shadow, because seen from below they have no area.
"""
LEAST = 1e-2
"""Smallest standard deviation of a blur in pixels."""
CORNERS = 4


class ContactShadow:
    """Draws the shadow. Owns its targets; the programs belong to the composer."""

    def __init__(self, composer: Composer) -> None:
        self._composer = composer
        self._blur = Drawable(composer, ("outline.vert", "blur.frag"))
        self._ground = Drawable(composer, ("shadow.vert", "shadow.frag"))
        self._below = RenderTarget(composer.ctx, (SIDE, SIDE))
        self._below.texture.repeat_x = self._below.texture.repeat_y = False
        self._below.texture.filter = moderngl.LINEAR_MIPMAP_NEAREST, moderngl.LINEAR
        self._blurred = BlurredPicture(composer.ctx)
        self._made: tuple[object, tuple[GroundPlane, ShadowArea] | None] | None = None

    def draw(self, mesh: MeshResources, frame: Frame, framebuffer: moderngl.Framebuffer) -> None:
        """Draw the shadow of the frame's pose on the framebuffer, before the model is drawn there.

        Nothing is drawn if no surface is shown. From below the ground, the shadow is not visible.
        """
        casting = tuple(_casting(mesh, frame))
        key = _key(mesh, frame, casting)
        if self._made is None or self._made[0] != key:
            self._made = key, self._make(mesh, frame, casting)
        place = self._made[1]
        if place is not None:
            self._draw_ground(*place, frame.matrices, framebuffer)

    def release(self) -> None:
        """Release the targets and the vertex arrays."""
        for part in (self._below, self._blurred, self._blur, self._ground):
            part.release()

    def _make(
        self, mesh: MeshResources, frame: Frame, casting: Sequence[VisibleItem]
    ) -> tuple[GroundPlane, ShadowArea] | None:
        """Draw the shadow of these items into the targets. Return the ground and the area of the shadow; None
        if nothing is shown.
        """
        clip = frame.playing.animation if frame.playing else None
        plane = ground_plane(mesh.model, frame.display, clip)
        if plane is None:
            return None
        margin = (SPREAD * BLURS[-1] + max(SLANT) * ENDS[-1]) * plane.radius
        area = shadow_area(mesh.model, frame.display, frame.pose, margin, BLURRED)
        if area is None:
            return None
        self._draw_from_below(mesh, frame, casting, plane, area)
        self._below.texture.build_mipmaps()
        widths = np.array(BLURS) * plane.radius / (2 * area.side)
        self._blurred.blur(self._blur, self._below.texture, widths)
        return plane, area

    def _draw_from_below(
        self,
        mesh: MeshResources,
        frame: Frame,
        casting: Sequence[VisibleItem],
        plane: GroundPlane,
        area: ShadowArea,
    ) -> None:
        """Draw the layers of height into the target."""
        to_world, time = frame.display.to_world(mesh.model), frame.clip_time.time
        view, projection = view_from_below(plane, area)
        mesh.deformation.write(frame.pose, frame.display.morphs)
        mesh.write_frame(frame.options, None, view @ to_world, projection, to_world, FrameLights())
        clear(self._below.framebuffer, self._below.size)
        ends = tuple(plane.radius * end for end in ENDS)
        for shown in casting:
            item = shown.item
            item.gpu_material.write(time, shown.appearance)
            program = self._composer.program("mesh.vert", FRAGMENT, _defines(item))
            program.set(layer_ends=ends)
            pipeline = Pipeline(
                prepared(mesh, item, program),
                self._below.framebuffer,
                {**mesh.bindings(item.lod), **item.gpu_material.bindings(time)},
                cull="none",
            )
            pipeline.draw(item.lod.primitive, item.count, item.lod.start)

    def _draw_ground(
        self, plane: GroundPlane, area: ShadowArea, matrices: Matrices, framebuffer: moderngl.Framebuffer
    ) -> None:
        self._ground.program.set(
            world_clip=matrices.world_clip,
            middle=(area.x, plane.height, area.z),
            side=area.side,
            densities=DENSITIES,
            darkest=DARKEST,
            level=float(SHARP_LEVEL),
        )
        mirrors = np.linalg.slogdet(matrices.world_clip)[0] > 0
        pipeline = Pipeline(
            self._ground.array,
            framebuffer,
            {"layers": self._below.texture, "blurred_layers": self._blurred.texture},
            blend="premulalpha",
            depth=None,
            depth_write=False,
            front_face="ccw" if mirrors else "cw",
        )
        pipeline.draw(Primitive.TRIANGLE_STRIP, CORNERS)


class BlurredPicture:
    """The blurred layers of height. Owns two targets, one for each direction of the blur."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._textures = [ctx.texture((BLURRED, BLURRED), 4, dtype="f2") for _ in range(2)]
        for each in self._textures:
            each.repeat_x = each.repeat_y = False
        self._framebuffers = [ctx.framebuffer([each]) for each in self._textures]

    @property
    def texture(self) -> moderngl.Texture:
        """The blurred layers of height, one in each channel."""
        return self._textures[1]

    def blur(self, drawable: Drawable, below: moderngl.Texture, widths: Array) -> None:
        """Blur the picture from below. `widths` [4] are standard deviations of the layers in sides of the
        picture.
        """
        passes = ((below, LEVEL, (1.0 / BLURRED, 0.0)), (self._textures[0], 0, (0.0, 1.0 / BLURRED)))
        deviations = np.maximum(widths * BLURRED, LEAST)
        reach = int(np.ceil(SPREAD * deviations.max()))
        for framebuffer, (texture, level, step) in zip(self._framebuffers, passes, strict=True):
            clear(framebuffer, (BLURRED, BLURRED))
            drawable.program.set(
                level=float(level), step_size=step, reach=reach, falloff=tuple(-0.5 / deviations**2)
            )
            pipeline = Pipeline(
                drawable.array, framebuffer, {"layers": texture}, depth=None, depth_write=False, cull="none"
            )
            pipeline.draw(Primitive.TRIANGLES, 3)

    def release(self) -> None:
        """Release the targets of both directions."""
        release_framebuffers(*self._framebuffers)
        for each in self._textures:
            each.release()


def view_from_below(plane: GroundPlane, area: ShadowArea) -> tuple[Array, Array]:
    """Return view and projection [4, 4] of a camera that looks up at the area from below.

    `view` goes from viewer space to an eye space whose -z is the height above the ground. x and y of clip
    space are x and z of viewer space, shifted by `SLANT`; over the area they go from -1 to 1.
    """
    view = np.array(
        (
            (1.0, SLANT[0], 0.0, -area.x - SLANT[0] * plane.height),
            (0.0, SLANT[1], 1.0, -area.z - SLANT[1] * plane.height),
            (0.0, -1.0, 0.0, plane.height),
            (0.0, 0.0, 0.0, 1.0),
        )
    )
    near, far = -BELOW * plane.radius, ENDS[-1] * plane.radius
    projection = np.diag((1 / area.side, 1 / area.side, -2 / (far - near), 1.0))
    projection[2, 3] = -(far + near) / (far - near)
    return view, projection


def _key(mesh: MeshResources, frame: Frame, casting: Sequence[VisibleItem]) -> object:
    """Return a key of all values that the shadow depends on. Frames with equal keys have the same shadow,
    even if the camera moves.
    """
    display, items = frame.display, [(each.item, each.alpha) for each in casting]
    clip = frame.playing.animation if frame.playing else None
    morphs, hidden = dict(display.morphs), frozenset(display.hidden)
    return ref(mesh), frame.pose, frame.clip_time.time, clip, items, morphs, hidden, display.placement


def _casting(mesh: MeshResources, frame: Frame) -> Iterator[VisibleItem]:
    """Yield the shown surfaces that cover what is behind them. Surfaces that only add light are left out."""
    clip_time = frame.clip_time
    for item in visible(mesh, frame.display, frame.matrices):
        shown = VisibleItem(item, item.gpu_material.appearance(clip_time))
        covers = shown.blend == "replace" or blend_factors(shown.blend)[1] == REST
        if covers and shown.alpha > 0 and item.lod.primitive in TRIANGULAR:
            yield shown


def _defines(item: DrawItem) -> tuple[str, ...]:
    """Return the defines of the program that draws an item from below. Opaque items need no texture."""
    own = tuple(each for each in item.defines if each != "NORMAL_MAP")
    tested = item.gpu_material.features & (BLENDED | MASKED)
    return (*own, *FrameKind().defines, "CASTING", *(() if tested else ("FEATURES=0",)))
