"""Thumbnails in two warm processes against pictures of one process each."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.file_tree import file_tree
from tests.benchmarks.measure import ROOT, Row, Rows, with_bytecode
from viewer.formats import suffixes
from viewer.library.batches import LocalRunner, run_batch
from viewer.library.places import source_files
from viewer.library.thumbnail import ThumbnailTask

FILES = 600
"""Files of the tree; about half of them are models."""
JOBS = 2
SIZE = (256, 256)
RENDERED = 9
"""Models that are drawn by a process of their own, the samples in turn."""


def rows() -> Rows:
    """The models of a tree: the time of a thumbnail in a batch, against `render`, one after another."""
    with file_tree(FILES) as folder, tempfile.TemporaryDirectory() as out:
        paths = [each.path for each in source_files([str(folder)], suffixes("model"), print)]
        task = ThumbnailTask(SIZE)
        begun = time.perf_counter()
        outcomes = list(run_batch(task, paths, LocalRunner(JOBS)))
        ours = (time.perf_counter() - begun) / len(paths)
        assert len(outcomes) == len(paths) and not any(each.error for each in outcomes)
        yield Row(
            f"thumbnails of {len(paths)} models, {JOBS} processes",
            ours,
            _rendered(sorted(paths, key=lambda path: Path(path).name)[:: len(paths) // RENDERED], out),
            1 / 8,
            "render --size 256x256, one at a time",
        )


def _rendered(paths: list[str], out: str) -> float:
    """The mean of the seconds in which `render` draws a model; one run before warms the caches."""
    environment = with_bytecode(out)
    times = []
    for path in (paths[0], *paths):
        begun = time.perf_counter()
        command = ("-m", "viewer", "render", path, "-o", f"{out}/a.png", "--size", f"{SIZE[0]}x{SIZE[1]}")
        subprocess.run([sys.executable, *command], cwd=ROOT, env=environment, check=True, capture_output=True)
        times.append(time.perf_counter() - begun)
    return sum(times[1:]) / len(paths)
