"""Emitters and ribbons as curves: every track over the sequence, every ramp over a particle's life."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from viewer.animation.track_sampling import curve_values
from viewer.arrays import Array
from viewer.scene.animation import Animation
from viewer.scene.emitter import Curve, Emitter, Ramp

STEPS = 129
"""Points of a curve over life: enough to show the steps of texture cells."""


def over_time(curve: Curve, times: Array, animation: Animation | None, looped: bool) -> Array:
    """[N, C] a track at `times` [N] seconds of an animation (None: only tracks with loops of their own
    move).
    """
    found = curve_values(curve, times, animation.duration if animation else 0.0, looped)
    return np.nan_to_num(found.reshape(len(times), -1))


def over_life(emitter: Emitter) -> Mapping[str, Array]:
    """The ramps that have keys, by name, [N, C] at N even steps of a life: `color` and `alpha` 0..1, `half
    size`, `head cell` and `tail cell`.
    """
    share = np.linspace(0.0, 1.0, STEPS)
    ramps = {"color": emitter.colors, "alpha": emitter.alphas, "half size": emitter.scales}
    found = {name: ramp_at(ramp, share) for name, ramp in ramps.items() if len(ramp)}
    phased = _phased(emitter, share)
    cells = {"head cell": (emitter.head, emitter.head_cells), "tail cell": (emitter.tail, emitter.tail_cells)}
    for name, (drawn, ramp) in cells.items():
        if drawn and len(ramp) and np.ptp(ramp.values) > 0:
            found[name] = np.floor(ramp_at(ramp, phased))
    return found


def ramp_at(ramp: Ramp, share: Array) -> Array:
    """[N, C]: a ramp at fractions [N] of a life."""
    columns = np.nan_to_num(ramp.values).T
    return np.stack([np.interp(share, ramp.times, column) for column in columns], axis=-1)


def _phased(emitter: Emitter, share: Array) -> Array:
    """The positions in the cell ramps at fractions [N] of a life: each phase repeats its range a given number
    of times. The end of a life counts as the moment before it.
    """
    phases, share = emitter.phases, np.minimum(share, 1 - 1e-6)
    middle = phases.middle
    early = middle * np.mod(phases.first * share / max(middle, 1e-9), 1.0)
    late = middle + (1 - middle) * np.mod(phases.second * (share - middle) / max(1 - middle, 1e-9), 1.0)
    return np.where(share < middle, early, late)
