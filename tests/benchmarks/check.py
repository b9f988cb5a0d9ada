"""Checking files."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import partial

import numpy as np

from tests.benchmarks.made import LARGE, file_tree, skinned_model
from tests.benchmarks.measure import ROOT, Row, Rows, best, character, cpu
from viewer.check.checking import check
from viewer.storage.documents import open_document

FILES, RATE, PROCESSORS = 400, 40, 2
"""The files of a folder, how many of them are checked in a second at least, and by how many processes."""


def rows() -> Rows:
    """A character with its animations, a skinned model of 100 MB, and a folder of files."""
    model, _ = character()
    opening, opened = cpu(lambda: open_document(model)), open_document(model)
    yield Row(
        f"check {model.name}", cpu(lambda: check(opened)), opening, 12, "opening it with its animations"
    )
    with tempfile.TemporaryDirectory() as folder:
        large = open_document(skinned_model(folder))
        floor = cpu(np.frombuffer(large.data, np.uint32, len(large.data) // 4).sum)
        name = f"check a skinned model of {LARGE // 10**6} MB"
        yield Row(name, cpu(lambda: check(large)), floor, 100, "the sum of its bytes")
    with file_tree(FILES) as tree:
        command = [sys.executable, "-m", "viewer", "check", tree, "--jobs", str(PROCESSORS), "--json"]
        run = partial(subprocess.run, command, cwd=ROOT, capture_output=True, check=True)
        ours = best(run, clock=lambda: sum(os.times()[2:4]) / PROCESSORS)
        yield Row(f"check {FILES} files", ours, FILES / RATE, 1, f"{RATE} files a second")
