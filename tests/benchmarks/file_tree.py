"""A tree of many files for the benchmarks of the library: the bundled samples, and variants of them.

No two variants have the same bytes: the lowest bit of one number of a vertex or key differs.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks.measure import ROOT
from viewer.family.registry import suffixes
from viewer.storage.documents import open_document

MANY = 2000
FAMILIES = ("urho3d", "ogre", "m2")
VARIED = (
    "urho3d/Models/Beacon.mdl",
    "ogre/models/Linglong.mesh",
    "m2/Creature/Puff/Puff.m2",
    "urho3d/Models/Beacon_Dance.ani",
)
VARIANTS = 25
"""Variants in a set: a folder with the samples, their materials and textures."""
FLOAT = 4


@contextmanager
def file_tree(count: int = MANY) -> Iterator[Path]:
    """A folder with `count` files that open, about half of them models, in sets of 40; it is removed at the
    end.
    """
    with tempfile.TemporaryDirectory(prefix="rigscope-tree-") as folder:
        make_file_tree(Path(folder), count)
        yield Path(folder)


def make_file_tree(folder: Path, count: int = MANY) -> list[Path]:
    """Fill a folder with `count` files that open, and return their paths."""
    made: list[Path] = []
    variants = _variants()
    while len(made) < count:
        place = folder / f"Set{len(made) // (VARIANTS + 15):03}"
        made += _put_samples(place)[: count - len(made)]
        for _ in range(min(VARIANTS, count - len(made))):
            made.append(next(variants)(place))
    return made


def _put_samples(place: Path) -> list[Path]:
    """The samples with all that belongs to them, as links where the file system has them."""
    for family in FAMILIES:
        shutil.copytree(ROOT / "assets" / family, place / family, copy_function=_link)
    return sorted(each for each in place.rglob("*") if each.suffix in suffixes())


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy(source, target)


def _variants() -> Iterator[Callable[[Path], Path]]:
    """Without end: functions that write the next variant into a folder and return its path."""
    samples = [(name, (ROOT / "assets" / name).read_bytes(), _numbers(name)) for name in VARIED]
    number = 0
    while True:
        for name, data, (first, stride) in samples:
            changed = bytearray(data)
            changed[first + number * stride] ^= 1

            def write(place: Path, name: str = name, number: int = number, data: bytes = changed) -> Path:
                path = place / name
                lists, path = path.with_suffix(".txt"), path.with_stem(f"{path.stem}_{number:04}")
                path.write_bytes(data)
                if lists.exists():  # the materials of an Urho3D model
                    _link(str(lists), str(path.with_suffix(".txt")))
                return path

            yield write
        number += 1


def _numbers(name: str) -> tuple[int, int]:
    """The offset of a number that may vary, and the distance of the next one: vertices, or the last keys."""
    document = open_document(ROOT / "assets" / name)
    if document.model is None:
        return len(document.data) - FLOAT, -FLOAT
    buffer = document.model.vertex_buffers[0]
    return document.data.index(buffer.data[: buffer.stride].tobytes()), buffer.stride
