"""The uniform block and the table from which the shader computes an emitter's particles."""

from __future__ import annotations

import moderngl
import numpy as np

from viewer.animation.effects.bone_path import BonePath
from viewer.animation.effects.emission import Emission
from viewer.animation.effects.random_hash import WORD
from viewer.arrays import Array
from viewer.gpu.bindings import Bindings
from viewer.gpu.table import Table
from viewer.render.effects.emitter_block import BLOCK, NOW, emitter_block
from viewer.scene.emitter import Emitter


class EmitterBuffers:
    """The GPU data of an emitter. `now` [1] of `NOW` changes with every picture, and `write` uploads it."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._block = ctx.buffer(reserve=BLOCK.itemsize)
        self._table: Table | None = None
        self._texels = 0
        self.now = np.zeros(1, NOW)

    def bake(self, emitter: Emitter, emission: Emission, path: BonePath, seed: int) -> None:
        """Upload the part that is constant while an animation plays."""
        block, texels = emitter_block(emitter, emission, path, seed)
        if self._table is None or self._texels < len(texels):
            if self._table is not None:
                self._table.release()
            self._table, self._texels = Table(self._ctx, len(texels), 4), len(texels)
        self._table.write(texels)
        self._block.write(block)
        self.now["counts"][0, 1:3] = seed, emission.loop

    def write(self, newest: int) -> None:
        """Upload `now` with the number of the newest birth."""
        self.now["counts"][0, 0] = newest & WORD
        self._block.write(self.now)

    @property
    def frame(self) -> Array:
        """[3, 4] from the emitter's space to the file's axes now."""
        return np.asarray(self.now["frame_now"][0])

    @property
    def size(self) -> float:
        """The factor of the particle sizes now."""
        return float(self.now["now"][0, 3])

    @property
    def bindings(self) -> Bindings:
        """The block and the table."""
        assert self._table is not None, "bake comes first"
        return {"Emitter": self._block, "emitter_table": self._table.texture}

    def release(self) -> None:
        """Release block and table."""
        self._block.release()
        if self._table is not None:
            self._table.release()


def variant(emitter: Emitter) -> tuple[str, ...]:
    """The defines of the shader variant: properties of the emitter that cost time in the shader."""
    found = {
        "WORLD": "model space" not in emitter.flags,
        "SPLINE": emitter.type == "spline",
        "FLAT": "flat" in emitter.flags,
    }
    return tuple(name for name, holds in found.items() if holds)
