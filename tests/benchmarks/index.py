"""The index: reading facts, a second run, and queries."""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.benchmarks.made import file_tree
from tests.benchmarks.measure import Row, Rows, best, budget, cpu, process, with_bytecode
from tests.synthetic import model_bytes
from viewer.family.registry import suffixes
from viewer.library.file_sources import SourceFile, source_files
from viewer.library.index.facts import IndexedFile
from viewer.library.index.index import Index
from viewer.library.outcome import Outcome
from viewer.library.workers.batches import LocalRunner
from viewer.scene.files import FileFacts
from viewer.scene.reading_context import DEFAULT

EVERY = 50
"""One of so many files is read by a process of its own."""
MANY = 100_000
CLIPS = ("walk", "run", "idle", "attack", "death", "jump", "swim", "fly", "cast", "dance")
QUERIES = (
    "walk",
    "not walk",
    "*.mdl",
    "bones>60",
    "bones>60 triangles:..10000 format:ogre",
    "clip:walk",
    "texture:*.tga",
    'bone:"bone 17 499"',
    "has:particles walk bones>60",
    "bones>60 or clip:walk",
    "(clip:walk or clip:run) not texture:body7*",
)


def rows() -> Rows:
    """Facts of a tree, the same tree again, and queries over many files."""
    with file_tree() as folder, tempfile.TemporaryDirectory() as cache:
        place, index = str(folder), Index(Path(cache) / "index.sqlite")
        start = time.perf_counter()
        files = update(index, place)
        ours = (time.perf_counter() - start) / files
        paths = sorted(each for each in folder.rglob("*") if each.suffix in suffixes())[::EVERY]
        environment = with_bytecode(cache)
        times = [process(environment, "-m", "viewer", "info", "--json", str(path)) for path in paths]
        floor = sum(times[1:]) / len(times[1:])
        name = f"index the facts of {files:,} files, each"
        yield Row(name, ours, floor, 1 / 20, "one `info --json` at a time")
        ours, floor = best(lambda: update(index, place)), best(lambda: listed(place))
        yield Row(f"index {files:,} files again, unchanged", ours, floor, 3, "os.scandir and stat")
        index.close()
    with tempfile.TemporaryDirectory() as place:
        client(Path(place))
        yield budget("find a word in 6,000 files without an index", first_find(place), 0.8)
    with tempfile.TemporaryDirectory() as place:
        index = Index(Path(place) / "index.sqlite")
        names = [f"set{n % 97:02}/{CLIPS[n % 10]}_thing{n}.mdl" for n in range(MANY)]
        sources = [SourceFile(f"{place}/{name}", name, place, 1, 1) for name in sorted(names)]
        assert sum(1 for _ in index.update(sources, [place], MadeFacts())) > MANY
        assert all(len(index.query(each, [place])) for each in QUERIES), "every query finds files"
        spent = {each: cpu(lambda each=each: index.query(each, [place]), 0.5) for each in QUERIES}
        slowest = max(spent, key=spent.__getitem__)
        yield budget(f"query {MANY:,} files, slowest: {slowest}", spent[slowest], 0.1)
        index.close()


def client(place: Path) -> None:
    """Write 2,000 models and 4,000 other files in 200 folders."""
    data = model_bytes()
    for number in range(6000):
        folder = place / f"part{number % 20}/set{number % 200}"
        folder.mkdir(parents=True, exist_ok=True)
        name, content = (f"thing{number}.mdl", data) if number % 3 == 0 else (f"skin{number}.png", b"")
        (folder / name).write_bytes(content)


def first_find(place: str, runs: int = 5) -> float:
    """Seconds of a whole process that finds a word, with an empty cache each time."""
    with tempfile.TemporaryDirectory() as kept:
        environment, command = with_bytecode(kept), ("-m", "viewer", "find", place, "thing777")
        caches = (str(Path(kept) / f"cache{number}") for number in range(runs + 1))
        _, *times = (process(environment | {"RIGSCOPE_CACHE": each}, *command) for each in caches)
    return min(times)


def update(index: Index, place: str) -> int:
    """The number of files that were read."""
    found = source_files([place], suffixes(), print, DEFAULT)
    return sum(1 for _ in index.update(found, [place], LocalRunner(2))) - 1


def listed(folder: str) -> int:
    """The bytes of all files."""
    with os.scandir(folder) as entries:
        return sum(
            listed(each.path) if each.is_dir(follow_symlinks=False) else each.stat().st_size
            for each in entries
        )


class MadeFacts:
    """A runner that makes facts up: as many names as characters have."""

    def __init__(self) -> None:
        self._random = random.Random(1)

    def run(self, task: Any, calls: Iterable[tuple[Any, ...]]) -> Iterator[Outcome]:
        """See Runner."""
        for number, (path,) in enumerate(calls):
            yield Outcome(path, IndexedFile(self._facts(number), b"read"))

    def _facts(self, number: int) -> FileFacts:
        pick = self._random.choice
        return FileFacts(
            format=pick(("Urho3D model", "OGRE mesh", "WoW M2 model")),
            version=pick(("MD20 version 264", "UMD2")),
            kind="model",
            bones=self._random.randrange(200),
            triangles=self._random.randrange(20_000),
            clips=6,
            emitters=self._random.randrange(2),
            bone_names=tuple(f"Bip01 bone {bone} {number % 500}" for bone in range(40)),
            clip_names=tuple(f"{pick(CLIPS)}{clip}" for clip in range(6)),
            material_names=(f"Materials/{number}.xml",),
            texture_names=(f"textures/skin{number}.blp", f"textures/body{number}.tga"),
        )
