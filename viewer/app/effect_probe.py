"""The current particles or edges of the selected emitter or ribbon, and their cost."""

from __future__ import annotations

import time

from viewer.render.mesh.mesh_resources import MeshResources
from viewer.render.pick import PickView
from viewer.scene.effects import effect_of
from viewer.scene.items import EffectItem, Item, RibbonItem
from viewer.view.view_info import LiveEffect

SMOOTH = 0.9
"""The share of earlier pictures in the displayed average cost."""


class EffectProbe:
    """Reads the particles back from the shader, because only the shader computes them.

    The cost is CPU time, averaged over pictures.
    """

    def __init__(self) -> None:
        self._item: EffectItem | None = None
        self._cost = 0.0

    def of(self, mesh: MeshResources, view: PickView, picked: Item | None) -> LiveEffect | None:
        """The particles or edges of the picked item in the last drawn picture.

        None if the item is not an emitter or ribbon, or is not drawn.
        """
        item, effects = effect_of(picked), view.display.effects
        if item is None or not effects.draws(item):
            self._item = None
            return None
        from viewer.render.effects.particle_capture import live_particles

        number = item.number
        began = time.thread_time()
        if isinstance(item, RibbonItem):
            mesh.ribbons.prepared(number, effects, view.effect_time)
            spent = time.thread_time() - began
            rows = mesh.ribbons.capture(number, effects, view.effect_time)
        else:
            mesh.particles.emitters[number].prepare(view.effect_time, effects)
            spent = time.thread_time() - began
            rows = live_particles(mesh, number)
        self._cost = SMOOTH * self._cost + (1 - SMOOTH) * spent if item == self._item else spent
        self._item = item
        return LiveEffect(item, rows, self._cost * 1000)
