"""A file of a library: where it lies, and the facts by which it is found and sorted."""

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
    """The facts of a file. All values are plain, so that they can be sent to another process and stored.

    `kind` is `model`, `skeleton`, `animation`, `picture`, `package`, `shader` or `script`, empty if nothing
    of the file was understood. `triangles` and `vertices` are those of the finest level of detail. `clips`
    counts the animations of the file and those beside it that move it, `length` is the longest in seconds.
    `bounds` are the smallest x y z and the largest x y z in the file's units. `missing` are pairs of a kind
    (`texture`, `material`, `skeleton` …) and a name. Names are once each and in the order of the file.
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
    """A file by its `path`, which is `PACKAGE::name` inside a package.

    `name` is the path relative to the folder or package through which it was listed, with `/`. `size` is in
    bytes; `modified`, in nanoseconds, is the time of the package for a file inside one. `facts` is None until
    the file was read; `thumbnail_error` says why there is no thumbnail.
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
