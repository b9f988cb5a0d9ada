"""The files of a library: the kinds of files, their paths, and the facts for searching and sorting."""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec import Struct

from viewer.scene.animation import Animation
from viewer.scene.document import Content
from viewer.scene.material import Image
from viewer.scene.model import Model
from viewer.scene.package import Package
from viewer.scene.script import CompiledScript
from viewer.scene.shader import CompiledShader
from viewer.scene.skeleton import Skeleton
from viewer.scene.table import Table

Role = Literal["model", "animation", "picture", "package", "part", "code", "table"]
"""The use of a file. A `part` belongs to a model, and the model's reader finds it."""


class FileKind(Struct, frozen=True):
    """A kind of file. `icon` is a letter of the icon font. `content` is the class of the content; None if the
    file has no content.

    `pictured`: files of this kind have thumbnails; every other kind shows its icon.
    """

    name: str
    icon: str
    role: Role
    content: type | None = None
    pictured: bool = True


MODEL = FileKind("model", "\uf1b2", "model", Model)
SKELETON = FileKind("skeleton", "\uf5d7", "part", Skeleton)
ANIMATION = FileKind("animation", "\uf008", "animation", Animation, pictured=False)
PICTURE = FileKind("picture", "\uf03e", "picture", Image)
PACKAGE = FileKind("package", "\uf187", "package", Package, pictured=False)
SHADER = FileKind("shader", "\uf1c9", "code", CompiledShader, pictured=False)
SCRIPT = FileKind("script", "\uf1c9", "code", CompiledScript, pictured=False)
TABLE = FileKind("table", "\uf0ce", "table", Table, pictured=False)
PART = FileKind("part", "\uf12e", "part")

KINDS = (MODEL, SKELETON, ANIMATION, PICTURE, PACKAGE, SHADER, SCRIPT, TABLE, PART)
"""All kinds, in the order in which lists sort them."""


def kind_named(name: str) -> FileKind | None:
    """Find a kind by its name, such as `model`."""
    return next((each for each in KINDS if each.name == name), None)


def kind_of(content: Content) -> str:
    """The name of the kind that has this content; empty if no kind has it."""
    return next((each.name for each in KINDS if each.content and isinstance(content, each.content)), "")


MOST_STARS = 5
"""The highest rating."""


class Mark(NamedTuple):
    """The user's mark of a file: a `rating` of 1 to 5 stars (0: none), and whether it is a favourite."""

    rating: int = 0
    favourite: bool = False


UNMARKED = Mark()
"""The mark of a file that has no stars and is no favourite."""

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
    """The facts of a file, in plain values that can be stored or sent to another process.

    `kind` is `model`, `skeleton`, `animation`, `picture`, `package`, `shader`, `script` or `table`; it is
    empty if nothing of the file was understood. `triangles` and `vertices` count the finest level of detail.
    `clips` counts the animations in the file and in the files beside it; `length` is the duration of the
    longest animation in seconds. `bounds` are the smallest and the largest x y z in the file's units.
    `missing` are pairs of a kind (`texture`, `material`, `skeleton` …) and a name. Names are unique and in
    file order. `called` has the names of a model in the game's tables of spell effects and objects,
    `display_ids` the ids of its displays.
    """

    format: str = ""
    version: str = ""
    kind: str = ""
    called: str = ""
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
    display_ids: Names = ()
    missing: tuple[tuple[str, str], ...] = ()
    warnings: Names = ()
    errors: Names = ()


class FileEntry(Struct, frozen=True):
    """A file of a library with its `path` (`PACKAGE::name` inside a package).

    `name` is the path relative to the listed folder or package, with `/` as separator. `size` is in bytes;
    `modified` in nanoseconds (inside a package: the package's time). `facts` is None until the file is read;
    `thumbnail_error` says why the thumbnail is missing. `mark` is the user's mark of the file.
    """

    path: str
    name: str
    size: int
    modified: int
    facts: FileFacts | None = None
    thumbnail_error: str = ""
    mark: Mark = UNMARKED

    @property
    def title(self) -> str:
        """The name without its folders."""
        return self.name.rpartition("/")[2]
