"""The curve of a track: its values at many times, the same values as in the pose.

Rotations can be converted to Euler angles.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from viewer.animation.sampling import single
from viewer.arrays import Array
from viewer.scene.animation import Animation, Track
from viewer.scene.maths import distinct, slerp


def channels(animation: Animation, target: str) -> dict[str, Track]:
    """Return the tracks of a target by path.

    If several tracks have the same path, the last track counts. Poses use the same rule.
    """
    return {track.path: track for track in animation.tracks if track.target == target and len(track.times)}


def curve(track: Track, times: Array, duration: float, looped: bool) -> Array:
    """Sample a track at `times` [N] in seconds, without wrapping. The track must have keys.

    Return values [N, C] f64. Rotations are xyzw quaternions. Like the rotations of a pose, they are not
    normalised.
    """
    ends, factor = single(np.asarray(track.times, np.float64)).between(times, duration, looped)
    first, second = np.asarray(track.values, np.float32)[ends[:, 0]].astype(np.float64)
    if track.path == "rotation":
        return slerp(first, second, factor[0, :, None])
    return np.asarray(first + (second - first) * factor[0, :, None])


def euler(rotations: Array) -> Array:
    """Convert `rotations` [N, 4] xyzw to angles in degrees [N, 3] around X, Y and Z. The angles are
    continuous from row to row.

    The rotation around Z is applied first, then X, then Y. Source: Urho3D `Quaternion::EulerAngles`.
    """
    unit = rotations / np.linalg.norm(rotations, axis=1, keepdims=True)
    x, y, z, w = unit.T
    pitch = np.arcsin(np.clip(2 * (w * x - y * z), -1, 1))
    yaw = np.arctan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y))
    roll = np.arctan2(2 * (x * y + w * z), 1 - 2 * (x * x + z * z))
    return np.asarray(np.degrees(np.unwrap(np.stack((pitch, yaw, roll), axis=1), axis=0)))


class CurvePlot(Struct, frozen=True, eq=False, dict=True):
    """The points of a plotted track: `values` [N, C] at `times` [N] in seconds. C is 3, or 4 for quaternions.

    `keys` [K] are the indices of the points that are keyframes. `keys` is empty if the keyframes are too
    dense to distinguish.
    """

    times: Array
    values: Array
    keys: Array


def line(
    track: Track, view: tuple[float, float], columns: int, duration: float, looped: bool, angles: bool
) -> CurvePlot:
    """Sample a track in the range `view` of seconds, for a plot of `columns` pixels.

    With `angles`, rotations are Euler angles, otherwise quaternions. If the keyframes are denser than two per
    column, the points are the lowest and the highest keyframe of each column.
    """
    start, end = max(view[0], 0.0), min(view[1], duration)
    known = distinct(np.asarray(track.times, np.float64))
    inside = known[(known >= start) & (known <= end)]
    is_dense = len(inside) > 2 * columns
    times = inside if is_dense else np.union1d(np.linspace(start, end, max(columns // 2, 2)), inside)
    if not len(times) or end < start:
        return CurvePlot(np.empty(0), np.empty((0, 3)), np.empty(0, np.intp))
    values = curve(track, times, duration, looped)
    if track.path == "rotation" and angles:
        values = euler(values)
    if is_dense:
        return _extremes(times, values, columns)
    return CurvePlot(times, values, np.searchsorted(times, inside))


def _extremes(times: Array, values: Array, columns: int) -> CurvePlot:
    """Reduce the points to two for each column: the lowest and the highest value of each component."""
    edges = np.linspace(times[0], times[-1], columns, endpoint=False)
    firsts = distinct(np.searchsorted(times, edges))
    low, high = np.minimum.reduceat(values, firsts), np.maximum.reduceat(values, firsts)
    both = np.stack((low, high), axis=1).reshape(-1, values.shape[1])
    return CurvePlot(np.repeat(times[firsts], 2), both, np.empty(0, np.intp))
