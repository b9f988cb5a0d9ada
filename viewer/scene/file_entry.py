"""A file of a library: its path, and the facts for searching and sorting."""

from __future__ import annotations

from msgspec import Struct

Names = tuple[str, ...]
COUNTS = (
    "bones",
    "triangles",
    "vertices",
    "geometries",
    "clips",
    "morphs",
    "emitters",
    "ribbons",
    "materials",
    "textures",
)
"""The fields of `FileFacts` that count parts of a file."""


class FileFacts(Struct, frozen=True):
    """The facts of a file: plain values, which can be stored and sent to another process.

    `kind` is `model`, `skeleton`, `animation`, `picture`, `package`, `shader` or `script`, empty if nothing
    of the file was understood. `triangles` and `vertices` count the finest level of detail. `clips` counts
    the animations in the file and those beside it, `length` is the longest in seconds. `bounds` are the
    smallest and the largest x y z in the file's units. `missing` are pairs of a kind (`texture`, `material`,
    `skeleton` …) and a name. Names are unique and in file order.
    """

    format: str = ""
    version: str = ""
    kind: str = ""
    bones: int = 0
    triangles: int = 0
    vertices: int = 0
    geometries: int = 0
    clips: int = 0
    morphs: int = 0
    emitters: int = 0
    ribbons: int = 0
    materials: int = 0
    textures: int = 0
    length: float = 0.0
    bounds: tuple[float, ...] | None = None
    bone_names: Names = ()
    clip_names: Names = ()
    material_names: Names = ()
    texture_names: Names = ()
    missing: tuple[tuple[str, str], ...] = ()
    warnings: Names = ()
    errors: Names = ()


class FileEntry(Struct, frozen=True):
    """A file by its `path` (`PACKAGE::name` inside a package).

    `name` is the path relative to the folder or package through which it was listed, with `/`. `size` is in
    bytes; `modified` in nanoseconds (inside a package: the package's time). `facts` is None until the file is
    read; `thumbnail_error` is the reason of a missing thumbnail.
    """

    path: str
    name: str
    size: int
    modified: int
    facts: FileFacts | None = None
    thumbnail_error: str = ""

    @property
    def title(self) -> str:
        """The name without its folders."""
        return self.name.rpartition("/")[2]
