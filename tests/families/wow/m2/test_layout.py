"""Records have the sizes that clients of each version read."""

from __future__ import annotations

import pytest

from tests.m2_files import GENERATIONS
from viewer.families.wow.m2.layout.fields import VersionTraits
from viewer.families.wow.m2.layout.header import HEADER

SIZES = {
    "sequences": (68, 68, 64, 64),
    "bones": (108, 112, 88, 88),
    "colors": (56, 56, 40, 40),
    "textures": (16, 16, 16, 16),
    "transparency": (28, 28, 20, 20),
    "transforms": (84, 84, 60, 60),
    "materials": (4, 4, 4, 4),
    "attachments": (48, 48, 40, 40),
    "events": (44, 44, 36, 36),
    "lights": (212, 212, 156, 156),
    "cameras": (124, 124, 100, 116),
    "ribbons": (220, 220, 176, 176),
    "particles": (504, 504, 476, 492),
}
"""The published sizes of the records of 256, 260, 264 and 272."""


@pytest.mark.parametrize("table", SIZES)
def test_records_have_the_published_sizes(table: str) -> None:
    field = next(part for part in HEADER.references() if part.name == table)
    later = VersionTraits(272, bone_names=True, split_blend=True)
    assert tuple(field.target(each).itemsize for each in (*GENERATIONS, later)) == SIZES[table]
