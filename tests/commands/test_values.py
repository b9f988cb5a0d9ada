"""What the values of options may be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from viewer.commands import values
from viewer.scene.choices import MissingTextures, UpAxis


@pytest.mark.parametrize(
    ("convert", "text", "value"),
    [
        (values.size, "1280x720", (1280, 720)),
        (values.size, "8X9", (8, 9)),
        (values.color, "transparent", (0, 0, 0, 0)),
        (values.color, "white", (1, 1, 1, 1)),
        (values.color, "#f00", (1, 0, 0, 1)),
        (values.color, "#00ff0000", (0, 1, 0, 0)),
        (values.morph, "a=b=-0.5", ("a=b", -0.5)),
        (values.typed, "跑步", "跑步"),
        (values.typed, "\udce8\udcb7\udc91", "跑"),  # as Python brings it where the locale is ASCII
        (values.level, "auto", None),
        (values.level, "3", 3),
        (values.factor, "2.5", 2.5),
        (values.byte_size, "4096", 4096),
        (values.byte_size, "500m", 500 << 20),
        (values.byte_size, "8G", 8 << 30),
        (values.word_of("iso", "front"), "iso", "iso"),
        (values.missing, "checker", MissingTextures.CHECKER),
        (values.up_axis, "z", UpAxis.Z),
    ],
)
def test_good_values(convert: Callable[[str], Any], text: str, value: object) -> None:
    assert convert(text) == value


@pytest.mark.parametrize(
    ("convert", "text"),
    [
        (values.size, "1280"),
        (values.size, "0x720"),
        (values.size, "99999x2"),
        (values.size, "-1x5"),
        (values.color, "octarine"),
        (values.color, "#12"),
        (values.morph, "Smile"),
        (values.morph, "Smile=big"),
        (values.level, "-1"),
        (values.level, "²"),
        (values.factor, "0"),
        (values.byte_size, "8P"),
        (values.byte_size, "-1"),
        (values.byte_size, "1.5G"),
        (values.byte_size, "G"),
        (values.byte_size, ""),
        (values.number, "inf"),
        (values.word_of("iso", "front"), "Front"),
        (values.shading, "shiny"),
        (values.missing, "pink"),
        (values.up_axis, "x"),
    ],
)
def test_bad_values(convert: Callable[[str], Any], text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        convert(text)
