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
from tests.benchmarks.parse import LARGE, large_model
from tests.synthetic import VERTEX, bone, model_record
from viewer.check.checking import check
from viewer.families.urho3d.model_layout import AABB, MODEL
from viewer.storage.documents import open_document

FILES, RATE = 400, 40
"""The files of a folder, and how many of them are checked in a second at least."""
BONES = 60
PROCESSORS = 2
"""The time is that of their work: other programs do not count."""


def rows() -> Rows:
    """A character with its animations, models of 100 MB without and with bones, and a folder of files."""
    model, _ = character()
    yield _row(f"check {model.name}", model, open_floor(model), 12, "opening it with its animations")
    with tempfile.TemporaryDirectory() as folder:
        large = Path(folder) / "large.mdl"
        large.write_bytes(large_model())
        yield _row("check a model of 100 MB", large, sum_floor(large), 100, "the sum of its bytes")
        large.write_bytes(skinned_model())
        yield _row("check a skinned model of 100 MB", large, sum_floor(large), 100, "the sum of its bytes")
    yield files_row()


def skinned_model() -> bytes:
    """Five sixths vertices of 52 bytes, which up to four of 60 bones move, one sixth 32-bit indices."""
    count = LARGE * 5 // 6 // VERTEX.itemsize
    random = np.random.default_rng(1)
    vertices = np.zeros(count, VERTEX)
    corners = np.array(((0, 0, 0), (0.01, 0, 0), (0, 0.01, 0)))
    vertices["position"] = random.random((count // 3 + 1, 3)).repeat(3, axis=0)[:count] * 0.99
    vertices["position"] += corners[np.arange(count) % 3]
    vertices["normal"] = 0, 0, 1
    weights = random.random((count, 4)) + np.array((2, 0, 0, 0))
    vertices["weights"] = weights / weights.sum(axis=1, keepdims=True)
    vertices["joints"] = (np.arange(count)[:, None] * BONES // count + np.arange(4)) % BONES
    box = np.zeros((), AABB)
    box["max"] = 1
    bones = [bone(f"bone {number}", max(number - 1, 0), 0, 0) for number in range(BONES)]
    for each in bones:
        each.collision, each.box = 2, box
    indices = np.arange(LARGE // 6 // 12 * 3, dtype="<u4") % count
    record = model_record(bones=bones, morphs=[], bounds=box)
    record.geometries[0].bone_map = np.arange(BONES, dtype="<u4")
    record.geometries[0].lods = record.geometries[0].lods[:1]
    record.geometries[0].lods["count"] = len(indices)
    buffer, numbers = record.vertex_buffers[0], record.index_buffers[0]
    buffer.vertices, buffer.vertex_count, buffer.morph_count = vertices, count, 0
    numbers.indices, numbers.index_count, numbers.index_size = indices, len(indices), 4
    return MODEL.pack(record)


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
