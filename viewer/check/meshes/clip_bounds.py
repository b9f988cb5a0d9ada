"""Rules for what a model is culled by while its clips play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from viewer.animation.pose import Layer, Pose, poses
from viewer.arrays import Array
from viewer.check.meshes.bounds import BOUNDS_ERROR, beyond
from viewer.check.meshes.extremes import Extremes
from viewer.check.rule import MOST_ITEMS, Found, Rule, number
from viewer.check.subject import Subject
from viewer.errors import counted
from viewer.scene.animation import Animation
from viewer.scene.finding import Severity
from viewer.scene.items import AnimationItem, GeometryItem
from viewer.scene.maths import transform
from viewer.scene.skeleton import Skeleton

CLIP_ERROR = 0.05
"""The distance out of the bounds, as a part of their diagonal, from which on it is told."""
POSED_CLIPS = 32
"""The clips of a model that are posed, spread evenly over all."""
POSES = 3
"""The poses of a clip, spread evenly over it."""

Box = Callable[[Pose], Array]
"""Gives for a pose the box [2, 3] by which the engine culls the model."""


class Excess(NamedTuple):
    """How far a vertex (a number in `Extremes`) leaves the bounds in a clip: `share` is a part of their
    diagonal.
    """

    share: float
    distance: float
    vertex: int
    time: float
    clip: int


def clip_bounds(subject: Subject) -> Iterator[Found]:
    """Clips that move vertices outside the box by which the engine culls the model: in OGRE the bounds of the
    file, in WoW those of the clip, in Urho3D the hitboxes of the bones. Bounds that do not hold the rest
    pose are told by another rule.
    """
    skeleton, clips = subject.skeleton, subject.matched
    boxes = [(number, clip, box) for number, clip, _ in clips if (box := _box(subject, clip)) is not None]
    if skeleton is None or not boxes:
        return
    extremes = Extremes(subject)
    if not len(extremes) or _is_stale(subject, extremes):
        return
    each = [
        _excess(number, clip, skeleton, extremes, box)
        for number, clip, box in boxes[:: -(-len(boxes) // POSED_CLIPS)]
    ]
    out = [excess for excess in each if excess.share > CLIP_ERROR]
    if out:
        worst = max(out)
        name = subject.document.animations[worst.clip].name
        moves = "moves" if len(out) == 1 else "move"
        text = (
            f"{counted(len(out), 'clip')} of {len(clips)} {moves} vertices out of the bounds: {name!r} "
            f"at {number(worst.time)} s by {number(worst.distance)}, {number(100 * worst.share)} % of "
            "their diagonal"
        )
        items = (AnimationItem(excess.clip) for excess in out[:MOST_ITEMS])
        yield Found(text, (*items, GeometryItem(extremes.owner(worst.vertex))))


def _excess(number: int, clip: Animation, skeleton: Skeleton, extremes: Extremes, box: Box) -> Excess:
    """The largest excess of the poses of a clip, whose number is `number`; 0 without one that is finite."""
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


def _is_stale(subject: Subject, extremes: Extremes) -> bool:
    """Whether vertices leave the bounds of an OGRE mesh in the rest pose already."""
    bounds, rest = subject.shapes.bounds, subject.rest
    if subject.family != "OGRE" or bounds is None or rest is None:
        return False
    (points,) = extremes.posed([rest])
    bounds = bounds.astype(np.float64)
    return beyond(points, bounds) > BOUNDS_ERROR * float(np.linalg.norm(bounds[1] - bounds[0]))


def _box(subject: Subject, clip: Animation) -> Box | None:
    """The box by which the engine culls the model in this clip; None if there is none."""
    if subject.family == "Urho3D":
        return None if subject.skeleton is None else _hitboxes(subject.skeleton)
    bounds = clip.bounds if subject.family == "WoW" else subject.shapes.bounds
    if bounds is None or not np.isfinite(bounds).all():
        return None
    box = bounds.astype(np.float64)
    return lambda pose: box


def _hitboxes(skeleton: Skeleton) -> Box | None:
    """The box around the hitboxes of all bones; a sphere counts as the box around it."""
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
            "Urho3D": "The hitboxes of bones are its bounds: the model vanishes while a part is in view.",
            "OGRE": "The mesh vanishes while a part is in view, unless bones update its bounds.",
            "": "The model may vanish while a part of it is in view.",
        },
        "Enlarge the bounds or the hitboxes so that they hold the mesh in all clips.",
        "2 clips of 20 move vertices out of the bounds: 'Jump' at 0.4 s by 1.5, 30 % of their diagonal",
    ),
)
