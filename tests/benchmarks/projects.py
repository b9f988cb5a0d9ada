"""A model in a project of 30 000 files: the first picture, and the picture with what the project holds.

And 500 meshes of a project, opened one after the other.
"""

from __future__ import annotations

import os
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np

from tests.benchmarks.measure import Row, Rows, best
from tests.ogre_files import NEWEST, declared_geometry, mesh_bytes, submesh
from tests.ogre_shapes import animated, grid
from viewer.app.open_files.loading import LoadResult, load
from viewer.app.tasks import Task
from viewer.binary import Struct
from viewer.families.ogre.mesh_layout import SKELETON_LINK, SUBMESH
from viewer.families.ogre.versions import MESH_VERSIONS
from viewer.scene.reading_context import DEFAULT, ReadingContext, reading_context
from viewer.storage.documents import open_document
from viewer.storage.image import save_png
from viewer.storage.project import list_projects
from viewer.storage.resource_folders import forget_resources

FOLDERS, FILES = 3_000, 10
"""Folders of the project, and files of a folder."""
FIRST = 0.15
"""Seconds by which the list of the project's files may delay the first picture."""
MESHES, MANY_LIMIT = 500, 40
TEXTURED = 1.5
"""Seconds until the picture has its textures, on a warm disk."""


def rows() -> Rows:
    """From the request to the read file; drawing is the same with and without a project."""
    with tempfile.TemporaryDirectory() as folder:
        mesh = make_project(Path(folder))
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
    yield Row(f"first picture, {files}", first - alone, FIRST, 1, "150 ms")
    yield Row(f"textured picture, {files}", textured, TEXTURED, 1, "1.5 s")
    yield many_meshes()


def many_meshes() -> Row:
    """Open small meshes one after the other, warm; the floor reads the bytes of the same files."""
    with tempfile.TemporaryDirectory() as folder:
        paths = write_meshes(Path(folder))
        files = [*paths, *Path(folder).rglob("*.skeleton")]
        past = time.time() - 60
        for path in Path(folder).rglob("*"):
            os.utime(path, (past, past))  # answers about files that changed a moment ago are not kept
        ours = best(lambda: [open_document(path) for path in paths], 3, time.process_time)
        floor = best(lambda: [np.fromfile(path, np.uint8) for path in files], 1, time.process_time)
    return Row(f"open {MESHES} small meshes, sum", ours, floor, MANY_LIMIT, "their bytes read in numpy")


def write_meshes(root: Path) -> list[Path]:
    """Write meshes with two submeshes, 40 kB in the median, their materials in a script beside them. One in
    six has a skeleton.
    """
    skeleton = animated(bones=20, clips=2, keys=400)
    paths = []
    for number in range(MESHES):
        folder = root / f"set{number // 20}"
        folder.mkdir(exist_ok=True)
        side = 12 + number % 29
        stem, links = f"thing{number}", []
        if number % 6 == 0:
            (folder / f"{stem}.skeleton").write_bytes(skeleton)
            links = [(SKELETON_LINK, Struct(file=f"{stem}.skeleton"))]
        script = "".join(f"material {stem}/{part} {{ technique {{ pass {{ }} }} }}\n" for part in range(2))
        (folder / f"{stem}.material").write_text(script)
        parts = [(SUBMESH, grid(side, f"{stem}/{part}")) for part in range(2)]
        paths.append(folder / f"{stem}.mesh")
        paths[-1].write_bytes(mesh_bytes(NEWEST, *parts, *links))
    return paths


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


def read_seconds(mesh: Path, context: ReadingContext = DEFAULT) -> float:
    """Seconds of the first reading of a file."""
    forget_resources()
    begun = time.perf_counter()
    read(mesh, context)
    return time.perf_counter() - begun


def read(mesh: Path, context: ReadingContext = DEFAULT) -> LoadResult:
    """Read a file as the window does."""
    return load(str(mesh), partial(open_document, context=context), None, Task("project", None, None, None))
