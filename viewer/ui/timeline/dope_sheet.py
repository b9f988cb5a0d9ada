"""The dope sheet: its rows, its keyframes as diamonds and bars, and its tooltips."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np
from imgui_bundle import ImVec2, imgui, implot
from msgspec import Struct

from viewer.animation.key_times import KeyTimes, vertex_tracks
from viewer.errors import printable
from viewer.scene.animation import Animation, match
from viewer.scene.items import BoneItem, KeyItem
from viewer.scene.skeleton import Skeleton
from viewer.scene.text_filter import TextFilter
from viewer.session.state import State
from viewer.ui.kit.texts import fitted, indentation
from viewer.ui.kit.theme import ACCENT, FAINT, LINE, TEXT, WARNING, color32, rgba
from viewer.ui.kit.widgets import Memo, mark_words
from viewer.ui.timeline.keys import KeyMarks, file_location, key_item, marks, nearest, track_item
from viewer.ui.timeline.ruler import TimelineBands, TimeScale, label


class DopeRow(Struct, frozen=True):
    """A row of the dope sheet.

    `bone` is the index of the bone, None for a track without a bone. `keys` is the index of the row in
    `KeyTimes`, None for a bone without keyframes.
    """

    name: str
    depth: int
    bone: int | None
    keys: int | None


def dope_rows(
    animation: Animation,
    keys: KeyTimes,
    skeleton: Skeleton | None,
    shown: str,
    wanted: TextFilter,
    picked: int | None,
) -> list[DopeRow]:
    """Return the rows: vertex tracks, then bones with parents before children, then tracks without a bone.

    `shown` chooses the listed bones: `animated` lists only animated bones, `all` lists all bones, and
    `selected` lists the bone `picked` and its descendants. Only names that contain all words of `wanted`
    are listed. The depth of a bone also counts parents that are not listed.
    """
    names = skeleton.names if skeleton else ()
    found = match(animation, names)
    rows = {bone: keys.rows[target] for target, bone in found.bones.items() if target in keys.rows}
    listed = [
        DopeRow(names[bone] or f"#{bone}", depth, bone, rows.get(bone))
        for bone, depth in (_ordered(skeleton) if skeleton else ())
    ]
    if shown == "selected":
        inside = skeleton.subtree(picked) if skeleton and picked is not None else ()
        listed = [row for row in listed if row.bone is not None and len(inside) and inside[row.bone]]
    else:
        listed = [row for row in listed if shown == "all" or row.keys is not None]
        vertices = vertex_tracks(animation)
        listed = [DopeRow(name, 0, None, keys.rows.get(name)) for name in vertices] + listed
        listed += [DopeRow(name, 0, None, keys.rows.get(name)) for name in found.unmatched]
    return [row for row in listed if wanted.fits(row.name)]


def _ordered(skeleton: Skeleton) -> list[tuple[int, int]]:
    """Return the bones with their depths; each bone comes before its descendants."""
    below: dict[int, list[int]] = defaultdict(list)
    for bone, parent in enumerate(skeleton.parents.tolist()):
        below[parent].append(bone)
    ordered, waiting = [], [(bone, 0) for bone in reversed(below[-1])]
    while waiting:
        bone, depth = waiting.pop()
        ordered.append((bone, depth))
        waiting += [(child, depth + 1) for child in reversed(below[bone])]
    return ordered


REACH = 6.0
GAP = 4.0
"""Space in points on both sides of the names."""
STEP = 0.6
"""The indentation of a row for each level of the hierarchy, in font sizes."""
PLOT = int(implot.Flags_.canvas_only | implot.Flags_.no_inputs | implot.Flags_.no_frame)
BARE = int(implot.AxisFlags_.no_decorations | implot.AxisFlags_.no_highlight)
DOWNWARDS = BARE | int(implot.AxisFlags_.invert)
SEGMENTS = int(implot.LineFlags_.segments)


class DopeSheetView(Struct, frozen=True, eq=False):
    """The visible part of the dope sheet.

    `listed` are the visible rows; `first` is the index of the first visible row; the words of `wanted` are
    marked in them. `line` is the height of a
    row in pixels. `names` is the left edge of the names in pixels.
    """

    animation: Animation
    keys: KeyTimes
    listed: Sequence[DopeRow]
    first: int
    line: float
    names: float
    scale: TimeScale
    bands: TimelineBands
    wanted: TextFilter

    def row_at(self, y: float) -> DopeRow | None:
        """The row at the screen position `y`, None if there is none."""
        number = int((y - self.bands.rows) // self.line)
        return self.listed[number] if y >= self.bands.rows and number < len(self.listed) else None

    def key_at(self, x: float, y: float, reach: float) -> tuple[DopeRow | None, int] | None:
        """The row and the keyframe index at most `reach` pixels from a point on the screen. None if there is
        no keyframe.

        The row is None in the summary line, which has all keyframes.
        """
        row = self.row_at(y)
        if (row is None or row.keys is None) and not self.bands.summary <= y < self.bands.rows:
            return None
        times = self.keys.all if row is None or row.keys is None else self.keys.row(row.keys)
        found = nearest(times, self.scale.time(x), reach / self.scale.density)
        return None if found is None else (row, found)

    def fitted_name(self, row: DopeRow) -> tuple[float, str]:
        """The indentation of a row in points, and its name fitted to the column of names."""
        name, room = printable(row.name), self.scale.left - self.names - 2 * GAP
        moved = indentation(row.depth, imgui.get_font_size() * STEP, room, imgui.calc_text_size(name).x)
        return moved, fitted(name, room - moved)

    def key_number(self, row: DopeRow, key: int) -> int:
        """The index of a row's keyframe within its track."""
        assert row.keys is not None
        return int(self.keys.numbers[self.keys.starts[row.keys] + key])


def draw_rows(state: State, sheet: DopeSheetView) -> None:
    """Draw the names of the rows, and a band over the whole width for selected and hovered rows."""
    draw, line, left = imgui.get_window_draw_list(), sheet.line, sheet.names
    right = sheet.scale.left + sheet.scale.width
    picked, hover = state.view.bone, state.view.selection.hover
    top = (line - imgui.get_font_size()) / 2
    inks = {True: color32(TEXT), False: color32(FAINT)}
    draw.add_text(ImVec2(left + GAP, sheet.bands.summary + top), inks[True], "All keys")
    low = ImVec2(left, sheet.bands.rows)
    draw.add_line(low, ImVec2(right, sheet.bands.rows), color32(LINE))
    draw.push_clip_rect(low, ImVec2(sheet.scale.left - GAP, sheet.bands.bottom), True)
    bands = []
    for number, row in enumerate(sheet.listed):
        y = sheet.bands.rows + number * line
        if row.bone is not None and (row.bone == picked or hover == BoneItem(row.bone)):
            bands.append((y, row.bone == picked))
        lost = row.bone is None and state.skeleton is not None and row.name in sheet.animation.targets
        ink = color32(WARNING) if lost else inks[row.keys is not None]
        moved, name = sheet.fitted_name(row)
        corner = ImVec2(left + GAP + moved, y + top)
        draw.add_text(corner, ink, name)
        mark_words(sheet.wanted, name, corner)
    draw.pop_clip_rect()
    for y, chosen in bands:
        ink = color32(ACCENT, 0.22) if chosen else color32(TEXT, 0.07)
        draw.add_rect_filled(ImVec2(left, y), ImVec2(right, y + line), ink)


def draw_marks(
    state: State, sheet: DopeSheetView, memo: Memo, below: Callable[[State, DopeSheetView], None] | None
) -> None:
    """Draw all visible keyframes in three plots: one for diamonds, one for bars, and one for the selected
    keyframe. `below` draws in the same plot before them; see `_axes`.
    """
    scale, size = sheet.scale, imgui.get_font_size()
    view, gap = (scale.start, scale.end), size * 0.3
    rows = [row.keys for row in sheet.listed]
    found: KeyMarks = memo.get(
        (sheet.keys, view, scale.width, gap, tuple(rows)),
        lambda: marks(
            [(0, sheet.keys.all)]
            + [(n + 1, sheet.keys.row(row)) for n, row in enumerate(rows) if row is not None],
            view,
            scale.width,
            gap,
        ),
    )
    height = sheet.bands.bottom - sheet.bands.summary
    imgui.set_cursor_screen_pos(ImVec2(scale.left, sheet.bands.summary))
    implot.push_style_var(implot.StyleVar_.plot_padding, ImVec2(0, 0))
    implot.push_style_var(implot.StyleVar_.plot_border_size, 0.0)
    implot.push_style_color(implot.Col_.plot_bg, 0)
    if implot.begin_plot("##keys", ImVec2(scale.width, height), PLOT):
        _axes(sheet, height)
        if below is not None:
            below(state, sheet)
        _plot(state, sheet, found)
        implot.end_plot()
    implot.pop_style_color()
    implot.pop_style_var(2)


def _axes(sheet: DopeSheetView, height: float) -> None:
    """Set up the axes of the plot of marks: x in pixels to the right, y in lines downwards. Line 0 is the
    summary.
    """
    implot.setup_axes("", "", BARE, DOWNWARDS)
    implot.setup_axes_limits(0, sheet.scale.width, -0.5, height / sheet.line - 0.5, imgui.Cond_.always)


def _plot(state: State, sheet: DopeSheetView, found: KeyMarks) -> None:
    """Plot the marks."""
    size = imgui.get_font_size()
    if len(found.bar_xs):
        spec = implot.Spec(line_color=rgba(FAINT, 0.55), line_weight=sheet.line * 0.42, flags=SEGMENTS)
        implot.plot_line("##bars", found.bar_xs, found.bar_lines, spec)
    if len(found.xs):
        implot.plot_scatter("##keys", found.xs, found.lines, _diamonds(size * 0.3, FAINT))
    chosen = _chosen_position(state, sheet)
    if chosen is not None:
        spec = _diamonds(size * 0.4, ACCENT)
        implot.plot_scatter("##chosen", np.array([chosen[0]]), np.array([chosen[1]]), spec)


def _diamonds(radius: float, ink: object) -> implot.Spec:
    """The look of diamonds without outlines, which would have four times as many vertices as the diamonds."""
    color = rgba(ink)  # type: ignore[arg-type]
    return implot.Spec(
        marker=int(implot.Marker_.diamond),
        marker_size=radius,
        marker_fill_color=color,
        marker_line_color=color,
        line_weight=0.0,
    )


def _chosen_position(state: State, sheet: DopeSheetView) -> tuple[float, float] | None:
    """The x in pixels and the line of the selected keyframe; None if its row is not visible."""
    picked = state.view.selection.picked
    if not isinstance(picked, KeyItem):
        return None
    for line, row in enumerate(sheet.listed):
        track = None if row.keys is None else track_item(state, sheet.animation, _target(sheet, row))
        if row.keys is None or track != picked.track:
            continue
        start, end = sheet.keys.starts[row.keys : row.keys + 2]
        at = np.flatnonzero(sheet.keys.numbers[start:end] == picked.number)
        if len(at):
            return (
                float(sheet.keys.row(row.keys)[at[0]]) - sheet.scale.start
            ) * sheet.scale.density, line + 1.0
    return None


def _target(sheet: DopeSheetView, row: DopeRow) -> str:
    assert row.keys is not None
    return sheet.keys.targets[row.keys]


def item_of(state: State, sheet: DopeSheetView, row: DopeRow, key: int) -> KeyItem | None:
    """The item of keyframe `key` of a row; None if its bytes are unknown."""
    return key_item(state, sheet.animation, _target(sheet, row), sheet.key_number(row, key))


def key_text(state: State, sheet: DopeSheetView, row: DopeRow | None, key: int) -> str:
    """The tooltip of a keyframe: bone, time, channels, and offset of its bytes."""
    times = sheet.keys.all if row is None or row.keys is None else sheet.keys.row(row.keys)
    at, fps = float(times[key]), state.view.clock.fps
    lines = [f"{label(at, fps, False)} s   frame {round(at * fps, 2):g}"]
    if row is None or row.keys is None:
        return "\n".join(["All keys", *lines])
    number = sheet.key_number(row, key)
    head = f"{printable(row.name)}   key {number} of {len(times)}"
    tail = file_location(state, sheet.animation, item_of(state, sheet, row, key))
    return "\n".join(filter(None, [head, *lines, "  ".join(sheet.keys.paths[row.keys]), tail]))
