"""Rules for the bounds by which an engine culls a model while its clips play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from viewer.animation.pose import Layer, Pose, poses
from viewer.arrays import Array
from viewer.check.check_context import CheckContext, Surface
from viewer.check.meshes.bounds import BOUNDS_ERROR, beyond
from viewer.check.rule import MOST_ITEMS, Found, Rule, rounded
from viewer.errors import counted
from viewer.scene.animation import Animation
from viewer.scene.finding import Severity
from viewer.scene.items import AnimationItem, GeometryItem
from viewer.scene.maths import transform
from viewer.scene.skeleton import Skeleton

SEARCHED_VERTICES = 1 << 15
"""How many vertices of a surface are searched. These vertices are spread evenly over the surface."""
DIRECTIONS = np.array(((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1), (1, 1, -1), (1, -1, 1), (-1, 1, 1)))
"""The directions along which the vertices of a bone are compared."""


class Extremes:
    """The outermost vertices of a skinned model at its finest levels. Vertices with the same main bone form a
    group; in each group the farthest vertex along each of `DIRECTIONS` is outermost. The posed positions of
    the outermost vertices are exact.
    """

    def __init__(self, context: CheckContext) -> None:
        found = [(surface, _outermost(surface)) for surface in context.finest if _is_skinned(surface)]
        self._owners = np.repeat([surface.number for surface, _ in found], [len(rows) for _, rows in found])
        self._points = _joined([surface.positions[rows] for surface, rows in found], 3)  # type: ignore[index]
        pairs = [(surface.influences, rows) for surface, rows in found]
        self._bones = _joined([pair[0][rows] for pair, rows in pairs if pair], 4).astype(np.intp)
        self._weights = _joined([pair[1][rows] for pair, rows in pairs if pair], 4)

    def __len__(self) -> int:
        return len(self._points)

    def posed(self, poses: Sequence[Pose]) -> Iterator[Array]:
        """Yield the positions [V, 3] in each pose. A bone index that equals the number of bones means no
        bone.
        """
        for pose in poses:
            matrices = np.concatenate((pose.skin, np.eye(3, 4)[None]))
            blended = np.einsum("vk,vkij->vij", self._weights, matrices[self._bones])
            yield np.einsum("vij,vj->vi", blended[:, :, :3], self._points) + blended[:, :, 3]

    def owner(self, vertex: int) -> int:
        """The index of a vertex's geometry."""
        return int(self._owners[vertex])


def _is_skinned(surface: Surface) -> bool:
    positions = surface.positions
    return positions is not None and positions.shape[1] == 3 and surface.influences is not None


def _outermost(surface: Surface) -> Array:
    """[R]: the rows of the outermost vertices of a surface, ascending."""
    assert surface.positions is not None and surface.influences is not None, "the surface is skinned"
    rows = np.arange(0, len(surface.rows), max(-(-len(surface.rows) // SEARCHED_VERTICES), 1))
    bones, weights = (each[rows] for each in surface.influences)
    leading = np.take_along_axis(bones, np.argmax(weights, axis=1)[:, None], axis=1)[:, 0]
    along = surface.positions[rows] @ DIRECTIONS.T.astype(np.float32)
    order = np.argsort(leading, kind="stable")
    starts = np.flatnonzero(np.diff(leading[order], prepend=-1))
    along = np.concatenate((along, -along), axis=1)[order]
    highest = np.maximum.reduceat(along, starts, axis=0)
    group = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(order)))
    places = np.where(along == highest[group], np.arange(len(order))[:, None], len(order) - 1)
    return rows[np.unique(order[np.minimum.reduceat(places, starts, axis=0)])]


def _joined(parts: list[Array], width: int) -> Array:
    return np.concatenate(parts) if parts else np.empty((0, width), np.float32)


CLIP_ERROR = 0.05
"""How far vertices may be outside the bounds, as a fraction of the bounds' diagonal."""
POSED_CLIPS = 32
"""How many clips of a model are posed; they are spread evenly over all clips."""
POSES = 3
"""How many poses of a clip are examined; they are spread evenly over the clip."""

CullingBox = Callable[[Pose], Array]
"""A function from a pose to the box [2, 3] by which the engine culls the model."""


class Excess(NamedTuple):
    """How far a clip moves a vertex out of the bounds. `vertex` is an index in `Extremes`. `share` is the
    `distance` as a fraction of the bounds' diagonal.
    """

    share: float
    distance: float
    vertex: int
    time: float
    clip: int


def clip_bounds(context: CheckContext) -> Iterator[Found]:
    """Report clips that move vertices out of the box by which the engine culls the model: in OGRE the bounds
    of the file, in WoW the bounds of the clip, in Urho3D the hitboxes of the bones. Another rule reports
    bounds that do not contain the rest pose.
    """
    skeleton, clips = context.skeleton, context.matched
    boxes = [(number, clip, box) for number, clip, _ in clips if (box := _box(context, clip)) is not None]
    if skeleton is None or not boxes:
        return
    extremes = Extremes(context)
    if not len(extremes) or _is_stale(context, extremes):
        return
    each = [
        _excess(number, clip, skeleton, extremes, box)
        for number, clip, box in boxes[:: -(-len(boxes) // POSED_CLIPS)]
    ]
    out = [excess for excess in each if excess.share > CLIP_ERROR]
    if out:
        worst = max(out)
        name = context.document.animations[worst.clip].name
        moves = "moves" if len(out) == 1 else "move"
        text = (
            f"{counted(len(out), 'clip')} of {len(clips)} {moves} vertices out of the bounds: {name!r} "
            f"at {rounded(worst.time)} s by {rounded(worst.distance)}, {rounded(100 * worst.share)} % of "
            "their diagonal"
        )
        items = (AnimationItem(excess.clip) for excess in out[:MOST_ITEMS])
        yield Found(text, (*items, GeometryItem(extremes.owner(worst.vertex))))


def _excess(number: int, clip: Animation, skeleton: Skeleton, extremes: Extremes, box: CullingBox) -> Excess:
    """Find the largest excess in the poses of clip `number`. If no excess is finite, its distance is 0."""
    times = np.linspace(0, clip.duration, POSES + 2)[1:-1]
    made = [*poses(skeleton, [Layer(clip, 0.0, looped=False)], times)]
    worst = Excess(0.0, 0.0, 0, 0.0, number)
    for time, pose, points in zip(times.tolist(), made, extremes.posed(made), strict=True):
        lowest, highest = box(pose)
        out = np.maximum(lowest - points, points - highest).max(axis=1)
        size, vertex = float(np.linalg.norm(highest - lowest)), int(np.argmax(out))
        if size and out[vertex] / size > worst.share and np.isfinite(out[vertex]):
            worst = Excess(float(out[vertex] / size), float(out[vertex]), vertex, time, number)
    return worst


def _is_stale(context: CheckContext, extremes: Extremes) -> bool:
    """Whether vertices of an OGRE mesh are outside the bounds in the rest pose."""
    bounds, rest = context.shapes.bounds, context.rest
    if context.family != "OGRE" or bounds is None or rest is None:
        return False
    (points,) = extremes.posed([rest])
    bounds = bounds.astype(np.float64)
    return beyond(points, bounds) > BOUNDS_ERROR * float(np.linalg.norm(bounds[1] - bounds[0]))


def _box(context: CheckContext, clip: Animation) -> CullingBox | None:
    """The box by which the engine culls the model in this clip."""
    if context.family == "Urho3D":
        return None if context.skeleton is None else _hitboxes(context.skeleton)
    bounds = clip.bounds if context.family == "WoW" else context.shapes.bounds
    if bounds is None or not np.isfinite(bounds).all():
        return None
    box = bounds.astype(np.float64)
    return lambda pose: box


def _hitboxes(skeleton: Skeleton) -> CullingBox | None:
    """The box around all bones' hitboxes; a sphere counts as its bounding box."""
    boxes = {}
    for bone, hitbox in enumerate(skeleton.hitboxes):
        if hitbox is not None and hitbox.box is not None:
            boxes[bone] = hitbox.box
        elif hitbox is not None and hitbox.radius is not None:
            boxes[bone] = np.array(((-1.0,) * 3, (1.0,) * 3)) * hitbox.radius
    if not boxes:
        return None
    bones, picked = list(boxes), np.indices((2, 2, 2)).reshape(3, 8).T
    corners = np.array(list(boxes.values()), np.float64)[:, picked, np.arange(3)]

    def around(pose: Pose) -> Array:
        points = transform(pose.world[bones][:, None], corners).reshape(-1, 3)
        return np.stack((points.min(axis=0), points.max(axis=0)))

    return around


RULES = (
    Rule(
        "mesh/clip-bounds",
        Severity.NOTE,
        "A clip moves vertices out of the bounds",
        clip_bounds,
        {
            "Urho3D": (
                "The bounds of the model are the hitboxes of its bones: the model vanishes while a part of "
                "it is in view."
            ),
            "OGRE": (
                "The mesh vanishes while a part of it is in view, unless the program updates the bounds "
                "from the bones."
            ),
            "": "The model may vanish while a part of it is in view.",
        },
        "Enlarge the bounds or the hitboxes so that they contain the mesh in all clips.",
        "2 clips of 20 move vertices out of the bounds: 'Jump' at 0.4 s by 1.5, 30 % of their diagonal",
    ),
)
