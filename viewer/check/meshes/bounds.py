"""Rules for bounding boxes, which have to contain the model."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.arrays import Array
from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, Rule, rounded
from viewer.scene.finding import Severity
from viewer.scene.items import GeometryItem
from viewer.scene.maths import corners_of

BOUNDS_ERROR = 0.01
"""How far vertices may be outside the bounds, as a fraction of the bounds' diagonal."""


def stale_bounds(context: CheckContext) -> Iterator[Found]:
    """Report vertices that are outside the bounds of the file both at their stored positions and in the rest
    pose.
    """
    model = context.model
    if model is None or model.bounds is None or not np.isfinite(model.bounds).all():
        return
    bounds = model.bounds.astype(np.float64)
    size = float(np.linalg.norm(bounds[1] - bounds[0]))
    stored, at_rest, worst = 0.0, 0.0, None
    for surface in context.surfaces:
        if surface.positions is None or not len(surface.rows):
            continue
        stored = max(stored, beyond(surface.positions, bounds))
        out = beyond(surface.at_rest, bounds)
        if out > at_rest:
            at_rest, worst = out, surface
    out = min(stored, at_rest)
    if worst is not None and out > BOUNDS_ERROR * size:
        share = f", {rounded(100 * out / size)} % of their diagonal" if size else ""
        text = f"vertices of {worst.name} are up to {rounded(out)} outside the bounds{share}"
        yield Found(text, (GeometryItem(worst.number),))


def beyond(points: Array, bounds: Array) -> float:
    """The largest distance of points [N, 3] outside the bounds [2, 3] along an axis."""
    if not len(points):
        return 0.0
    lowest, highest = corners_of(points)
    out = max(float((bounds[0] - lowest).max()), float((highest - bounds[1]).max()))
    return max(out, 0.0) if np.isfinite(out) else 0.0


RULES = (
    Rule(
        "mesh/stale-bounds",
        Severity.WARNING,
        "Vertices lie outside the bounds of the file",
        stale_bounds,
        {
            "Urho3D": "The model vanishes at the edge of the view, and rays miss it.",
            "OGRE": "The mesh vanishes at the edge of the view, and rays miss it.",
            "": "The model may vanish at the edge of the view.",
        },
        "Export again, so that the bounds are made of the vertices.",
        "vertices of Body are up to 0.5 outside the bounds, 25 % of their diagonal",
    ),
)
