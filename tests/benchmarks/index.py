"""The index: reading facts, a second run, and queries."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.benchmarks.file_tree import file_tree
from tests.benchmarks.measure import ROOT, Row, Rows, best, with_bytecode
from viewer.family.registry import suffixes
from viewer.library.file_sources import SourceFile, source_files
from viewer.library.index.facts import IndexedFile
from viewer.library.index.index import Index
from viewer.library.outcome import Outcome
from viewer.library.workers.batches import LocalRunner, Runner
from viewer.scene.files import FileFacts
from viewer.scene.reading_context import DEFAULT

CORES = 2
EVERY = 50
"""One of so many files is read by a process of its own."""
MANY = 100_000
LIMIT = 0.100
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
    """The three claims."""
    with file_tree() as folder, tempfile.TemporaryDirectory() as cache:
        place = str(folder)
        index = Index(Path(cache) / "index.sqlite")
        start = time.perf_counter()
        files = update(index, place, LocalRunner(CORES))
        ours = (time.perf_counter() - start) / files
        yield Row(
            f"index the facts of {files:,} files, each",
            ours,
            _info(folder),
            1 / 20,
            "one `info --json` at a time",
        )
        yield Row(
            f"index {files:,} files again, unchanged",
            best(lambda: update(index, place, LocalRunner(CORES))),
            best(lambda: listed(place)),
            3,
            "os.scandir and stat",
        )
        index.close()
    yield from _queries()


def update(index: Index, place: str, runner: Runner) -> int:
    """The number of files that were read."""
    return (
        sum(1 for _ in index.update(source_files([place], suffixes(), print, DEFAULT), [place], runner)) - 1
    )


def listed(folder: str) -> int:
    """The bytes of all files."""
    with os.scandir(folder) as entries:
        return sum(
            listed(each.path) if each.is_dir(follow_symlinks=False) else each.stat().st_size
            for each in entries
        )


def _info(folder: Path) -> float:
    """Seconds of a process that reads one file."""
    paths = sorted(each for each in folder.rglob("*") if each.suffix in suffixes())[::EVERY]
    with tempfile.TemporaryDirectory() as bytecode:
        environment = with_bytecode(bytecode)
        times = []
        for path in [paths[0], *paths]:
            start = time.perf_counter()
            command = [sys.executable, "-m", "viewer", "info", "--json", path]
            subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
            times.append(time.perf_counter() - start)
    return sum(times[1:]) / len(paths)


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


def _queries() -> Rows:
    with tempfile.TemporaryDirectory() as folder:
        index = Index(Path(folder) / "index.sqlite")
        names = [f"set{n % 97:02}/{CLIPS[n % 10]}_thing{n}.mdl" for n in range(MANY)]
        files = (SourceFile(f"{folder}/{name}", name, folder, 1, 1) for name in sorted(names))
        for _ in index.update(files, [folder], MadeFacts()):
            pass
        assert all(len(index.query(each, [folder])) for each in QUERIES), "every query finds files"
        times = {
            each: best(lambda each=each: index.query(each, [folder]), 0.5, time.thread_time)
            for each in QUERIES
        }
        slowest = max(times, key=times.__getitem__)
        yield Row(f"query {MANY:,} files, slowest: {slowest}", times[slowest], LIMIT, 1, "100 ms")
        index.close()
