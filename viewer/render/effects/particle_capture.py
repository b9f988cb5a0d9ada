"""Reads particles back from the vertex shader, for `bake`, panels and tests."""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array
from viewer.render.effects.particle_rows import PARTICLE
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.render.view_parameters import EffectTime
from viewer.scene.display import DisplayOptions, ModelDisplay


def capture_particles(mesh: MeshResources, effect_time: EffectTime, display: ModelDisplay) -> list[Array]:
    """Return the live particles of each emitter in birth order, [N] of `PARTICLE`; N is 0 for a hidden
    emitter.
    """
    mesh.write(effect_time.pose, DisplayOptions(), display, np.eye(4), np.eye(4))
    found = [np.empty(0, PARTICLE) for _ in mesh.model.emitters]
    for each in mesh.particles.prepared(effect_time):
        found[each.number] = mesh.particles.live(each)
    return found


def capture_carried(mesh: MeshResources, effect_time: EffectTime, display: ModelDisplay) -> dict[int, Array]:
    """Return the live child particles of each emitter, [N] of `CARRIED`. The keys are the numbers of the
    parent emitters.

    Hidden emitters and emitters without child emitters are left out.
    """
    mesh.write(effect_time.pose, DisplayOptions(), display, np.eye(4), np.eye(4))
    return {
        each.number: mesh.particles.live_carried(each, effect_time)
        for each in mesh.particles.prepared(effect_time)
        if each.carried
    }


def live_particles(mesh: MeshResources, number: int) -> Array:
    """Return the live particles of a prepared emitter in birth order, [N] of `PARTICLE`."""
    each = mesh.particles.emitters[number]
    return mesh.particles.live(each) if each.count else np.empty(0, PARTICLE)
