"""Values that are kept while there is room."""

from __future__ import annotations

import gc
from weakref import ref

from viewer.lru import RecentValues, kept_with


class Made:
    """Makes values, and remembers which."""

    def __init__(self, most: int, large: bool = True) -> None:
        self.kept: RecentValues[str, str] = RecentValues(most, large)
        self.made: list[str] = []

    def get(self, key: str, size: int = 1) -> str:
        def make() -> str:
            self.made.append(key)
            return key.upper()

        return self.kept.get(key, make, lambda _: size)


def test_a_value_is_made_once_while_there_is_room() -> None:
    made = Made(2)
    assert [made.get(key) for key in "abab"] == ["A", "B", "A", "B"]
    assert made.made == ["a", "b"]


def test_the_value_that_was_not_asked_for_longest_is_dropped() -> None:
    made = Made(2)
    for key in "abacab":
        made.get(key)
    assert made.made == ["a", "b", "c", "b"]


def test_the_last_value_is_kept_even_if_it_is_too_large() -> None:
    made = Made(2)
    made.get("a")
    made.get("large", 9)
    made.get("large", 9)
    assert made.made == ["a", "large"] and len(made.kept) == 1


def test_what_is_too_large_may_be_left_out() -> None:
    made = Made(2, large=False)
    made.get("a", 2)
    made.get("large", 3)
    made.get("a", 2)
    made.get("large", 3)
    assert made.made == ["a", "large", "large"]


def test_sizes_of_dropped_values_are_free_again() -> None:
    made = Made(4)
    for key in "abcd":
        made.get(key, 3)
    made.get("e", 1)
    made.get("d", 3)
    assert made.made == ["a", "b", "c", "d", "e"]


def test_the_result_for_an_object_is_made_once_and_goes_with_it() -> None:
    class Result:
        """What is made of an object."""

    made = kept_with(lambda owner: Result())
    first, second = Made(1), Made(1)
    assert made(first) is made(first) and made(first) is not made(second)
    watched = ref(made(first))
    del first
    gc.collect()
    assert watched() is None and made(second) is made(second)


def test_a_result_of_none_is_kept_too() -> None:
    asked: list[Made] = []
    made, owner = kept_with(asked.append), Made(1)
    assert made(owner) is None and made(owner) is None
    assert asked == [owner]
