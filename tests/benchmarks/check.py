"""Checking files against opening them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np

from tests.benchmarks.file_tree import file_tree
from tests.benchmarks.measure import ROOT, Row, Rows, best, character
from tests.benchmarks.parse import large_model
from viewer.check.checking import check
from viewer.formats import open_document

FILES, RATE = 400, 40
"""The files of a folder, and how many of them are checked in a second at least."""
PROCESSORS = 2
"""The time is that of their work: other programs do not count."""


def rows() -> Rows:
    """A character with its animations, a model of 100 MB, and a folder of files."""
    model, _ = character()
    yield _row(f"check {model.name}", model, open_floor(model), 12, "opening it with its animations")
    with tempfile.TemporaryDirectory() as folder:
        large = Path(folder) / "large.mdl"
        large.write_bytes(large_model())
        yield _row("check a model of 100 MB", large, sum_floor(large), 100, "the sum of its bytes")
    yield files_row()


def files_row() -> Row:
    """The command line on a folder, from the first import to the last line, on two processors."""
    with file_tree(FILES) as folder:
        command = [sys.executable, "-m", "viewer", "check", folder, "--jobs", str(PROCESSORS), "--json"]
        run = partial(subprocess.run, command, cwd=ROOT, capture_output=True, check=True)
        ours = best(run, clock=lambda: sum(os.times()[2:4]) / PROCESSORS)
        return Row(f"check {FILES} files", ours, FILES / RATE, 1, f"{RATE} files a second")


def open_floor(path: Path) -> float:
    """Seconds that opening takes."""
    return best(lambda: open_document(path), clock=time.thread_time)


def sum_floor(path: Path) -> float:
    """Seconds that adding all numbers of a file takes."""
    numbers = np.fromfile(path, np.uint32)
    return best(numbers.sum, clock=time.thread_time)


def _row(name: str, path: Path, floor: float, limit: float, floor_name: str) -> Row:
    document = open_document(path)
    return Row(name, best(lambda: check(document), clock=time.thread_time), floor, limit, floor_name)
