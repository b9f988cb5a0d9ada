"""Determines whether a view of a model shows something at a given time, and if not, why its picture
is empty.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np

from viewer.animation.pose import Pose, moves
from viewer.arrays import Array
from viewer.scene.items import EmitterItem, RibbonItem
from viewer.scene.material import ADDED, ClipTime
from viewer.scene.mesh.vertices import posed, sampled
from viewer.scene.model import NO_MODEL, Geometry, Lod, Primitive
from viewer.view.view_snapshot import ViewSnapshot

if TYPE_CHECKING:
    from viewer.view.visible_times import EffectTimes

SAMPLED = 64
"""The number of vertices that are posed first. For most geometries these vertices suffice."""
POSED_VERTICES = 4096
"""The largest number of posed vertices, evenly spread over the geometry."""
FLAT = 1e-7
"""A geometry is visible only if its extent is at least this share of the model's size."""
TRIED_MOMENTS = 240
"""The search tries at most this number of moments of a clip."""
STEP = 1 / 60


class Visibility:
    """The visibility of one view at any time. The emitters' schedules and the first visible moment are
    computed once.
    """

    def __init__(self, view: ViewSnapshot) -> None:
        self._view = view
        self._model = view.model or NO_MODEL
        self._rows: dict[int, Array] = {}
        self._moments: Iterator[float] | None = None
        self._first: float | None = None
        self._searched = False
        box = self._model.bounds
        self._size = float(np.ptp(box, axis=0).max()) if box is not None and np.isfinite(box).all() else 0.0

    def reason(self, time: float, pose: Pose | None = None, seconds: float = math.inf) -> str:
        """Return why the picture is empty at `time` seconds of the clock; an empty text if something is
        visible.

        `pose` is the pose at that time, if known. The search for the first visible moment takes at most about
        `seconds`; the text names the moment if it is found. The direction of the camera is ignored.
        """
        view, model = self._view, self._model
        bones = view.skeleton is not None and (view.options.skeleton or not model.has_surface)
        if view.model is None or bones:
            return ""
        if not model.effects and not any(map(_drawable, model.geometries)):
            return "No vertices"
        hidden = self._hidden()
        return hidden or ("" if self.shows(time, pose) else self._not_now(time, seconds))

    @property
    def first(self) -> float | None:
        """The first moment of the clip, in seconds, that shows something; None if there is none."""
        self.search()
        return self._first

    @property
    def searching(self) -> bool:
        """Whether the search for the first moment is unfinished."""
        return self._moments is not None and not self._searched

    def search(self, seconds: float = math.inf) -> bool:
        """Continue the search for the first moment for about `seconds`; return whether the search has
        ended.
        """
        end = monotonic() + seconds
        if self._moments is None:
            self._moments = self.moments()
        while not self._searched:
            time = next(self._moments, None)
            if time is None or self.shows(time):
                self._first, self._searched = time, True
            elif monotonic() >= end:
                break
        return self._searched

    def moments(self) -> Iterator[float]:
        """Yield the moments of the clip in seconds, evenly spread, from its start to its end."""
        playback = self._view.playback
        start, end = playback.clock.range or (0.0, playback.duration)
        count = int(min(max((end - start) / STEP, 1), TRIED_MOMENTS))
        return (start + (end - start) * number / count for number in range(count + 1))

    @cached_property
    def _effect_times(self) -> EffectTimes:
        from viewer.view.visible_times import EffectTimes  # imported late, because few models have effects

        return EffectTimes(self._view)

    def shows(self, time: float, pose: Pose | None = None) -> bool:
        """Whether a geometry, a particle or a ribbon has a size and is not transparent at that time."""
        view, model, clip_time = self._view, self._model, self._view.playback.clip_time(time)
        opaque = [
            geometry
            for number, geometry in enumerate(model.geometries)
            if number not in view.display.hidden and _drawable(geometry) and self._opaque(geometry, clip_time)
        ]
        if opaque:
            made = pose or view.pose(time)
            if any(self._extended(geometry, made) for geometry in opaque):
                return True
        return any(self._effect_times.alive(item, time) for item in self._effects())

    def _hidden(self) -> str:
        """The text `All geometries are hidden` or `All particles and ribbons are hidden`; empty if something
        is shown.
        """
        drawable = [number for number, each in enumerate(self._model.geometries) if _drawable(each)]
        if set(drawable) - self._view.display.hidden or any(True for _ in self._effects()):
            return ""
        return "All geometries are hidden" if drawable else "All particles and ribbons are hidden"

    def _not_now(self, time: float, seconds: float) -> str:
        playback = self._view.playback
        if not playback.duration > 0:
            materials = self._model.materials
            black = any(each.blend in ADDED and not any(each.diffuse[:3]) for each in materials)
            added = "black and added to the picture, " if black else ""
            return f"Nothing is visible: everything is {added}transparent or has zero size"
        now = f"Nothing is visible at {playback.clip_time(time).at:.2f} s"
        if not self.search(seconds):
            return now
        if self.first is None:
            return f"Nothing is visible at any time of {playback.playlist[0].animation.name}"
        return f"{now}: something is first visible at {self.first:.2f} s"

    def _effects(self) -> Iterator[EmitterItem | RibbonItem]:
        if not self._view.options.with_materials:
            return
        model = self._model
        items = (*map(EmitterItem, range(len(model.emitters))), *map(RibbonItem, range(len(model.ribbons))))
        yield from filter(self._view.display.effects.draws, items)

    def _opaque(self, geometry: Geometry, clip_time: ClipTime) -> bool:
        """Whether one of the geometry's materials is seen."""
        if geometry.material is None or not self._view.options.with_materials:
            return True
        numbers = (geometry.material, *geometry.layers)
        return any(self._model.materials[number].opacity(clip_time) > 0 for number in numbers)

    def _extended(self, geometry: Geometry, pose: Pose | None) -> bool:
        """Whether the posed vertices of the geometry are at more than one position."""
        lod = next(lod for lod in geometry.lods if lod.count > 0)
        if lod.primitive is Primitive.POINTS:
            return True
        rows = self._rows.get(id(lod))
        if rows is None:
            rows = self._rows[id(lod)] = sampled(self._model, lod, POSED_VERTICES)
        few = rows[:: max(len(rows) // SAMPLED, 1)]
        return self._spread(geometry, lod, few, pose) or self._spread(geometry, lod, rows, pose)

    def _spread(self, geometry: Geometry, lod: Lod, rows: Array, pose: Pose | None) -> bool:
        points = posed(self._model, geometry, lod, rows, moves(pose, self._view.display.morphs))
        points = points[np.isfinite(points).all(axis=1)]
        if not len(points):
            return False
        reach = float(np.ptp(points.astype(np.float64), axis=0).max())
        return reach > FLAT * self._size


def _drawable(geometry: Geometry) -> bool:
    return any(lod.count > 0 for lod in geometry.lods)
