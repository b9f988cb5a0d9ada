"""A small WoW model with its view and a file of keys in a folder, and what the check says about them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import tests.wow  # noqa: F401
from tests import m2_files
from viewer.check.checking import check_file
from viewer.families.wow.m2.layout.writer import WrittenTrack, skin_bytes
from viewer.scene.finding import Finding
from viewer.storage.documents import open_document

TIMES, PLACES = np.array([0, 1000], "<u4"), np.array([(0, 0, 0), (0, 4, 0)], "<f4")
KEYS = 2 * (TIMES.tobytes() + PLACES.tobytes())
"""The translations of the first two bones in the file of keys: times at 0 and 32, values at 8 and 40."""
HALF = len(KEYS) // 2
KEY_FILE = "Made0060-00.anim"


def write_model(folder: Path, view: dict[str, Any] | None = None, **changes: Any) -> Path:
    """`Made.m2` of Wrath, whose fourth sequence has its keys in a file, with `Made00.skin` and that file."""
    bones = m2_files.bones(m2_files.WRATH)
    rows = [[0], [0], [0], []]
    places = [[(0, 0, 0)], [(2, 0, 0)], [(0, 0, 0)], []]
    bones[0]["translation"] = bones[1]["translation"] = WrittenTrack(rows, places)
    lookup = [0, -1, -1, -1, 1, *[-1] * 8, 2, *[-1] * 46, 3]
    path = folder / "Made.m2"
    path.write_bytes(m2_files.model(m2_files.WRATH, **{"bones": bones, "sequence_lookup": lookup, **changes}))
    (folder / "Made00.skin").write_bytes(skin_bytes(m2_files.WRATH, m2_files.view() | (view or {})))
    (folder / KEY_FILE).write_bytes(KEYS)
    if "bones" not in changes:
        _point(path)
    return path


def _point(path: Path) -> None:
    """Let the fourth rows of the tracks of two bones lead to the file of keys."""
    data = bytearray(path.read_bytes())
    bones = open_document(path).root.child("bones").children
    for bone, name, place in ((0, "times", 0), (0, "values", 8), (1, "times", HALF), (1, "values", HALF + 8)):
        target = bones[bone].child("translation").child(name).target
        assert target is not None
        at = target + 3 * 8
        data[at : at + 8] = len(TIMES).to_bytes(4, "little") + place.to_bytes(4, "little")
    path.write_bytes(data)


def told(path: Path, *rules: str) -> tuple[Finding, ...]:
    """The findings of these rules or groups in a file."""
    return check_file(str(path), select=rules)
