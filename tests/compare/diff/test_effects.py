"""Other parts of a model: cameras, lights, attachments, events, emitters, ribbons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import m2_files
from tests.compared_files import compared, lines

GIVEN = m2_files.fields()


def changed(part: str, **fields: Any) -> bytes:
    """The small model with other fields in the first of its parts."""
    first, *rest = GIVEN[part]
    return m2_files.model(**{part: [first | fields, *rest]})


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (m2_files.model(), []),
        (changed("cameras", far=50), ["effects changed camera portrait: far: 100 → 50"]),
        (changed("lights", position=(0, 0, 5)), ["effects changed light 0: position: 0 0 3 → 0 0 5"]),
        (changed("attachments", bone=1), ["effects changed attachment HandRight: bone: 2 → 1"]),
        (changed("ribbons", edges_per_second=20), ["effects changed ribbon 0: rate: 10 → 20"]),
        (m2_files.model(ribbons=[]), ["effects removed ribbon 0"]),
        (m2_files.model(lights=GIVEN["lights"] * 2), ["effects added light 1"]),
        (
            changed("particles", speed=m2_files.keys(m2_files.CLASSIC, [([0], [4.0])])),
            ["effects changed emitter 0: speed values: 3 → 4"],
        ),
    ],
)
def test_parts_are_compared_value_by_value(other: bytes, expected: list[str], tmp_path: Path) -> None:
    found = lines(compared(tmp_path, m2_files.model(), other, "Made.m2"))
    assert [each for each in found if each.startswith("effects")] == expected
