"""The tables of panels and of named layouts.

Pure data: `viewer.ui.panel_code` has the code of the panels, the actions switch between the layouts.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from msgspec import Struct, field

LayoutName = Literal["default", "animate", "bytes", "textures", "view"]
LEFT, LEFT_BELOW, RIGHT, BOTTOM, BAR = "left", "left_below", "right", "bottom", "bar"
VIEW, FILES, DIFFERENCES, MANUAL, TEXTURE = "view", "files", "differences", "manual", "texture"
LOOKS = "looks"
"""VIEW is the name of the middle of the window. The middle shows the picture or a page. The panels FILES,
DIFFERENCES, MANUAL, TEXTURE and LOOKS are shown only in certain states, see `Panel`.
"""


class Panel(Struct, frozen=True):
    """A row of the table of panels.

    `dock` is the default side; `icon` is a Font Awesome character. A `timed` panel is shown only if there is
    something to animate. Some panels are shown only at certain times: FILES while a folder or package is
    listed, DIFFERENCES while documents are compared, MANUAL after it was opened, TEXTURE while no picture
    file is in view, and LOOKS while a character of a game is in view. With `finds`, the panel has a
    find field. With `counted`, the panel class has a method `badge(state)`, whose text is shown after the
    title. `page` is the page or section of the manual about the panel.
    """

    name: str
    title: str
    icon: str
    dock: str
    timed: bool = False
    finds: bool = False
    counted: bool = False
    page: str = "window"


PANELS = (
    Panel(
        FILES,
        "Files",
        "\uf07c",
        LEFT,
        finds=True,
        page="many-files#in-the-window",
    ),
    Panel(
        "outline",
        "Outline",
        "\uf03a",
        LEFT,
        finds=True,
        page="inspecting#the-outline",
    ),
    Panel(
        "animations",
        "Animations",
        "\uf008",
        LEFT_BELOW,
        finds=True,
        page="animation#play-a-clip",
    ),
    Panel(
        "properties",
        "Properties",
        "\uf05a",
        RIGHT,
        page="inspecting#the-properties",
    ),
    Panel("morphs", "Morphs", "\uf118", RIGHT, finds=True, page="animation#morphs"),
    Panel(
        TEXTURE,
        "Texture",
        "\uf03e",
        RIGHT,
        page="materials#look-at-a-texture",
    ),
    Panel(
        LOOKS,
        "Look",
        "\uf553",
        RIGHT,
        page="materials#characters-of-world-of-warcraft",
    ),
    Panel(
        MANUAL,
        "Manual",
        "\uf02d",
        RIGHT,
        finds=True,
        page="window#the-manual",
    ),
    Panel(
        "transport",
        "Transport",
        "\uf04b",
        BAR,
        timed=True,
        page="animation#time",
    ),
    Panel(
        "timeline",
        "Timeline",
        "\uf017",
        BOTTOM,
        timed=True,
        finds=True,
        page="animation#the-timeline",
    ),
    Panel(
        "curves",
        "Curves",
        "\uf201",
        BOTTOM,
        timed=True,
        page="animation#the-timeline",
    ),
    Panel(
        "motion",
        "Motion",
        "\uf70c",
        BOTTOM,
        timed=True,
        page="judging",
    ),
    Panel(
        "chunks",
        "Chunks",
        "\uf0ca",
        BOTTOM,
        finds=True,
        page="bytes#in-the-window",
    ),
    Panel(
        "problems",
        "Problems",
        "\uf071",
        BOTTOM,
        finds=True,
        counted=True,
        page="check#in-the-window",
    ),
    Panel(
        DIFFERENCES,
        "Differences",
        "\uf362",
        BOTTOM,
        finds=True,
        counted=True,
        page="compare#in-the-window",
    ),
)
"""All panels in the order of their tabs.

The 3D view is not a panel. It fills the space that the panels leave free.
"""


class Side(Struct, frozen=True):
    """A dock at one side of the window.

    Its width or height is the fraction `share` of the window, but at least `least` and at most `most` points.
    The side BAR is one line high.
    """

    dock: str
    direction: str
    share: float
    least: float = 0.0
    most: float = 1e6


SIDES = (
    Side(LEFT, "left", 0.19, 180.0, 300.0),
    Side(BOTTOM, "down", 0.28, 120.0, 420.0),
    Side(BAR, "down", 0.0),
    Side(RIGHT, "right", 0.24, 220.0, 400.0),
)
"""The default sides in the order in which they are split off. The left side comes first and takes the full
height, because its lists need many rows.
"""


class WindowLayout(Struct, frozen=True):
    """A named arrangement of panels.

    `sides` are in the order in which they are split off from the window. `moved` names the dock of each panel
    that is not at its default side. `closed` are the closed panels. The upper part of the left side takes the
    fraction `parted` of the side's height.
    """

    name: LayoutName
    title: str
    sides: tuple[Side, ...] = SIDES
    moved: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    closed: frozenset[str] = frozenset()
    parted: float = 0.55


LAYOUTS = (
    WindowLayout("default", "Default"),
    WindowLayout(
        "animate",
        "Animate",
        (Side(BOTTOM, "down", 0.46, 160.0, 900.0), SIDES[2], SIDES[0], SIDES[3]),
        closed=frozenset({"morphs", "chunks"}),
        parted=0.4,
    ),
    WindowLayout(
        "bytes",
        "Inspect bytes",
        (Side(RIGHT, "right", 0.5, 300.0, 1600.0), SIDES[1], SIDES[2], SIDES[0]),
        moved={"chunks": RIGHT},
        closed=frozenset({"animations"}),
    ),
    WindowLayout(
        "textures",
        "Textures",
        (Side(RIGHT, "right", 0.46, 300.0, 1600.0), SIDES[1], SIDES[2], SIDES[0]),
        moved={"properties": LEFT_BELOW},
        closed=frozenset({"animations", "morphs"}),
    ),
    WindowLayout("view", "View only", closed=frozenset(panel.name for panel in PANELS)),
)
