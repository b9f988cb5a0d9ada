"""The state of an emitter on which its carried emitters depend."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from viewer.animation.effects.bone_path import BonePath
from viewer.animation.effects.emission import Emission
from viewer.arrays import Array
from viewer.scene.emitter import Emitter


class CarrierState(Struct, frozen=True, eq=False):
    """The state of emitter `number` at `time` seconds.

    `newest` is the number of its newest birth; `frame` [3, 4] goes from the emitter's to the file's axes.
    `size` scales the particles; with `cold` the emitter starts at time 0.
    """

    emitter: Emitter
    number: int
    seed: int
    emission: Emission
    path: BonePath
    newest: int
    frame: Array
    time: float
    cold: bool
    size: float


def particle_size(emitter: Emitter, size: float, frame: Array) -> float:
    """The factor of particle sizes: `size`, times the scale of `frame` [3, 4] if the emitter inherits it."""
    return size * float(np.sqrt((frame[:, 0] ** 2).sum())) if "inherits scale" in emitter.flags else size
