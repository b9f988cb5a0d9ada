"""The 3D view: the picture, the texts over it, and the mouse."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import ImVec2, imgui
from msgspec import Struct, field

from viewer.actions.presets import preset_of
from viewer.scene.items import Item
from viewer.scene.mesh.surface_points import SurfacePoint
from viewer.scene.package import Package
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.item_menu import item_menu, picture_entries
from viewer.ui.item_text import item_title
from viewer.ui.kit.lazy import LazyParts
from viewer.ui.kit.texts import visible
from viewer.ui.kit.theme import ERROR, TEXT, WARNING, color32
from viewer.ui.kit.widgets import faint
from viewer.ui.problems.problem_badge import ProblemBadge
from viewer.ui.view.buttons import buttons
from viewer.ui.view.comparing import ViewPane, captions, pane_under, slider, view_panes
from viewer.ui.view.empty_picture import EmptyPicture
from viewer.ui.view.missing_textures import MissingTexturesBadge
from viewer.ui.view.mouse import (
    BUTTONS,
    LEFT,
    centre,
    change_pace,
    double_clicked,
    drag,
    dragged,
    fly,
    mode_help,
    moved,
    moved_or_modified,
    picture_position,
    second_button_clicked,
    wheel,
)
from viewer.ui.view.overlays import above_position, distances, gizmo, names, status
from viewer.view.measures import with_point
from viewer.view.view_info import PickResult, PicturePosition

POPUP = "picture menu"


class PictureMenu:
    """The context menu of the picture."""

    def __init__(self) -> None:
        self._item: Item | None = None

    def open(self, item: Item | None) -> None:
        """Open the menu for the item under the pointer, None if there is none."""
        self._item = item
        imgui.open_popup(POPUP)

    def __call__(self, state: State, post: Post) -> None:
        """Draw the menu while it is open."""
        if not imgui.begin_popup(POPUP):
            return
        if self._item is not None:
            faint(item_title(state, self._item))
            item_menu(state, post, self._item)
            imgui.separator()
        picture_entries(state, post)
        imgui.end_popup()


SHOWN = 6.0
"""Seconds for which a message stays over the picture."""
LATEST = 4
"""The largest number of messages shown while no file is open."""
PICK_FRAMES = 10
"""The largest number of frames for which a click waits for the items at its position."""
PADDED = int(imgui.ChildFlags_.always_use_window_padding)
DROP = "viewer.ui.files.choosing:drop_into_view"
PACKAGE, WELCOME = "viewer.ui.files.package_page:PackageList", "viewer.ui.view.welcome:welcome"


class _Click(Struct):
    """A click that waits until the items under it are known.

    With `turn`, it selects the second item instead of the first. With `menu`, it opens the context menu. With
    `measure`, it chooses a point of the mesh. With `free`, this point does not snap to a corner.
    """

    position: PicturePosition
    turn: bool = False
    menu: bool = False
    measure: bool = False
    free: bool = False
    frames_left: int = PICK_FRAMES


class ViewPanel(Struct):
    """The picture, which fills the middle of the window.

    `picture` is the GL texture with the bottom row first, 0 if there is no picture. `hover_result` are the
    items under the pointer. `position` is the pointer's position in the picture of the document under the
    pointer. `position` is None while the pointer is outside or moves the camera.
    """

    picture: int = 0
    hover_result: PickResult | None = None
    position: PicturePosition | None = None
    _click: _Click | None = None
    _drawn: LazyParts = field(default_factory=LazyParts)
    _empty: tuple[EmptyPicture, EmptyPicture] = field(
        default_factory=lambda: (EmptyPicture(), EmptyPicture())
    )
    _problems: ProblemBadge = field(default_factory=ProblemBadge)
    _missing: MissingTexturesBadge = field(default_factory=MissingTexturesBadge)
    _menu: PictureMenu = field(default_factory=PictureMenu)
    _on_axes: bool = False
    _partner: bool = False
    _said: float = 0.0
    _since: float = -SHOWN

    @property
    def urgent(self) -> bool:
        """Whether a click is waiting for the items under it."""
        return self._click is not None

    def state_under(self, state: State) -> State:
        """The State of the document under the pointer: the compared document or the document in view."""
        return state.partner if self._partner and state.partner is not None else state

    def __call__(self, state: State, post: Post) -> None:
        """Draw the picture and handle the mouse."""
        anywhere = imgui.is_window_focused(imgui.FocusedFlags_.any_window)
        state.pending_files.view_focused = imgui.is_window_focused() or not anywhere
        size = imgui.get_content_region_avail()
        low = imgui.get_cursor_screen_pos()
        if state.document is not None and isinstance(state.document.content, Package):
            self._listed(state, post, low, size)
            return
        fly(state)
        start = imgui.get_cursor_pos()
        imgui.set_next_item_allow_overlap()
        imgui.invisible_button("picture", ImVec2(max(size.x, 1), max(size.y, 1)), BUTTONS)
        high = ImVec2(low.x + size.x, low.y + size.y)
        if state.files.root:
            self._drawn(DROP)(state, post)
        if self.picture:
            imgui.get_window_draw_list().add_image(
                imgui.ImTextureRef(self.picture), low, high, ImVec2(0, 1), ImVec2(1, 0)
            )
        found = view_panes(state, low, size)
        self._mouse(state, post, self._pane(state, found))
        if not state.documents.opened and not state.pending_files.loading:
            self._drawn(WELCOME)(state, post, low, size)
        elif state.documents.opened and not _visible(state):
            self._empty[0](state, low, size)
            status(state, state.view_info, low, high)
        elif state.documents.opened:
            for pane in found:
                imgui.push_clip_rect(ImVec2(pane.start, low.y), ImVec2(pane.end, high.y), True)
                names(pane.state, pane.state.view_info, pane.low, pane.size)
                distances(pane.state.view_info, pane.low, pane.size)
                imgui.pop_clip_rect()
            slider(state, low, size)
            captions(state, found, high)
            imgui.set_cursor_pos(start)
            buttons(state, post, low, found[0].size)
            mode_help(state, low, size)
            for empty, pane in zip(self._empty, found, strict=False):
                empty(pane.state, pane.low, pane.size)
            taken = self._problems(state, low, high)
            taken += self._missing(state, post, low, ImVec2(high.x - taken, high.y))
            status(state, state.view_info, low, ImVec2(high.x - taken, high.y))
        self._menu(state, post)
        self.notices(state, low, high)

    def _listed(self, state: State, post: Post, low: ImVec2, size: ImVec2) -> None:
        """Draw the files of a package in place of the picture."""
        self.position = self._click = None
        if imgui.begin_child("package", size, PADDED):
            above_position(state, lambda: self._drawn(PACKAGE)(state, post))
        imgui.end_child()
        above = imgui.get_foreground_draw_list()
        self.notices(state, low, ImVec2(low.x + size.x, low.y + size.y), above)

    def _pane(self, state: State, found: Sequence[ViewPane]) -> ViewPane:
        """The pane under the pointer; while a button is held, the pane in which it was pressed."""
        if not imgui.is_item_active() or imgui.is_mouse_clicked(LEFT):
            self._partner = pane_under(found, state, imgui.get_io().mouse_pos.x).state is not state
        wanted = self.state_under(state)
        return next(pane for pane in found if pane.state is wanted)

    def _mouse(self, state: State, post: Post, pane: ViewPane) -> None:
        low, size, info = pane.low, pane.size, pane.state.view_info
        hovered, active = imgui.is_item_hovered(), imgui.is_item_active()
        pressed = imgui.is_mouse_clicked(LEFT)
        axis = gizmo(state, info, low, size) if hovered and (pressed or not active) else None
        if active:
            drag(state, post, low, size)
        self.position = picture_position(low, size) if hovered and axis is None and not dragged() else None
        if pressed:
            self._on_axes = axis is not None
        if axis is not None and pressed:
            state.view.see(axis, flat_axes=preset_of(state.interface.preferences).flat_axes)
        elif hovered:
            self._hovered(state, post, low, size)

    def _hovered(self, state: State, post: Post, low: ImVec2, size: ImVec2) -> None:
        hover_result = self.hover_result
        if hover_result is not None and hover_result.items and self.position is not None:
            state.view.selection.point(hover_result.items[0])
        if imgui.get_io().mouse_wheel and state.interface.flying:
            change_pace(state)
        elif imgui.get_io().mouse_wheel:
            wheel(state, post, low, size, hover_result.point if hover_result else None)
        if hover_result is not None and self.position is not None:
            state.view.selection.point_at(hover_result.surface)
        measures, free = state.interface.measuring, imgui.get_io().key_ctrl
        if measures and self.position is not None:
            state.view.selection.mark(measured_point(hover_result, free))
        if imgui.is_mouse_double_clicked(LEFT) and not measures:
            self._click = None
            centre(state, post, hover_result)
        elif self._clicked(measures):
            assert self.position is not None, "a click has a position"
            self._click = _Click(self.position, imgui.get_io().key_alt, measure=measures, free=free)
        elif self.position is not None and second_button_clicked() and state.documents.opened:
            self._click = _Click(self.position, menu=True)
        self._select(state)

    def _clicked(self, measures: bool) -> bool:
        """Whether a click in the view ended in this frame. The click selects an item; with `measures` it
        chooses a point.
        """
        meant = self.position is not None and not self._on_axes
        selects = not moved() if measures else not double_clicked() and not moved_or_modified()
        return bool(meant and imgui.is_mouse_released(LEFT) and selects)

    def _select(self, state: State) -> None:
        """Handle the click as soon as the items under it are known."""
        click, hover_result = self._click, self.hover_result
        if click is None:
            return
        click.frames_left -= 1
        asked = click.frames_left < PICK_FRAMES - 1
        known = asked and hover_result is not None and hover_result.position == click.position
        if not known and click.frames_left > 0:
            return
        self._click = None
        picked, items = state.view.selection.picked, hover_result.items if known and hover_result else ()
        if click.measure:
            for point in measured_point(hover_result if known else None, click.free):
                state.view.measures = with_point(state.view.measures, point)
        elif click.menu:
            self._menu.open(picked if picked in items else next(iter(items), None))
        elif known:
            state.view.selection.pick(item_to_select(items, picked, click.turn))

    def notices(self, state: State, low: ImVec2, high: ImVec2, draw: imgui.ImDrawList | None = None) -> None:
        """Draw the latest message at the lower edge for SHOWN seconds.

        While no file is open, the latest messages stay.
        """
        now = imgui.get_time()
        last_time = state.messages[-1].time if state.messages else 0.0
        if last_time > self._said:
            self._said, self._since = last_time, now
        fresh = last_time == self._said and now - self._since < SHOWN
        if state.messages and (fresh or not state.documents.opened):
            last = state.messages[-1]
            color = {"error": ERROR, "warning": WARNING}.get(last.kind, TEXT)
            text = "\n".join(
                visible(each.text) for each in state.messages[-1 if state.documents.opened else -LATEST :]
            )
            _notice(low, high, text, color32(color), draw or imgui.get_window_draw_list())


def measured_point(hover_result: PickResult | None, free: bool) -> tuple[SurfacePoint, ...]:
    """Return the point of the mesh to measure: the corner near the pointer, or the point under it if there is
    no near corner or `free` is set.

    Return () if the pointer is not over the mesh.
    """
    if hover_result is None or hover_result.surface is None:
        return ()
    return (hover_result.surface if free or hover_result.corner is None else hover_result.corner,)


def item_to_select(items: tuple[Item, ...], picked: Item | None, turn: bool) -> Item | None:
    """Return the item that a click on `items` selects: the item after `picked`; without a picked item, the
    first.

    With `turn` (Alt is held), the second item replaces the first.
    """
    if not items:
        return None
    if picked in items:
        return items[(items.index(picked) + 1) % len(items)]
    return items[min(1, len(items) - 1) if turn else 0]


def _visible(state: State) -> bool:
    """Whether the document has geometries or bones. The model of a truncated file may have none."""
    return bool(state.skeleton) or (state.model is not None and bool(state.model.geometries))


def _notice(low: ImVec2, high: ImVec2, text: str, color: int, draw: imgui.ImDrawList) -> None:
    """Draw text with line breaks in a band along the lower edge of the picture from `low` to `high`."""
    pad = imgui.get_style().window_padding
    width = high.x - low.x - 2 * pad.x
    height = imgui.calc_text_size(text, False, width).y + 2 * pad.y
    draw.add_rect_filled(ImVec2(low.x, high.y - height), high, imgui.get_color_u32(imgui.Col_.popup_bg, 0.85))
    corner = ImVec2(low.x + pad.x, high.y - height + pad.y)
    draw.add_text(imgui.get_font(), imgui.get_font_size(), corner, color, text, width)
