"""What a user may choose for pictures, films and exports; without numpy, which slows down every start."""

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
    """The axis of the file that points upwards in the view; `FILE` is the axis that the format states."""

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
"""The shadings that one model alone can have; `DISTANCE` shows how far vertices are from another model's."""
MATERIAL_SHADINGS = (Shading.LIT, Shading.UNLIT)
"""The shadings that use materials; all other shadings are opaque and show the surface alone."""


class Quality(Enum):
    """The quality of the 3D view while something moves. Pictures and films always have the full quality."""

    AUTOMATIC = "automatic"
    FULL = "full"


class MissingTextures(Enum):
    """The placeholder that is drawn for a missing colour texture."""

    CLAY = "clay"
    CHECKER = "checker"


class FilmFormat(Struct, frozen=True):
    """A film format by its suffix.

    `alpha`: the format can be transparent. `fastest`: the highest frame rate that players show correctly.
    """

    suffix: str
    title: str
    alpha: bool = True
    fastest: float = 1000.0


PICTURE = ".png"
"""The suffix of pictures, and of the frames of a sequence."""

FILM_FORMATS = (
    FilmFormat(".gif", "GIF", fastest=50.0),  # browsers show delays under 1/50 s as 1/10 s
    FilmFormat(".mp4", "MP4", alpha=False),
    FilmFormat(".webm", "WebM"),
    FilmFormat(".webp", "WebP", alpha=False),  # transparent frames would be drawn over each other
    FilmFormat(".apng", "APNG"),
    FilmFormat(PICTURE, "PNG sequence"),
)
"""The formats of a recording, in the order of the dialog. The last writes one picture for each frame."""


TEXTURES = ("embed", "files", "none")
AXES = ("gltf", "file")
CLIPS = ("all", "playing", "none")


class ExportFormat(Struct, frozen=True):
    """A format of exported models. `mesh`: it holds the posed mesh alone; others hold a skeleton, clips and
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
    one of AXES. `bake_pose`: the posed mesh, without its skeleton. Without `materials` surfaces have none.
    """

    fps: float | None = None
    textures: str = TEXTURES[0]
    axes: str = AXES[0]
    bake_pose: bool = False
    materials: bool = True

    def is_posed(self, output: str) -> bool:
        """Whether the posed mesh is written to `output`, without its skeleton."""
        return self.bake_pose or output.lower().endswith(MESHES)
