"""The choices for pictures, films, exports and panels. This module imports neither numpy nor msgspec, which
would slow down every start.
"""

from __future__ import annotations

from enum import Enum
from typing import Literal, NamedTuple, get_args

VIEWS = {
    "front": (0.0, 0.0),
    "back": (180.0, 0.0),
    "right": (-90.0, 0.0),
    "left": (90.0, 0.0),
    "top": (0.0, 90.0),
    "bottom": (0.0, -90.0),
    "iso": (35.0, 25.0),
}
"""Yaw and pitch of the named views in degrees. `left` shows the model's own left side, +X, because models
face +Z.
"""


SearchMode = Literal["near", "project", "none"]
SEARCH_MODES: tuple[SearchMode, ...] = get_args(SearchMode)
"""Where a model's files are searched: near the model, also in the model's project, or only at the paths in
the file.
"""


DialogMode = Literal["automatic", "program", "own"]
"""The choice of the file dialog. There are three dialogs: the desktop's dialog, the dialog of a helper
program such as zenity, and the window's own dialog. `automatic` uses the first of these dialogs that works.
Windows and macOS have no helper program.
"""


class UpAxis(Enum):
    """The file's axis that points up in the view; `FILE`: the axis that the format states."""

    FILE = "file"
    Y = "y"
    Z = "z"


class Shading(Enum):
    """What the colours of a surface show."""

    LIT = "lit"
    NORMALS = "normals"
    UV = "uv"
    WEIGHTS = "weights"
    BONES = "bones"
    SOLID = "solid"
    SILHOUETTE = "silhouette"
    DISTANCE = "distance"


class TimeTie(Enum):
    """How the times of two compared clips belong together: equal seconds, equal shares of both clips, or not
    at all.
    """

    SECONDS = "seconds"
    SHARE = "share"
    NONE = "none"


SINGLE_SHADINGS = tuple(each for each in Shading if each is not Shading.DISTANCE)
"""The shadings of a single model. `DISTANCE` needs a second model."""


class LightKind(Enum):
    """The light on surfaces with materials: lamps around the viewer, one lamp at the viewer, the lights of
    the file, an environment around the model, or none, which shows the plain colours.
    """

    STUDIO = "studio"
    HEADLAMP = "headlamp"
    FILE = "file"
    ENVIRONMENT = "environment"
    UNLIT = "unlit"


ROOM = "room"
"""The name of the built-in environment; any other name is the path of a picture."""
ENVIRONMENT_SUFFIX = ".hdr"
"""The suffix of the pictures of environments."""


class Tone(Enum):
    """How light that is brighter than the picture can show is compressed. `NONE` keeps the colours of dark
    and medium light as they are; `FILMIC` has the soft contrast of film.
    """

    NONE = "none"
    FILMIC = "filmic"


LIGHT_DIRECTIONS = {LightKind.STUDIO: (-45.0, 37.0), LightKind.HEADLAMP: (0.0, 0.0)}
"""The default direction of each light that can be turned, see `Lighting`."""


class Lighting(NamedTuple):
    """The light on the model.

    The main lamp shines from the yaw and pitch `direction` in degrees, seen by the viewer: (0, 0) is from the
    viewer, (90, 0) from the right, (0, 90) from above. With None, the main lamp shines from the default
    direction of the `kind`.
    """

    kind: LightKind = LightKind.STUDIO
    direction: tuple[float, float] | None = None

    def __str__(self) -> str:
        angles = ",".join(map(repr, self.direction or ()))
        return f"{self.kind.value}:{angles}".rstrip(":")

    @property
    def text(self) -> str:
        """The light as the command line takes it, such as `studio:30,45`, in whole degrees."""
        angles = ",".join(f"{angle:.0f}" for angle in self.direction or ())
        return f"{self.kind.value}:{angles}".rstrip(":")

    @property
    def turns(self) -> bool:
        """Whether the light has a direction that the user can change."""
        return self.kind in LIGHT_DIRECTIONS

    def turned(self, yaw: float, pitch: float) -> Lighting:
        """Turn the light by degrees. The lights of the file, and the choice of no light, stay unchanged."""
        if not self.turns:
            return self
        before = self.direction or LIGHT_DIRECTIONS[self.kind]
        around = (before[0] + yaw + 180.0) % 360.0 - 180.0
        return self._replace(direction=(around, max(-90.0, min(90.0, before[1] + pitch))))


class Ghosts(NamedTuple):
    """Ghosts: the posed mesh at other times. There are `around` ghosts before the time of the picture and as
    many after it, `spacing` seconds apart; or with `keys`, a ghost at each key of the chosen bones.
    """

    around: int = 0
    spacing: float = 0.1
    keys: bool = False

    def __str__(self) -> str:
        return "keys" if self.keys else f"{self.around}:{self.spacing!r}"

    def __bool__(self) -> bool:
        return self.keys or self.around > 0


NO_GHOSTS = Ghosts()
MOST_GHOSTS = 20
"""The largest number of ghosts before the time of the picture, and after it."""


class Quality(Enum):
    """The quality of the 3D view while something moves. Pictures and films always have the full quality."""

    AUTOMATIC = "automatic"
    FULL = "full"


class MissingTextures(Enum):
    """The placeholder of a missing colour texture."""

    CLAY = "clay"
    CHECKER = "checker"


class CompareMode(Enum):
    """How a comparison shows its models: side by side; two models with a slider; the difference of their
    pixels; or side by side, in colours for the distances between vertices, or for the differences of poses.
    """

    SIDE = "side"
    SLIDER = "slider"
    DIFFERENCE = "difference"
    DISTANCE = "distance"
    MOTION = "motion"


Theme = Literal["dark", "light"]
THEMES: tuple[Theme, ...] = get_args(Theme)
SMALLEST_SCALE, LARGEST_SCALE = 0.5, 3.0
"""The limits of the interface's scale."""


class FilmFormat(NamedTuple):
    """A film format and its limits; `export.film` writes it.

    `alpha`: the format has transparent pixels. `fastest`: the highest frame rate that players show correctly.
    `even`: width and height must be even. `density`: the usual number of bytes of a pixel in each frame.
    """

    suffix: str
    title: str
    alpha: bool = True
    fastest: float = 1000.0
    even: bool = False
    density: float = 0.03


PICTURE = ".png"
"""The suffix of pictures, and of the frames of a sequence."""
LOOK = ".json"
"""The suffix of saved looks."""

FILM_FORMATS = (
    FilmFormat(".mp4", "MP4", alpha=False, even=True),
    FilmFormat(".gif", "GIF", fastest=50.0, density=0.2),  # browsers show delays under 1/50 s as 1/10 s
    FilmFormat(".webm", "WebM"),
    FilmFormat(".webp", "WebP", alpha=False, density=0.1),  # players draw transparent frames over each other
    FilmFormat(".apng", "APNG", density=0.6),
    FilmFormat(PICTURE, "PNG sequence", density=0.6),
)
"""The formats of a recording, in the dialog's order. The first format is the default. The last format writes
one picture per frame.
"""
PICTURE_SUFFIXES = tuple(sorted((each.suffix for each in FILM_FORMATS), key=PICTURE.__ne__))
"""The suffixes of pictures and films; `.png` comes first."""
BAKED_SUFFIXES = (".npz", ".ply")
"""The suffixes of files with posed vertices."""


CHANNELS = ("RGB", "RGBA", "R", "G", "B", "A")
"""The channels of a texture that a picture can show: colours, colours with alpha, or one channel as grey."""
SHELLS = ("bash", "zsh", "fish")
"""The shells whose command lines can be completed."""

TEXTURES = ("embed", "files", "none")
AXES = ("gltf", "file")
SELECTED = "selected"
CLIPS = ("all", "playing", SELECTED, "none")


class ExportFormat(NamedTuple):
    """A format of exported models; `export.model_file` writes it. `mesh`: the file has only the posed mesh.
    Other formats also have skeleton and clips. `materials`: the format has materials and textures.
    """

    suffix: str
    title: str
    mesh: bool = False
    materials: bool = False


EXPORT_FORMATS = (
    ExportFormat(".glb", "glTF, one file (.glb)", materials=True),
    ExportFormat(".gltf", "glTF, buffer beside it (.gltf)", materials=True),
    ExportFormat(".obj", "Wavefront OBJ, the posed mesh", mesh=True, materials=True),
    ExportFormat(".ply", "PLY, the posed mesh", mesh=True),
)
EXPORT_SUFFIXES = tuple(each.suffix for each in EXPORT_FORMATS)
TABLE_SUFFIXES = (".csv", ".json")
"""The suffixes of files to which the rows of a table are exported."""
SCENES = tuple(each.suffix for each in EXPORT_FORMATS if not each.mesh)
WITH_MATERIALS = tuple(each.suffix for each in EXPORT_FORMATS if each.materials)
MESHES = tuple(each.suffix for each in EXPORT_FORMATS if each.mesh)


class ExportChoices(NamedTuple):
    """The choices of an export. `fps`: sample all tracks at this rate (None: keep their keys). `textures` is
    one of TEXTURES, `axes` one of AXES. `bake_pose`: write the posed mesh without its skeleton. `materials`:
    write materials.
    """

    fps: float | None = None
    textures: str = TEXTURES[0]
    axes: str = AXES[0]
    bake_pose: bool = False
    materials: bool = True

    def is_posed(self, output: str) -> bool:
        """Whether `output` gets the posed mesh without its skeleton."""
        return self.bake_pose or output.lower().endswith(MESHES)
