"""Batches over many files: on a Dask cluster against processes of this machine."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from tests.benchmarks.file_tree import file_tree
from tests.benchmarks.measure import ROOT, Row, Rows, alternated
from viewer.family.registry import suffixes
from viewer.library.file_sources import source_files
from viewer.library.index.facts import index_file
from viewer.library.workers.batches import LocalRunner, Runner, run_batch
from viewer.library.workers.cluster import ClusterRunner
from viewer.scene.reading_context import DEFAULT

FILES, JOBS = 600, 2


def rows() -> Rows:
    """The facts of all files of a tree, from the first process to the last result."""
    with file_tree(FILES) as folder, cluster() as address:
        paths = [each.path for each in source_files([str(folder)], suffixes(), print, DEFAULT)]

        def batch(runner: Runner) -> float:
            begun = time.perf_counter()
            outcomes = list(run_batch(index_file, paths, runner))
            assert len(outcomes) == len(paths) and not any(each.error for each in outcomes)
            return time.perf_counter() - begun

        runners = (ClusterRunner(address), LocalRunner(JOBS))
        ours, floor = alternated([partial(batch, runner) for runner in runners], 4)
    yield Row(f"facts of {FILES} files on two Dask workers", ours, floor, 1.25, "two local processes")


@contextmanager
def cluster() -> Iterator[str]:
    """The address of a scheduler with two workers, all on this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [sys.executable, "-m", "tests.library.workers.dask_node", port]
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"PYTHONPATH": str(ROOT), "DASK_TEMPORARY_DIRECTORY": folder}
        started = [
            subprocess.Popen([*command, *name], env=environment, stderr=subprocess.DEVNULL)
            for name in ([], *([str(number)] for number in range(JOBS)))
        ]
        try:
            yield f"tcp://127.0.0.1:{port}"
        finally:
            for process in started:
                process.kill()
                process.wait()
