"""Lines and dots over the picture: hitboxes, bounds, collision, markers, the selected vertex."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import moderngl
import numpy as np

from viewer.animation.pose import Pose, moves
from viewer.arrays import Array, Color
from viewer.gpu.drawable import Drawable
from viewer.gpu.pipeline import Pipeline
from viewer.gpu.shader import Composer
from viewer.render.frame import Frame
from viewer.render.overlays.segments import (
    ACCENT,
    INK,
    SEGMENT,
    THICK,
    THIN,
    box_edges,
    circles,
    dots,
    segments,
)
from viewer.scene.display import DisplayOptions
from viewer.scene.items import Item, LightItem, VertexItem
from viewer.scene.maths import transform
from viewer.scene.mesh.vertices import drawn_by, posed
from viewer.scene.model import Collision, Model, Primitive
from viewer.scene.parts import PART_KINDS
from viewer.scene.skeleton import Hitbox, Skeleton
from viewer.view.item_points import Marker, positions, shown_markers
from viewer.view.lengths import true_bounds

SMALL, LARGE = 3.0, 4.5
RIM, VERTEX_RIM = 1.3, 1.5
"""The width in points of two rings: around the dot of a marker, and around the dot of the selected vertex."""
COLLISION: Color = (0.94, 0.40, 0.36, 0.75)
HITBOX: Color = (0.95, 0.62, 0.25, 0.5)
STATED: Color = (0.96, 0.76, 0.34, 0.95)
TRUE: Color = (0.45, 0.85, 0.55, 0.95)
DOT = 4.0


def spot_segments(
    model: Model, pose: Pose | None, options: DisplayOptions, marked: Collection[Item | None]
) -> list[Array]:
    """Make the dots of the markers that `options` show or that are in `marked` (selected, hovered).

    A marked light also shows its range.
    """
    some = shown_markers(model, options, marked)
    if not some:
        return []
    at = positions(some, pose.skin if pose is not None else None)
    found = [
        _marker_dot(model, marker, position, marker.item in marked)
        for marker, position in zip(some, at, strict=True)
    ]
    for marker, position in zip(some, at, strict=True):
        if isinstance(marker.item, LightItem) and marker.item in marked:
            reach = [each for each in model.lights[marker.item.number].attenuation if 0 < each < np.inf]
            color = PART_KINDS[LightItem].color
            found += [segments(circles(position, radius), color, THIN) for radius in reach]
    return found


def _marker_dot(model: Model, marker: Marker, position: Array, marked: bool) -> Array:
    """Make a ringed dot; the dot of a light has the light's colour."""
    color, radius = PART_KINDS[type(marker.item)].color, LARGE if marked else SMALL
    if isinstance(marker.item, LightItem):
        own = np.array(model.lights[marker.item.number].diffuse)
        red, green, blue = (own / max(float(own.max()), 1e-6)).clip(0, 1).tolist()
        color = (red, green, blue, 1.0)
    return dots(position[None], color, radius, RIM, ACCENT if marked else INK)


def collision_edges(collision: Collision) -> Array:
    """Return each edge of the collision triangles once, [E, 2, 3]."""
    triangles = collision.triangles
    pairs = np.concatenate((triangles[:, (0, 1)], triangles[:, (1, 2)], triangles[:, (2, 0)]))
    edges = np.unique(np.sort(pairs, axis=1), axis=0)
    return np.asarray(collision.vertices[edges])


class LineMarks:
    """Draws the lines and dots. Owns its buffer and vertex array; the program belongs to the composer."""

    def __init__(self, composer: Composer) -> None:
        instances = ("3f4 3f4 f4 4f4/i", "in_start", "in_end", "in_radius", "in_color")
        self._segments = Drawable(composer, ("segment.vert", "stroke.frag"), instances=instances)
        self._box: tuple[object, Array] | None = None
        self._edges: tuple[Collision, Array] | None = None

    def draw(
        self,
        frame: Frame,
        pose: Pose | None,
        framebuffer: moderngl.Framebuffer,
        more: Sequence[Array] = (),
    ) -> None:
        """Draw the lines that the options show, and the lines of marked items.

        `pose` is the pose of the frame, or the rest pose; `more` are further lines, each [N] of `SEGMENT`.
        """
        found = [*more, *self._wanted(frame, pose)]
        items = np.concatenate(found) if found else np.empty(0, SEGMENT)
        items = items[np.isfinite(items["start"]).all(axis=1) & np.isfinite(items["end"]).all(axis=1)]
        if not len(items):
            return
        items["radius"] *= frame.density
        self._segments.write(items)
        self._segments.program.set(
            size=tuple(map(float, framebuffer.size)), clip=frame.matrices.projection @ frame.matrices.view
        )
        pipeline = Pipeline(
            self._segments.array,
            framebuffer,
            blend="premulalpha",
            depth=None,
            depth_write=False,
            cull="none",
        )
        pipeline.draw(Primitive.TRIANGLE_STRIP, 4, instances=len(items))

    def release(self) -> None:
        """Release the buffer and the vertex array."""
        self._segments.release()

    def _wanted(self, frame: Frame, pose: Pose | None) -> list[Array]:
        model, options, display, stated = frame.model, frame.options, frame.display, frame.stated
        picked, hover = (frame.selection.picked, frame.selection.hover) if frame.selection else (None, None)
        found = []
        if options.collision and model.collision is not None:
            found.append(segments(self._collision(model.collision), COLLISION, THIN))
        if options.hitboxes and model.skeleton is not None and pose is not None:
            found += hitboxes(model.skeleton, pose, display.bone)
        if options.bounds:
            if stated is not None:
                found.append(segments(box_edges(stated), STATED, THIN))
            found.append(segments(box_edges(self._true_bounds(model, pose, display.morphs)), TRUE, THIN))
        if isinstance(picked, VertexItem):
            found.append(_dot(model, pose, display.morphs, picked))
        return found + spot_segments(model, pose, options, (picked, hover))

    def _collision(self, collision: Collision) -> Array:
        """Return the collision edges [E, 2, 3], computed once per collision mesh."""
        if self._edges is None or self._edges[0] is not collision:
            self._edges = collision, collision_edges(collision)
        return self._edges[1]

    def _true_bounds(self, model: Model, pose: Pose | None, morphs: Mapping[int, float]) -> Array:
        """Return the computed bounds [2, 3] in the file's axes; they are computed again when the pose or the
        morphs change.
        """
        key = (id(model), pose, tuple(morphs.items()))
        if self._box is None or self._box[0] != key:
            self._box = key, true_bounds(model, pose, morphs)
        return self._box[1]


def hitboxes(skeleton: Skeleton, pose: Pose, chosen: int | None) -> list[Array]:
    """Make the boxes and spheres of all bones as segments; the selected bone has thicker lines.

    Boxes lie in the bone's space; spheres ignore the bone's scale. Source: Urho3D
    `AnimatedModel::ProcessRayQuery`.
    """
    found = []
    for bone, hitbox in enumerate(skeleton.hitboxes):
        if hitbox is not None:
            color, radius = (ACCENT, THICK) if bone == chosen else (HITBOX, THIN)
            shapes = _shapes(hitbox, pose.world[bone], bone == chosen)
            found += [segments(ends, color, radius) for ends in shapes]
    return found


def _shapes(hitbox: Hitbox, world: Array, all_: bool) -> list[Array]:
    """Return the lines of a bone's box, or the lines of the bone's sphere if it has no box. With `all_`,
    return the lines of both the box and the sphere.
    """
    found = []
    if hitbox.box is not None:
        found.append(transform(world, box_edges(np.asarray(hitbox.box, np.float64))))
    if hitbox.radius is not None and (all_ or not found):
        found.append(circles(world[:, 3], float(hitbox.radius)))
    return found


def _dot(model: Model, pose: Pose | None, morphs: Mapping[int, float], picked: VertexItem) -> Array:
    """Make a ringed dot at the selected vertex; empty if no geometry draws it."""
    owner = drawn_by(model, picked.buffer, picked.number)
    if owner is None:
        return np.empty(0, SEGMENT)
    geometry = model.geometries[owner[0]]
    point = posed(model, geometry, geometry.lods[owner[1]], np.array([picked.number]), moves(pose, morphs))
    return dots(point, ACCENT, DOT, VERTEX_RIM)
