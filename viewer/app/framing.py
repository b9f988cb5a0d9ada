"""Where the camera stands when it is to show the whole model, or a part of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from viewer.arrays import Array, Size
from viewer.render.framing import bounds_of, fit, item_points, posed_points
from viewer.scene.camera import FARTHEST, Orbit
from viewer.scene.effects import effect_of
from viewer.scene.model import Model
from viewer.session.state import State

ENOUGH, MOMENTS = 24_000, 6
"""So many vertices of a geometry say where it is, at so many times of a clip."""
AIR = 1.5
"""How much farther away than it could be the camera stands from a part of the model, though no farther than
from all of it where the part is in the picture from there."""


def aim(state: State, size: Size, selected: bool = False) -> None:
    """Bring the whole posed model, or what is selected of it, into a picture of `size`, from where the camera
    looks."""
    orbit = state.orbit or Orbit()
    model, pose = state.model or Model("", skeleton=state.skeleton), state.posed()
    item = (effect_of(state.focus) or state.focus) if selected else None
    part = None if item is None else item_points(model, pose, state.look.morphs, item)
    points = _moving_points(state, model)
    whole = fit(orbit, bounds_of(points), size, 1.0, points)
    if part is None or not len(part):
        state.camera = whole
        return
    near = fit(orbit, bounds_of(part), size, 1.0, part)
    airy = max(near.distance, min(near.distance * AIR, whole.distance))
    state.camera = replace(near, distance=min(airy, FARTHEST))


def _moving_points(state: State, model: Model) -> Array:
    """[N, 3]: where the model is now, and in the course of what plays."""
    moments: list[float | None] = [None]
    if state.playlist:
        moments += [state.duration * part / MOMENTS for part in range(MOMENTS)]
    most = ENOUGH // len(moments)
    return np.concatenate(
        [posed_points(model, state.posed(moment), state.look.morphs, most) for moment in moments]
    )
