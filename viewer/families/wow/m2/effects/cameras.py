"""Build cameras, whose position, target, roll and field of view follow tracks.

Source: wowdev.wiki M2, cameras; measured: whatever the interpolation, a key is a value and two tangents.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from viewer.arrays import Array
from viewer.binary.tables import RecordTables
from viewer.families.wow.m2.clips.tracks import TrackColumns, TrackKeys
from viewer.families.wow.m2.effects.curves import Stretches
from viewer.families.wow.m2.effects.extras import triple
from viewer.families.wow.m2.effects.motion import TrackSource, TrackValue, as_numbers, between
from viewer.scene.camera import Camera
from viewer.scene.material import ClipTime

NAMES = {0: "portrait", 1: "character info"}
ASPECT = 4 / 3
USUAL_FOV = 0.95
"""Diagonal field of view in radians of a camera whose file gives none."""
BEZIER, HERMITE = 2, 3
"""The numbers of the spline interpolations in version 264. For earlier versions the sources disagree, and no
file that uses splines was found.
"""


class SplineTrack(TrackValue, eq=False):
    """A track whose keys are a value, an incoming tangent and an outgoing tangent."""

    def sampled(self, keys: TrackKeys, clip_time: ClipTime) -> Array:
        """Return the value [C] at a time: stepped, linear, or on a curve through the values."""
        first, second, factor = between(keys, clip_time)
        ends = as_numbers(keys.values[[first, second]]).reshape(2, 3, -1)
        (start, _, leaving), (end, arriving, _) = ends
        kind = int(self.track["interpolation"])
        if first == second or kind not in (BEZIER, HERMITE):
            return np.asarray(start + (end - start) * factor)
        weights = (bezier if kind == BEZIER else hermite)(factor)
        return np.asarray(sum(map(np.multiply, weights, (start, leaving, arriving, end))))


def bezier(t: float) -> tuple[float, float, float, float]:
    """Return the weights of four points at `t`, 0 to 1: the start, the start's control point, the end's
    control point, the end.
    """
    u = 1 - t
    return u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t


def hermite(t: float) -> tuple[float, float, float, float]:
    """Return four weights at `t`, 0 to 1: of the start, the start's tangent, the end's tangent, the end."""
    squared = t * t
    cubed = squared * t
    rise = 3 * squared - 2 * cubed
    return 1 - rise, cubed - 2 * squared + t, cubed - squared, rise


class CameraTracks(Struct, frozen=True, eq=False):
    """The tracks of a camera. `still` is the camera without tracks; the values of the position and target
    tracks are added to its position and target. `fov` is None if the field of view is constant.
    """

    still: Camera
    position: SplineTrack
    target: SplineTrack
    roll: SplineTrack
    fov: SplineTrack | None

    def __call__(self, clip_time: ClipTime) -> Camera:
        """Return the camera at a time. NaN and infinite numbers of a damaged file are replaced."""
        position, target = (
            np.nan_to_num(base + track(clip_time))
            for base, track in ((self.still.position, self.position), (self.still.target, self.target))
        )
        roll = math.degrees(float(np.nan_to_num(self.roll(clip_time)[0])))
        found = replace(self.still, position=triple(position), target=triple(target), roll=roll)
        return found if self.fov is None else widened(found, float(self.fov(clip_time)[0]))

    @property
    def moves(self) -> bool:
        """Whether the camera changes over time."""
        tracks = (self.position, self.target, self.roll, *([self.fov] if self.fov else []))
        return not all(track.still for track in tracks)


def cameras_of(records: RecordTables, stretches: Stretches) -> tuple[Camera, ...]:
    """Return the cameras, in file order."""
    columns = TrackColumns(records)
    return tuple(
        _camera(columns, number, row, stretches) for number, row in enumerate(records.tables["cameras"])
    )


def _camera(columns: TrackColumns, number: int, row: Any, stretches: Stretches) -> Camera:
    def track(name: str, default: Array) -> SplineTrack:
        return SplineTrack(columns, TrackSource("cameras", number, name, default), stretches)

    still = Camera(
        name=NAMES.get(int(row["type"]), f"camera {number}"),
        position=triple(row["position"]),
        target=triple(row["target"]),
        fov=0.0,
        near=float(row["near"]),
        far=float(row["far"]),
    )
    constant = "fov" in row.dtype.names
    still = widened(still, float(row["fov"]) if constant else USUAL_FOV)
    tracks = CameraTracks(
        still,
        track("position_track", np.zeros(3)),
        track("target_track", np.zeros(3)),
        track("roll", np.zeros(1)),
        None if constant else track("fov_track", np.full(1, USUAL_FOV)),
    )
    first = tracks(ClipTime(0.0))
    return replace(first, motion=tracks) if tracks.moves else first


def widened(camera: Camera, radians: float) -> Camera:
    """Return the camera with a field of view, which files store as a diagonal angle. The `fov` of the result
    is the vertical angle of a 4:3 picture.
    """
    degrees = math.degrees(radians)
    return replace(camera, fov=degrees / math.hypot(1, ASPECT), diagonal=degrees)
