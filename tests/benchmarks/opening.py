"""Opening files, and posing what they hold: milliseconds of the processor."""

from __future__ import annotations

import shutil
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np

from tests.benchmarks.made import LARGE, large_model, many_sequences
from tests.benchmarks.measure import ROOT, SHARED, Row, Rows, best, budget, character, cpu
from tests.creature_files import creature_tables, write_creature
from tests.ogre_shapes import both_key_sizes, long_tracks, many_tracks, static_mesh
from viewer.animation.pose import Layer, pose
from viewer.storage.documents import open_document

SHAPES = (
    ("560 tracks.skeleton", many_tracks, 4e-3),
    ("two key sizes, 69 bones × 13 clips.skeleton", both_key_sizes, 5e-3),
    ("66,402 keys in 306 tracks.skeleton", long_tracks, 4e-3),
    ("static, 3 MB.mesh", static_mesh, 16e-3),
)
"""Files of OGRE of the shapes that games have, and the seconds that opening them may take."""
REAL = (
    (ROOT / "assets/m2/Creature/Puff/Puff.m2", 15e-3),
    (SHARED / "m2/data256/Interface/Glues/Models/UI_NightElf/UI_NightElf.m2", 50e-3),
    (SHARED / "m2/data264/hobgoblin/Hobgoblin.M2", 29e-3),
    (SHARED / "m2/data264/rabbit/Rabbit.m2", 8e-3),
    (SHARED / "character/Character/Goblin/Male/GoblinMale.M2", 100e-3),
)
"""The bundled model of WoW and real ones, and the seconds that opening them with their tables may take."""


def rows() -> Rows:
    """A character with its animation, files of OGRE, and a model of 100 MB."""
    model, walk = character()
    with tempfile.TemporaryDirectory() as folder:
        alone = shutil.copy(model, folder)
        both = cpu(lambda: (open_document(alone), open_document(walk)))
        yield budget(f"open {model.name} + {walk.name}", both, 13e-3)
        for name, data, most in SHAPES:
            path = Path(folder) / name
            path.write_bytes(data())
            yield budget(f"open {name}", cpu(partial(open_document, path)), most)
        large = large_model(folder)
        ours = best(lambda: open_document(large), 3)
        floor = best(lambda: bytearray(large.read_bytes()), 3)
        name = f"open a model of {LARGE // 10**6} MB, indices checked"
        yield Row(name, ours, floor, 0.6, "read + one copy in memory")


def wow_rows() -> Rows:
    """Models of WoW where they are at hand, one of many sequences, and a creature with large tables."""
    for path, most in REAL:
        if path.is_file():
            yield budget(f"open {path.name}", cpu(partial(open_document, path)), most)
    with tempfile.TemporaryDirectory() as folder:
        path = many_sequences(Path(folder))
        yield budget("open 200 bones, 150 sequences", cpu(lambda: open_document(path)), 19e-3)
        yield from _playing(path)
        others = [(1000 + number, 8, 0, 0, 1.0, 255, f"Skin{number}") for number in range(24_000)]
        skins = ("MadeWhite", "MadeBlack")
        own = [(number, 7, 0, 0, 1.0, 255, skins[number % 2]) for number in range(20)]
        creature = write_creature(Path(folder), creature_tables([*others, *own]))
        time.sleep(2.1)  # tables that changed a moment ago are not kept
        opened = cpu(lambda: open_document(creature))
        yield budget("open a creature, 24,000 displays in its tables", opened, 10e-3)


def _playing(path: Path) -> Rows:
    """The first pose of a sequence reads its tracks."""
    document = open_document(path)
    assert document.model is not None and document.model.skeleton is not None
    skeleton, fresh, clip = document.model.skeleton, iter(document.animations), document.animations[0]
    again = cpu(lambda: pose(skeleton, [Layer(clip, 0.4)], np.eye(3)))
    yield budget("pose 200 bones, 8 of them billboards", again, 1.4e-3)
    next(fresh)
    once = cpu(lambda: pose(skeleton, [Layer(next(fresh), 0.1)], np.eye(3)), 0.1)
    yield Row("change the sequence", once, again, 16, "posing it once more")
