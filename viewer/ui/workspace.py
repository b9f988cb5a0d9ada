"""The content of the window: the menu bar, the docked panels, and the picture between them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from weakref import ref

from imgui_bundle import ImVec2, imgui

from viewer.scene.document import Document
from viewer.session.layouts import LAYOUTS, PANELS, Panel
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.compiled.pages import Pages
from viewer.ui.kit import theme
from viewer.ui.kit.docking import (
    DockSpace,
    ReturningTabs,
    crowded_panels,
    keep_height,
    panel_window,
    select,
    tab_of,
)
from viewer.ui.kit.host import Host
from viewer.ui.kit.lazy import LazyParts
from viewer.ui.kit.overlays import OVERLAYS, Overlay, focused_overlay, navigate
from viewer.ui.kit.shortcuts import run_shortcuts
from viewer.ui.kit.widgets import BARE, Memo, mark
from viewer.ui.layout import (
    BAR_PANEL,
    BYTES,
    Rect,
    closed_panels,
    cuts,
    fronts,
    homes,
    kind,
    not_closed,
    open_panels,
)
from viewer.ui.menu import MenuBar
from viewer.ui.panel_code import OVERLAY_CODE, PANEL_CODE
from viewer.ui.view.banner import Banner
from viewer.ui.view.comparing import captions_lines
from viewer.ui.view.loading_overlay import arriving
from viewer.ui.view.notes import FrameStatistics, StatusNote
from viewer.ui.view.overlays import above_position
from viewer.ui.view.view_panel import ViewPanel

Draw = Callable[[State, Post], None]
Size = tuple[float, float]

BY_NAME = {panel.name: panel for panel in PANELS}
WALL = "viewer.ui.files.wall:Wall"
DROP_FRAME = "viewer.ui.view.notes:drop_frame"
CHILDREN = int(imgui.FocusedFlags_.child_windows)
STEADY = 3
"""The number of frames after which docks have their final sizes when panels have opened or closed."""
POINTED = 1.5
"""The time in seconds for which a panel stays outlined when the window points at it."""
SOUGHT = 8
"""The number of frames for which a request for a find field waits for its panel to open."""
VIEW = (
    BARE
    | int(imgui.WindowFlags_.no_background)
    | int(imgui.WindowFlags_.no_bring_to_front_on_focus)
    | int(imgui.WindowFlags_.no_nav)
    | int(imgui.WindowFlags_.no_scroll_with_mouse)
)


class Workspace:
    """All panels and their positions in the window."""

    def __init__(self) -> None:
        self.view = ViewPanel()
        self._bar = MenuBar()
        self._banner = Banner()
        self._statistics = FrameStatistics()
        self._note = StatusNote()
        self._covered = False
        self._below = ""
        self._pages = Pages()
        self._drawn = LazyParts()
        self._docks = DockSpace()
        self._tabs = ReturningTabs()
        self._insets: dict[tuple[str, ...], tuple[float, float, float, float]] = {}
        self._shown: tuple[str, ...] = ()
        self._steady = self._unfound = 0
        self._kind = ""
        self._scale = 0.0
        self._last = (0.0, 0.0, 0.0, 0.0)
        self._pointed = ("", 0.0)
        self._built: dict[str, str] | None = None
        self._opened: tuple[ref[Document], ...] = ()

    def prepare(self, host: Host, state: State, size: Size, scale: float) -> None:
        """Apply the theme, the scale (the setting times the screen's `scale`), and the arrangement of panels.
        Call it before ImGui's frame.

        If the window has become another kind of window, the stored arrangement of that kind is loaded.
        """
        host.use()
        preferences = state.interface.preferences
        state.options.light_theme = preferences.theme == "light"
        if scale * preferences.scale != self._scale:
            self._scale = scale * preferences.scale
            self._insets.clear()
        host.style(preferences.theme, self._scale)
        now = kind(size, self._scale)
        if now != self._kind:
            self.keep(host, state)
            self._kind = now
            known = preferences.arrangements.get(now, "")
            if all(f"[Window][{panel.name}]" in known for panel in PANELS):
                imgui.load_ini_settings_from_memory(known)
                state.interface.fresh = False
            else:
                state.interface.fresh = True
        elif imgui.get_io().want_save_ini_settings:
            imgui.get_io().want_save_ini_settings = False
            self.keep(host, state)

    def keep(self, host: Host, state: State) -> None:
        """Store the current arrangement of the panels."""
        host.use()
        if self._kind and not state.interface.fresh:
            self._tabs.number()
            state.interface.preferences.arrangements[self._kind] = imgui.save_ini_settings_to_memory()

    def settle(self, host: Host, state: State, size: Size, scale: float) -> None:
        """Draw empty panels until their sizes are known, with and without the panels for animations.

        The frames with the panels for animations come last, because then the timeline is in front in the
        first visible frame.
        """
        self.prepare(host, state, size, scale)
        for timed in (True, False, True):
            shown = not_closed(self._kind, closed_panels(state), timed)
            for _ in range(STEADY + 2):
                host.new_frame(0.0, size, (round(size[0]), round(size[1])))
                self._dock(state, shown, size)
                for panel in shown:
                    panel_window(panel, lambda: None)
                self._tabs.end()
                imgui.end_frame()

    def picture(self, state: State, size: Size) -> Rect:
        """The rectangle of the picture in a window of `size` points.

        Without a document, there are no panels around it.
        """
        names = tuple(panel.name for panel in open_panels(state, self._kind))
        known = self._insets.get(names, self._last if names else None)
        left, top, right, bottom = known or (0.0, _menu_height(self._scale), 0.0, 0.0)
        top += self._banner.height(state)
        return Rect(left, top, max(size[0] - left - right, 1.0), max(size[1] - top - bottom, 1.0))

    def covered(self, state: State) -> tuple[float, float]:
        """The heights in points that buttons and texts cover at the top and at the bottom of the picture."""
        if not state.documents.opened:
            return 0.0, 0.0
        edge = imgui.get_style().window_padding
        line = theme.TEXT_SIZE * self._scale + edge.y
        return _menu_height(self._scale) + edge.x, line * (1 + captions_lines(state))

    def draw(self, state: State, post: Post, size: Size) -> None:
        """Draw the whole user interface of a window of `size` points."""
        self._drop_closed(state)
        run_shortcuts(state, post)
        state.files.takes_text, state.files.shown, state.files.turning = False, (), ""
        self._bar(state, post)
        shown = open_panels(state, self._kind)
        self._dock(state, shown, size)
        rect = self.picture(state, size)
        band = self._banner.height(state)
        if band:
            above = Rect(rect.x, rect.y - band, rect.width, band)
            _view("banner", above, lambda: self._banner(state, post), padding=True)
        page = self._pages(state)
        middle = partial(self._page, page, state, post) if page else partial(self.view, state, post)
        if page is not None or state.files.wall:
            self.view.position = None
        if state.files.wall:
            middle = partial(self._drawn(WALL), state, post)
        _view("view", rect, middle, padding=page is not None or state.files.wall)
        if page or state.files.wall:  # only the 3D view draws messages itself
            high = ImVec2(rect.x + rect.width, rect.y + rect.height)
            self.view.notices(state, ImVec2(rect.x, rect.y), high, imgui.get_foreground_draw_list())
        self._bring_front(state)
        short = crowded_panels(shown)
        state.interface.focused = ""
        for panel in shown:
            state.interface.covered.add(panel.name)  # until it is drawn
            inside = partial(self._inside, panel, state, post)
            if not panel_window(panel, inside, self._badge(panel, state), short):
                state.interface.toggle(panel.name)
        self._tabs.end()
        self._statistics(state, rect)
        self._note(state.interface, rect)
        arriving(state, post, rect)
        for overlay in OVERLAYS:
            if overlay.is_open(state) or self._drawn.loaded(code(overlay)):
                self._drawn(code(overlay))(state, post)
        self._give_focus_back(state)
        navigate(state)
        if state.pending_files.hovering:
            self._drawn(DROP_FRAME)(size)
        self._drop_find(state)
        # a file that is loaded again, for example in another look, changes no values
        loading = any(state.documents.at(each.path) is None for each in state.pending_files.loading)
        held, pressed = imgui.is_any_item_active(), imgui.is_mouse_clicked(0)
        state.undo.watch(imgui.get_io().delta_time, held, loading, pressed)

    def _give_focus_back(self, state: State) -> None:
        """When the last overlay or the wall closes, give the focus to the panel or the view that had it
        before.

        Otherwise ImGui gives the focus to the newest panel, and keys of the view go there.
        """
        top = focused_overlay(state)
        if top is not None:
            state.interface.focused = top.window
        was, self._covered = self._covered, any(overlay.is_open(state) for overlay in OVERLAYS)
        self._covered |= state.files.wall
        if was and not self._covered:
            imgui.set_window_focus(f"###{self._below}" if self._below else "view")
        elif not self._covered:
            self._below = state.interface.focused

    def _drop_closed(self, state: State) -> None:
        """Drop cached data of documents that were closed or reloaded.

        The view of the first document gets the focus, unless the user is typing or an overlay is open: the
        keys that step to another file work there.
        """
        before, self._opened = self._opened, tuple(map(ref, state.documents.opened))
        if not before and self._opened and not self._covered and not imgui.get_io().want_text_input:
            imgui.set_window_focus("view")
        if all(each() in state.documents.opened for each in before):
            return
        Memo.drop_closed([each for top in state.documents.opened for each in (top, *top.attached)])
        panel = self._drawn.loaded(code(BY_NAME[BYTES]))
        if panel is not None:
            panel.keep(state.documents.opened)

    def _drop_find(self, state: State) -> None:
        """Drop the request for a find field if no panel has drawn its field within SOUGHT frames."""
        self._unfound = self._unfound + 1 if state.interface.finding else 0
        if self._unfound > SOUGHT:
            state.interface.finding = ""

    def _page(self, page: Draw, state: State, post: Post) -> None:
        """Draw a page in place of the picture. The page of an unread file shows its bytes too."""
        bytes_alone = state.document is not None and state.document.unread and len(state.document.data) > 0
        anywhere = imgui.is_window_focused(imgui.FocusedFlags_.any_window)
        state.pending_files.view_focused = not anywhere or imgui.is_window_focused(CHILDREN)

        def draw() -> None:
            """Draw the page, and for an unread file the bytes below it."""
            page(state, post)
            if not bytes_alone:
                return
            if imgui.begin_child("bytes of the file"):
                state.pending_files.view_focused &= not imgui.is_window_focused(CHILDREN)
                self._part(BYTES)(state, post)
            imgui.end_child()

        above_position(state, draw)

    def panel(self, name: str) -> Draw | None:
        """The object that draws the panel `name`, None before the panel is first shown."""
        return self._drawn.loaded(code(BY_NAME[name]))

    def _part(self, name: str) -> Any:
        """The object that draws the panel `name`, imported at its first use."""
        return self._drawn(code(BY_NAME[name]))

    def _dock(self, state: State, shown: tuple[Panel, ...], size: Size) -> None:
        """Draw the docks.

        As soon as the docks have their final sizes, store the rectangle that they leave free.
        """
        menu, bar, interface = _menu_height(self._scale), _bar_height(self._scale), state.interface
        build = None
        if interface.fresh:
            layout = {each.name: each for each in LAYOUTS}[interface.preferences.layout]
            inside = (size[0], size[1] - menu)
            self._built = homes(layout, self._kind != "wide")
            named = {f"###{name}": dock for name, dock in self._built.items()}
            build = (cuts(layout, inside, bar, self._scale), named)
            interface.fresh, self._steady = False, 0
            self._tabs.forget()
        self._tabs.begin(panel.name for panel in shown)
        keep_height(f"###{BAR_PANEL.name}", bar)
        rect = self._docks.submit(Rect(0, menu, size[0], max(size[1] - menu, 1.0)), build)
        names = tuple(panel.name for panel in shown)
        self._steady = self._steady + 1 if names == self._shown else 0
        self._shown = names
        if self._steady >= STEADY:
            right, bottom = size[0] - rect.x - rect.width, size[1] - rect.y - rect.height
            self._insets[names] = self._last = (rect.x, rect.y, right, bottom)
        if self._steady == STEADY - 1 and self._built is not None:
            for name in fronts(shown, self._built):
                select(f"###{name}")
            self._built = None

    def _inside(self, panel: Panel, state: State, post: Post) -> None:
        if imgui.is_window_focused(imgui.FocusedFlags_.root_and_child_windows):
            state.interface.focused = panel.name
        state.interface.covered.discard(panel.name)
        self._part(panel.name)(state, post)
        self._point(panel, state)

    def _point(self, panel: Panel, state: State) -> None:
        """For POINTED seconds, draw a frame around the panel that `interface.pointed` names."""
        if state.interface.pointed == (panel.name,):
            state.interface.pointed = ()
            self._pointed = panel.name, imgui.get_time() + POINTED
        name, end = self._pointed
        if name == panel.name and imgui.get_time() < end:
            low, size = imgui.get_window_pos(), imgui.get_window_size()
            mark(low, ImVec2(low.x + size.x, low.y + size.y))

    def _bring_front(self, state: State) -> None:
        """Bring the requested panel to the front.

        If the focused panel is in the same dock, the requested panel also gets the focus, because ImGui keeps
        the focused panel in front. Without `interface.cover`, nothing happens if the requested panel is
        closed or in the dock of the focused panel. The Chunks panel of an unread file is not brought to the
        front, because the page of the file contains it.
        """
        name, focused = state.interface.front, tab_of(f"###{state.interface.focused}")
        if not name or self._built is not None:
            return
        tab = tab_of(f"###{name}")
        together = tab is not None and focused is not None and focused.dock == tab.dock
        if not state.interface.cover and (together or not state.interface.shows(name)):
            state.interface.front, state.interface.cover = "", True
            return
        unread = name == BYTES and state.document is not None and state.document.unread
        if unread or (tab is not None and tab.order >= 0 and select(f"###{name}")):
            state.interface.front, state.interface.cover = "", True
            if together:
                imgui.set_window_focus(f"###{name}")

    def _badge(self, panel: Panel, state: State) -> str:
        return str(self._part(panel.name).badge(state)) if panel.counted else ""


def code(row: Panel | Overlay) -> str:
    """The drawing code of a panel or overlay as `module:name`, for `LazyParts`."""
    return PANEL_CODE[row.name] if isinstance(row, Panel) else OVERLAY_CODE[row.window]


def _menu_height(scale: float) -> float:
    return theme.TEXT_SIZE * scale + 2 * imgui.get_style().frame_padding.y


def _bar_height(scale: float) -> float:
    return _menu_height(scale) + 2 * imgui.get_style().window_padding.y


def _view(name: str, rect: Rect, draw: Callable[[], None], padding: bool = False) -> None:
    """Draw a window at `rect`, behind all other windows."""
    imgui.set_next_window_pos(ImVec2(rect.x, rect.y))
    imgui.set_next_window_size(ImVec2(rect.width, rect.height))
    if not padding:
        imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(0, 0))
    shown = imgui.begin(name, None, VIEW)[0]
    if not padding:
        imgui.pop_style_var()
    if shown:
        draw()
    imgui.end()
