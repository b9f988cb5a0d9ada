"""The bounds of a posed model, and the camera that fits them into the picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from viewer.arrays import Array
from viewer.lru import kept_with
from viewer.scene.camera import FARTHEST, NEAREST, Orbit
from viewer.scene.display import AS_STORED, Placement
from viewer.scene.mesh.vertices import VertexMotion, drawn_vertices, posed
from viewer.scene.model import Geometry, Lod, Model
from viewer.view.bone_lines import bone_lines

if TYPE_CHECKING:
    from viewer.animation.pose import Pose

EXACT = 200_000
"""The largest number of sampled vertices per geometry. In a larger geometry every n-th vertex is sampled."""
BOXED = 4096
"""The number of vertices per geometry in `geometry_corners`."""
NO_MORPHS: Mapping[int, float] = MappingProxyType({})
UNIT = np.array(((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)))
FARAWAY = 1e9
"""The largest valid coordinate in viewer units. Points with larger coordinates count as damaged."""
FILLED = 0.96
"""The share of the picture's width or height that a fitted box fills."""

TIGHT = 0.88
"""The share of the free width or height that enclosed points fill. The remaining part is room for movement
between sampled moments.
"""
CLOSEST = 1e-3
"""The smallest distance from the camera to the nearest point, as a share of the distance from that point to
the target.
"""
MARGIN_SHARE = 0.4
"""The largest share of the picture for one margin."""
Margins = tuple[float, float, float, float]
NO_MARGINS: Margins = (0.0, 0.0, 0.0, 0.0)


def posed_bounds(
    model: Model,
    pose: Pose | None = None,
    morphs: Mapping[int, float] = NO_MORPHS,
    placement: Placement = AS_STORED,
) -> Array:
    """[2, 3]: the box in viewer space around the model with this `pose`, these `morphs` (weights by number)
    and this `placement`.

    The box is always finite; an empty model has a unit box.
    """
    return bounds_of(posed_points(model, pose, morphs, placement=placement))


def posed_points(
    model: Model,
    pose: Pose | None = None,
    morphs: Mapping[int, float] = NO_MORPHS,
    most: int = EXACT,
    placement: Placement = AS_STORED,
) -> Array:
    """[N, 3] in viewer space: the used vertices of the first LODs, at most about `most` of each geometry.

    A model without vertices uses the particle positions of its emitters, else the joints and ends of its
    bones, else the bounds of the file. Points that are not finite or too far away are left out.
    """
    for points in _sources(model, pose, morphs, most):
        placed = in_viewer_space(model, points, placement)
        if len(placed):
            return placed
    return UNIT.copy()


def _sources(model: Model, pose: Pose | None, morphs: Mapping[int, float], most: int) -> Iterator[Array]:
    """Yield points [N, 3] in the file's axes from each source, the best source first."""
    yield _vertices(model, pose, morphs, most)
    if model.emitters:
        from viewer.view.effect_bounds import emitter_points

        yield emitter_points(model, pose)
    yield _bones(model, pose)
    yield _stated(model)


def geometry_points(
    model: Model, geometry: Geometry, pose: Pose | None, morphs: Mapping[int, float], most: int = EXACT
) -> Array:
    """[N, 3] in the file's axes: the posed vertices that the first level uses, at most about `most`."""
    if not geometry.lods:
        return np.empty((0, 3))
    lod = geometry.lods[0]
    rows = every(sample(model, lod), most)
    motion = VertexMotion(morphs=morphs)
    if pose is not None:
        # imported late, because `info` measures models without a pose
        from viewer.animation.pose import moves

        motion = moves(pose, morphs)
    return posed(model, geometry, lod, rows, motion)


def geometry_corners(model: Model) -> Array:
    """[G, 8, 3] in the file's axes: the corners of a box around each geometry at rest, at most about `BOXED`
    of its vertices. The corners are 0 for a geometry without vertices.
    """
    corners = np.zeros((len(model.geometries), 8, 3))
    for number, geometry in enumerate(model.geometries):
        points = geometry_points(model, geometry, None, NO_MORPHS, BOXED)
        points = points[np.isfinite(points).all(axis=1)]
        if len(points):
            corners[number] = box_corners(bounds_of(points))
    return corners


@kept_with
def _samples(model: Model) -> dict[Lod, Array]:
    """The samples of a model by level: finding the used vertices of a large model takes long."""
    return {}


def sample(model: Model, lod: Lod) -> Array:
    """[N]: the numbers of the vertices that a level uses; at most `EXACT` of them, evenly spread."""
    samples = _samples(model)
    if lod not in samples:
        samples[lod] = every(drawn_vertices(model, lod), EXACT)
    return samples[lod]


def every(rows: Array, most: int) -> Array:
    """Return at most `most` of the rows, evenly spread."""
    return rows[:: max(1, -(-len(rows) // most))].copy()


def in_viewer_space(model: Model, points: Array, placement: Placement = AS_STORED) -> Array:
    """Convert points [N, 3] from the file's axes to viewer space, without damaged points."""
    to_world = placement.of(model.to_world)
    placed = points @ to_world[:3, :3].T + to_world[:3, 3]
    return np.asarray(placed[(np.abs(placed) < FARAWAY).all(axis=1)], np.float64)


def placed_box(model: Model, box: Array, placement: Placement) -> Array:
    """[2, 3]: the box around `box` [2, 3] after `placement` moved it. `box` is in viewer space."""
    turn = placement.of(model.to_world) @ np.linalg.inv(model.to_world)
    return bounds_of(box_corners(box) @ turn[:3, :3].T + turn[:3, 3])


def bounds_of(points: Array) -> Array:
    """The box [2, 3] around [N, 3] points, N > 0."""
    return np.stack((points.min(axis=0), points.max(axis=0)))


def fit(
    orbit: Orbit, bounds: Array, size: tuple[int, int], factor: float = 1.0, points: Array | None = None
) -> Orbit:
    """Fit all `points` into the picture of an orbit around the centre of `bounds` [2, 3].

    The orbit keeps its angles. `points` are [N, 3]; with None, the eight corners of the box are the points.
    `size` is (width, height) in pixels. A small margin stays free. Then the distance is multiplied by
    `factor`.
    """
    center = bounds.mean(axis=0)
    right, up, back = orbit.axes @ ((box_corners(bounds) if points is None else points) - center).T
    slope = orbit.slope * FILLED
    aspect = max(size[0], 1) / max(size[1], 1)
    needed = np.maximum(np.abs(right) / aspect, np.abs(up)) / slope
    distance = float(np.max(needed if orbit.ortho else needed + back)) or 1.0
    x, y, z = (float(value) for value in center)
    return replace(orbit, target=(x, y, z), distance=max(NEAREST, min(FARTHEST, distance * factor)))


def enclose(
    orbit: Orbit, points: Array, size: tuple[int, int], factor: float = 1.0, free: Margins = NO_MARGINS
) -> Orbit:
    """Fit `points` [N, 3] tightly into the free part of an orbit's picture of `size` (width, height) in
    pixels. The target of the returned orbit is as deep in the picture as the centre of the box around the
    points.

    The orbit keeps its angles. `free` are the margins at the left, top, right and bottom that must stay free,
    in pixels. Then the distance is multiplied by `factor`.
    """
    middle = bounds_of(points).mean(axis=0)
    right, up, back = orbit.axes @ (points - middle).T
    width, height = max(size[0], 1), max(size[1], 1)
    slopes = orbit.slope * width / height, orbit.slope
    spans = _free_span(free[0], free[2], width), _free_span(free[3], free[1], height)
    sides = list(zip((right, up), slopes, spans, strict=True))
    depth = 0.0 if orbit.ortho else 1.0
    highs = [float((along + span[1] * slope * back * depth).max()) for along, slope, span in sides]
    lows = [float((along + span[0] * slope * back * depth).min()) for along, slope, span in sides]
    needed = max(
        (high - low) / ((span[1] - span[0]) * slope)
        for high, low, (_, slope, span) in zip(highs, lows, sides, strict=True)
    )
    if not orbit.ortho:
        needed = max(needed, float(back.max()) * (1 + CLOSEST))
    distance = max(NEAREST, min(FARTHEST, (needed or 1.0) * factor))
    shifts = [
        (high + low - (span[1] + span[0]) * slope * distance / factor) / 2
        for high, low, (_, slope, span) in zip(highs, lows, sides, strict=True)
    ]
    x, y, z = (float(value) for value in middle + np.array(shifts) @ orbit.axes[:2])
    return replace(orbit, target=(x, y, z), distance=distance)


def _free_span(low: float, high: float, length: int) -> tuple[float, float]:
    """The begin and the end, from -1 to 1, of the free part of the picture's width or height. The margins (in
    pixels) and a little padding are not free.
    """
    low, high = (min(each, length * MARGIN_SHARE) for each in (low, high))
    first, last = -1 + 2 * low / length, 1 - 2 * high / length
    padding = (last - first) * (1 - TIGHT) / 2
    return first + padding, last - padding


def box_corners(bounds: Array) -> Array:
    """[8, 3]: the corners of a box, from its lowest and highest corner [2, 3]."""
    picks = np.arange(8)[:, None] >> np.arange(3) & 1
    return np.asarray(bounds[picks, np.arange(3)])


def _vertices(model: Model, pose: Pose | None, morphs: Mapping[int, float], most: int) -> Array:
    parts = [geometry_points(model, geometry, pose, morphs, most) for geometry in model.geometries]
    return np.concatenate([np.empty((0, 3)), *parts])


def _bones(model: Model, pose: Pose | None) -> Array:
    """[N, 3]: the joints and ends of bones. The last bone of a chain ends where its drawn stub ends."""
    if pose is None:
        return np.empty((0, 3))
    if model.skeleton is None:
        return np.asarray(pose.world[:, :, 3])
    _, heads, tails = bone_lines(model.skeleton, pose.world)
    return np.concatenate((pose.world[:, :, 3], heads, tails))


def _stated(model: Model) -> Array:
    return np.empty((0, 3)) if model.bounds is None else box_corners(model.bounds)
