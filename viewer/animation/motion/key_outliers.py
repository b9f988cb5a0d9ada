"""Finds keys that leave what the keys around them say: a rotation that pops for one key.

The neighbours of a key say where it should be in six ways: by holding the key before or after it, and by the
polynomials through the keys on one side or on both. The deviation of a key is the smallest of the six angles,
so that holds, corners, stops and arcs do not count.

A deviation is compared with the habit of its track and with the unrest around it. The unrest is how far the
neighbours leave each other without the key: next to a popped key it is small, in a sharp motion it is not.
The other bones at the same moment count last, because a stamp moves many bones at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from viewer.animation.motion.rotation_keys import RotationKeys, rotation_keys
from viewer.arrays import Array
from viewer.scene.animation import Animation
from viewer.scene.maths import distinct

VISIBLE = 1.0
"""Keys that are nearer than this to the line between their neighbours are not in the list; degrees."""
USUAL = 4.0
"""The deviation in degrees that is usual even in a track whose keys follow each other smoothly."""
SHARED = 8.0
"""How strongly the deviations of other bones at the same moment explain a deviation, and the multiple of the
usual up to which they count.
"""
MOMENT = 0.005
"""Keys of different tracks belong to one moment if they are in the same step of this many seconds."""
MOST = 20_000
"""The largest number of keys that are measured. In larger clips these are the keys that are farthest from the
line between their neighbours.
"""
FACTS = 1000
"""The largest number of keys in the facts of a clip."""
WIDEST = 5.0
"""A polynomial is not used if its weights add up to more than this, because the keys are too uneven."""

PLACES = np.array(
    ((0, -2, -1, 1, 2), (-1, -3, -2, 1, 2), (1, -2, -1, 2, 3), (-2, -4, -3, -1, 1), (2, -1, 1, 3, 4))
)
"""The places, counted from the measured key, of a key and of the two keys before and after it. The first row
is the measured key. The other rows are its neighbours, for which the measured key is left out.
"""
CURVES = ((1,), (2,), (0, 1), (2, 3), (1, 2), (0, 1, 2, 3))
"""The keys of the polynomials, as indices of the two keys before and the two keys after. The last one that a
key has says where the key should be.
"""


SURE, LARGE = 1.8, 30.0
"""The smallest ratio and the smallest angle in degrees of a key that surely pops."""


class KeyOutlier(NamedTuple):
    """A key and how far it leaves its neighbours. `angle` is the angle in degrees to the curve through the
    keys around it. `ratio` is its deviation as a multiple of the usual one. `key` is the number of the key in
    the track of `bone`.
    """

    bone: str
    key: int
    time: float
    angle: float
    ratio: float

    @property
    def pops(self) -> bool:
        """Whether the key surely pops. With these limits 2 % of real clips have such a key, each of which
        leaves its neighbours; see `tests/animation/motion/measure_key_outliers.py`.
        """
        return self.ratio >= SURE and self.angle >= LARGE


class KeyOutliers(Struct, frozen=True, eq=False):
    """N keys, the largest ratio first. `bones` are the names of R tracks, and `tracks` [N] the numbers of the
    tracks of the keys.

    `keys` [N] are the numbers of the keys in their tracks, `times` [N] are in seconds, `angles` [N] in
    degrees, see `KeyOutlier` for these and for `ratios` [N].
    """

    bones: tuple[str, ...]
    tracks: Array
    keys: Array
    times: Array
    angles: Array
    ratios: Array

    def __len__(self) -> int:
        return len(self.ratios)

    def rows(self, most: int | None = None) -> Iterator[KeyOutlier]:
        """Yield the first `most` keys (None: all)."""
        columns = (self.tracks, self.keys, self.times, self.angles, self.ratios)
        for track, *row in zip(*(column[:most].tolist() for column in columns), strict=True):
            yield KeyOutlier(self.bones[track], *row)


def key_outliers(animation: Animation, left_out: Collection[str] = ()) -> KeyOutliers:
    """Measure the rotation keys of a clip, without the bones `left_out`; see `rotation_keys` for further keys
    that are left out.
    """
    keys = rotation_keys(animation, left_out)
    tracks = keys.tracks
    rough = line_deviations(keys)
    habits = np.zeros(len(tracks), np.float32)
    for number in range(len(keys.targets)):
        part = keys.track(number)
        if part.stop - part.start > 2:
            habits[part] = np.median(rough[part][1:-1])
    chosen = np.flatnonzero(rough >= VISIBLE)
    if len(chosen) > MOST:
        chosen = chosen[np.argpartition(-rough[chosen] / (USUAL + habits[chosen]), MOST)[:MOST]]
    angles, deviations, unrest = _deviations(keys, tracks, chosen)
    multiples = deviations / (USUAL + unrest + habits[chosen])
    ratios = multiples / (1 + SHARED * _others(keys.times, chosen, np.minimum(multiples, SHARED)))
    order = np.argsort(-ratios, kind="stable")
    picked = chosen[order]
    return KeyOutliers(
        keys.targets, tracks[picked], keys.numbers[picked], keys.times[picked], angles[order], ratios[order]
    )


def facts(animation: Animation, left_out: Collection[str] = ()) -> list[dict[str, str | float]]:
    """The keys of a clip that leave their neighbours most, for JSON: at most `FACTS`, with the name of the
    bone, the time in seconds, the angle in degrees and the ratio.
    """
    rows = key_outliers(animation, left_out).rows(FACTS)
    return [{"bone": row.bone, "time": row.time, "angle": row.angle, "ratio": row.ratio} for row in rows]


def line_deviations(keys: RotationKeys) -> Array:
    """[N] f32: the angle in degrees between each key and the line between its neighbours. For the first and
    the last key of a track it is the angle to the neighbour; a key without neighbours has 0.
    """
    times, rotations = keys.times, keys.rotations
    angles = np.zeros(len(times), np.float32)
    if len(times) > 2:
        before, gap = times[1:-1] - times[:-2], times[2:] - times[:-2]
        share = np.full(len(gap), 0.5, np.float32)
        np.divide(before, gap, out=share, where=gap > 0, casting="unsafe")
        line = rotations[2:] - rotations[:-2]
        line *= share[:, None]
        line += rotations[:-2]
        angles[1:-1] = _angles(line, rotations[1:-1])
    filled = np.diff(keys.starts) > 0
    first, last = keys.starts[:-1][filled], keys.starts[1:][filled] - 1
    angles[first] = _angles(rotations[np.minimum(first + 1, last)], rotations[first])
    angles[last] = _angles(rotations[np.maximum(last - 1, first)], rotations[last])
    return angles


def _angles(directions: Array, rotations: Array) -> Array:
    """[...]: the angles in degrees between rotations [..., 4] of length 1 and others of any length; 180 for
    the length 0.
    """
    along = np.einsum("...i,...i->...", directions, rotations)
    across = directions - along[..., None] * rotations
    aside = np.sqrt(np.einsum("...i,...i->...", across, across))
    return np.asarray(np.degrees(2 * np.arctan2(aside, np.abs(along))))


def _deviations(keys: RotationKeys, tracks: Array, chosen: Array) -> tuple[Array, Array, Array]:
    """Three arrays [M] in degrees for the `chosen` keys [M]. The angles are those to the last polynomial that
    a key has, the deviations those to the nearest. The unrest is the root mean square of the deviations of
    the neighbours, which are measured without the key.
    """
    places = chosen[:, None, None] + PLACES
    own = tracks[chosen]
    exists = (places >= keys.starts[own][:, None, None]) & (places < keys.starts[own + 1][:, None, None])
    places = np.where(exists, places, chosen[:, None, None])
    times = keys.times[places]
    rotations = keys.rotations[places].astype(np.float64)
    rotations /= np.sqrt(np.einsum("...i,...i->...", rotations, rotations))[..., None]
    last, nearest = np.zeros(places.shape[:2]), np.full(places.shape[:2], np.inf)
    for curve in CURVES:
        used = np.array(curve) + 1
        weights = _weights(times[..., used] - times[..., :1])
        fit = exists[..., used].all(axis=-1) & (np.abs(weights).sum(axis=-1) <= WIDEST)
        said = np.einsum("...k,...ki->...i", np.where(fit[..., None], weights, 0), rotations[..., used, :])
        angles = _angles(said, rotations[..., 0, :])
        last, nearest = np.where(fit, angles, last), np.where(fit, np.minimum(nearest, angles), nearest)
    counted = exists[..., 0] & np.isfinite(nearest)
    nearest = np.where(counted, nearest, 0)
    around = np.maximum(counted[:, 1:].sum(axis=1), 1)
    return last[:, 0], nearest[:, 0], np.sqrt(np.square(nearest[:, 1:]).sum(axis=1) / around)


def _weights(offsets: Array) -> Array:
    """[..., K]: the weights of K values in the polynomial through them, at offset 0 (Lagrange). Not finite if
    two offsets are equal.
    """
    count = offsets.shape[-1]
    weights = np.ones(offsets.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        for one in range(count):
            for other in range(count):
                if one != other:
                    weights[..., one] *= offsets[..., other] / (offsets[..., other] - offsets[..., one])
    return weights


def _others(times: Array, chosen: Array, multiples: Array) -> Array:
    """[M]: the root mean square of the `multiples` [M] of the other keys at the same moment. Keys that were
    not chosen count as 0.
    """
    moments = np.round(times / MOMENT)
    own, ordered = moments[chosen], np.sort(moments)
    counts = np.searchsorted(ordered, own, "right") - np.searchsorted(ordered, own)
    place = np.searchsorted(distinct(own), own)
    squares = np.square(multiples)
    rest = np.bincount(place, squares)[place] - squares
    return np.asarray(np.sqrt(np.maximum(rest, 0) / np.maximum(counts - 1, 1)))
