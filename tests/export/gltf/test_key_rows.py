"""Keys of many tracks at once: ends, sides, order, and steps between rotations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from viewer.export.gltf.key_rows import CLOSE, ChannelKeys, ascending, one_side, subdivided, with_ends
from viewer.scene.maths import nlerp, normalise, slerp


def rows(*tracks: list[tuple[float, Any]]) -> ChannelKeys:
    """Keys (time, value) of each track."""
    owners = np.repeat(np.arange(len(tracks)), [len(track) for track in tracks])
    times = np.array([time for track in tracks for time, _ in track])
    return ChannelKeys(owners, times, np.array([value for track in tracks for _, value in track], float))


def turned(degrees: float) -> tuple[float, ...]:
    """A rotation around X."""
    half = np.radians(degrees) / 2
    return float(np.sin(half)), 0.0, 0.0, float(np.cos(half))


def test_ends_are_added_to_the_tracks_that_lack_them() -> None:
    found = with_ends(
        rows([(0.0, [1]), (2.0, [2])], [(0.5, [3]), (1.5, [4]), (2.5, [9])]),
        2.0,
        np.array([[7], [8]]),
        np.array([[5], [6]]),
    )
    first, second = found.split(2)
    assert first[0].tolist() == [0.0, 2.0] and first[1].ravel().tolist() == [1, 2]
    assert second[0].tolist() == [0.0, 0.5, 1.5, 2.0] and second[1].ravel().tolist() == [8, 3, 4, 6]


def test_keys_of_one_time_become_a_jump() -> None:
    found = ascending(rows([(0.0, [1]), (1.0, [2]), (1.0, [5]), (1.0, [3]), (2.0, [4])], [(0.0, [6])]))
    times, values = found.split(2)[0]
    assert (np.diff(times) > 0).all() and times[1] == np.nextafter(np.float32(1), np.float32(0))
    assert values.ravel().tolist() == [1, 2, 3, 4]


def test_neighbours_are_on_one_side_within_each_track() -> None:
    q, r = np.array(turned(10)), np.array(turned(30))
    found = one_side(rows([(0, q), (1, -r), (2, q)], [(0, -q), (1, -r)]))
    assert np.allclose(found.values, [q, r, q, -q, -r])


@pytest.mark.parametrize(("blend", "linear"), [(slerp, False), (nlerp, True)])
@pytest.mark.parametrize("degrees", [4.0, 25.0, 90.0, 170.0])
def test_steps_stay_close_to_the_engine(blend: Any, linear: bool, degrees: float) -> None:
    first, last = np.array(turned(0)), np.array(turned(degrees))
    found = subdivided(rows([(0.0, first), (1.0, last)]), np.array([True]), linear)
    for share in np.linspace(0, 1, 101):
        at = min(int(np.searchsorted(found.times, share, "right")) - 1, len(found.times) - 2)
        own = (share - found.times[at]) / (found.times[at + 1] - found.times[at])
        wanted = blend(first, last, np.array([share]))
        for read in (slerp, nlerp):  # its own interpolation, and that of Blender
            got = read(found.values[at].astype(float), found.values[at + 1].astype(float), np.array([own]))
            missed = 2 * np.linalg.norm(normalise(got) - normalise(wanted))
            assert missed < 2.5 * CLOSE


def test_stepped_tracks_get_no_keys() -> None:
    found = subdivided(rows([(0.0, turned(0)), (1.0, turned(90))]), np.array([False]), False)
    assert len(found.times) == 2
