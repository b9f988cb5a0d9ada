"""Places the camera so that it shows the whole model, or a part of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from viewer.arrays import Array, Size
from viewer.render.framing import bounds_of, fit, item_points, posed_points
from viewer.scene.camera import FARTHEST, Orbit
from viewer.scene.effects import effect_of
from viewer.scene.model import Model
from viewer.session.state import State

ENOUGH, SAMPLED_TIMES = 24_000, 6
"""The number of sampled vertices per geometry, and of sampled times per clip."""
AIR = 1.5
"""The highest ratio between the camera's distance to a part of the model and the smallest possible distance.

The camera never goes farther than the distance that shows the whole model, if the part is in that picture.
"""


def aim(state: State, size: Size, selected: bool = False) -> None:
    """Fit the posed model, or its selected part, into a picture of `size`; the view direction stays."""
    orbit = state.orbit or Orbit()
    model, pose = state.model or Model("", skeleton=state.skeleton), state.posed()
    item = (effect_of(state.focus) or state.focus) if selected else None
    part = None if item is None else item_points(model, pose, state.view.morphs, item)
    points = _moving_points(state, model)
    whole = fit(orbit, bounds_of(points), size, 1.0, points)
    if part is None or not len(part):
        state.camera = whole
        return
    near = fit(orbit, bounds_of(part), size, 1.0, part)
    airy = max(near.distance, min(near.distance * AIR, whole.distance))
    state.camera = replace(near, distance=min(airy, FARTHEST))


def _moving_points(state: State, model: Model) -> Array:
    """[N, 3]: sampled positions of the model now and during the playing clip."""
    sampled_times: list[float | None] = [None]
    if state.playlist:
        sampled_times += [state.duration * part / SAMPLED_TIMES for part in range(SAMPLED_TIMES)]
    most = ENOUGH // len(sampled_times)
    return np.concatenate(
        [posed_points(model, state.posed(time), state.view.morphs, most) for time in sampled_times]
    )
