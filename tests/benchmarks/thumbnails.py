"""Thumbnails in two warm processes, and a whole `thumbs`, against pictures of one process each."""

from __future__ import annotations

import tempfile
import time
from contextlib import closing
from functools import partial

from tests.benchmarks.made import file_tree
from tests.benchmarks.measure import Row, Rows, alternated, process, with_bytecode
from viewer.library.thumbnails.thumbnail import ThumbnailTask
from viewer.library.workers.pool import WorkerPool

FILES, JOBS = 320, 2
ROUNDS, EACH = 5, 24
"""Rounds, and thumbnails of a round; the first round does not count."""
MODELS, BATCHES = 23, 3
"""Models of a whole `thumbs`, and how often it runs; the first run does not count."""


def rows() -> Rows:
    """A thumbnail of a model in a batch, against `render` of each sample, one after another. And `thumbs` of
    small models from exec to exit, with an empty cache, against a `render` of each.
    """
    with file_tree(FILES) as folder, tempfile.TemporaryDirectory() as out:
        models = [sorted(folder.rglob(f"{name}_*.m*")) for name in ("Beacon", "Linglong", "Puff")]
        mixed = [str(path) for three in zip(*models, strict=False) for path in three]
        waiting = iter(mixed)
        warm = with_bytecode(out)
        cold = warm | {"MESA_SHADER_CACHE_DIR": out}  # the driver's cache stays warm

        def drawn() -> float:
            begun = time.perf_counter()
            for _ in range(EACH):
                pool.submit(next(waiting))
            while pool.pending:
                assert not any(each.error for each in pool.poll(1.0))
            return (time.perf_counter() - begun) / EACH

        def batch() -> float:
            with tempfile.TemporaryDirectory() as cache:
                return process(cold | {"XDG_CACHE_HOME": cache}, *thumbs)

        picture = ("-o", f"{out}/a.png", "--size", "256x256")
        renders = [("-m", "viewer", "render", str(each[0]), *picture) for each in models]
        thumbs = ("-m", "viewer", "thumbs", *mixed[:MODELS], "-o", f"{out}/page.html", "--force")
        with closing(WorkerPool(ThumbnailTask((256, 256)), JOBS, nice=0)) as pool:
            ours, *floors = alternated([drawn, *(partial(process, warm, *each) for each in renders)], ROUNDS)
        floor = sum(floors) / len(floors)
        name = f"thumbnail 256×256, {JOBS} processes"
        yield Row(name, ours, floor, 1 / 8, "render --size 256x256, one at a time")
        ours, *floors = alternated([batch, *(partial(process, cold, *each) for each in renders)], BATCHES)
        floor = sum(floors) / len(floors) * MODELS
        yield Row(f"thumbs of {MODELS} small models, cold", ours, floor, 1 / 6, "render of each", aim=1 / 8)
