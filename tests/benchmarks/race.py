"""OGRE itself on the same files, if the variable OGRE_PYTHON names an interpreter that has `ogre-python`.

Processes of both sides alternate. A side is the median, over its processes, of the best opening of each, in
CPU time: both sides load in one thread.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.benchmarks import race_files
from tests.benchmarks.desktop import display
from tests.benchmarks.measure import ROOT, SHARED, Row, Rows, with_bytecode

VARIABLE = "OGRE_PYTHON"
LIMITS = {
    "Sinbad's shape": 1.0,
    "keys of both sizes in turn": 2.0,
    "Elf's shape": 0.5,
    "ninja's shape": 2.0,
    "sibenik's shape": 3.0,
}
COLD_LIMIT = 1.5
POSES = "avatar.mesh"
"""A real mesh with 247 poses and 247 animations, each of a key or two."""
CORPUS_LIMIT, CORPUS_AIM, POSES_LIMIT, POSES_AIM = 4.2, 1.5, 4.2, 2.0
FRAME_LIMITS, FRAME_AIM = {"ninja's shape": 1.4, "Sinbad's shape": 1.4}, 1.0
PROCESSES, CORPUS_PROCESSES, DRAWINGS = 7, 3, 5
FRAMES = 150


def rows() -> Rows:
    """Opening warm and cold, and drawing; nothing without OGRE."""
    python = os.environ.get(VARIABLE)
    if not python:
        print(f"race: left out, {VARIABLE} names no Python with ogre-python", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder:
        media = Path(folder, "program", "media")  # folders above a mesh are searched: others must not change
        media.mkdir(parents=True)
        files = race_files.write(media)
        yield from _openings(python, files, with_bytecode(folder))
        yield from _corpus(python, with_bytecode(folder))
        if shutil.which("Xvfb") is None:
            print("race: drawing is left out, it needs Xvfb", file=sys.stderr)
        else:
            yield from _drawings(python, files)


def _openings(python: str, files: Mapping[str, Path], environment: Mapping[str, str]) -> Rows:
    """Each file in processes that open all of them."""
    words = ["open", *map(str, files.values())]
    ours, theirs = _alternating(python, words, PROCESSES, environment)
    for name, path in files.items():
        best = [statistics.median(run[str(path)][1] for run in side) for side in (ours, theirs)]
        yield Row(f"open {name}", *best, LIMITS[name], "OGRE")
    first = [
        statistics.median(sum(each[0] for each in run.values()) for run in side) for side in (ours, theirs)
    ]
    yield Row("first opening of them", *first, COLD_LIMIT, "OGRE with initialiseResourceGroup")


def _corpus(python: str, environment: Mapping[str, str]) -> Rows:
    """The real meshes that both sides open, that of many poses by itself; none without the corpus."""
    paths = sorted(str(path) for name in ("ogre", "projects") for path in SHARED.rglob(f"{name}/**/*.mesh"))
    if not paths:
        return
    ours, theirs = _alternating(python, ["open", *paths], CORPUS_PROCESSES, environment)
    both = [path for path in paths if path in ours[0] and path in theirs[0]]
    others = [path for path in both if Path(path).name != POSES]
    for name, chosen, limit, aim in (
        (f"open {len(others)} real meshes, sum", others, CORPUS_LIMIT, CORPUS_AIM),
        (f"open {POSES}", [path for path in both if path not in others], POSES_LIMIT, POSES_AIM),
    ):
        if chosen:
            times = (
                statistics.median(sum(run[path][1] for path in chosen) for run in side)
                for side in (ours, theirs)
            )
            yield Row(name, *times, limit, "OGRE", aim=aim)


def _drawings(python: str, files: Mapping[str, Path]) -> Rows:
    """A clip in a window, at OGRE's camera, without multisampling."""
    with display() as environment:
        for name, limit in FRAME_LIMITS.items():
            words = ["draw", str(files[name]), "clip 1", str(FRAMES)]
            sides = _alternating(python, words, DRAWINGS, environment)
            medians = map(statistics.median, sides)
            yield Row(f"frame of {name} moving", *medians, limit, "OGRE", aim=FRAME_AIM)


def _alternating(
    python: str, words: list[str], count: int, environment: Mapping[str, str]
) -> tuple[list[Any], list[Any]]:
    """The answers of `count` processes of ours, and of OGRE's."""
    ours = [sys.executable, "-m", "tests.benchmarks.race_ours", *words]
    theirs = [python, str(Path(__file__).with_name("race_ogre.py")), *words]
    _answer(ours, environment)  # warms the caches of files
    pairs = [(_answer(ours, environment), _answer(theirs, environment)) for _ in range(count)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def _answer(command: list[str], environment: Mapping[str, str]) -> Any:
    """The last line that a side prints: an engine may print others before."""
    done = subprocess.run(
        command, cwd=ROOT, env=dict(environment), check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout.strip().splitlines()[-1])
