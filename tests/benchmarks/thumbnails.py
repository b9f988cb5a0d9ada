"""Thumbnails in two warm processes, and a whole `thumbs`, against pictures of one process each."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from tests.benchmarks.file_tree import file_tree
from tests.benchmarks.measure import ROOT, Row, Rows, alternated, with_bytecode
from viewer.library.thumbnails.thumbnail import ThumbnailTask
from viewer.library.workers.pool import WorkerPool

FILES = 320
"""Files of the tree; about half of them are models."""
SAMPLES = ("Beacon", "Linglong", "Puff")
"""The names that the models of each sample begin with."""
JOBS, ROUNDS, EACH = 2, 5, 8
"""Processes, rounds, and thumbnails of each sample in a round; the first round does not count."""
SIZE = (256, 256)
MODELS, BATCHES = 23, 3
"""Models of a whole `thumbs`, and how often it runs; the first run does not count."""


def rows() -> Rows:
    """A thumbnail of a model in a batch, against `render` of each sample, one after another."""
    with file_tree(FILES) as folder, tempfile.TemporaryDirectory() as out:
        models = [sorted(folder.rglob(f"{name}_*.m*")) for name in SAMPLES]
        waiting = iter([str(path) for three in zip(*models, strict=False) for path in three])
        with closing(WorkerPool(ThumbnailTask(SIZE), JOBS, nice=0)) as pool:
            environment = with_bytecode(out)
            rendered = [partial(_rendered, each[0], out, environment) for each in models]
            ours, *floors = alternated([partial(_drawn, pool, waiting), *rendered], ROUNDS)
        yield Row(
            f"thumbnail {SIZE[0]}×{SIZE[1]}, {JOBS} processes",
            ours,
            sum(floors) / len(floors),
            1 / 8,
            "render --size 256x256, one at a time",
        )
        yield _cold_batch(folder)


def _cold_batch(folder: Path) -> Row:
    """`thumbs` of small models from exec to exit, with an empty cache, against a `render` of each."""
    models = [sorted(folder.rglob(f"{name}_*.m*")) for name in SAMPLES]
    chosen = [str(path) for three in zip(*models, strict=False) for path in three][:MODELS]
    with tempfile.TemporaryDirectory() as out:
        environment = with_bytecode(out) | {"MESA_SHADER_CACHE_DIR": out}  # the driver's cache stays warm
        rendered = [partial(_rendered, each[0], out, environment) for each in models]
        batch = partial(_batch, chosen, out, environment)
        ours, *floors = alternated([batch, *rendered], BATCHES)
    floor = sum(floors) / len(floors) * len(chosen)
    return Row(f"thumbs of {len(chosen)} small models, cold", ours, floor, 1 / 6, "render of each", aim=1 / 8)


def _batch(models: list[str], out: str, environment: dict[str, str]) -> float:
    """Seconds of a `thumbs` whose cache folder is empty."""
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-m", "viewer", "thumbs", *models, "-o", f"{out}/page.html", "--force"]
        begun = time.perf_counter()
        subprocess.run(
            command, cwd=ROOT, env=environment | {"XDG_CACHE_HOME": cache}, check=True, capture_output=True
        )
        return time.perf_counter() - begun


def _drawn(pool: WorkerPool, waiting: Iterator[str]) -> float:
    """Seconds for one of the next thumbnails."""
    count = EACH * len(SAMPLES)
    begun = time.perf_counter()
    for _ in range(count):
        pool.submit(next(waiting))
    while pool.pending:
        assert not any(each.error for each in pool.poll(1.0))
    return (time.perf_counter() - begun) / count


def _rendered(path: Path, out: str, environment: dict[str, str]) -> float:
    """Seconds in which a process of its own draws a model."""
    picture: Sequence[str] = ("-o", f"{out}/a.png", "--size", f"{SIZE[0]}x{SIZE[1]}")
    command = [sys.executable, "-m", "viewer", "render", str(path), *picture]
    begun = time.perf_counter()
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    return time.perf_counter() - begun
