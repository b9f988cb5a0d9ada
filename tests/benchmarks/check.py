"""Checking files against opening them."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from tests.benchmarks.measure import Row, Rows, best, character
from tests.benchmarks.parse import large_model
from viewer.check.checking import check
from viewer.formats import open_document


def rows() -> Rows:
    """A character with its animations, and a model of 100 MB."""
    model, _ = character()
    yield _row(f"check {model.name}", model, open_floor(model), 5, "opening it with its animations")
    with tempfile.TemporaryDirectory() as folder:
        large = Path(folder) / "large.mdl"
        large.write_bytes(large_model())
        yield _row("check a model of 100 MB", large, sum_floor(large), 100, "the sum of its bytes")


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
