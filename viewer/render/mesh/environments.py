"""The environments on the GPU, by name: their maps, and the block of `environment.glsl`."""

from __future__ import annotations

import moderngl
import numpy as np
from msgspec import Struct

from viewer.gpu.bindings import NO_BINDINGS, Bindings
from viewer.gpu.drawable import Drawable
from viewer.gpu.pipeline import Pipeline
from viewer.gpu.shader import Composer
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.scene.display import DisplayOptions
from viewer.scene.environment_map import MAP_SIZE, Environment
from viewer.scene.model import Primitive

BLOCK = np.dtype([("mean_light", "f4", (9, 4)), ("placement", "f4", 4)])
KEPT = 4
"""The number of environments that stay on the GPU, 3 MB each."""


class GpuEnvironment(Struct, frozen=True, eq=False):
    """An environment on the GPU. `bindings` are its map and its block, in which `environment.diffuse`
    stands.
    """

    environment: Environment
    texture: moderngl.Texture
    block: moderngl.Buffer
    bindings: Bindings

    def release(self) -> None:
        """Release the map and the block."""
        self.texture.release()
        self.block.release()


class Environments:
    """The environments of a context, the latest `KEPT`. Draws them behind models."""

    def __init__(self, composer: Composer) -> None:
        self._ctx = composer.ctx
        self._behind = Drawable(composer, ("outline.vert", "environment.frag"))
        self._made: dict[str, GpuEnvironment] = {}
        self._placed: dict[str, tuple[float, float]] = {}
        self._versions: dict[str, object] = {}

    def has(self, name: str, version: object = None) -> bool:
        """Whether the environment of this name is here; with a `version`, whether it was made of this one."""
        return name in self._made and version in (None, self._versions[name])

    def put(self, name: str, environment: Environment, version: object = None) -> None:
        """Upload an environment under a name, in place of an earlier one of the name."""
        self._drop(name)
        self._versions[name] = version
        texture = self._ctx.texture(MAP_SIZE, 4, environment.map, alignment=1, dtype="f2")
        texture.repeat_x = texture.repeat_y = False
        texture.filter = moderngl.LINEAR, moderngl.LINEAR
        block = self._ctx.buffer(reserve=BLOCK.itemsize)
        bindings: Bindings = {"environment_map": texture, "Environment": block}
        self._made[name] = GpuEnvironment(environment, texture, block, bindings)
        while len(self._made) > KEPT:
            self._drop(next(iter(self._made)))

    def bindings(self, options: DisplayOptions) -> Bindings:
        """Return the bindings of the environment that `options` choose, placed as they say; empty if they
        choose another light, or an environment that was not put here.
        """
        name = options.environment
        if not options.with_environment or name not in self._made:
            return NO_BINDINGS
        made = self._made[name] = self._made.pop(name)  # the latest used is the last to be dropped
        placed = options.environment_turn, options.environment_strength
        if self._placed.get(name) != placed:
            turn = np.radians(options.environment_turn)
            block = np.zeros(1, BLOCK)
            block["mean_light"][0, :, :3] = made.environment.diffuse
            block["placement"] = np.cos(turn), np.sin(turn), options.environment_strength, 0.0
            made.block.write(block)
            self._placed[name] = placed
        return made.bindings

    def draw(self, mesh: MeshResources, blur: float, framebuffer: moderngl.Framebuffer) -> None:
        """Draw the mesh's environment over the whole framebuffer; `blur` is 0..1. The `Frame` block must
        already describe the view.
        """
        self._behind.program.set(blur=blur)
        bindings = {**mesh.environment, "Frame": mesh.frame}
        whole = Pipeline(
            self._behind.array, framebuffer, bindings, depth=None, depth_write=False, cull="none"
        )
        whole.draw(Primitive.TRIANGLES, 3)

    def forget(self) -> None:
        """Release all environments, which are then made again."""
        for name in [*self._made]:
            self._drop(name)

    def release(self) -> None:
        """Release everything."""
        self._behind.release()
        self.forget()

    def _drop(self, name: str) -> None:
        self._placed.pop(name, None)
        if name in self._made:
            self._made.pop(name).release()
