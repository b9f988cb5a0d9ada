"""An output is for one model or for many; earlier options give the same values as those of now."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewer.commands.options.given_options import is_for_many, options_of
from viewer.commands.options.parser import parse
from viewer.commands.options.table import PICTURE
from viewer.scene.choices import PICTURE_SUFFIXES


@pytest.mark.parametrize("output", ["{name}.png", "out/{name}_{frame:04}.png", "new/"])
def test_a_name_or_a_folder_is_for_many(output: str, tmp_path: Path) -> None:
    assert is_for_many(output) and is_for_many(str(tmp_path))


@pytest.mark.parametrize("output", ["a.png", "out/frame_{frame:04}.png", ""])
def test_any_other_is_for_one(output: str) -> None:
    assert not is_for_many(output)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("--shading unlit", "--light unlit"),
        ("--file-lights", "--light file"),
        ("--shading unlit --file-lights", "--light unlit"),
        ("--file-lights --light headlamp", "--light headlamp"),
    ],
)
def test_earlier_options_for_the_light(old: str, new: str) -> None:
    before, now = (options_of(parse(PICTURE, line.split())[0]) for line in (old, new))
    assert before == now and now.shown["light"] is not None


def test_a_picture_is_a_png_first() -> None:
    assert PICTURE_SUFFIXES[0] == ".png" and ".mp4" in PICTURE_SUFFIXES
