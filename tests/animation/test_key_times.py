"""Which keys there are, and which is next."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from msgspec.structs import replace

from viewer.animation.key_times import keys
from viewer.scene.animation import Animation, MorphTrack, ShapeTrack, Track


def track(target: str, times: list[float], path: str = "position", dtype: str = "<f4") -> Track:
    return Track(target, path, np.array(times, dtype), np.zeros((len(times), 3), "<f4"))


def animation(*tracks: Track) -> Animation:
    return Animation("A", 2.0, tracks, tuple(dict.fromkeys(each.target for each in tracks)))


def test_channels_that_share_their_times_are_one_row() -> None:
    times = np.array([0, 0.5, 1], "<f4")
    both = [Track("hip", path, times, np.zeros((3, 3))) for path in ("position", "scale")]
    found = keys(animation(*both, track("knee", [0.25])))
    assert found.targets == ("hip", "knee")
    assert found.paths == (("position", "scale"), ("position",))
    assert found.row(0).tolist() == [0, 0.5, 1] and found.row(1).tolist() == [0.25]
    assert found.numbers.tolist() == [0, 1, 2, 0]


def test_channels_of_their_own_times_are_merged() -> None:
    found = keys(animation(track("hip", [0, 1]), track("hip", [0.5, 1], "scale")))
    assert found.row(0).tolist() == [0, 0.5, 1]


def test_keys_out_of_order_keep_their_numbers() -> None:
    found = keys(animation(track("hip", [1, 0, np.nan, 0.5])))
    assert found.row(0).tolist() == [0, 0.5, 1]
    assert found.numbers.tolist() == [1, 3, 0]
    found = keys(animation(track("hip", [1, 0, 0.5])))
    assert found.row(0).tolist() == [0, 0.5, 1]
    assert found.numbers.tolist() == [1, 2, 0]


@pytest.mark.parametrize("dtype", ["<f4", "<f8"])
def test_all_keys_each_time_once(dtype: str) -> None:
    found = keys(animation(track("a", [0.1, 0.3], dtype=dtype), track("b", [0.1, 0.2], dtype=dtype)))
    assert found.all == pytest.approx([0.1, 0.2, 0.3])


def test_an_animation_without_keys() -> None:
    found = keys(animation(track("a", [])))
    assert (found.targets, len(found.times), len(found.all)) == ((), 0, 0)
    assert found.neighbour(0.0, 1) is None


@pytest.mark.parametrize(
    ("time", "by", "targets", "next_one"),
    [
        (0.0, 1, (), 0.25),
        (0.25, 1, (), 0.5),
        (0.25, -1, (), 0.0),
        (0.3, -1, (), 0.25),
        (0.0, 1, ("hip",), 0.5),
        (1.0, 1, (), None),
        (0.0, -1, (), None),
        (0.0, 1, ("unknown",), 0.25),
    ],
)
def test_the_key_beside_a_time(
    time: float, by: int, targets: tuple[str, ...], next_one: float | None
) -> None:
    found = keys(animation(track("hip", [0, 0.5, 1]), track("knee", [0.25])))
    assert found.neighbour(time, by, targets) == next_one


def test_keys_are_kept_as_long_as_the_animation() -> None:
    held = animation(track("hip", [0]))
    found = weakref.ref(keys(held))
    assert keys(held) is found()
    del held
    gc.collect()
    assert found() is None


def test_tracks_that_move_vertices_have_rows_of_their_own() -> None:
    weights = MorphTrack(np.array([0]), np.array([0, 1], "<f4"), np.zeros((2, 1)))
    shapes = [ShapeTrack(number, np.array([0.5]), np.array([0])) for number in (0, 1)]
    empty = MorphTrack(np.array([0]), np.empty(0), np.empty((0, 1)))
    mixed = replace(animation(track("hip", [0.25])), morph_tracks=(weights,), shape_tracks=tuple(shapes))
    found = keys(mixed)
    assert found.targets == ("hip", "morph weights", "vertex shapes 0", "vertex shapes 1")
    assert [found.row(row).tolist() for row in range(4)] == [[0.25], [0, 1], [0.5], [0.5]]
    assert found.all.tolist() == [0, 0.25, 0.5, 1]
    assert keys(replace(mixed, morph_tracks=(empty,), shape_tracks=())).targets == ("hip",)
