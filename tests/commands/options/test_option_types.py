"""What the values of options may be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from viewer.commands.options import option_types
from viewer.scene.choices import Lighting, LightKind, MissingTextures, Shading, UpAxis


@pytest.mark.parametrize(
    ("convert", "text", "value"),
    [
        (option_types.size, "1280x720", (1280, 720)),
        (option_types.size, "8X9", (8, 9)),
        (option_types.color, "transparent", (0, 0, 0, 0)),
        (option_types.color, "white", (1, 1, 1, 1)),
        (option_types.color, "#f00", (1, 0, 0, 1)),
        (option_types.color, "#00ff0000", (0, 1, 0, 0)),
        (option_types.morph, "a=b=-0.5", ("a=b", -0.5)),
        (option_types.typed, "跑步", "跑步"),
        (option_types.typed, "\udce8\udcb7\udc91", "跑"),  # as Python brings it where the locale is ASCII
        (option_types.level, "auto", None),
        (option_types.level, "3", 3),
        (option_types.factor, "2.5", 2.5),
        (option_types.byte_size, "4096", 4096),
        (option_types.byte_size, "500m", 500 << 20),
        (option_types.byte_size, "8G", 8 << 30),
        (option_types.choice_of(("iso", "front")), "iso", "iso"),
        (option_types.choice_of(MissingTextures), "checker", MissingTextures.CHECKER),
        (option_types.choice_of(UpAxis), "z", UpAxis.Z),
        (option_types.shading, "uv", Shading.UV),
        (option_types.shading, "unlit", LightKind.UNLIT),
        (option_types.light, "file", Lighting(LightKind.FILE)),
        (option_types.light, "studio:30,-45.5", Lighting(LightKind.STUDIO, (30.0, -45.5))),
    ],
)
def test_good_values(convert: Callable[[str], Any], text: str, value: object) -> None:
    assert convert(text) == value


@pytest.mark.parametrize(
    ("convert", "text"),
    [
        (option_types.size, "1280"),
        (option_types.size, "0x720"),
        (option_types.size, "99999x2"),
        (option_types.size, "-1x5"),
        (option_types.color, "octarine"),
        (option_types.color, "#12"),
        (option_types.morph, "Smile"),
        (option_types.morph, "Smile=big"),
        (option_types.level, "-1"),
        (option_types.level, "²"),
        (option_types.factor, "0"),
        (option_types.byte_size, "8P"),
        (option_types.byte_size, "-1"),
        (option_types.byte_size, "1.5G"),
        (option_types.byte_size, "G"),
        (option_types.byte_size, ""),
        (option_types.finite_number, "inf"),
        (option_types.choice_of(("iso", "front")), "Front"),
        (option_types.shading, "shiny"),
        (option_types.shading, "distance"),
        (option_types.light, "sun"),
        (option_types.light, "headlamp:"),
        (option_types.light, "headlamp:30"),
        (option_types.light, "headlamp:1,2,3"),
        (option_types.light, "headlamp:nan,0"),
        (option_types.light, "studio:0,91"),
        (option_types.light, "unlit:30,45"),
        (option_types.choice_of(MissingTextures), "pink"),
        (option_types.choice_of(UpAxis), "x"),
    ],
)
def test_bad_values(convert: Callable[[str], Any], text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        convert(text)
