"""The table of the display options: how a picture is drawn.

Each field of `PictureTable` is a row: its type, its default, and where a user meets it. From the row follow
the option of the command line with its help and completion, the keyword of `viewer.api`, the setting, the
action with its key and its button, the name of its undo steps, and its part of a copied command. This module
imports neither numpy nor msgspec, which would slow down every start.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from viewer.arrays import Color
from viewer.scene.choices import (
    MOST_GHOSTS,
    NO_GHOSTS,
    ROOM,
    SINGLE_SHADINGS,
    Ghosts,
    Lighting,
    LightKind,
    MissingTextures,
    Quality,
    Shading,
    Tone,
)

if TYPE_CHECKING:
    from msgspec import Struct as Table
else:
    Table = object

SAMPLES = 4
LIGHTS = tuple(each.value for each in LightKind)
SHADINGS = tuple(each.value for each in SINGLE_SHADINGS)


class PictureOption(NamedTuple):
    """A row of the table: a display option, its default, and where a user meets it.

    - On the command line, if it has a `help`: `metavar`, `negated`, `completes` and `old` have the meaning
      that they have in `Option`. `given` is the property of the display options that takes the value, if it
      is not the field.
    - In the menu View, if it has a `title`: a switch is an action, in the submenu `menu` if that is not
      empty; the `values` of a choice are actions in the submenu, with the texts `labels`. `key` is the chord
      and `icon` the button of a switch, `action` the name of its action, by default the option's. `needs` is
      what the model must have for it, see `viewer.actions.action.has`.
    - In the settings, if it has a `setting`, which is the note there; `words` are additional words for the
      search.
    - `step` is what an undo step shows or hides, or the whole name of a step; by default it is the name of
      the option.
    - If the option has a meaning only in one `light`, it chooses this light on the command line.
    """

    default: Any
    help: str = ""
    metavar: str = ""
    negated: bool = False
    completes: tuple[str, ...] | str = ()
    old: tuple[tuple[str, Any], ...] = ()
    given: str = ""
    title: str = ""
    menu: str = ""
    key: str = ""
    icon: str = ""
    action: str = ""
    needs: str = ""
    values: tuple[Enum, ...] = ()
    labels: Mapping[str, str] = MappingProxyType({})
    setting: str = ""
    words: str = ""
    step: str = ""
    light: LightKind | None = None
    name: str = ""
    flag: str = ""

    @property
    def is_switch(self) -> bool:
        """Whether the option is on or off."""
        return isinstance(self.default, bool)

    def label(self, value: Enum) -> str:
        """The text of a value in the window."""
        return self.labels.get(value.value, value.value.capitalize())


option: Any = PictureOption
"""A row stands where a field has its default; for type checkers it is anything."""


class PictureTable(Table):
    """The display options of all documents, in the order of the help and of the menus.

    `background` is sRGB 0..1, and alpha 0 is transparent; None is the default gradient. `light` and
    `light_direction` are the light on surfaces with materials, see `Lighting`. `environment` is the name
    `room` or the path of a picture; `environment_turn` is in degrees, `environment_background` the blur 0..1
    of the environment behind the model, None to leave it out. `exposure` is in stops. `back_faces` draws
    culled sides in a plain tone. `bounds` are the file's and the computed bounding box, `emitters` the
    positions and directions of emitters; `attachments`, `events` and `light_markers` are points that follow
    bones. `quality` applies only in the window, while something moves.
    """

    background: Color | None = option(
        None,
        "background colour: a name such as navy, #rgb, #rrggbb, #rrggbbaa or transparent",
        "COLOR",
        completes="color",
    )
    shading: Shading = option(
        Shading.LIT,
        f"shading mode: {'|'.join(SHADINGS)}",
        "MODE",
        menu="Shading",
        values=SINGLE_SHADINGS,
        labels=MappingProxyType({"uv": "UV", "lit": "Materials"}),
    )
    light: LightKind = option(
        LightKind.STUDIO,
        f"light on materials: {'|'.join(LIGHTS)} (default studio). Studio and headlamp take a direction: "
        "studio:30,45 shines from 30 degrees to the right of the viewer and 45 degrees above. file uses the "
        "lights of the file (M2), environment the light around the model, see --environment",
        "LIGHT[:YAW,PITCH]",
        old=(("--file-lights", Lighting(LightKind.FILE)),),
        given="lighting",
        title="Light",
        menu="Light",
        labels=MappingProxyType({"file": "Of the file"}),
        setting="Light on materials in the window",
        words="lamp studio shading unlit environment hdr ibl",
        step="change the light",
    )
    light_direction: tuple[float, float] | None = option(None, step="turn the light")
    environment: str = option(
        ROOM,
        "environment of --light environment, which this option chooses: room, the built-in studio "
        "(default), or an equirectangular picture .hdr, whose middle is behind the model in the front view",
        "FILE.hdr|room",
        completes="file",
        light=LightKind.ENVIRONMENT,
    )
    environment_turn: float = option(
        0.0,
        "turn the environment around the model, as --yaw turns the camera",
        "DEGREES",
        light=LightKind.ENVIRONMENT,
        step="turn the light",
    )
    environment_strength: float = option(
        1.0,
        "factor of the light of the environment (default 1)",
        "FACTOR",
        light=LightKind.ENVIRONMENT,
        step="change the strength of the light",
    )
    environment_background: float | None = option(
        None,
        "draw the environment behind the model, blurred: 0 is sharp, 1 shows no objects",
        "0..1",
        light=LightKind.ENVIRONMENT,
        step="change the background",
    )
    occlusion: bool = option(
        False,
        "darken cavities of the surface, or not (default)",
        negated=True,
        title="Dark cavities",
        menu="Light",
        setting="Cavities of the surface are darkened in the window",
        words="ambient occlusion ao",
        step="dark cavities",
    )
    tone: Tone = option(
        Tone.NONE,
        "compression of bright light: none (default) or filmic, with the soft contrast of film",
        title="Tone",
        menu="Tone",
        setting="How bright light is compressed in the window",
        words="tonemapping film aces",
    )
    exposure: float = option(
        0.0,
        "brighten all light by this number of stops, each of which doubles it; negative numbers darken it "
        "(default 0)",
        "STOPS",
    )
    shadow: bool = option(
        False,
        "draw a soft shadow on the ground below the model, or not (default)",
        negated=True,
        title="Shadow on the ground",
        menu="Light",
        key="Shift+G",
        setting="A soft shadow is drawn on the ground in the window",
        words="contact",
    )
    wireframe: bool = option(False, "draw edges over the shading", title="Wireframe", key="W", icon="\uf5ee")
    back_faces: bool = option(False, title="Back faces", needs="model")
    skeleton: bool = option(
        False, "draw the bones through the mesh", title="Skeleton", key="K", icon="\uf5d7", needs="skeleton"
    )
    names: bool = option(
        False, title="Bone names", key="Shift+K", icon="\uf02b", needs="skeleton", step="bone names"
    )
    hitboxes: bool = option(False, title="Hitboxes", key="Shift+B", icon="\uf1b2", needs="skeleton")
    vertex_normals: bool = option(False, title="Vertex normals", key="Shift+N", icon="\uf069", needs="model")
    bounds: bool = option(False, title="Bounds", key="B", icon="\uf565", needs="model")
    emitters: bool = option(
        False, title="Emission shapes", key="Shift+P", needs="effects", step="emission shapes"
    )
    collision: bool = option(
        False, title="Collision", icon="\uf6e3", needs="collision", step="collision mesh"
    )
    attachments: bool = option(False, title="Attachments", icon="\uf0c1", needs="attachments")
    events: bool = option(False, title="Event points", icon="\uf0e7", needs="events")
    root_motion: bool = option(
        False,
        "draw the path of the root on the ground",
        title="Root motion",
        icon="\uf4d7",
        needs="animations",
    )
    ghosts: Ghosts = option(
        NO_GHOSTS,
        f"draw ghosts: the posed model N times before and after the time, every SECONDS (default "
        f"{NO_GHOSTS.spacing:g}); N is at most {MOST_GHOSTS}. keys: at the keys of the bones of --trail, or "
        "else of --bone",
        "N[:SECONDS]|keys",
        completes=("keys",),
        step="change the ghosts",
    )
    light_markers: bool = option(
        False, title="Lights", icon="\uf0eb", action="lights", needs="lights", step="lights"
    )
    figure: bool = option(
        False,
        "draw a figure of 1.8 m beside the model, which shows its size",
        title="Figure of 1.8 m",
        icon="\uf183",
        needs="model",
        step="the figure",
    )
    grid: bool = option(
        True,
        "draw the ground grid, or leave it out",
        negated=True,
        title="Grid",
        key="G",
        icon="\uf84c",
        setting="A grid is drawn on the ground",
    )
    axes: bool = option(
        True, title="Axes", key="X", icon="\uf601", setting="A corner of the picture shows the axes"
    )
    missing: MissingTextures = option(
        MissingTextures.CLAY,
        "what to draw instead of missing textures (default clay)",
        title="Missing textures",
        menu="Missing textures",
        setting="What is drawn in place of missing textures",
        words="placeholder",
        step="change missing textures",
    )
    quality: Quality = option(
        Quality.AUTOMATIC,
        title="Quality in motion",
        menu="Quality",
        setting="Quality while the camera or a clip moves",
        words="speed performance samples",
        step="change the quality",
    )
    samples: int = option(
        SAMPLES,
        f"samples per pixel for smooth edges (default {SAMPLES}); 0: no smoothing",
        "N",
        step="change the smoothing of edges",
    )


def _row(name: str, row: PictureOption) -> PictureOption:
    """The row of a field, with its name and what follows from it."""
    noun = name.replace("_", " ")
    return row._replace(
        name=name,
        flag=f"--{noun.replace(' ', '-')}",
        given=row.given or name,
        action=row.action or name,
        values=row.values or (tuple(type(row.default)) if isinstance(row.default, Enum) else ()),
        step=row.step or (noun if row.is_switch else f"change {noun}"),
    )


PICTURE_OPTIONS = {
    name: _row(name, row) for name, row in vars(PictureTable).items() if isinstance(row, PictureOption)
}
"""The rows of the table by name."""
SWITCHES = tuple(row for row in PICTURE_OPTIONS.values() if row.is_switch)
PICTURE_SETTINGS = tuple(
    sorted((row for row in PICTURE_OPTIONS.values() if row.setting), key=lambda row: row.default is not True)
)
"""The rows that are settings. What is drawn at first comes first."""
