from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from viewer.scene.animation import (
    Animation,
    LazyTracks,
    Track,
    TrackMatch,
    bare_name,
    listing_order,
    match,
)


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


@pytest.mark.parametrize(
    ("target", "bone"),
    [
        ("Bip01_Head", "Head"),
        ("Bip01 Head", "bip001_head"),
        ("Head", "mixamorig:Head"),
        ("mixamorig1:Head", "Head"),
        ("Hero:Root|Head", "DEF-head"),
        ("ValveBiped.Bip01_Head", "Head"),
        ("Armature_Head", "Head"),
    ],
)
def test_prefixes_of_tools_are_ignored_last(target: str, bone: str) -> None:
    found = matched((target,), "x", bone)
    assert found.bones == {target: 1} and found.renamed == (target,) and not found.unmatched
    assert match(Animation("clip", 1.0, (), (target,)), ("x", bone), prefixes=False).unmatched == (target,)


def test_a_bone_that_another_track_names_is_not_matched_by_a_bare_name() -> None:
    found = matched(("Bip01_Head", "Head", "Bip02_Head"), "Head", "Bip01")
    assert found.bones == {"Head": 0} and found.unmatched == ("Bip01_Head", "Bip02_Head")


@pytest.mark.parametrize("name", ["Defender", "Armatures", "Bip01", "mixamorig:", "definition", ""])
def test_a_name_that_only_begins_like_a_prefix_is_whole(name: str) -> None:
    assert bare_name(name) == name.casefold()


def test_bones_without_a_track_are_listed() -> None:
    assert matched(("b",), "a", "b", "c").trackless(("a", "b", "c")) == ("a", "c")
