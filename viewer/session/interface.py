"""What the window shows around the picture: the table of panels, the named layouts, and what of it is open.

Pure data: `viewer.ui` draws it, the actions change it, the settings keep it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from viewer.dataclass import dataclass

LEFT, LEFT_BELOW, RIGHT, BOTTOM, BAR = "left", "left_below", "right", "bottom", "bar"


@dataclass(frozen=True, slots=True)
class Panel:
    """A row of the table. `draw` names what draws it, `module:thing`: a function `(state, post) -> None`, or
    a class whose objects are called so. `dock` is the side that it is at home on; `icon` is of Font Awesome.
    Objects that are `counted` have a `badge(state) -> str` for the tab, which shows even behind others."""

    name: str
    title: str
    icon: str
    dock: str
    draw: str
    counted: bool = False


PANELS = (
    Panel("outline", "Outline", "\uf03a", LEFT, "viewer.ui.outline.outline_panel:OutlinePanel"),
    Panel("animations", "Animations", "\uf008", LEFT_BELOW, "viewer.ui.panels.animations:AnimationsPanel"),
    Panel(
        "properties", "Properties", "\uf05a", RIGHT, "viewer.ui.properties.properties_panel:PropertiesPanel"
    ),
    Panel("morphs", "Morphs", "\uf118", RIGHT, "viewer.ui.panels.morphs:MorphsPanel"),
    Panel("transport", "Transport", "\uf04b", BAR, "viewer.ui.timeline.transport:transport"),
    Panel("timeline", "Timeline", "\uf017", BOTTOM, "viewer.ui.timeline.timeline_panel:TimelinePanel"),
    Panel("curves", "Curves", "\uf201", BOTTOM, "viewer.ui.timeline.curves:CurvesPanel"),
    Panel("chunks", "Chunks", "\uf0ca", BOTTOM, "viewer.ui.bytes.bytes_panel:BytesPanel"),
    Panel("messages", "Messages", "\uf0e0", BOTTOM, "viewer.ui.panels.messages:MessagesPanel", True),
)
"""All panels in the order of their tabs. The 3D view is none: it is what the panels leave free."""


@dataclass(frozen=True, slots=True)
class Side:
    """A part cut off from what is left of the window: `share` of the whole, kept between `least` and `most`
    points. The bar's height is that of one line."""

    dock: str
    direction: str
    share: float
    least: float = 0.0
    most: float = 1e6


SIDES = (
    Side(BOTTOM, "down", 0.28, 120.0, 420.0),
    Side(BAR, "down", 0.0),
    Side(LEFT, "left", 0.19, 180.0, 300.0),
    Side(RIGHT, "right", 0.24, 220.0, 400.0),
)


@dataclass(frozen=True, slots=True)
class WindowLayout:
    """A named arrangement: its sides in the order in which they are cut off, the panels that are not at home
    in it, and those that are closed. The left side is parted in two at `parted` of its height."""

    name: str
    title: str
    sides: tuple[Side, ...] = SIDES
    moved: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    closed: frozenset[str] = frozenset()
    parted: float = 0.6


LAYOUTS = (
    WindowLayout("default", "Default"),
    WindowLayout(
        "animate",
        "Animate",
        (Side(BOTTOM, "down", 0.46, 160.0, 900.0), *SIDES[1:]),
        closed=frozenset({"morphs", "chunks"}),
        parted=0.4,
    ),
    WindowLayout(
        "bytes",
        "Inspect bytes",
        (Side(RIGHT, "right", 0.56, 300.0, 1600.0), *SIDES[:3]),
        moved={"chunks": RIGHT},
        closed=frozenset({"animations"}),
    ),
    WindowLayout("view", "Only the view", closed=frozenset(panel.name for panel in PANELS)),
)


@dataclass(frozen=True, slots=True)
class FilmFormat:
    """A format of films by its suffix: whether it can be transparent, and its most frames a second."""

    suffix: str
    title: str
    alpha: bool = True
    fastest: float = 1000.0


FILM_FORMATS = (
    FilmFormat(".gif", "GIF", fastest=50.0),
    FilmFormat(".mp4", "MP4", alpha=False),
    FilmFormat(".webm", "WebM"),
    FilmFormat(".webp", "WebP", alpha=False),
    FilmFormat(".apng", "APNG"),
    FilmFormat(".png", "PNG pictures"),
)
"""What a recording can become: those of `viewer.export.film`."""


@dataclass(slots=True)
class RecordOptions:
    """What the dialog for recordings asks for. `size` is None for that of the picture; `frames` are the
    first and the last number, None: all. `seamless`: particles repeat with the loop."""

    reel: FilmFormat = FILM_FORMATS[0]
    turntable: bool = False
    fps: float = 30.0
    size: tuple[int, int] | None = None
    frames: tuple[int, int] | None = None
    transparent: bool = False
    seamless: bool = False
    open: bool = False


THEMES = ("dark", "light")
PRESET_NAMES = {"default": "Keys of Rigscope", "blender": "Keys of Blender", "maya": "Keys of Maya"}
"""The presets of keys and mouse by the name that the settings have for them."""
SMALLEST, LARGEST, STEP = 0.5, 3.0, 1.1
RECENT = 20


@dataclass(slots=True)
class Preferences:
    """What is remembered from one start of the program to the next: see `viewer.session.settings`.

    `scale` enlarges everything on top of what the screen asks for. `layout` is the named layout that was
    taken last, `arrangements` are the user's own changes to it, as ImGui writes them, by the kind of window;
    `closed` are names of panels. `preset` and `keys` (chords by the action's name) say which keys are in use.
    `recent` are paths of files, the latest first. `look` are flags of the look that were changed. With
    `same_view` the next file of a folder is seen from where the camera is.
    """

    theme: str = THEMES[0]
    scale: float = 1.0
    layout: str = LAYOUTS[0].name
    arrangements: dict[str, str] = field(default_factory=dict)
    closed: list[str] = field(default_factory=list)
    preset: str = "default"
    keys: dict[str, list[str]] = field(default_factory=dict)
    recent: list[str] = field(default_factory=list)
    look: dict[str, bool] = field(default_factory=dict)
    same_view: bool = False


@dataclass(slots=True)
class Interface:
    """What of it is open now. `hidden` hides all panels for a while, `fresh` asks for the layout to be built
    anew; `help`, `palette`, `statistics` and the `pie` of shadings are open where they are set. `fullscreen`
    is asked of the window, `front` is the panel whose tab is to come to the front. `flying`: the letters move
    the camera, by `pace` of its distance a second. `recorder` is what the last recording was asked to be."""

    kept: Preferences = field(default_factory=Preferences)
    hidden: bool = False
    fresh: bool = True
    help: bool = False
    palette: bool = False
    statistics: bool = False
    pie: bool = False
    flying: bool = False
    pace: float = 0.5
    fullscreen: bool = False
    front: str = ""
    recorder: RecordOptions = field(default_factory=RecordOptions)

    def arrange(self, name: str) -> None:
        """Take one of the named layouts as it is meant to be; KeyError for another name."""
        layout = {each.name: each for each in LAYOUTS}[name]
        self.kept.layout, self.fresh, self.hidden = name, True, False
        self.kept.closed = sorted(layout.closed)
        self.kept.arrangements.clear()

    def shows(self, panel: str) -> bool:
        """Whether a panel is open and not hidden with the others."""
        return not self.hidden and panel not in self.kept.closed

    def toggle(self, panel: str) -> None:
        """Open or close a panel; where all are hidden, it comes into view with them."""
        if self.shows(panel):
            self.kept.closed.append(panel)
        elif panel in self.kept.closed:
            self.kept.closed.remove(panel)
        self.hidden = False

    def show(self, panel: str) -> None:
        """Open a panel where it is closed."""
        if not self.shows(panel):
            self.toggle(panel)

    def bring(self, panel: str) -> None:
        """Open a panel and bring its tab to the front."""
        self.show(panel)
        self.front = panel

    def zoom(self, by: int) -> None:
        """Make everything larger (1) or smaller (-1) by a tenth; 0: as it is meant to be."""
        wanted = self.kept.scale * STEP**by if by else 1.0
        self.kept.scale = round(min(max(wanted, SMALLEST), LARGEST), 3)

    def remember(self, path: str) -> None:
        """Put a file that was opened first in the list of recent ones."""
        self.kept.recent = [path, *(each for each in self.kept.recent if each != path)][:RECENT]
