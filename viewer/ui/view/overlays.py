"""Texts over the picture: names, measured distances, axis gizmo, status line, position in the folder."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator

import numpy as np
from imgui_bundle import ImVec2, imgui

from viewer.arrays import Array
from viewer.errors import printable
from viewer.scene.items import BoneItem, Item
from viewer.scene.names import path_key
from viewer.session.state import State
from viewer.ui.item_text import item_title
from viewer.ui.kit.texts import fitted, grouped
from viewer.ui.kit.theme import ACCENT, FAINT, GROUND, TEXT, Color, color32
from viewer.ui.kit.widgets import faint, tooltip
from viewer.view.view_info import GizmoAxis, ViewInfo


def position_text(state: State) -> str:
    """The position of the file in its folder: `model 3 of 12`, with a note at the first or last file.

    If a query hides files of the folder, the text names the query. Empty if the user did not reach the file
    in view by a step to the previous or next file.
    """
    stepped = state.pending_files.stepped
    if stepped is None or state.document is None or path_key(state.document.path) != path_key(stepped.path):
        return ""
    counted = f"{stepped.noun} {stepped.number} of {stepped.count}"
    found = f" found by {stepped.query}" if stepped.query else ""
    return "   ".join(filter(None, (counted + found, stepped.end)))


def above_position(state: State, draw: Callable[[], None]) -> None:
    """Draw a page with `draw`, and below it the position of its file in the folder."""
    text = position_text(state)
    below = -imgui.get_text_line_height_with_spacing() if text else 0.0
    if imgui.begin_child("page", ImVec2(0.0, below)):
        draw()
    imgui.end_child()
    if text:
        faint(text)


SHOWN_NAMES = 150
"""The largest number of names in the picture."""
FASTEST = 5000.0
"""The frame rate above which no frame time is shown. Such a rate means that the loop draws frames without
waiting.
"""
GAP = 3.0
GROUND_ALPHA = 0.62
"""Opacity of the background of a text."""

Box = tuple[float, float, float, float]


def names(state: State, view_info: ViewInfo, low: ImVec2, size: ImVec2) -> None:
    """Draw names beside markers; if the option is on, also beside joints. The nearest items come first.

    A name that would cover a nearer name is left out, unless its item is selected or hovered.
    """
    marked = (state.marked, state.view.selection.hover)
    taken: dict[int, list[tuple[float, float]]] = defaultdict(list)
    if view_info.markers:
        some = [(marker.item in marked, printable(marker.name)) for marker in view_info.markers]
        chosen = [number for number, (first, _) in enumerate(some) if first]
        order = _in_sight(view_info.marker_positions, size)
        _names(view_info.marker_positions, list(dict.fromkeys([*chosen, *order])), some, taken, low, size)
    first = [number for number in map(_bone, marked) if number is not None]
    skeleton = state.skeleton if first or state.options.names else None
    if skeleton is None or len(view_info.joints) != len(skeleton):
        return
    order = _in_sight(view_info.joints, size) if state.options.names else []
    bones = [(number in first, printable(name) or f"#{number}") for number, name in enumerate(skeleton.names)]
    _names(view_info.joints, list(dict.fromkeys([*first, *order])), bones, taken, low, size)


def distances(view_info: ViewInfo, low: ImVec2, size: ImVec2) -> None:
    """Draw each measured distance as a text, in the middle of the visible part of its line."""
    draw, high = imgui.get_window_draw_list(), imgui.get_text_line_height()
    for shown in view_info.distances:
        if not np.isfinite(shown.ends).all():
            continue
        x, y = shown.ends[:, :2].mean(axis=0).tolist()
        wide = imgui.calc_text_size(shown.text).x + 2 * GAP
        box = low.x + x * size.x - wide / 2, low.y + y * size.y - 1.6 * high, wide, high
        label(draw, shown.text, box, TEXT)


def _names(
    positions: Array,
    order: list[int],
    named: list[tuple[bool, str]],
    taken: dict[int, list[tuple[float, float]]],
    low: ImVec2,
    size: ImVec2,
) -> None:
    """Draw the names of the items with the indices in `order`.

    `named` has a pair for each item: whether its name is drawn even over other names, and the name. `taken`
    has, for each line of text, the covered intervals.
    """
    draw = imgui.get_window_draw_list()
    for number in order:
        x, y, _ = positions[number]
        first, name = named[number]
        if np.isfinite(x) and np.isfinite(y):
            box = _clipped(name, low.x + x * size.x + GAP * 2, low.y + y * size.y, low, size)
            if _free(taken, box) or first:
                label(draw, name, box, TEXT if first else FAINT)


def _bone(item: Item | None) -> int | None:
    return item.number if isinstance(item, BoneItem) else None


def _in_sight(points: Array, size: ImVec2) -> list[int]:
    """Return the indices of the points [N, 3] in the picture, nearest first, at most one point per cell.

    A cell is as high as a line of text, and twice as wide as high.
    """
    positions = points[:, :2]
    inside = np.flatnonzero(((positions >= 0) & (positions <= 1)).all(axis=1))
    ordered = inside[np.argsort(points[inside, 2], kind="stable")]
    line = imgui.get_text_line_height()
    cells = np.floor(positions[ordered] * (size.x, size.y) / (2 * line, line)).astype(int)
    _, first = np.unique(cells, axis=0, return_index=True)
    return [int(bone) for bone in ordered[np.sort(first)][:SHOWN_NAMES]]


def _clipped(name: str, x: float, y: float, low: ImVec2, size: ImVec2) -> Box:
    """The box of a name to the right of `x` and centred at `y`, moved into the picture."""
    text = imgui.calc_text_size(name)
    wide, high = text.x + 2 * GAP, text.y
    x = max(low.x, min(x, low.x + size.x - wide))
    y = max(low.y, min(y - high / 2, low.y + size.y - high))
    return x, y, wide, high


def _free(taken: dict[int, list[tuple[float, float]]], box: Box) -> bool:
    """Whether no other name covers a box; if so, record the box in `taken`."""
    x, y, wide, high = box
    rows = range(int(y // high), int((y + high) // high) + 1)
    if any(x < end and start < x + wide for row in rows for start, end in taken[row]):
        return False
    for row in rows:
        taken[row].append((x, x + wide))
    return True


def label(draw: imgui.ImDrawList, name: str, box: Box, color: Color, ground: int | None = None) -> None:
    """Draw text over the picture, on a background for contrast. `ground` is another colour of the
    background.
    """
    x, y, wide, high = box
    behind = color32(GROUND, GROUND_ALPHA) if ground is None else ground
    draw.add_rect_filled(ImVec2(x, y), ImVec2(x + wide, y + high), behind, 3.0)
    draw.add_text(ImVec2(x + GAP, y), color32(color), name)


def gizmo(state: State, view_info: ViewInfo, low: ImVec2, size: ImVec2) -> str | None:
    """Draw a ring and a tooltip for the ball of the axis gizmo under the pointer.

    Return the name of the view that belongs to the ball; None if no ball is under the pointer.
    """
    for axis in _under_mouse(view_info, low, size):
        draw = imgui.get_window_draw_list()
        center = ImVec2(low.x + axis.position[0] * size.x, low.y + axis.position[1] * size.y)
        draw.add_circle(center, axis.radius * size.y + 2, color32(TEXT, 0.9), 0, 1.5)
        tooltip(f"{axis.view.capitalize()} view")
        return axis.view
    return None


def _under_mouse(view_info: ViewInfo, low: ImVec2, size: ImVec2) -> Iterator[GizmoAxis]:
    mouse = imgui.get_io().mouse_pos
    for axis in view_info.gizmo_axes:
        x, y = low.x + axis.position[0] * size.x - mouse.x, low.y + axis.position[1] * size.y - mouse.y
        if x * x + y * y <= (axis.radius * size.y) ** 2:
            yield axis


LEGIBLE = 8
"""Shortened texts of the status line have more letters than this."""


def status(state: State, view_info: ViewInfo, low: ImVec2, high: ImVec2) -> None:
    """Draw the status line at the lower edge: frame time, draw statistics, selection.

    A text that does not fit between `low` and `high` is shortened, or left out if few letters remain. A note
    of the interface replaces the line for a few seconds.
    """
    if state.interface.status:
        return
    io = imgui.get_io()
    parts = [
        *([f"{1000 / io.framerate:.1f} ms"] if 0 < io.framerate < FASTEST else []),
    ]
    if view_info.draws:
        parts.append(f"{grouped(view_info.triangles)} triangles")
        parts.append(f"{view_info.draws} draw call{'' if view_info.draws == 1 else 's'}")
    parts += filter(None, [position_text(state)])
    if state.playback.file_camera is not None:
        parts.append(f"through {printable(state.playback.file_camera.name)}")
    item = state.focus
    title = item_title(state, item) if item else ""
    pad = imgui.get_style().window_padding
    line = imgui.get_text_line_height()
    draw = imgui.get_window_draw_list()
    x, y = low.x + pad.x, high.y - line - pad.y
    for text, color in (("   ".join(parts), FAINT), (title, ACCENT)):
        whole, text = text, fitted(text, high.x - pad.x - x - 2 * GAP)
        wide = imgui.calc_text_size(text).x + 2 * GAP
        if text and (text == whole or len(text) > LEGIBLE):
            label(draw, text, (x, y, wide, line), color)
            x += wide + GAP
