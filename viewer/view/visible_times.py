"""Determines at which times an emitter or a ribbon is visible."""

from __future__ import annotations

import numpy as np

from viewer.animation.effects.carried import carriers
from viewer.animation.effects.emission import Emission, emission
from viewer.animation.effects.random_hash import seed_of
from viewer.animation.effects.ribbon import edges
from viewer.arrays import Array
from viewer.scene.emitter import Ramp
from viewer.scene.items import EmitterItem, RibbonItem
from viewer.view.view_snapshot import ViewSnapshot

FAINTEST = 1 / 255
"""A particle counts as visible if the product of its alpha and size is at least this."""


class EffectTimes:
    """The visibility of the emitters and ribbons of one view. The birth schedules are computed once."""

    def __init__(self, view: ViewSnapshot) -> None:
        assert view.model is not None, "effects belong to a model"
        self._view, self._model = view, view.model
        self._emissions: dict[int, Emission] = {}

    def alive(self, item: EmitterItem | RibbonItem, time: float) -> bool:
        """Whether a particle or an edge of the item is visible at `time` seconds of the clock."""
        effects = self._view.display.effects
        at, rate = effects.time(item, time), effects.rate(item)
        if isinstance(item, RibbonItem):
            return edges(self._model.ribbons[item.number], at, effects.cold, rate, effects.period).count > 1
        emitter, seed = self._model.emitters[item.number], seed_of(effects.seed, item.number)
        if item.number not in self._emissions:
            layer = next(iter(self._view.playback.layers(time)), None)
            clip, looped = (layer.animation, layer.looped) if layer else (None, True)
            self._emissions[item.number] = emission(emitter, clip, looped, rate, seed, effects.period)
        schedule = self._emissions[item.number]
        if not schedule.longest > 0:
            return False
        born = carriers(emitter, schedule, seed, at, effects.cold, 0.0)
        parts = (born.ages / born.lives)[born.ages <= born.lives]
        return bool((_ramp(emitter.alphas, parts) * _ramp(emitter.scales, parts) > FAINTEST).any())


def _ramp(ramp: Ramp, parts: Array) -> Array:
    """[N]: the largest component of a ramp at fractions `parts` [N] of a life; 1 for an empty ramp."""
    if not len(ramp):
        return np.ones(len(parts))
    return np.asarray(np.interp(parts, ramp.times, ramp.values.max(axis=1)))
