"""WoW models: opening them, changing the sequence, posing many bones."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tests import m2_files
from tests.benchmarks.measure import ROOT, Row, Rows, best
from tests.benchmarks.parse import NOTICED
from tests.conftest import SHARED
from tests.creature_files import creature_tables, write_creature
from tests.opened import opened_file
from viewer.animation.pose import Layer, pose
from viewer.families.wow.m2.layout.writer import WrittenTrack
from viewer.families.wow.m2.load import load_model
from viewer.scene.animation import Animation
from viewer.scene.skeleton import Skeleton
from viewer.storage.documents import open_document
from viewer.storage.documents import open_document as open_plain

SEQUENCES, BONES, KEYS = 150, 200, 12
PUFF = ROOT / "assets/m2/Creature/Puff/Puff.m2"
REAL = (
    "data256/Interface/Glues/Models/UI_NightElf/UI_NightElf.m2",
    "data264/hobgoblin/Hobgoblin.M2",
    "data264/rabbit/Rabbit.m2",
)
CHARACTER = "Character/Goblin/Male/GoblinMale.M2"
"""A model below a folder of characters with their tables."""


def rows() -> Rows:
    """The bundled model, real ones where they are at hand, and one of 200 bones and 150 sequences."""
    for path in (PUFF, *(SHARED / "corpus" / "m2" / name for name in REAL)):
        if path.is_file():
            yield _opening(f"open {path.name}", path)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.m2"
        path.write_bytes(large())
        path.with_name("large00.skin").write_bytes(m2_files.skin())
        yield _opening(f"open {BONES} bones, {SEQUENCES} sequences", path)
        yield from _playing(path)
        yield _dressing(Path(folder))
    yield from _character()


def _dressing(folder: Path) -> Row:
    """A creature with 20 displays among 24 000 others, whose tables are in memory."""
    others = [(1000 + number, 8, 0, 0, 1.0, 255, f"Skin{number}") for number in range(24_000)]
    own = [(number, 7, 0, 0, 1.0, 255, "MadeBlack" if number % 2 else "MadeWhite") for number in range(20)]
    path = write_creature(folder, creature_tables([*others, *own]))
    time.sleep(2.1)  # tables that changed a moment ago are not kept
    ours = best(lambda: open_document(path), clock=time.thread_time)
    floor = best(lambda: open_plain(path), clock=time.thread_time)
    return Row("open a creature in its first display", ours, floor, 3, "opening it without tables")


def _character() -> Rows:
    """A real character, where one is at hand, in its first look."""
    path = SHARED / "corpus" / "character" / CHARACTER
    if path.is_file():
        ours = best(lambda: open_document(path), clock=time.thread_time)
        floor = best(lambda: open_plain(path), clock=time.thread_time)
        yield Row("open a character in its first look", ours, floor, 4, "opening it without tables")


def _opening(name: str, path: Path) -> Row:
    ours = best(lambda: load_model(opened_file(path, path.read_bytes())), clock=time.thread_time)
    return Row(name, ours, NOTICED, 0.5, "100 ms")


def _playing(path: Path) -> Rows:
    document = load_model(opened_file(path, path.read_bytes()))
    model = document.model
    assert model is not None and model.skeleton is not None
    skeleton, fresh = model.skeleton, iter(document.animations)
    pose(skeleton, [Layer(next(fresh), 0.1)], np.eye(3))
    once = best(lambda: _change(skeleton, fresh), 0.1, time.thread_time)
    clip = document.animations[0]
    again = best(lambda: pose(skeleton, [Layer(clip, 0.4)], np.eye(3)), clock=time.thread_time)
    floor = best(lambda: [np.matmul(np.eye(4), np.ones((BONES, 4, 4))) for _ in range(8)])
    yield Row(f"pose {BONES} bones, 8 of them billboards", again, floor, 25, "8 products of as many matrices")
    yield Row("change the sequence", once, again, 16, "posing it once more")


def _change(skeleton: Skeleton, fresh: Iterator[Animation]) -> None:
    pose(skeleton, [Layer(next(fresh), 0.1)], np.eye(3))


def large() -> bytes:
    """Chains of ten bones; every bone has keys of translation, rotation and scale in every sequence."""
    random = np.random.default_rng(1)
    times = np.arange(KEYS) * 90

    def curve(values: Any) -> WrittenTrack:
        return WrittenTrack([times] * SEQUENCES, [values() for _ in range(SEQUENCES)])

    bones = [
        {
            "key_bone": -1,
            "parent": number - 1 if number % 10 else -1,
            "flags": 8 if number % 25 == 24 else 0,
            "pivot": (number, 0, 0),
            "translation": curve(lambda: random.random((KEYS, 3))),
            "rotation": curve(lambda: random.integers(30000, 35000, (KEYS, 4))),
            "scale": curve(lambda: np.ones((KEYS, 3))),
        }
        for number in range(BONES)
    ]
    sequences = [{"id": number, "flags": 0x20, "duration": 1000} for number in range(SEQUENCES)]
    return m2_files.model(m2_files.WRATH, sequences=sequences, bones=bones)
