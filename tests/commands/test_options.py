"""What the options' values may be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from viewer.commands import options


@pytest.mark.parametrize(
    ("convert", "text", "value"),
    [
        (options.size, "1280x720", (1280, 720)),
        (options.size, "8X9", (8, 9)),
        (options.color, "transparent", (0, 0, 0, 0)),
        (options.color, "white", (1, 1, 1, 1)),
        (options.color, "#f00", (1, 0, 0, 1)),
        (options.color, "#00ff0000", (0, 1, 0, 0)),
        (options.morph, "a=b=-0.5", ("a=b", -0.5)),
        (options.typed, "跑步", "跑步"),
        (options.typed, "\udce8\udcb7\udc91", "跑"),  # as Python brings it where the locale is ASCII
        (options.level, "auto", None),
        (options.level, "3", 3),
        (options.factor, "2.5", 2.5),
        (options.view, "iso", "iso"),
    ],
)
def test_good_values(convert: Callable[[str], Any], text: str, value: object) -> None:
    assert convert(text) == value


@pytest.mark.parametrize(
    ("convert", "text"),
    [
        (options.size, "1280"),
        (options.size, "0x720"),
        (options.size, "99999x2"),
        (options.size, "-1x5"),
        (options.color, "octarine"),
        (options.color, "#12"),
        (options.morph, "Smile"),
        (options.morph, "Smile=big"),
        (options.level, "-1"),
        (options.level, "²"),
        (options.factor, "0"),
        (options.number, "inf"),
        (options.view, "Front"),
        (options.shading, "shiny"),
    ],
)
def test_bad_values(convert: Callable[[str], Any], text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        convert(text)
