from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.scene.animation import Animation, LazyTracks, Track, TrackMatch, listing_order, match


def matched(targets: tuple[str, ...], *names: str) -> TrackMatch:
    return match(Animation("clip", 1.0, (), targets), names)


def test_targets_find_bones_of_their_name() -> None:
    found = matched(("b", "a"), "a", "b", "c")
    assert (found.bones, found.unmatched, found.folded) == ({"b": 1, "a": 0}, (), ())


def test_what_finds_no_bone_is_named() -> None:
    found = matched(("a", "x", "y"), "a")
    assert found.unmatched == ("x", "y")
    assert found.text == "1 of 3 tracks matched"


def test_case_is_folded_where_nothing_fits_exactly() -> None:
    found = matched(("spine", "Head"), "Spine", "Head")
    assert (found.bones, found.folded) == ({"spine": 0, "Head": 1}, ("spine",))


def test_an_exact_name_wins_over_a_folded_one() -> None:
    assert matched(("Head",), "HEAD", "head", "Head").bones == {"Head": 2}


def test_of_bones_of_one_name_the_first_is_meant() -> None:
    assert matched(("Head", "hand"), "Head", "Head", "Hand", "HAND").bones == {"Head": 0, "hand": 2}


def clip(name: str, **facts: float) -> Animation:
    return Animation(name, 1.0, (), facts=facts)


def test_sequences_are_listed_by_id_and_variation_and_others_as_they_come() -> None:
    offered = [
        clip("Walk", id=4, variation=0),
        clip("Beside"),
        clip("Stand 1", id=0, variation=1),
        clip("Stand", id=0, variation=0),
        clip("Also beside"),
    ]
    assert [offered[number].name for number in listing_order(offered)] == [
        "Stand",
        "Stand 1",
        "Walk",
        "Beside",
        "Also beside",
    ]


def test_files_without_ids_keep_their_order() -> None:
    assert listing_order([clip("b"), clip("a")]) == [0, 1]


def test_lazy_tracks_are_made_once_at_their_first_use() -> None:
    made: list[int] = []

    def make() -> Iterator[Track]:
        made.append(1)
        return (Track(name, "position", np.zeros(1), np.zeros((1, 3))) for name in "ab")

    tracks = LazyTracks(make)
    assert not made
    assert [track.target for track in tracks] == ["a", "b"]
    assert (len(tracks), tracks[1].target, len(tracks[:1])) == (2, "b", 1)
    assert len(made) == 1
