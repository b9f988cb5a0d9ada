"""The state of the window around the 3D view.

Pure data: `viewer.ui` draws it, and the actions change it. The settings that persist are in its
`Preferences`.
"""

from __future__ import annotations

from msgspec import Struct, field

from viewer.scene.choices import FILM_FORMATS, LARGEST_SCALE, SMALLEST_SCALE
from viewer.session.about import About
from viewer.session.layouts import LAYOUTS, MANUAL
from viewer.session.preferences import RECENT, Preferences
from viewer.session.requests import ExportModel, RecordFilm

STEP = 1.1
"""The factor by which one step changes the scale of the interface."""


class Interface(Struct):
    """The open dialogs, overlays and panels of the window, and its preferences.

    `hidden` hides all panels until it is reset; `fresh` requests a new layout. `help`, `palette`,
    `statistics` and `pie` (the pie menu of shading modes) are set while each of them is open. `fullscreen` is
    the requested window state. With `flying`, letter keys move the camera; in one second it moves by `pace`
    times its distance. `recorder` holds the choices of the last recording, `exporter` those of the last
    export; `records` and `exports` open their dialogs. `about` are the facts in the About dialog, None while
    it is closed. `quits` opens the dialog about unfinished work. `status` is the current note in the status
    line, `notes` the number of notes so far. `seen` is the time of the latest message that the list of
    messages has shown, in seconds since 1970. `manual` is the page or section in the Manual panel, empty
    before the panel first opens.

    `settings` is None while the settings window is closed; the name of a setting brings the row of this
    setting into view. `capturing` is set while the window takes the next pressed keys as the keys of an
    action.

    `front` is the panel whose tab must come to the front; with `cover`, it may cover the focused panel.
    `covered` are the panels behind the tab of another panel. `focused` is the panel or overlay with the
    keyboard focus.
    `finding` is the panel (or VIEW) whose find field must get
    the focus. `front`, `focused` and `finding` are empty if there is no such panel. `pointed` is the path of
    a menu entry, or only a panel's name; the window points at it for a moment. With `measuring`, clicks
    choose points of the mesh. `table_filter` is a text that the filter field of a table's page takes over;
    empty if there is none.
    """

    preferences: Preferences = field(default_factory=Preferences)
    hidden: bool = False
    fresh: bool = True
    help: bool = False
    palette: bool = False
    statistics: bool = False
    pie: bool = False
    flying: bool = False
    measuring: bool = False
    pace: float = 0.5
    fullscreen: bool = False
    front: str = ""
    cover: bool = True
    covered: set[str] = field(default_factory=set)
    focused: str = ""
    finding: str = ""
    table_filter: str = ""
    recorder: RecordFilm = RecordFilm()
    films: tuple[str, ...] = tuple(each.suffix for each in FILM_FORMATS)
    records: bool = False
    exporter: ExportModel = field(default_factory=ExportModel)
    exports: bool = False
    about: About | None = None
    quits: bool = False
    settings: str | None = None
    capturing: bool = False
    status: str = ""
    notes: int = 0
    seen: float = 0.0
    manual: str = ""
    pointed: tuple[str, ...] = ()

    def note(self, text: str) -> None:
        """Show a note in the status line for a while. It is not added to the list of messages."""
        self.status, self.notes = text, self.notes + 1

    def arrange(self, name: str) -> None:
        """Switch to a named layout in its original form."""
        layout = next(each for each in LAYOUTS if each.name == name)
        self.preferences.layout, self.fresh, self.hidden = layout.name, True, False
        self.preferences.closed = sorted(layout.closed)
        self.preferences.arrangements.clear()

    def shows(self, panel: str) -> bool:
        """Whether a panel is open and visible; `hidden` makes all panels invisible."""
        return (
            not self.hidden
            and panel not in self.preferences.closed
            and (panel != MANUAL or bool(self.manual))
        )

    def toggle(self, panel: str) -> None:
        """Open or close a panel. If all panels are hidden, show the panels again and open this one."""
        if self.shows(panel):
            self.preferences.closed.append(panel)
        elif panel in self.preferences.closed:
            self.preferences.closed.remove(panel)
        self.hidden = False

    def show(self, panel: str) -> None:
        """Open a panel if it is closed."""
        if not self.shows(panel):
            self.toggle(panel)

    def bring(self, panel: str, cover: bool = True) -> None:
        """Open a panel and bring its tab to the front.

        Without `cover`, a closed panel stays closed, and a panel in the same dock as the focused panel stays
        behind the focused panel.
        """
        if cover:
            self.show(panel)
        self.front, self.cover = panel, cover

    def read(self, link: str) -> None:
        """Show a page or section of the manual."""
        self.manual = link
        self.bring(MANUAL)

    def find_requested(self, panel: str) -> bool:
        """Whether this panel's find field must get the keyboard focus now. The call clears the request."""
        found = self.finding == panel
        if found:
            self.finding = ""
        return found

    def zoom(self, by: int) -> None:
        """Scale the interface up (1) or down (-1) by a tenth; 0 restores the original size."""
        wanted = self.preferences.scale * STEP**by if by else 1.0
        self.preferences.scale = round(min(max(wanted, SMALLEST_SCALE), LARGEST_SCALE), 3)

    def remember(self, path: str) -> None:
        """Move an opened file to the beginning of the list of recent files."""
        self.preferences.recent = [path, *(each for each in self.preferences.recent if each != path)][:RECENT]

    def remember_folder(self, path: str) -> None:
        """Move an opened folder or package to the beginning of the list of recent folders."""
        others = [each for each in self.preferences.recent_folders if each != path]
        self.preferences.recent_folders = [path, *others][:RECENT]
