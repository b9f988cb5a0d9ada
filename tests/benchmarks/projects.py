"""A model in a project of 30 000 files: the first picture, and the picture with what the project holds.

And 500 meshes of a project, opened one after the other.
"""

from __future__ import annotations

import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np

from tests.benchmarks.made import project, small_meshes
from tests.benchmarks.measure import Row, Rows, best, budget
from viewer.app.open_files.loading import LoadResult, load
from viewer.app.tasks import Task
from viewer.scene.reading_context import DEFAULT, ReadingContext, reading_context
from viewer.storage.documents import open_document
from viewer.storage.project import list_projects
from viewer.storage.resource_folders import forget_resources

FOLDERS, FILES, MESHES = 3_000, 10, 500
"""Folders of the project, files of a folder, and meshes that are opened."""


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
            result = read(mesh)
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


def read_seconds(mesh: Path, context: ReadingContext = DEFAULT) -> float:
    """Seconds of the first reading of a file."""
    forget_resources()
    begun = time.perf_counter()
    read(mesh, context)
    return time.perf_counter() - begun


def read(mesh: Path, context: ReadingContext = DEFAULT) -> LoadResult:
    """Read a file as the window does."""
    return load(str(mesh), partial(open_document, context=context), None, Task("project", None, None, None))
