"""The dock space and the docked windows of panels: tabs, titles, badges and close buttons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

from imgui_bundle import ImVec2, ImVec4, imgui
from msgspec import Struct

from viewer.session.layouts import BAR, Panel
from viewer.ui.kit.widgets import BARE, hint
from viewer.ui.layout import MIDDLE, Cut, Rect

inner = imgui.internal
Private = inner.DockNodeFlagsPrivate_

SPACE_FLAGS = int(
    imgui.DockNodeFlags_.passthru_central_node | imgui.DockNodeFlags_.no_docking_over_central_node
)
BAR_FLAGS = int(
    Private.no_tab_bar | Private.no_resize_y | Private.no_docking_over_me | imgui.DockNodeFlags_.no_undocking
)
HOST = (
    BARE
    | int(imgui.WindowFlags_.no_background)
    | int(imgui.WindowFlags_.no_bring_to_front_on_focus)
    | int(imgui.WindowFlags_.no_nav)
)
UNSORTED = int(inner.TabItemFlagsPrivate_.unsorted)
"""ImGui's flag for a tab without an index. The tab gets its index at the beginning of the next frame."""
DIRECTIONS = {"left": imgui.Dir.left, "right": imgui.Dir.right, "up": imgui.Dir.up, "down": imgui.Dir.down}


class DockSpace:
    """The part of the window in which panels dock. The picture is in its `middle`."""

    def __init__(self) -> None:
        self._id = 0
        self.middle = Rect(0, 0, 1, 1)

    def submit(self, rect: Rect, build: tuple[Iterable[Cut], Mapping[str, str]] | None) -> Rect:
        """Submit the dock space for this frame; return the rectangle that the panels leave free.

        `build` is a layout to build first: its cuts, and the dock name for each window id.
        """
        imgui.set_next_window_pos(ImVec2(rect.x, rect.y))
        imgui.set_next_window_size(ImVec2(rect.width, rect.height))
        imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(0, 0))
        imgui.push_style_var(imgui.StyleVar_.window_border_size, 0.0)
        imgui.begin("workspace", None, HOST)
        imgui.pop_style_var(2)
        self._id = imgui.get_id("docks")
        if build is not None or inner.dock_builder_get_node(self._id) is None:
            _build(self._id, rect, *(build or ((), {})))
        imgui.push_style_color(imgui.Col_.window_bg, NO_COLOR)
        imgui.dock_space(self._id, ImVec2(0, 0), SPACE_FLAGS)
        imgui.pop_style_color()
        imgui.end()
        node = inner.dock_builder_get_central_node(self._id)
        self.middle = Rect(node.pos.x, node.pos.y, node.size.x, node.size.y)
        return self.middle


def _build(space: int, rect: Rect, steps: Iterable[Cut], homes: Mapping[str, str]) -> None:
    inner.dock_builder_remove_node(space)
    inner.dock_builder_add_node(space, int(Private.dock_space))
    inner.dock_builder_set_node_size(space, ImVec2(rect.width, rect.height))
    nodes = {MIDDLE: space}
    for cut in steps:
        split = inner.dock_builder_split_node(nodes[cut.source], DIRECTIONS[cut.direction], cut.share)
        nodes[cut.dock], nodes[cut.source] = split.id_at_dir, split.id_at_opposite_dir
    for window, dock in homes.items():
        inner.dock_builder_dock_window(window, nodes[dock])
    inner.dock_builder_finish(space)


def _docked(name: str) -> tuple[inner.Window, inner.DockNode] | None:
    """Return a docked window and its dock node; None if the window is not docked."""
    window = inner.find_window_by_name(name)
    node = inner.dock_builder_get_node(window.dock_id) if window is not None and window.dock_id else None
    return None if node is None else (window, node)


def _fills_dock(name: str) -> bool:
    """Whether a window is docked in the dock space, not in a dock that floats over it."""
    docked = _docked(name)
    return docked is not None and inner.dock_node_get_root_node(docked[1]).is_dock_space()


def select(name: str) -> bool:
    """Bring the tab of a docked window to the front; return False if the window is not docked yet."""
    docked = _docked(name)
    if docked is None:
        return False
    window, node = docked
    node.selected_tab_id = window.tab_id
    if node.tab_bar is not None:
        node.tab_bar.next_selected_tab_id = window.tab_id
    return True


class DockTab(Struct, frozen=True):
    """The tab of a docked window.

    `dock` is the id of the dock. `order` is the index of the tab in the dock, -1 in the first frame of the
    tab. `front` is True if the tab is in front.
    """

    dock: int
    order: int
    front: bool


def tab_of(name: str) -> DockTab | None:
    """The tab of a docked window. A hidden window has the tab that it had last. None if the window was never
    docked.
    """
    docked = _docked(name)
    if docked is None:
        return None
    window, node = docked
    return DockTab(node.id_, window.dock_order, node.selected_tab_id == window.tab_id)


def put_tab(name: str, order: int) -> bool:
    """Move the tab of a window to the index `order` in its dock.

    Return False if the tab is new and has no index yet.
    """
    docked = _docked(name)
    bar = docked[1].tab_bar if docked is not None else None
    own = inner.tab_bar_find_tab_by_id(bar, docked[0].tab_id) if docked is not None and bar else None
    if bar is None or own is None or own.flags & UNSORTED:
        return False
    further = order - inner.tab_bar_get_tab_order(bar, own)
    if further:
        inner.tab_bar_queue_reorder(bar, own, further)
        inner.tab_bar_process_reorder(bar)
        bar.reorder_request_tab_id = 0
    return True


def dock_of(name: str) -> tuple[int, float] | None:
    """The id and the width in points of a window's dock; None if the window is not docked."""
    docked = _docked(name)
    return None if docked is None else (docked[1].id_, docked[1].size.x)


def keep_height(name: str, height: float) -> None:
    """Set the height in points of a window's dock. The dock keeps this height when other docks are resized.

    No effect if the window is not docked, for example because the program window is too small for docks.
    """
    docked = _docked(name)
    if docked is None or height <= 0:
        return
    size = docked[1].size_ref
    if size.x > 0 and abs(size.y - height) >= 1:
        inner.dock_builder_set_node_size(docked[1].id_, ImVec2(size.x, height))


def bar_class() -> imgui.WindowClass:
    """Make the window class of the bar: without a tab and with a fixed height."""
    made = imgui.WindowClass()
    made.dock_node_flags_override_set = BAR_FLAGS
    return made


class ReturningTabs:
    """Restores the tab of a panel that was closed and opened again: its index, and whether it was in front.

    Without this class, ImGui would append the tab of a reopened panel to the dock and leave it in the
    background.
    """

    def __init__(self) -> None:
        self._shown: tuple[str, ...] = ()
        self._orders: dict[int, list[str]] = {}
        self._fronts: list[str] = []
        self._returned: tuple[str, ...] = ()

    def forget(self) -> None:
        """Forget all tabs. Call it before a layout is built."""
        self._orders.clear()
        self._fronts.clear()

    def begin(self, panels: Iterable[str]) -> None:
        """Record which panels are open in this frame. Call it before the docks are drawn."""
        shown = tuple(panels)
        if shown == self._shown:
            return
        self._learn()
        left = (name for name in self._shown if name not in shown)
        self._fronts += [name for name in left if (tab := tab_of(f"###{name}")) is not None and tab.front]
        self._returned = tuple(name for name in shown if name not in self._shown)
        self._shown = shown

    def _learn(self) -> None:
        """Store the present order of the tabs. A closed panel keeps its position in this order."""
        if self._returned:
            return
        for dock, names in _by_dock(self._shown).items():
            order = self._orders.setdefault(dock, [])
            order += [name for name in names if name not in order]
            for position, name in zip(sorted(map(order.index, names)), names, strict=True):
                order[position] = name

    def number(self) -> None:
        """Give all tabs different numbers, including those of closed panels.

        ImGui stores these numbers. Without them, two tabs may have the same number.
        """
        self._learn()
        for order in self._orders.values():
            for index, name in enumerate(order):
                window = inner.find_window_by_name(f"###{name}")
                if window is not None:
                    window.dock_order = index

    def end(self) -> None:
        """Restore the reopened panels when they have tabs. Call it after all panels of a frame are drawn."""
        if not self._returned or any(tab_of(f"###{name}") is None for name in self._returned):
            return
        for dock, names in _by_dock(self._shown).items():
            if len(names) > 1 and set(names) & set(self._returned):
                ordered = [name for name in self._orders.get(dock, ()) if name in names]
                if not all(put_tab(f"###{name}", index) for index, name in enumerate(ordered)):
                    return
        # the panel that was closed first is selected last, so that it is in front
        for name in reversed(self._fronts):
            if name in self._returned:
                select(f"###{name}")
        self._fronts = [name for name in self._fronts if name not in self._returned]
        self._returned = ()


def _by_dock(panels: Iterable[str]) -> Mapping[int, list[str]]:
    """The docked panels by the id of their dock, in the order of their tabs."""
    tabs = [(tab, name) for name in panels if (tab := tab_of(f"###{name}")) is not None]
    found: dict[int, list[str]] = defaultdict(list)
    for tab, name in sorted(tabs, key=lambda each: each[0].order):
        found[tab.dock].append(name)
    return found


PANEL = int(imgui.WindowFlags_.no_focus_on_appearing | imgui.WindowFlags_.no_collapse)
STILL = PANEL | int(imgui.WindowFlags_.no_scrollbar | imgui.WindowFlags_.no_scroll_with_mouse)
"""The window flags of panels (PANEL) and of the bar (STILL)."""
NONE: frozenset[str] = frozenset()
NO_COLOR = ImVec4(0, 0, 0, 0)


def crowded_panels(panels: Iterable[Panel]) -> frozenset[str]:
    """Return the names of the panels whose tabs show only the icon, because their dock is too narrow for all
    titles. The tab in front keeps its title if there is room beside the icons of the other panels.
    """
    docks: dict[tuple[int, float], list[Panel]] = defaultdict(list)
    for panel in panels:
        dock = dock_of(f"###{panel.name}")
        if dock is not None:
            docks[dock].append(panel)
    return frozenset(
        panel.name for (_, room), inside in docks.items() if len(inside) > 1 for panel in _short(inside, room)
    )


def _short(inside: list[Panel], room: float) -> Iterable[Panel]:
    """Yield the panels whose tabs show only the icon, in a dock that is `room` points wide."""
    if sum(_width(f"{panel.icon}  {panel.title}") for panel in inside) <= room:
        return
    icons = sum(_width(panel.icon) for panel in inside)
    for panel in inside:
        tab = tab_of(f"###{panel.name}")
        titled = icons - _width(panel.icon) + _width(f"{panel.icon}  {panel.title}")
        if tab is None or not tab.front or titled > room:
            yield panel


def _width(title: str) -> float:
    """The width of a whole tab in points: title, close button and padding."""
    style = imgui.get_style()
    padding = 2 * style.frame_padding.x + 2 * style.item_inner_spacing.x + imgui.get_font_size()
    return imgui.calc_text_size(title).x + padding


def panel_window(
    panel: Panel, draw: Callable[[], None], badge: str = "", short: frozenset[str] = NONE
) -> bool:
    """Draw the window of a panel, with a `badge` after its title; return False if the user closes it.

    The tabs of panels in `short` show only the icon.
    """
    bar = panel.dock == BAR
    if bar:
        imgui.set_next_window_class(bar_class())
    name = panel.icon if panel.name in short else f"{panel.icon}  {panel.title}"
    title = f"{name} {badge}".rstrip() + f"###{panel.name}"
    flags = STILL if bar else PANEL
    if _fills_dock(f"###{panel.name}"):
        flags |= int(imgui.WindowFlags_.no_background)
    shown, is_open = imgui.begin(title, None if bar else True, flags)
    if panel.name in short:
        hint(panel.title)
    if shown:
        draw()
    imgui.end()
    return is_open is not False
