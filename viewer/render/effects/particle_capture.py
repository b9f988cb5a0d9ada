"""Reads the particles back from the vertex shader, for `bake`, panels and tests."""

from __future__ import annotations

import numpy as np

from viewer.arrays import Array
from viewer.render.effects.particle_rows import PARTICLE
from viewer.render.mesh_resources import MeshResources
from viewer.render.view_parameters import EffectTime
from viewer.scene.display import DisplayOptions, ModelDisplay


def capture_particles(mesh: MeshResources, instant: EffectTime, display: ModelDisplay) -> list[Array]:
    """The live particles of each emitter, [N] of `PARTICLE`, in birth order; N is 0 if it is hidden."""
    mesh.write(instant.pose, DisplayOptions(), display, np.eye(4), np.eye(4))
    found = [np.empty(0, PARTICLE) for _ in mesh.model.emitters]
    for each in mesh.particles.prepared(display.effects, instant):
        found[each.number] = mesh.particles.live(each)
    return found


def capture_carried(mesh: MeshResources, instant: EffectTime, display: ModelDisplay) -> dict[int, Array]:
    """The live child particles, [N] of `CARRIED`, by the number of their carrying emitter.

    Only emitters that are shown and carry others are included.
    """
    mesh.write(instant.pose, DisplayOptions(), display, np.eye(4), np.eye(4))
    return {
        each.number: mesh.particles.live_carried(each, display.effects, instant)
        for each in mesh.particles.prepared(display.effects, instant)
        if each.carried
    }


def live_particles(mesh: MeshResources, number: int) -> Array:
    """[N] of `PARTICLE`, in birth order: the live particles of a prepared emitter."""
    each = mesh.particles.emitters[number]
    return mesh.particles.live(each) if each.count else np.empty(0, PARTICLE)
