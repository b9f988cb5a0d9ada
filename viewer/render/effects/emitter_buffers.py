"""The uniform block and the table of an emitter, from which the shader computes its particles."""

from __future__ import annotations

import moderngl
import numpy as np

from viewer.animation.effects.bone_path import BonePath
from viewer.animation.effects.emission import Emission
from viewer.animation.effects.particle_motion import even_points
from viewer.animation.effects.random_hash import WORD, scrambled
from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.gpu.bindings import Bindings
from viewer.gpu.table import TexelTable
from viewer.scene.emitter import Emitter, Ramp

KINDS = {"plane": 1, "sphere": 2, "spline": 3}
"""The number of each emitter type; unknown types count as planes."""
BITS = {
    "line": 2,
    "burst": 4,
    "dies in the middle": 8,
    "up only": 16,
    "tumbles": 32,
    "tail grows": 64,
    "on the ground": 256,
    "follows": 512,
    "one cell of the particle": 1024,
    "uneven size": 4096,
}
"""The bit that stands in the shaders for each flag of `scene.emitter.Emitter`."""
SPINS_BY_LIFE, BIRTHS_LOOP, FRAMES_LOOP = 2048, 8192, 16384
"""Further bits for the shaders, which come from other fields of the emitter than its flags."""
HALF_WORD = 1 << 16
"""Factor between the two halves of a 32-bit word. The halves are stored as separate numbers, because f32
holds only 24 bits exactly.
"""
BIRTH_TEXELS = 3
"""Texels per node of the birth schedule: births, time, rate, and the values of a particle born at
this time.
"""
FRAME_TEXELS = 6
"""Texels per node of the emitter's path: time, drift, matrix, speeds before and after the node."""
SPLINE_TEXELS = 2
"""Texels per point of a spline: position and tangent."""

NOW = np.dtype(
    [("frame_now", "f4", (3, 4)), ("drift_now", "f4", 4), ("now", "f4", 4), ("counts", "u4", 4)],
)
"""The first part of the block: the fields that change in every frame."""
BLOCK = np.dtype(
    [
        *((name, *NOW.fields[name][:1]) for name in NOW.names),  # type: ignore[index,union-attr]
        ("schedule", "f4", 4),
        ("path", "f4", 4),
        ("motion", "f4", 4),
        ("wind", "f4", 4),
        ("twinkle", "f4", 4),
        ("spin", "f4", 4),
        ("tumble_least", "f4", 4),
        ("tumble_most", "f4", 4),
        ("phases", "f4", 4),
        ("variation", "f4", 4),
        ("grid", "i4", 4),
        ("births", "i4", 4),
        ("frames", "i4", 4),
        ("points", "i4", 4),
        ("color_ramp", "i4", 4),
        ("alpha_ramp", "i4", 4),
        ("scale_ramp", "i4", 4),
        ("head_ramp", "i4", 4),
        ("tail_ramp", "i4", 4),
    ]
)
LAST_CELL = 32767


def emitter_block(emitter: Emitter, emission: Emission, path: BonePath, seed: int) -> tuple[Array, Array]:
    """Make the block [1] of `BLOCK` and the table [N, 4] f32 of an emitter; the `NOW` part stays 0."""
    block, rows = np.zeros(1, BLOCK), _TexelRows()
    births = np.column_stack((emission.births, emission.times, emission.rates, emission.values))
    frames = np.zeros((len(path.times), 4 * FRAME_TEXELS))
    frames[:, :16] = np.column_stack((path.times, path.drift, path.frames.reshape(-1, 12)))
    frames[:, 16:19], frames[:, 20:23] = path.speeds[:, 0], path.speeds[:, 1]
    points, ways = even_points(emitter.spline)
    spline = np.zeros((len(points), 4 * SPLINE_TEXELS))
    spline[:, :3], spline[:, 4:7] = points, ways
    for name, table, texels in (
        ("births", births, BIRTH_TEXELS),
        ("frames", frames, FRAME_TEXELS),
        ("points", spline, SPLINE_TEXELS),
    ):
        block[name] = rows.add(table, texels)
    for name, ramp in (
        ("color_ramp", emitter.colors),
        ("alpha_ramp", emitter.alphas),
        ("scale_ramp", emitter.scales),
        ("head_ramp", emitter.head_cells),
        ("tail_ramp", emitter.tail_cells),
    ):
        block[name] = rows.add(_ramp_rows(ramp), 1)
    block["births"][0, 3] = _bits(emitter, emission, path)
    block["schedule"] = emission.stretch.seconds, emission.a_loop, emission.rates[0], emission.rates[-1]
    block["path"] = (*path.drift[-1], path.stretch.seconds)
    _constants(block, emitter, seed)
    return block, rows.table()


class _TexelRows:
    """Collects the rows of a table; a row has one or more texels."""

    def __init__(self) -> None:
        self._texels: list[Array] = []
        self._count = 0

    def add(self, rows: Array, texels: int) -> tuple[int, int, int, int]:
        """Add rows. Return four numbers for the shader: the index of the first added texel, the number of
        added rows, the first step of a binary search over these rows, and 0.
        """
        first, count = self._count, len(rows)
        self._texels.append(rows.reshape(count * texels, 4))
        self._count += count * texels
        return first, count, 1 << (count - 1).bit_length() - 1 if count > 1 else 0, 0

    def table(self) -> Array:
        """Return all rows as texels [N, 4]."""
        return np.concatenate(self._texels).astype(np.float32)


def _ramp_rows(ramp: Ramp) -> Array:
    """Return the keys of a ramp as [K, 4]: the time and up to three numbers."""
    rows = np.zeros((len(ramp), 4))
    values = ramp.values[:, :3]
    rows[:, 0], rows[:, 1 : 1 + values.shape[1]] = ramp.times, values
    return np.asarray(np.clip(np.nan_to_num(rows), -BUDGET.effect_number, BUDGET.effect_number))


def _bits(emitter: Emitter, emission: Emission, path: BonePath) -> int:
    bits = sum(bit for name, bit in BITS.items() if name in emitter.flags)
    bits |= SPINS_BY_LIFE * emitter.spins_by_life | BIRTHS_LOOP * emission.stretch.looped
    return int(bits | FRAMES_LOOP * path.stretch.looped)


def _constants(block: Array, emitter: Emitter, seed: int) -> None:
    """Write the constant parameters; values that are not finite become 0."""
    rows = min(emitter.rows, LAST_CELL)
    columns = min(emitter.columns, LAST_CELL)
    shared = "one cell of the emitter" in emitter.flags
    own = int(scrambled(np.array(seed, np.uint32))) % (rows * columns) if shared else 0
    found = {
        "motion": (emitter.drag, emitter.burst, emitter.wind_time, emitter.lifespan_variation),
        "wind": (*emitter.wind, emitter.tail_length),
        "twinkle": emitter.twinkle,
        "spin": (*emitter.base_spin, *emitter.spin),
        "tumble_least": (*emitter.tumble[0], 0.0),
        "tumble_most": (*emitter.tumble[1], 0.0),
        "phases": (emitter.phases.middle, emitter.phases.first, emitter.phases.second, 0.0),
        "variation": (*emitter.scale_variation, emitter.alpha_mask, emitter.blending == "replace"),
    }
    for name, numbers in found.items():
        block[name] = np.clip(
            np.nan_to_num(np.array(numbers, np.float64)), -BUDGET.effect_number, BUDGET.effect_number
        )
    block["grid"] = rows, columns, own, KINDS.get(emitter.type, KINDS["plane"])


class EmitterBuffers:
    """The uniform block and table of an emitter.

    `now` [1] of `NOW` changes in every frame; `write` uploads it.
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._block = ctx.buffer(reserve=BLOCK.itemsize)
        self._table: TexelTable | None = None
        self._texels = 0
        self.now = np.zeros(1, NOW)

    def bake(self, emitter: Emitter, emission: Emission, path: BonePath, seed: int) -> None:
        """Upload the part that stays constant while an animation plays."""
        block, texels = emitter_block(emitter, emission, path, seed)
        if self._table is None or self._texels < len(texels):
            if self._table is not None:
                self._table.release()
            self._table, self._texels = TexelTable(self._ctx, len(texels), 4), len(texels)
        self._table.write(texels)
        self._block.write(block)
        self.now["counts"][0, 1:3] = seed, emission.loop

    def write(self, newest: int) -> None:
        """Upload `now` with the number of the newest birth."""
        self.now["counts"][0, 0] = newest & WORD
        self._block.write(self.now)

    @property
    def frame(self) -> Array:
        """Matrix [3, 4] from the emitter's space to the file's axes in this frame."""
        return np.asarray(self.now["frame_now"][0])

    @property
    def size(self) -> float:
        """The factor by which particle sizes are multiplied in this frame."""
        return float(self.now["now"][0, 3])

    @property
    def bindings(self) -> Bindings:
        """The uniform block and the table."""
        assert self._table is not None, "bake must be called first"
        return {"Emitter": self._block, "emitter_table": self._table.texture}

    def release(self) -> None:
        """Release the block and the table."""
        self._block.release()
        if self._table is not None:
            self._table.release()


def variant(emitter: Emitter) -> tuple[str, ...]:
    """Return the shader defines for those properties of the emitter that cost time in the shader."""
    found = {
        "WORLD": "model space" not in emitter.flags,
        "SPLINE": emitter.type == "spline",
        "FLAT": "flat" in emitter.flags,
    }
    return tuple(name for name, holds in found.items() if holds)
