"""A model in a project of 30 000 files: the first picture, and the picture with what the project holds.

And 500 meshes of a project, opened one after the other; and models in a project of 16 000 files against the
same models with exactly the files that they use.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from statistics import median

import msgspec
import numpy as np
from msgspec import Struct

from tests.benchmarks.made import large_project, project, small_meshes, with_used_files
from tests.benchmarks.measure import ROOT, SAMPLES, Row, Rows, best, budget, with_bytecode
from viewer.app.open_files.loading import LoadResult, load
from viewer.app.tasks import Task
from viewer.scene.reading_context import DEFAULT, ReadingContext, reading_context
from viewer.storage.cache_folder import FOLDER_VARIABLE
from viewer.storage.documents import open_document
from viewer.storage.project import list_projects
from viewer.storage.resource_folders import forget_resources

FOLDERS, FILES, MESHES = 3_000, 10, 500
"""Folders of the project, files of a folder, and meshes that are opened."""
LARGE = 1_600, 1_000, 400
"""Folders, scripts and scenes of the project in which models are opened in turn."""
ROUNDS = 5
"""How many processes open the models of each side."""
OPEN = """
import json, os, sys, time
from viewer import open_document
sample, files = json.load(sys.stdin)
def opened(file):
    begun = time.process_time()
    open_document(file)
    return time.process_time() - begun
opened(sample)
first = opened(files[0])
turn = sum(map(opened, files[1:]))
warm = [*map(opened, files)]
calls, stat = [0], os.stat
def counted(*given, **options):
    calls[0] += 1
    return stat(*given, **options)
os.stat = counted
opened(files[1])  # tests the project if that is due
calls[0] = 0
opened(files[1])
print(json.dumps([first, turn, warm, calls[0]]))
"""
"""A process that opens a sample and then models: prints seconds of work for the first, for the rest in turn,
for each once more, and the calls of `stat` for one.
"""


def rows() -> Rows:
    """From the request to the read file; drawing is the same with and without a project."""
    with tempfile.TemporaryDirectory() as folder:
        mesh = project(Path(folder), FOLDERS, FILES)
        alone = read_seconds(mesh, reading_context(search="near"))
        first = read_seconds(mesh)
        forget_resources()
        begun = time.perf_counter()
        result = read(mesh)
        if result.late:
            list_projects(mesh, DEFAULT)
            result = read(mesh, patient=True)
        textured = time.perf_counter() - begun
        assert result.document is not None and result.document.model is not None
        assert [each.by for each in result.document.model.textures] == ["project"]
    files = f"project of {FOLDERS * FILES:,} files"
    yield budget(f"first picture, later by its {files}", first - alone, 0.15)
    yield budget(f"textured picture, {files}", textured, 1.0)
    with tempfile.TemporaryDirectory() as folder:
        paths = small_meshes(Path(folder), MESHES)
        read_too = [*paths, *Path(folder).rglob("*.skeleton")]
        ours = best(lambda: [open_document(path) for path in paths], 3, time.process_time)
        floor = best(lambda: [np.fromfile(path, np.uint8) for path in read_too], 1, time.process_time)
    yield Row(f"open {MESHES} small meshes, sum", ours, floor, 40, "their bytes read in numpy")
    with tempfile.TemporaryDirectory() as folder:
        used = large_project(Path(folder) / "there", *LARGE)
        copies = with_used_files(Path(folder) / "there", Path(folder) / "here", used)
        for kind, suffix in (("scripts", ".mesh"), ("scenes", ".mdl")):
            models = [each for each in used if each.suffix == suffix]
            yield from in_turn(Path(folder), kind, models, [copies[each] for each in models])


class Openings(Struct, frozen=True, array_like=True):
    """What `OPEN` prints."""

    first: float
    turn: float
    warm: list[float]
    stats: int


def in_turn(folder: Path, kind: str, there: list[Path], here: list[Path]) -> Rows:
    """Models in a project against the same models with the files that they use, in turn and once more."""
    opened(folder / "cache", there)  # keeps the list of the project
    sides = [[opened(folder / "cache", each) for each in (there, here)] for _ in range(ROUNDS)]
    new = [opened(folder / f"new{number}", there).first for number in range(ROUNDS)]
    ours, peer = zip(*sides, strict=True)
    first, warm = median(each.first for each in peer), median(median(each.warm) for each in peer)
    late = median(sorted(each.warm)[-1 - len(there) // 20] for each in ours)
    name, floor = f"{kind}, {len(there)} models", "with their files alone"
    yield Row(f"{name} in turn", median(x.turn for x in ours), median(x.turn for x in peer), 2, floor)
    yield Row(f"{name} once more", median(median(x.warm) for x in ours), warm, 1.5, floor)
    yield budget(f"{name} once more, the slowest, more", late - warm, 0.003)
    yield budget(f"{kind}, first model, more", median(x.first for x in ours) - first, 0.015)
    yield budget(f"{kind}, first model, nothing kept, more", median(new) - first, 0.2)
    calls = ours[0].stats - peer[0].stats
    yield Row(f"{kind}, a model once more: calls of stat, more", calls, 10.5, 1, "10 calls", counts=True)


def opened(cache: Path, models: list[Path]) -> Openings:
    """Open models in a process with this cache folder."""
    done = subprocess.run(
        [sys.executable, "-c", OPEN],
        input=json.dumps([str(SAMPLES / "Beacon.mdl"), [*map(str, models)]]),
        env=with_bytecode(str(cache.parent)) | {FOLDER_VARIABLE: str(cache)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return msgspec.json.decode(done.stdout, type=Openings)


def read_seconds(mesh: Path, context: ReadingContext = DEFAULT) -> float:
    """Seconds of the first reading of a file."""
    forget_resources()
    begun = time.perf_counter()
    read(mesh, context)
    return time.perf_counter() - begun


def read(mesh: Path, context: ReadingContext = DEFAULT, *, patient: bool = False) -> LoadResult:
    """Read a file as the window does; a late document is read again as `patient`."""
    opener = partial(open_document, context=context)
    return load(str(mesh), opener, None, Task("project", None, None, None), patient=patient)
