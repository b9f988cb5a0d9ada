from __future__ import annotations

from viewer.scene.animation import Animation, Match, match


def matched(targets: tuple[str, ...], *names: str) -> Match:
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
