"""The window around the 3D view: the table of panels, the named layouts, and the open parts.

Pure data: `viewer.ui` draws it, the actions change it, the settings store it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from viewer.dataclass import dataclass
from viewer.scene.film import FILM_FORMATS, FilmFormat
from viewer.scene.shading import MissingTextures, Quality
from viewer.session.requests import ExportModel

LEFT, LEFT_BELOW, RIGHT, BOTTOM, BAR = "left", "left_below", "right", "bottom", "bar"
VIEW, FILES, DIFFERENCES = "view", "files", "differences"
"""The name of the middle of the window, where the picture or a page is, and those of panels that show only
sometimes.
"""


@dataclass(frozen=True, slots=True)
class Panel:
    """A row of the table of panels.

    `dock` is the side on which the panel is docked by default; `icon` is of Font Awesome. A `timed` panel
    shows only if there is something to animate, the panel FILES only while a folder or package is listed, and
    the panel DIFFERENCES only while documents are compared.
    `finds`: the panel has a find field. The code that draws the panel is named in `viewer.ui.panel_table`.
    """

    name: str
    title: str
    icon: str
    dock: str
    timed: bool = False
    finds: bool = False


PANELS = (
    Panel("files", "Files", "\uf07c", LEFT, finds=True),
    Panel("outline", "Outline", "\uf03a", LEFT, finds=True),
    Panel("animations", "Animations", "\uf008", LEFT_BELOW, finds=True),
    Panel("properties", "Properties", "\uf05a", RIGHT),
    Panel("morphs", "Morphs", "\uf118", RIGHT, finds=True),
    Panel("transport", "Transport", "\uf04b", BAR, timed=True),
    Panel("timeline", "Timeline", "\uf017", BOTTOM, timed=True, finds=True),
    Panel("curves", "Curves", "\uf201", BOTTOM, timed=True),
    Panel("chunks", "Chunks", "\uf0ca", BOTTOM, finds=True),
    Panel("problems", "Problems", "\uf071", BOTTOM, finds=True),
    Panel("differences", "Differences", "\uf362", BOTTOM, finds=True),
)
"""All panels in the order of their tabs.

The 3D view is not a panel: it fills the space that panels leave free.
"""


@dataclass(frozen=True, slots=True)
class Side:
    """A dock cut off from the rest of the window.

    It takes the `share` of the whole, between `least` and `most` points. The height of the bar is one line.
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
"""The left side takes the full height, so that its lists are long in low windows too."""


@dataclass(frozen=True, slots=True)
class WindowLayout:
    """A named arrangement of panels.

    It lists its sides in the order in which they are cut off, the panels that are docked elsewhere than by
    default, and the panels that are closed. The left side is divided at the share `parted` of its height.
    """

    name: str
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
        (Side(RIGHT, "right", 0.56, 300.0, 1600.0), SIDES[1], SIDES[2], SIDES[0]),
        moved={"chunks": RIGHT},
        closed=frozenset({"animations"}),
    ),
    WindowLayout("view", "View only", closed=frozenset(panel.name for panel in PANELS)),
)


@dataclass(slots=True)
class RecordOptions:
    """The choices of the recording dialog.

    `size` is None for the size of the picture; `frames` are the first and the last frame, None for all.
    `seamless`: particles repeat with the loop.
    """

    format: FilmFormat = FILM_FORMATS[0]
    turntable: bool = False
    fps: float = 30.0
    size: tuple[int, int] | None = None
    frames: tuple[int, int] | None = None
    transparent: bool = False
    seamless: bool = False
    open: bool = False


THEMES = ("dark", "light")
FILE_SORTS = ("name", "kind", "size", "date", "bones", "triangles")
"""The columns that the Files panel and the wall are sorted by."""
SMALLEST_PICTURE, LARGEST_PICTURE = 56.0, 320.0
"""The sizes of the wall's pictures in theme points."""
PRESET_NAMES = {"default": "Rigscope keys", "blender": "Blender keys", "maya": "Maya keys"}
"""The presets of keys and mouse, by their names in the settings."""
SMALLEST, LARGEST, STEP = 0.5, 3.0, 1.1
RECENT = 20


@dataclass(slots=True)
class Preferences:
    """The settings that persist between starts of the program: see `viewer.session.settings`.

    `scale` enlarges everything on top of the screen's own scale. `layout` is the last chosen named layout;
    `arrangements` are the user's changes to it, as ImGui writes them, by the kind of window; `closed` are
    names of panels. `preset` and `keys` (chords by action name) decide the key bindings. `recent` are file
    paths, the latest first. `look` are the changed flags of the display options, `missing` is a
    `MissingTextures`, `quality` a `Quality`. With `same_view`, the next file of a folder keeps the current
    camera. `max_size` is the limit in bytes for files, None: the default, `thumbnail_bytes` that of
    all kept thumbnails. `resources` are the resource
    folders, see `viewer.storage.resource_folders`. `window` is the last placement of the window: `x`, `y`,
    `width`, `height` and `maximized` (0 or 1); empty: the system places it. `pictures`, `films` and
    `exports` are the patterns of the paths of saved pictures, films and models, see `viewer.app.save_paths`;
    empty: the user is asked.
    With `check_files`, files are checked after they were opened; findings of the rules `ignored_rules` are
    not listed.
    The files of a folder are sorted by `files_sort`, a name of FILE_SORTS, and kept in their subfolders if
    `files_folded` is set; `picture_size` is that of the wall's pictures in theme points.
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
    missing: str = MissingTextures.CLAY.value
    quality: str = Quality.AUTOMATIC.value
    same_view: bool = False
    max_size: int | None = None
    thumbnail_bytes: int = 1 << 30
    resources: list[str] = field(default_factory=list)
    check_files: bool = True
    ignored_rules: list[str] = field(default_factory=list)
    window: dict[str, int] = field(default_factory=dict)
    pictures: str = ""
    films: str = ""
    exports: str = ""
    files_sort: str = FILE_SORTS[0]
    files_descending: bool = False
    files_folded: bool = False
    picture_size: float = 128.0


@dataclass(slots=True)
class Interface:
    """The open parts of the window.

    `hidden` hides all panels for a while; `fresh` requests that the layout is built anew; `help`, `palette`,
    `statistics` and `pie` (the pie menu of shading modes) are open if they are set. `fullscreen` is the
    requested window state; `front` is the panel whose tab shall come to the front. `focused` is the panel
    that has the keyboard focus, `finding` the panel (or VIEW) whose find field shall get it; empty: none.
    `flying`: letter keys move the camera, by `pace` times its distance per second. `recorder` holds the
    choices of the last recording, `exporter` those of the last export; its dialog is open if
    `exports` is set. `status` is the present note in the status line, `notes` counts the notes so far.
    """

    preferences: Preferences = field(default_factory=Preferences)
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
    focused: str = ""
    finding: str = ""
    recorder: RecordOptions = field(default_factory=RecordOptions)
    exporter: ExportModel = field(default_factory=ExportModel)
    exports: bool = False
    status: str = ""
    notes: int = 0

    def note(self, text: str) -> None:
        """Show a note in the status line for a while; it is no message."""
        self.status, self.notes = text, self.notes + 1

    def arrange(self, name: str) -> None:
        """Switch to a named layout in its original form; KeyError for an unknown name."""
        layout = {each.name: each for each in LAYOUTS}[name]
        self.preferences.layout, self.fresh, self.hidden = name, True, False
        self.preferences.closed = sorted(layout.closed)
        self.preferences.arrangements.clear()

    def shows(self, panel: str) -> bool:
        """Whether a panel is open and the panels are not hidden."""
        return not self.hidden and panel not in self.preferences.closed

    def toggle(self, panel: str) -> None:
        """Open or close a panel; if all panels are hidden, show them with this one."""
        if self.shows(panel):
            self.preferences.closed.append(panel)
        elif panel in self.preferences.closed:
            self.preferences.closed.remove(panel)
        self.hidden = False

    def show(self, panel: str) -> None:
        """Open a panel if it is closed."""
        if not self.shows(panel):
            self.toggle(panel)

    def bring(self, panel: str) -> None:
        """Open a panel and bring its tab to the front."""
        self.show(panel)
        self.front = panel

    def find_requested(self, panel: str) -> bool:
        """Whether the find field of this panel shall get the keyboard focus now; True once."""
        found = self.finding == panel
        if found:
            self.finding = ""
        return found

    def zoom(self, by: int) -> None:
        """Scale the interface up (1) or down (-1) by a tenth; 0 restores the original size."""
        wanted = self.preferences.scale * STEP**by if by else 1.0
        self.preferences.scale = round(min(max(wanted, SMALLEST), LARGEST), 3)

    def remember(self, path: str) -> None:
        """Put a newly opened file on the list of recent files."""
        self.preferences.recent = [path, *(each for each in self.preferences.recent if each != path)][:RECENT]
