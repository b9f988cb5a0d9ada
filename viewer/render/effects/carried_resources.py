"""The GPU data of a child emitter: an emitter that moves with each particle of another emitter."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import numpy as np

from viewer.animation.effects.bone_path import path
from viewer.animation.effects.carried import (
    CARRIED_EMITTERS,
    Carried,
    Carriers,
    CarrierState,
    carried_births,
    carriers,
    particle_size,
    starts,
)
from viewer.animation.effects.emission import Emission, emission
from viewer.animation.effects.random_hash import seed_of
from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.gpu.bindings import Bindings
from viewer.gpu.table import TexelTable
from viewer.render.effects.emitter_buffers import HALF_WORD, EmitterBuffers, variant
from viewer.scene.emitter import Emitter, ModelReference
from viewer.scene.maths import IDENTITY
from viewer.scene.model import Model

STATE = ("alive", "position", "velocity")
STATE_ROW = np.dtype(("f4", 8))
"""State of a carrier (a particle with child emitters): age and lifetime, position, velocity."""
ROOM = 256
CARRIED_TEXELS = 7
"""The texels of a birth: age, lifespan, seed, values, matrix and speed of the carrier."""


class CarriedResources:
    """The GPU data of child emitter `child` of the model in `reference`.

    Each particle of the parent emitter is a carrier of this child emitter. For each frame `ask` lists the
    times at which the states of carriers are needed, and `put` receives these states.
    """

    def __init__(
        self, ctx: moderngl.Context, reference: ModelReference[Model], emitter: Emitter, child: int
    ) -> None:
        self.reference = reference
        self.emitter = emitter
        self.defines = (*variant(emitter), "CARRIED")
        self.count = self.number = 0
        self.child = child
        self._ctx = ctx
        self._buffers = EmitterBuffers(ctx)
        self._tables: tuple[TexelTable, TexelTable] | None = None
        self._room = 0
        self._seed: int | None = None
        self._emission: Emission | None = None
        self._births: tuple[Carriers, Carried] | None = None

    def bake(self, owner_seed: int) -> float:
        """Build the birth schedule from the seed of the parent emitter; return the longest lifetime in
        seconds.
        """
        seed = seed_of(owner_seed, self.child)
        if self._emission is None or seed != self._seed:
            self._seed = seed
            self._emission = emission(self.emitter, self.reference.animation, True, 1.0, seed)
            still = path(None, IDENTITY)
            self._buffers.bake(self.emitter, self._emission, still, seed)
        return self._emission.longest

    def ask(self, owner: CarrierState) -> int:
        """Find the births to draw, and return the number of births. Write the carrier times that these births
        need to the texture `asked`.
        """
        assert self._emission is not None, "bake must be called first"
        longest = self._emission.longest
        found = carriers(owner.emitter, owner.emission, owner.seed, owner.time, owner.cold, longest)
        births = carried_births(found, self._emission)
        self._births = found, births
        self.count, self.number = len(births.ages), owner.number
        if self.count:
            asked = np.stack((owner.newest - self.births()[0], self._asked_ages()), axis=-1)
            self._fitting(self.count)[1].write(asked)
        return self.count

    @property
    def asked(self) -> Bindings:
        """The carrier times of the last `ask`, as a texture for the shader that computes the carriers."""
        assert self._tables is not None, "ask must be called first"
        return {"asked_ages": self._tables[1].texture}

    def put(self, states: Array, owner: CarrierState) -> None:
        """Receive the carrier states [count] of `STATE_ROW`, and upload all births together with these
        states.
        """
        assert self._births is not None and self._tables is not None and self._seed is not None
        found, births = self._births
        rows = np.zeros((self.count, CARRIED_TEXELS, 4))
        numbers = found.numbers[births.carriers]
        start = starts(self._seed, owner.emission.alike(numbers), births.numbers)
        rows[:, 0, 0] = np.where(states[:, 0] < 0, -1.0, births.ages)
        rows[:, 0, 1] = births.values[:, 0]
        rows[:, 0, 2], rows[:, 0, 3] = np.divmod(start, HALF_WORD)
        rows[:, 1], rows[:, 2] = births.values[:, 1:5], births.values[:, 5:9]
        when = owner.time - found.ages[births.carriers] + self._asked_ages()
        rows[:, 3:6], rows[:, 6, :3] = carrier_frames(owner, states, when)
        rows[:, 6, 3] = owner.newest - numbers
        self._tables[0].write(rows.reshape(-1, 4))
        self._buffers.now["now"][0, 3] = particle_size(self.emitter, owner.size, owner.frame)
        self._buffers.write(owner.newest)

    def births(self) -> tuple[Array, Array]:
        """Return two arrays [count] i64: for each birth the number of its carrier, and its own number among
        the births of this carrier.
        """
        assert self._births is not None, "ask must be called first"
        found, births = self._births
        return found.numbers[births.carriers], births.numbers

    @property
    def size(self) -> float:
        """The factor by which particle sizes are multiplied in this frame."""
        return self._buffers.size

    @property
    def bindings(self) -> Bindings:
        """The uniform block and the table of births."""
        assert self._tables is not None, "ask must be called first"
        return {**self._buffers.bindings, "carried_births": self._tables[0].texture}

    def release(self) -> None:
        """Release the block and the tables."""
        for owned in (self._buffers, *(self._tables or ())):
            owned.release()

    def _asked_ages(self) -> Array:
        """Return the ages [count] at which the states of the carriers are needed. A carrier's state is needed
        at the time of the child's birth. If children move with the carrier, the state is needed at the
        current time, or at the carrier's death if that was earlier.
        """
        assert self._births is not None
        found, births = self._births
        ages = found.ages[births.carriers]
        if "model space" in self.emitter.flags:
            return np.minimum(ages, found.lives[births.carriers])
        return np.clip(ages - births.ages, 0.0, None)

    def _fitting(self, count: int) -> tuple[TexelTable, TexelTable]:
        """Return the tables. If they have no room for `count` births, make larger tables first."""
        if self._tables is None or self._room < count:
            for each in self._tables or ():
                each.release()
            self._room = min(max(2 * count, ROOM), BUDGET.carried_particles)
            self._tables = (
                TexelTable(self._ctx, self._room * CARRIED_TEXELS, 4),
                TexelTable(self._ctx, self._room, 2),
            )
        return self._tables


def carrier_frames(owner: CarrierState, states: Array, when: Array) -> tuple[Array, Array]:
    """Return the frames [N, 3, 4] and the velocities [N, 3] of N carriers at the times `when` [N] in seconds.

    A frame has the axes of the parent emitter and the position of the carrier. `states` are the carrier
    states that the shader computed.
    """
    frames = owner.path.at(when)
    position, velocity = states[:, 2:5].astype(np.float64), states[:, 5:8].astype(np.float64)
    if "model space" in owner.emitter.flags:
        position = np.einsum("nij,nj->ni", frames[:, :, :3], position) + frames[:, :, 3]
        velocity = np.einsum("nij,nj->ni", frames[:, :, :3], velocity)
    elif "follows" in owner.emitter.flags:
        position = position + owner.path.drifted(when) - owner.path.drifted(np.array((owner.time,)))
    frames[:, :, 3] = position
    return frames, velocity


def carried_by(ctx: moderngl.Context, emitter: Emitter) -> Iterator[CarriedResources]:
    """Make the GPU data of an emitter's child emitters."""
    reference = emitter.carries
    if reference is not None and reference.model is not None:
        for child, each in enumerate(reference.model.emitters[:CARRIED_EMITTERS]):
            yield CarriedResources(ctx, reference, each, child)
