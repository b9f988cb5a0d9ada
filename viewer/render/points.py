"""Attachments, events, lights and emitters as dots, and the collision mesh as lines."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from viewer.animation.pose import Pose
from viewer.arrays import Array, Color
from viewer.render.segments import ACCENT, INK, THIN, circles, segments
from viewer.scene.attachments import Collision
from viewer.scene.display import DisplayOptions
from viewer.scene.items import AttachmentItem, EmitterItem, EventItem, Item, LightItem, MarkerItem, RibbonItem
from viewer.scene.markers import Marker, positions, shown
from viewer.scene.model import Model

COLORS: dict[type[MarkerItem], Color] = {
    AttachmentItem: (0.45, 0.85, 0.55, 1.0),
    EventItem: (0.96, 0.66, 0.30, 1.0),
    LightItem: (1.0, 0.93, 0.55, 1.0),
    EmitterItem: (0.86, 0.52, 0.95, 1.0),
    RibbonItem: (0.60, 0.72, 0.98, 1.0),
}
SMALL, LARGE = 3.0, 4.5
RIM = 1.3
"""How far the dark ring reaches around a dot, in points."""
COLLISION: Color = (0.94, 0.40, 0.36, 0.75)


def spot_segments(
    model: Model, pose: Pose | None, options: DisplayOptions, marked: Collection[Item | None]
) -> list[Array]:
    """The markers that the options or `marked` items (selected and hovered) request.

    A marked light also shows its range.
    """
    some = shown(model, options, marked)
    if not some:
        return []
    at = positions(some, pose.skin if pose is not None else None)
    found = [
        _dot(model, marker, position, marker.item in marked)
        for marker, position in zip(some, at, strict=True)
    ]
    for marker, position in zip(some, at, strict=True):
        if isinstance(marker.item, LightItem) and marker.item in marked:
            reach = [each for each in model.lights[marker.item.number].attenuation if 0 < each < np.inf]
            found += [segments(circles(position, radius), COLORS[LightItem], THIN) for radius in reach]
    return found


def _dot(model: Model, marker: Marker, position: Array, marked: bool) -> Array:
    """A ringed dot; a light's dot has the light's colour if it is visible."""
    color, radius = COLORS[type(marker.item)], LARGE if marked else SMALL
    if isinstance(marker.item, LightItem):
        own = np.array(model.lights[marker.item.number].diffuse)
        red, green, blue = (own / max(float(own.max()), 1e-6)).clip(0, 1).tolist()
        color = (red, green, blue, 1.0)
    ends = np.repeat(position[None, None], 2, axis=1)
    ring = segments(ends, ACCENT if marked else INK, radius + RIM)
    return np.concatenate((ring, segments(ends, color, radius)))


def collision_edges(collision: Collision) -> Array:
    """[E, 2, 3]: every edge of the collision triangles once."""
    triangles = collision.triangles
    pairs = np.concatenate((triangles[:, (0, 1)], triangles[:, (1, 2)], triangles[:, (2, 0)]))
    edges = np.unique(np.sort(pairs, axis=1), axis=0)
    return np.asarray(collision.vertices[edges])
