"""The options of the command line: what may be said about the pose and the picture, and their values."""

from __future__ import annotations

import math
import os
from typing import NamedTuple

from viewer.commands.arguments import Option
from viewer.interface import LARGEST as LARGEST_SCALE
from viewer.interface import SMALLEST, THEMES
from viewer.scene.camera import VIEWS
from viewer.scene.look import Shading

Color = tuple[float, float, float, float]
LARGEST = 16384
SLOWEST, FASTEST = 0.1, 1000


class Options(NamedTuple):
    """What was asked for; None: nothing was said about it. Names are not looked up yet."""

    animation: tuple[str, ...] = ()
    time: float = 0.0
    loop: bool = True
    morph: tuple[tuple[str, float], ...] = ()
    lod: int | None = None
    geoset: tuple[int, ...] = ()
    texture: tuple[tuple[int, str], ...] = ()
    size: tuple[int, int] = (1280, 720)
    background: Color | None = None
    view: str | None = None
    yaw: float | None = None
    pitch: float | None = None
    distance: float = 1.0
    camera: str | None = None
    ortho: bool = False
    shading: Shading = Shading.LIT
    wireframe: bool = False
    bone: str | None = None
    skeleton: bool = False
    grid: bool | None = None
    samples: int = 4
    frames: tuple[int, int] | None = None
    fps: float = 30.0
    turntable: bool = False
    watch: bool = False
    ui: bool = False
    theme: str = "dark"
    scale: float = 1.0


def number(text: str) -> float:
    """A finite number."""
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"{text!r} is no number") from None
    if not math.isfinite(value):
        raise ValueError(f"{text!r} is not finite")
    return value


def whole(text: str) -> int:
    """A whole number, 0 or more."""
    if not (text.isascii() and text.isdecimal()):
        raise ValueError(f"{text!r} is no whole number")
    return int(text)


def factor(text: str) -> float:
    """A number above zero."""
    value = number(text)
    if value <= 0:
        raise ValueError("must be more than 0")
    return value


def size(text: str) -> tuple[int, int]:
    """`1280x720`: width and height in pixels."""
    width, _, height = text.lower().partition("x")
    try:
        wide, high = whole(width), whole(height)
    except ValueError:
        raise ValueError(f"{text!r} is not like 1280x720") from None
    if not (0 < wide <= LARGEST and 0 < high <= LARGEST):
        raise ValueError(f"{text!r} is not between 1x1 and {LARGEST}x{LARGEST}")
    return wide, high


def frames(text: str) -> tuple[int, int]:
    """`10:20`, both included, or a single one."""
    first, colon, last = text.partition(":")
    try:
        stretch = whole(first), whole(last if colon else first)
    except ValueError:
        raise ValueError(f"{text!r} is not like 0:29") from None
    if stretch[0] > stretch[1]:
        raise ValueError(f"{text!r} ends before it begins")
    return stretch


def rate(text: str) -> float:
    """Frames a second."""
    value = factor(text)
    if not SLOWEST <= value <= FASTEST:
        raise ValueError(f"{text!r} is not between {SLOWEST} and {FASTEST}")
    return value


def color(text: str) -> Color:
    """A CSS name, `#rgb`, `#rrggbb`, `#rrggbbaa` or `transparent`, as sRGB 0..1."""
    if text == "transparent":
        return 0.0, 0.0, 0.0, 0.0
    from PIL import ImageColor

    try:
        red, green, blue, *alpha = (part / 255 for part in ImageColor.getrgb(text))
    except ValueError:
        raise ValueError(f"{text!r} is neither a name such as navy, nor #rrggbb, nor transparent") from None
    return red, green, blue, alpha[0] if alpha else 1.0


def typed(text: str) -> str:
    """A name as it was typed: in UTF-8, whatever the locale says."""
    try:
        return os.fsencode(text).decode("utf-8")
    except UnicodeDecodeError:
        return text


def morph(text: str) -> tuple[str, float]:
    """`NAME=WEIGHT`; the name may hold an equals sign itself."""
    name, equals, weight = text.rpartition("=")
    if not equals:
        raise ValueError(f"{text!r} is not like Smile=0.5")
    return typed(name), number(weight)


def texture(text: str) -> tuple[int, str]:
    """`TYPE=FILE`."""
    kind, equals, path = text.partition("=")
    if not equals or not path:
        raise ValueError(f"{text!r} is not like 11=Skin.blp")
    return whole(kind), path


def level(text: str) -> int | None:
    """A level of detail, or `auto`."""
    return None if text == "auto" else whole(text)


def one_of(*allowed: str) -> str:
    """How a choice is shown in help."""
    return "|".join(allowed)


def view(text: str) -> str:
    """One of the named views."""
    if text not in VIEWS:
        raise ValueError(f"{text!r} is not {one_of(*VIEWS)}")
    return text


def shading(text: str) -> Shading:
    """One of the shadings by name."""
    try:
        return Shading(text)
    except ValueError:
        raise ValueError(f"{text!r} is not {one_of(*(each.value for each in Shading))}") from None


def theme(text: str) -> str:
    """One of the themes by name."""
    if text not in THEMES:
        raise ValueError(f"{text!r} is not {one_of(*THEMES)}")
    return text


def enlargement(text: str) -> float:
    """How much larger than designed the panels are."""
    value = number(text)
    if not SMALLEST <= value <= LARGEST_SCALE:
        raise ValueError(f"{text} is not between {SMALLEST:g} and {LARGEST_SCALE:g}")
    return value


POSE = (
    Option(
        "--animation",
        "play this animation: NAME, #NUMBER or an .ani file; NAME@WEIGHT blends, NAME@WEIGHT+ adds; "
        "none: the rest pose",
        "NAME",
        typed,
        repeat=True,
    ),
    Option("--time", "the moment of the animation", "SECONDS", number),
    Option("--loop", "begin again at the end of the animation (default), or stay there", negated=True),
    Option("--morph", "give a morph a weight", "NAME=WEIGHT", morph, repeat=True),
    Option("--lod", "this level of detail, 0 is the finest; auto: by distance (default)", "N|auto", level),
    Option(
        "--texture",
        "the file of a texture that the model leaves open (M2)",
        "TYPE=FILE",
        texture,
        repeat=True,
    ),
    Option("--geoset", "show this submesh in place of its variants (M2)", "ID", whole, repeat=True),
)

PICTURE = (
    Option("--size", "pixels (default 1280x720)", "WIDTHxHEIGHT", size),
    Option("--background", "a name such as navy, #rgb, #rrggbb, #rrggbbaa or transparent", "COLOR", color),
    Option("--view", one_of(*VIEWS), "VIEW", view),
    Option("--yaw", "turn the camera around the model, to its left side", "DEGREES", number),
    Option("--pitch", "raise the camera", "DEGREES", number),
    Option("--distance", "times the distance from which the whole model is seen", "FACTOR", factor),
    Option(
        "--camera",
        "of the file, or matrices: view 3×4, projection 4×4, row-major",
        "N|FILE.json",
    ),
    Option("--ortho", "parallel projection"),
    Option("--shading", one_of(*(each.value for each in Shading)), "MODE", shading),
    Option("--wireframe", "draw the edges over the shading"),
    Option("--bone", "the bone whose weights are shown and which is marked", "NAME", typed),
    Option("--skeleton", "draw the bones through the mesh"),
    Option("--grid", "draw the ground grid, or not", negated=True),
    Option("--samples", "samples for smooth edges (default 4); 0: none", "N", whole),
)

SEQUENCE = (
    Option(
        "--frames",
        "these frames, the last one too: frame N is N / fps seconds after --time, so that a loop of one "
        "second at 30 fps is 0:29 (default: one loop of the longest animation that plays, or one turn)",
        "FIRST:LAST",
        frames,
    ),
    Option("--fps", "frames a second (default 30; a GIF has at most 50)", "N", rate),
    Option(
        "--turntable",
        "the camera goes around the model once (default: in as many loops as fill 4 seconds)",
    ),
)

PANELS = (
    Option("--ui", "draw the window's panels around the picture, which take their part of --size"),
    Option("--theme", f"of the panels: {one_of(*THEMES)}", "NAME", theme),
    Option("--scale", "of the panels (default 1): 2 is for dense screens", "FACTOR", enlargement),
)

FOLLOW = (Option("--watch", "read the files again when they change, or their textures and materials do"),)

OUT = Option("--output", "the file to write", "FILE", short="-o")
JSON = Option("--json", "print JSON")
HELP = Option("--help", "show this text", short="-h")
