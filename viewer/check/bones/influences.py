"""Rules for vertices with more influences than an engine keeps, and for bones that never move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from viewer.animation.pose import Layer, poses
from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.check.check_context import CheckContext, Surface, readable
from viewer.check.meshes.vertices import share_text, vertex_items
from viewer.check.rule import Found, Rule, bone_items, bone_names, rounded
from viewer.errors import counted
from viewer.scene.animation import Animation, Composition, Track, match
from viewer.scene.finding import Severity
from viewer.scene.mesh.vertices import INFLUENCES

SAMPLED = 1024
"""How many vertices of a surface are posed to measure the error."""
EXAMINED = 1 << 15
"""How many vertices of a surface are examined."""
CLIPS, TIMES = 4, 4
"""How many clips are measured, and at how many times each clip is measured."""
LEAST = 1e-3
"""The smallest dropped weight that the rule reports."""
REST_ERROR = 1e-4
"""A key is treated as equal to the rest pose if it differs by at most this, because of rounding."""


class Surplus(NamedTuple):
    """The vertices of a surface that follow more than `limit` bones.

    `places` [N] are the indices of these vertices into the surface's rows; `sample` [M] are some of these
    indices. Row m of `bones` [M, K] and `weights` [M, K] belongs to the vertex `sample[m]`. The weights of a
    vertex are sorted, the largest first. They add up to 1 and are padded with 0.
    """

    surface: Surface
    limit: int
    places: Array
    sample: Array
    bones: Array
    weights: Array

    @property
    def change(self) -> Array:
        """[M, K]: how much the engine changes each weight when it drops the smallest weights and normalises
        the rest.
        """
        kept = self.weights.copy()
        kept[:, self.limit :] = 0
        return np.asarray(kept / kept.sum(axis=1, keepdims=True) - self.weights)


def dropped(context: CheckContext) -> Iterator[Found]:
    """Report vertices that have more bones than the engine keeps. The text gives the dropped weight, and how
    far it moves a vertex.
    """
    limit = context.limits.influences
    if limit is None or limit < 1:
        return
    for surplus in _surpluses(context, limit):
        most = int((surplus.weights > 0).sum(axis=1).max())
        lost = float(surplus.weights[:, limit:].sum(axis=1).max())
        if not lost >= LEAST:
            continue
        text = (
            f"{share_text(surplus.surface, surplus.places)} follow more than {counted(limit, 'bone')}, "
            f"up to {most}: up to {rounded(100 * lost)} % of the weight is dropped"
        )
        yield Found(f"{text}{_moved(context, surplus)}", vertex_items(surplus.surface, surplus.places))


def _surpluses(context: CheckContext, limit: int) -> Iterator[Surplus]:
    for surface in context.surfaces:
        found = assigned(context, surface, limit)
        if found is None and surface.influences is not None and limit < INFLUENCES:
            bones, weights = surface.influences
            places = np.flatnonzero((weights > 0).sum(axis=1) > limit)
            sample = spread(places)
            found = places, sample, bones[sample], weights[sample]
        if found is None or not len(found[0]):
            continue
        places, sample, bones, weights = found
        order = np.argsort(-weights, axis=1, kind="stable")
        weights = np.take_along_axis(weights, order, axis=1).astype(np.float64)
        weights /= weights.sum(axis=1, keepdims=True)
        yield Surplus(surface, limit, places, sample, np.take_along_axis(bones, order, axis=1), weights)


def spread(places: Array) -> Array:
    """Return at most `EXAMINED` of the indices `places` [N], spread evenly, as [M]."""
    return places[:: max(-(-len(places) // EXAMINED), 1)]


def assigned(context: CheckContext, surface: Surface, limit: int) -> tuple[Array, Array, Array, Array] | None:
    """Find the drawn vertices with more than `limit` stored weights.

    Return their indices [N] into the rows of the surface, and three arrays about a sample of M of these
    vertices: indices [M], bones [M, K] and weights [M, K]. None if the weights are in the vertices.
    """
    found = context.document.assignments(context.document, surface.number) if len(surface.rows) else None
    if found is None:
        return None
    vertices, weights = found.vertices.astype(np.int64), found.weights
    known = (weights > 0) & np.isfinite(weights)
    counts = np.bincount(vertices[known & (vertices <= surface.rows[-1])], minlength=surface.rows[-1] + 1)
    places = np.flatnonzero(counts[surface.rows] > limit)
    sample = spread(places)
    if not len(places):
        return places, sample, np.empty((0, limit), np.int64), np.empty((0, limit), np.float32)
    crowded = surface.rows[sample]
    chosen = np.flatnonzero(known & np.isin(vertices, crowded))
    chosen = chosen[np.argsort(vertices[chosen], kind="stable")]
    owners = np.searchsorted(crowded, vertices[chosen])
    slots = np.arange(len(chosen)) - np.searchsorted(owners, owners)
    inside = slots < BUDGET.vertex_assignments
    owners, slots, chosen = owners[inside], slots[inside], chosen[inside]
    shape = len(sample), int(slots.max()) + 1
    bones, values = np.full(shape, len(context.carried)), np.zeros(shape, np.float32)
    bones[owners, slots] = found.numbers(found.bones[chosen])
    values[owners, slots] = weights[chosen]
    return places, sample, bones, values


def _moved(context: CheckContext, surplus: Surplus) -> str:
    """Return a text with the largest distance by which a vertex is displaced, and the clip and time; empty if
    no vertex is displaced.
    """
    skeleton, positions = context.skeleton, surplus.surface.positions
    if skeleton is None or positions is None:
        return ""
    step = max(-(-len(surplus.sample) // SAMPLED), 1)
    places = positions[surplus.sample[::step]].astype(np.float64)
    bones, change = surplus.bones[::step], surplus.change[::step]
    points = np.concatenate((places, np.ones((len(places), 1))), axis=1)
    worst, when = 0.0, ""
    for clip in _sampled_clips(context):
        times = np.linspace(0, clip.duration, TIMES, endpoint=False)
        skins = poses(skeleton, [Layer(clip, 0.0)], times).skin
        for time, skin in zip(times.tolist(), skins, strict=True):
            matrices = np.append(skin, np.zeros((1, 3, 4)), axis=0)[bones]
            off = np.linalg.norm(np.einsum("vk,vkij,vj->vi", change, matrices, points), axis=1)
            distance = float(np.nan_to_num(off).max())
            if distance > worst:
                worst, when = distance, f"clip {clip.name!r} at {rounded(time)} s"
    if not worst or not context.extent:
        return ""
    part = rounded(100 * worst / context.extent)
    return f", and a vertex is off by {rounded(worst)}, {part} % of the model ({when})"


def _sampled_clips(context: CheckContext) -> list[Animation]:
    """The first `CLIPS` clips that can be played."""
    found = (clip for _, clip in context.animations if readable(clip) and clip.targets)
    return [clip for clip, _ in zip(found, range(CLIPS), strict=False)]


def still_bones(context: CheckContext) -> Iterator[Found]:
    """Report bones with vertices that no clip moves, except root bones."""
    skeleton = context.skeleton
    if skeleton is None or not context.carried.any():
        return
    if len(context.animations) < len(context.document.animations):
        return  # clips that were not checked may move every bone
    moved = np.zeros(len(skeleton), bool)
    if skeleton.billboards is not None:
        moved |= skeleton.billboards > 0
    played, checked = 0, 1
    for _, clip in context.animations:
        if not readable(clip):
            return  # the keys of the clip are missing and may move every bone
        bones = match(clip, skeleton.names, prefixes=False).bones
        played += bool(bones)
        for track in clip.tracks:
            bone = bones.get(track.target)
            if bone is not None and not moved[bone]:
                moved[bone] = _leaves_rest(context, bone, track, clip.composition)
        if played == checked:
            checked *= 2
            if _below(context, moved)[context.carried].all():
                return
    still = np.flatnonzero(context.carried & ~_below(context, moved) & (skeleton.parents >= 0))
    if moved.any() and len(still):
        total = int(context.carried.sum())
        which = f"{len(still)} of {counted(total, 'bone')} that move vertices"
        in_clips = f"in {counted(played, 'clip')}"
        yield Found(f"{which} never move {in_clips}: {bone_names(skeleton, still)}", bone_items(still))


def _leaves_rest(context: CheckContext, bone: int, track: Track, composition: Composition) -> bool:
    """Whether a track moves a bone away from its rest pose."""
    skeleton = context.skeleton
    assert skeleton is not None, "the track was matched to a bone of the skeleton"
    if composition is Composition.ABSOLUTE:
        rest = {"position": skeleton.positions, "rotation": skeleton.rotations, "scale": skeleton.scales}
        own = rest[track.path][bone]
    else:
        own = np.array({"position": (0, 0, 0), "rotation": (0, 0, 0, 1), "scale": (1, 1, 1)}[track.path])
    values = track.values
    if track.path == "rotation":  # q and -q are the same rotation
        return bool((1 - np.abs(values @ own) > REST_ERROR).any())
    return bool((np.abs(values - own) > REST_ERROR * max(context.extent, 1e-6)).any())


def _below(context: CheckContext, moved: Array) -> Array:
    """Return the bones `moved` [B] bool together with all bones below them: [B] bool."""
    skeleton = context.skeleton
    assert skeleton is not None, "the model has a skeleton"
    found, parents = moved.tolist(), skeleton.parents.tolist()
    for bone in context.by_depth:
        found[bone] = found[bone] or (parents[bone] >= 0 and found[parents[bone]])
    return np.array(found, bool)


RULES = (
    Rule(
        "weights/dropped-influence",
        Severity.NOTE,
        "More bones move a vertex than the engine keeps",
        dropped,
        {
            "Urho3D": "A vertex has room for four bones: the exporter has to drop further bones.",
            "OGRE": (
                "The engine keeps the four largest weights, divides them by their sum, and writes a "
                "message to its log."
            ),
            "WoW": "A vertex has room for four bones: the exporter has to drop further bones.",
        },
        "Limit the bones of a vertex in the modelling program, and look at the result there.",
        "96 of 800 vertices of Body (first #31) follow more than 4 bones, up to 7: up to 12 % of the weight "
        "is dropped, and a vertex is off by 0.02, 1 % of the model (clip 'Walk' at 0.5 s)",
    ),
    Rule(
        "weights/still-bone",
        Severity.NOTE,
        "No clip moves a bone that moves vertices",
        still_bones,
        {"": "The vertices of the bone are skinned in every frame and never move."},
        "Transfer the weights to the parent bone, unless further clips move this bone.",
        "2 of 30 bones that move vertices never move in 4 clips: Jaw, Tongue",
    ),
)
