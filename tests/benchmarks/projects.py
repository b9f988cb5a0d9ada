"""A model in a project of 30 000 files: the first picture, and the picture with what the project holds."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from tests.benchmarks.measure import Row, Rows
from tests.ogre_files import declared_geometry, mesh_bytes, submesh
from viewer.app.open_files.loading import LoadResult, load
from viewer.app.tasks import Task
from viewer.formats import open_document
from viewer.formats.ogre.mesh_layout import SUBMESH
from viewer.formats.ogre.versions import MESH_VERSIONS
from viewer.storage.image import save_png
from viewer.storage.project import list_projects
from viewer.storage.resource_folders import forget_resources, give_search

FOLDERS, FILES = 3_000, 10
"""Folders of the project, and files of a folder."""
FIRST = 0.15
"""Seconds by which the list of the project's files may delay the first picture."""
TEXTURED = 1.5
"""Seconds until the picture has its textures, on a warm disk."""


def rows() -> Rows:
    """From the request to the read file; drawing is the same with and without a project."""
    with tempfile.TemporaryDirectory() as folder:
        mesh = make_project(Path(folder))
        give_search("near")
        alone = read_seconds(mesh)
        give_search(None)
        first = read_seconds(mesh)
        forget_resources()
        begun = time.perf_counter()
        result = read(mesh)
        if result.late:
            list_projects(mesh)
            result = read(mesh)
        textured = time.perf_counter() - begun
        assert result.document is not None and result.document.model is not None
        assert [each.by for each in result.document.model.textures] == ["project"]
    files = f"project of {FOLDERS * FILES:,} files"
    yield Row(f"first picture, {files}", first - alone, FIRST, 1, "150 ms")
    yield Row(f"textured picture, {files}", textured, TEXTURED, 1, "1.5 s")


def make_project(root: Path) -> Path:
    """Write a mesh whose script and picture are in other folders of a large project."""
    (root / ".git").mkdir()
    for number in range(FOLDERS):
        folder = root / f"part{number % 50}" / f"folder{number}"
        folder.mkdir(parents=True)
        for file in range(FILES):
            (folder / f"{number}_{file}.txt").touch()
    version = MESH_VERSIONS["[MeshSerializer_v1.100]"]
    mesh = root / "part7/models/Hero.mesh"
    mesh.parent.mkdir()
    mesh.write_bytes(mesh_bytes(version, (SUBMESH, submesh(declared_geometry()))))
    script = root / "part40/scripts/a.material"
    script.parent.mkdir()
    script.write_text("material stone { technique { pass { texture_unit {\ntexture Skin.png\n} } } }")
    save_png(root / "part12/Skin.png", np.full((2, 2, 4), 255, np.uint8))
    return mesh


def read_seconds(mesh: Path) -> float:
    """Seconds of the first reading of a file."""
    forget_resources()
    begun = time.perf_counter()
    read(mesh)
    return time.perf_counter() - begun


def read(mesh: Path) -> LoadResult:
    """Read a file as the window does."""
    return load(str(mesh), open_document, Task("project", None, None, None))
