"""The choices for pictures, films and exports; without numpy, whose import slows down every start."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

VIEWS = {
    "front": (0.0, 0.0),
    "back": (180.0, 0.0),
    "right": (-90.0, 0.0),
    "left": (90.0, 0.0),
    "top": (0.0, 90.0),
    "bottom": (0.0, -90.0),
    "iso": (35.0, 25.0),
}
"""Yaw and pitch of the named views. `left` shows the model's own left side: it faces +Z, its left is +X."""


class UpAxis(Enum):
    """The file's axis that points up in the view; `FILE`: the axis that the format states."""

    FILE = "file"
    Y = "y"
    Z = "z"


class Shading(Enum):
    """The shading of the surface."""

    LIT = "lit"
    UNLIT = "unlit"
    NORMALS = "normals"
    UV = "uv"
    WEIGHTS = "weights"
    BONES = "bones"
    SILHOUETTE = "silhouette"
    DISTANCE = "distance"


SINGLE_SHADINGS = tuple(each for each in Shading if each is not Shading.DISTANCE)
"""The shadings of a single model; `DISTANCE` compares vertices with another model's."""
MATERIAL_SHADINGS = (Shading.LIT, Shading.UNLIT)
"""The shadings that use materials; every other shading is opaque and shows the bare surface."""


class Quality(Enum):
    """The quality of the 3D view while something moves. Pictures and films always have the full quality."""

    AUTOMATIC = "automatic"
    FULL = "full"


class MissingTextures(Enum):
    """The placeholder of a missing colour texture."""

    CLAY = "clay"
    CHECKER = "checker"


class FilmFormat(Struct, frozen=True):
    """A film format by its suffix.

    `alpha`: the format can be transparent. `fastest`: the highest frame rate that players show correctly.
    `even`: width and height must be even. `export.film` writes it.
    """

    suffix: str
    title: str
    alpha: bool = True
    fastest: float = 1000.0
    even: bool = False


PICTURE = ".png"
"""The suffix of pictures, and of the frames of a sequence."""

FILM_FORMATS = (
    FilmFormat(".gif", "GIF", fastest=50.0),  # browsers show delays under 1/50 s as 1/10 s
    FilmFormat(".mp4", "MP4", alpha=False, even=True),
    FilmFormat(".webm", "WebM"),
    FilmFormat(".webp", "WebP", alpha=False),  # transparent frames would be drawn over each other
    FilmFormat(".apng", "APNG"),
    FilmFormat(PICTURE, "PNG sequence"),
)
"""The formats of a recording, in the dialog's order. The last writes one picture per frame."""
PICTURE_SUFFIXES = tuple(sorted((each.suffix for each in FILM_FORMATS), key=PICTURE.__ne__))
"""What the name of a picture, or of several, ends with; `.png` comes first."""
BAKED_SUFFIXES = (".npz", ".ply")
"""What the name of posed vertices ends with."""


TEXTURES = ("embed", "files", "none")
AXES = ("gltf", "file")
CLIPS = ("all", "playing", "none")


class ExportFormat(Struct, frozen=True):
    """A format of exported models. `mesh`: only the posed mesh is stored, else also skeleton, clips and
    materials. `export.model_file` has its writer.
    """

    suffix: str
    title: str
    mesh: bool = False


EXPORT_FORMATS = (
    ExportFormat(".glb", "glTF, one file (.glb)"),
    ExportFormat(".gltf", "glTF, buffer beside it (.gltf)"),
    ExportFormat(".obj", "Wavefront OBJ, the posed mesh", mesh=True),
    ExportFormat(".ply", "PLY, the posed mesh", mesh=True),
)
EXPORT_SUFFIXES = tuple(each.suffix for each in EXPORT_FORMATS)
SCENES = tuple(each.suffix for each in EXPORT_FORMATS if not each.mesh)
MESHES = tuple(each.suffix for each in EXPORT_FORMATS if each.mesh)


class ExportChoices(Struct, frozen=True):
    """`fps`: sample all tracks at this rate (None: keep their keys). `textures` is one of TEXTURES, `axes`
    one of AXES. `bake_pose`: write the posed mesh without its skeleton. `materials`: write materials.
    """

    fps: float | None = None
    textures: str = TEXTURES[0]
    axes: str = AXES[0]
    bake_pose: bool = False
    materials: bool = True

    def is_posed(self, output: str) -> bool:
        """Whether `output` gets the posed mesh without its skeleton."""
        return self.bake_pose or output.lower().endswith(MESHES)
