"""Expressions of layouts."""

from __future__ import annotations

import pytest

from viewer.binary import Choice, Expression, Struct
from viewer.errors import FormatError


def test_a_name_is_a_field_of_the_record_or_of_the_nearest_one_around() -> None:
    around = Struct(count=2, flags=1)
    assert Expression("count + flags")(Struct(None, around, count=3)) == 4


def test_an_absent_field_is_none_and_need_not_be_looked_at() -> None:
    newer = Expression("magic == 'B' and version >= 2")
    assert not newer(Struct(magic="A"))
    assert newer(Struct(magic="B", version=2))


def test_two_conditions_are_joined() -> None:
    both = Expression("a == 1", "one") & Expression("b == 2")
    assert both(Struct(a=1, b=2))
    assert not both(Struct(a=1, b=3))
    assert str(both) == "one and b == 2"


def test_a_choice_without_an_option_says_the_value() -> None:
    size = Choice("size", {2: "short", 4: "long"}, "indices of {} bytes")
    assert size(Struct(size=4)) == "long"
    with pytest.raises(FormatError, match="indices of 3 bytes"):
        size(Struct(size=3))
