"""Two files, opened and compared, for the tests of differences."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.ogre_files import NEWEST, declared_geometry, mesh_bytes, submesh
from tests.synthetic import model_record
from viewer.compare.diff.comparing import compare
from viewer.families.ogre.mesh_layout import SUBMESH
from viewer.families.urho3d.model_layout import MODEL
from viewer.scene.difference import Difference, Differences
from viewer.scene.document import Document
from viewer.scene.reading_context import DEFAULT, ReadingContext, reading_context
from viewer.storage.documents import open_document

NEAR = reading_context(search="near")
"""Files are searched near their models alone."""


def opened(folder: Path, data: bytes, name: str, context: ReadingContext = DEFAULT) -> Document:
    """The document of these bytes, in a folder of their own below `folder`."""
    place = folder / f"{len(list(folder.iterdir()))}"
    place.mkdir()
    (place / name).write_bytes(data)
    return open_document(str(place / name), context)


def compared(
    folder: Path, one: bytes, other: bytes, name: str = "Post.mdl", tolerance: float | None = None
) -> Differences:
    """The differences of two files of these bytes."""
    return compare(opened(folder, one, name), opened(folder, other, name), tolerance)


def lines(found: Differences) -> list[str]:
    """A short line for each difference: `bones changed tip: moved by 0.5 in the rest pose`."""
    return [line(each) for each in found.found]


def line(each: Difference) -> str:
    """The line of one difference."""
    return f"{each.group.word} {each.change.value} {each.name}" + (f": {each.text}" if each.text else "")


def two_engines(folder: Path) -> tuple[Path, Path]:
    """One leaning post as an OGRE mesh, and as a Urho3D model in a hundredth of its unit with Z mirrored."""
    record = model_record()
    vertices = record.vertex_buffers[0].vertices
    vertices["position"] += vertices["position"][:, 1:2] * np.float32((0.3, 0, 0.5))
    (folder / "Leaning.mdl").write_bytes(MODEL.pack(record))
    positions = vertices["position"] * np.float32((100, 100, -100))
    columns = {
        "position": positions,
        "normal": np.zeros((len(positions), 3)),
        "uv0": np.zeros((len(positions), 2)),
    }
    indices = record.index_buffers[0].indices.astype(np.uint16)
    own = submesh(declared_geometry(columns), indices=indices)
    (folder / "leaning.mesh").write_bytes(mesh_bytes(NEWEST, (SUBMESH, own)))
    return folder / "leaning.mesh", folder / "Leaning.mdl"
