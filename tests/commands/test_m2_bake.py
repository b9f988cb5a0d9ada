"""`bake` of a WoW model whose bones have every flag, against numbers worked out by hand.

The rules are those of Deamon87 WebWowViewerCpp: a bone that does not take over its parent's rotation or scale
keeps its pivot where the parent brings it; one that ignores the translation has the model's own, which is 0.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tests.wow  # noqa: F401
from tests import m2_files
from viewer.commands.cli import main
from viewer.families.wow.m2.layout.records import VERTEX
from viewer.families.wow.m2.layout.writer import WrittenTrack

FLAGS = (0, 0x4, 0x2, 0x6, 0x1, 0x8, 0x40)
"""Of the root and of its children: ignore rotation, scale, both, translation; billboards."""
PIVOT, PLACE = (1.0, 0.0, 0.0), (2.0, 0.0, 1.0)
"""Of each child; and the vertex that each bone moves."""

EXPECTED = {
    # the root: up by 3, a quarter turn around Z, twice as large; so the pivot of the children is at (0, 2, 3)
    0x0: (0, 4, 5),
    # twice as large around the pivot, unturned: (0, 2, 3) + 2 · (1, 0, 1)
    0x4: (2, 2, 5),
    # turned around the pivot: (0, 2, 3) + (0, 1, 1)
    0x2: (0, 3, 4),
    # only moved: (0, 2, 3) + (1, 0, 1)
    0x6: (1, 2, 4),
    # turned and twice as large around the origin, not up
    0x1: (0, 4, 2),
    # without a camera there is nothing to turn to
    0x8: (0, 4, 5),
    0x40: (0, 4, 5),
}


def constant(value: tuple[float, ...]) -> WrittenTrack:
    return WrittenTrack([0], [value])


@pytest.fixture
def model(tmp_path: Path) -> Path:
    root = {
        "key_bone": -1,
        "parent": -1,
        "pivot": (0, 0, 0),
        "translation": constant((0, 0, 3)),
        "rotation": constant(m2_files.QUARTER),
        "scale": constant((2, 2, 2)),
    }
    children = [{"key_bone": -1, "parent": 0, "pivot": PIVOT, "flags": flags} for flags in FLAGS[1:]]
    count = len(FLAGS)
    vertices = np.zeros(count, VERTEX)
    vertices["position"], vertices["normal"] = PLACE, (0, 0, 1)
    vertices["weights"][:, 0], vertices["bones"][:, 0] = 255, np.arange(count)
    indices = [corner for number in range(count) for corner in (number, (number + 1) % count, number)]
    submesh = {"vertex_count": count, "index_count": len(indices), "bone_count": count, "influences": 1}
    view = {
        "vertices": list(range(count)),
        "indices": indices,
        "joints": [(number, 0, 0, 0) for number in range(count)],
        "submeshes": [submesh],
        "batches": [],
        "bone_limit": 64,
    }
    path = tmp_path / "Flags.m2"
    data = m2_files.model(
        bones=[root, *children], vertices=vertices, views=[view], bone_combos=list(range(count))
    )
    path.write_bytes(data)
    return path


def test_every_flag_does_what_the_rules_say(model: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.npz"
    assert main(["bake", str(model), "-o", str(output)]) == 0
    positions = np.load(output)["positions_0"]
    found = dict(zip(FLAGS, positions.round(4).tolist(), strict=True))
    assert found == {flags: pytest.approx(place) for flags, place in EXPECTED.items()}
