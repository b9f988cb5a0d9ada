"""Writes morphs and shapes of a model as glTF morph targets, with keys of their weights.

A shape of OGRE replaces all positions of a vertex buffer. It becomes a morph target, whose weight is 1 at the
keys of the shape. Source: glTF 2.0 specification, section 3.7.2.2.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np

from viewer.animation.vertex_animation import morph_weights
from viewer.arrays import Array
from viewer.export.gltf.axes import Axes
from viewer.export.gltf.buffer import GltfBuffer, Json
from viewer.export.gltf.numbers import finite
from viewer.export.gltf.surface import ExportPart, normals, positions
from viewer.export.gltf.tracks import merged_times
from viewer.scene.animation import Animation
from viewer.scene.model import Model

_UNCOUNTED: Counter[str] = Counter()
"""A counter that is never read. Corrected normals are counted when the part's own normals are written, and
must not be counted again.
"""


class Delta(NamedTuple):
    """Deltas of the vertices `rows` [R] of a part: `positions` and `normals` [R, 3] f32, or None."""

    rows: Array
    positions: Array | None
    normals: Array | None


class Targets(NamedTuple):
    """The morph targets of all meshes. The model's morphs come first; `morphs` is their number. The `shapes`
    that clips use follow.
    """

    names: tuple[str, ...]
    morphs: int
    shapes: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.names)


NO_TARGETS = Targets((), 0, ())


def targets_of(model: Model, animations: tuple[Animation, ...]) -> Targets:
    """Return the targets for all morphs of the model and all shapes of these clips."""
    used = {
        number
        for clip in animations
        for track in clip.shape_tracks
        for number in track.shapes.tolist()
        if number < len(model.shapes)
    }
    shapes = tuple(sorted(used))
    names = [each.name or f"morph {number}" for number, each in enumerate(model.morphs)]
    return Targets((*names, *(f"shape {number}" for number in shapes)), len(names), shapes)


def target_objects(
    buffer: GltfBuffer, model: Model, part: ExportPart, targets: Targets, axes: Axes, has_normals: bool
) -> list[Json]:
    """Return the morph targets of a part; a target that does not move the part has no values."""
    count = len(part.rows)
    found = []
    for number in range(len(targets)):
        delta = _delta(model, part, targets, number)
        moved = delta.positions if delta.positions is not None else np.zeros((len(delta.rows), 3), np.float32)
        item = {"POSITION": buffer.deltas(count, delta.rows, axes.vectors(finite(moved)), bounded=True)}
        if has_normals:
            turned = delta.normals
            rows = delta.rows if turned is not None else delta.rows[:0]
            turned = np.zeros((0, 3), np.float32) if turned is None else turned
            item["NORMAL"] = buffer.deltas(count, rows, axes.vectors(finite(turned)))
        found.append(item)
    return found


def _delta(model: Model, part: ExportPart, targets: Targets, number: int) -> Delta:
    if number < targets.morphs:
        return _morph_delta(model, part, number)
    return _shape_delta(model, part, targets.shapes[number - targets.morphs])


def _morph_delta(model: Model, part: ExportPart, number: int) -> Delta:
    nothing = Delta(np.empty(0, np.intp), None, None)
    target = next((each for each in model.morphs[number].targets if each.buffer in part.lod.streams), None)
    if target is None or not len(target.vertices):
        return nothing
    order = np.argsort(target.vertices, kind="stable")
    vertices = target.vertices[order]
    at = np.minimum(np.searchsorted(part.rows, vertices), len(part.rows) - 1)
    hit = part.rows[at] == vertices
    hit[1:] &= vertices[1:] != vertices[:-1]
    rows, chosen = at[hit], order[hit]
    turned = None if target.normals is None else target.normals[chosen]
    if turned is not None and model.morph_normals == "whole":
        own = normals(model, part, positions(model, part), _UNCOUNTED)
        turned = turned if own is None else turned - own[rows]
    return Delta(rows, None if target.positions is None else target.positions[chosen], turned)


def _shape_delta(model: Model, part: ExportPart, number: int) -> Delta:
    shape = model.shapes[number]
    if shape.buffer not in part.lod.streams or int(part.rows[-1]) >= len(shape.positions):
        return Delta(np.empty(0, np.intp), None, None)
    base = positions(model, part)
    moved = shape.positions[part.rows] - base
    own = None if shape.normals is None else normals(model, part, base, _UNCOUNTED)
    turned = None if own is None or shape.normals is None else shape.normals[part.rows] - own
    return Delta(np.arange(len(part.rows)), moved, turned)


def weight_keys(animation: Animation, targets: Targets) -> tuple[Array, Array] | None:
    """Return the times [K] f32 and weights [K, targets] f32 of a clip; None if it moves no vertices."""
    if not animation.moves_vertices or not len(targets):
        return None
    rows = [track.times for track in animation.morph_tracks]
    rows += [track.times for track in animation.shape_tracks]
    end = animation.duration
    times = merged_times(np.array((0.0, end)), *(np.clip(row, 0, end) for row in rows))
    weights = np.zeros((len(times), len(targets)), np.float32)
    for number, found in morph_weights(animation, times.astype(np.float64), looped=False).items():
        if number < targets.morphs:
            weights[:, number] += found
    _add_shapes(weights, animation, targets, times)
    return times, finite(weights)


def _add_shapes(weights: Array, animation: Animation, targets: Targets, times: Array) -> None:
    """Add the weights of shapes: the weight of a shape is 1 at its own keys, and fades to 0 at the keys
    before and after them.
    """
    column = {number: targets.morphs + at for at, number in enumerate(targets.shapes)}
    for track in animation.shape_tracks:
        keys = track.times.astype(np.float64)
        for number in set(track.shapes.tolist()) & column.keys():
            shown = (track.shapes == number).astype(np.float64)
            weights[:, column[number]] += np.interp(times, keys, shown).astype(np.float32)
