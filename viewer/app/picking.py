"""The item under the pointer, and the positions of bones and axes in the picture."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

import numpy as np
from msgspec.structs import replace

from viewer.animation.pose import rest
from viewer.app.tasks import Task, Tasks
from viewer.arrays import Array
from viewer.render.frame import Frame
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.render.overlays.axes import axis_ends, directions
from viewer.render.pick import REACH, EffectHit, Hit, Picker, nearest_bone, on_screen
from viewer.render.renderer import Renderer
from viewer.render.statistics import DrawStatistics
from viewer.scene.camera import Orbit
from viewer.scene.choices import Shading
from viewer.scene.display import DisplayOptions, effect_of
from viewer.scene.items import BoneItem, GeometryItem, Item, VertexItem
from viewer.session.state import State
from viewer.view.figure import figure_beside, figure_text
from viewer.view.item_points import positions, shown_markers
from viewer.view.lod import levels, view_distance
from viewer.view.measures import Measure, MeasuredLine, Measures, measured_lines
from viewer.view.view_info import (
    GizmoAxis,
    PanelPictures,
    PickResult,
    PicturePosition,
    ShownDistance,
    ViewInfo,
)

ENDS = {(0, 1): "left", (0, -1): "right", (1, 1): "top", (1, -1): "bottom", (2, 1): "front", (2, -1): "back"}
"""The named view at each end of an axis, by axis number and sign. `left` is the model's left side."""
BONED = (Shading.WEIGHTS, Shading.BONES)
"""The shading modes that show bones: in these a click selects a bone."""


SNAP = 10.0
"""Largest distance in points from the pointer to a corner at which measured points snap to the corner."""
LASTING = 6
"""While the pointer is at rest and the model moves, an answer is reused for this number of pictures."""


class Picking:
    """Finds the items at a pixel of the picture.

    The `answer` arrives with the next picture and stays valid until something changes. The answer is None if
    the pointer is outside the picture. `density` is pixels per theme point.
    """

    def __init__(self, renderer: Renderer, tasks: Tasks) -> None:
        self._picker = Picker(renderer.composer)
        self._tasks = tasks
        self._task: Task | None = None
        self._key: tuple[PicturePosition, object] | None = None
        self._age, self._stale = 0, False
        self.answer: PickResult | None = None
        self.density = 1.0

    def ask(
        self,
        mesh: MeshResources | None,
        frame: Frame | None,
        position: PicturePosition | None,
        key: object,
        urgent: bool = False,
    ) -> None:
        """Request the items at the pixel `position` of the picture. `key` holds everything else that affects
        the answer.

        If only the key changes, for example while a model plays, the request is repeated after `LASTING`
        pictures. An `urgent` request is repeated at once.
        """
        if mesh is None or frame is None or position is None:
            self._cancel()
            self._key = self.answer = None
            self._stale = False
            return
        if not urgent and self._known(position, key):
            return
        pixel = np.array((position[0], 1 - position[1])) * frame.size
        self._picker.ask(mesh, frame, pixel)
        self._key, self._age, self._stale = (position, key), 0, False
        self._task = self._tasks.next_frame(self, partial(self._take, frame, position, pixel))

    def _known(self, position: PicturePosition, key: object) -> bool:
        """Whether the last answer is still valid."""
        self._age += 1
        if self._key is None or self._key[0] != position:
            return False
        self._stale = self._key[1] != key
        return not self._stale or self._age < LASTING

    @property
    def waiting(self) -> bool:
        """Whether the answer is outdated; a later picture then repeats the request."""
        return self._stale

    def release(self) -> None:
        """Release the picker."""
        self._cancel()
        self._picker.release()

    def _cancel(self) -> None:
        if self._task is not None:
            self._tasks.cancel(self._task)

    def _take(self, frame: Frame, position: PicturePosition, pixel: Array, task: Task) -> None:
        """Read the result from the GPU."""
        hit = self._picker.answer()
        effect_hit, marker = self._picker.effect_hit, nearest_marker(frame, pixel)
        found = candidates(hit, _bone(frame, pixel), frame.options, effect_hit)
        items = found if marker is None else (marker, *found)
        nearest = effect_hit or hit
        self.answer = PickResult(
            position,
            items,
            nearest.point if nearest else None,
            hit.surface if hit else None,
            hit.surface.at_corner(hit.vertex) if hit and hit.near <= SNAP * self.density else None,
        )


def candidates(
    hit: Hit | None, bone: int | None, options: DisplayOptions, effect_hit: EffectHit | None = None
) -> tuple[Item, ...]:
    """Return the items that a click may select, the most likely first.

    A particle comes before all surfaces. If bones are shown, the bone comes next. Then come the surface and
    the vertex.
    """
    found: list[Item] = []
    if effect_hit is not None:
        effect = effect_of(effect_hit.item)
        found += [effect_hit.item, *([effect] if effect else [])]
    if bone is not None:
        found.append(BoneItem(bone))
    elif hit and hit.bone is not None and options.shading in BONED:
        found.append(BoneItem(hit.bone))
    if hit is not None:
        found += [GeometryItem(hit.geometry), VertexItem(hit.stream, hit.vertex)]
        if hit.bone is not None:
            found.append(BoneItem(hit.bone))
    return tuple(dict.fromkeys(found))


def _bone(frame: Frame, pixel: Array) -> int | None:
    skeleton = frame.model.skeleton
    if skeleton is None or not (frame.options.skeleton or not frame.model.has_surface):
        return None
    return nearest_bone(skeleton, frame.pose or rest(skeleton), frame.matrices, frame.size, pixel)


def nearest_marker(frame: Frame, pixel: Array) -> Item | None:
    """The marker nearest to `pixel` [2]; None if no marker is within `REACH`."""
    some = shown_markers(frame.model, frame.options, ())
    if not some:
        return None
    at = on_screen(frame.matrices, positions(some, frame.pose.skin if frame.pose else None), frame.size)
    away = np.nan_to_num(np.linalg.norm(at[:, :2] - pixel, axis=1), nan=np.inf)
    closest = int(away.argmin())
    return some[closest].item if away[closest] <= REACH else None


def with_markers(known: ViewInfo, frame: Frame, marked: Collection[Item | None]) -> ViewInfo:
    """Add to `known` the positions of the shown markers and of the `marked` items."""
    some = shown_markers(frame.model, frame.options, marked)
    if not some:
        return known
    at = on_screen(frame.matrices, positions(some, frame.pose.skin if frame.pose else None), (1, 1))
    return replace(known, markers=tuple(some), marker_positions=at * (1, -1, 1) + (0, 1, 0))


def _length_on_screen(frame: Frame, line: MeasuredLine) -> float:
    """The length of a distance in pixels of the picture."""
    start, end = on_screen(frame.matrices, line.ends, frame.size)[:, :2]
    return float(np.linalg.norm(end - start))


def _figure_line(frame: Frame) -> MeasuredLine:
    """The label above the head of the figure beside the model."""
    figure = figure_beside(frame.model, frame.display.placement)
    x, y, z = figure.place
    head = np.array((x, y + figure.height, z, 1.0))
    at = (np.linalg.inv(frame.matrices.to_world) @ head)[:3]
    return MeasuredLine(np.stack((at, at)), figure_text())


def with_distances(
    known: ViewInfo, frame: Frame, measures: Measures, following: Measure | None = None
) -> ViewInfo:
    """Add the measured distances, and the label of the figure if it is drawn. The distance `following` ends
    at the pointer; it is added once the pointer has left the first point.
    """
    lines = measured_lines(frame.model, frame.pose, frame.display.morphs, measures)
    if following is not None:
        some = measured_lines(frame.model, frame.pose, frame.display.morphs, (following,))
        lines += [each for each in some if _length_on_screen(frame, each) > SNAP]
    if frame.options.figure:
        lines.append(_figure_line(frame))
    if not lines:
        return known
    ends = on_screen(frame.matrices, np.concatenate([each.ends for each in lines]), (1, 1))
    placed = (ends * (1, -1, 1) + (0, 1, 0)).reshape(-1, 2, 3)
    shown = tuple(ShownDistance(each, line.text) for each, line in zip(placed, lines, strict=True))
    return replace(known, distances=shown)


def view_info(
    frame: Frame,
    mesh: MeshResources,
    drawn: DrawStatistics,
    gallery: PanelPictures | None,
    marked: bool,
    density: float,
) -> ViewInfo:
    """Describe the picture of `frame`. If bones are `marked`, it has the positions of all bones."""
    width, height = frame.size
    ends = axis_ends(directions(frame.matrices), frame.size, density) if frame.options.axes else []
    joints = np.empty((0, 3))
    if marked and frame.model.skeleton is not None:
        pose = frame.pose or rest(frame.model.skeleton)
        joints = on_screen(frame.matrices, pose.world[:, :, 3], (1, 1)) * (1, -1, 1) + (0, 1, 0)
    distance = view_distance(mesh.model, mesh.box, frame.matrices)
    return ViewInfo(
        size=frame.size,
        triangles=drawn.triangles,
        draws=drawn.draws,
        joints=joints,
        gizmo_axes=tuple(
            GizmoAxis((x / width, 1 - y / height), r / height, ENDS[a, s]) for a, s, x, y, r in ends
        ),
        levels=tuple(levels(frame.model, distance, frame.display.lod)),
        distance=distance,
        gallery=gallery,
    )


def picture_key(state: State) -> tuple[object, ...]:
    """Return all values of the State that affect the positions of items in the picture."""
    options, view, layers = state.options, state.view, state.playback.layers()
    return (
        id(state.document),
        state.view.camera if isinstance(state.view.camera, Orbit) else id(state.view.camera),
        tuple((id(layer.animation), layer.time, layer.weight) for layer in layers),
        (
            options.skeleton,
            options.shading,
            view.lod,
            tuple(view.hidden),
            tuple(view.morphs.items()),
            view.effects,
        ),
        (options.attachments, options.events, options.light_markers),
    )
