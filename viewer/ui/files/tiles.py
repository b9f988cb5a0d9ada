"""The tiles of the wall: their positions and their drawing."""

from __future__ import annotations

import math
from collections.abc import Sequence

from imgui_bundle import ImVec2, ImVec4, imgui
from msgspec import Struct

from viewer.errors import printable
from viewer.session.file_columns import mark_text
from viewer.session.file_table import FileTable
from viewer.session.state import State
from viewer.ui.files.file_rows import ListedFolder, Node, node_key
from viewer.ui.files.file_texts import BROKEN, icon, problem, title
from viewer.ui.files.package_files import FOLDER, folder_label
from viewer.ui.kit.texts import fitted
from viewer.ui.kit.theme import ACCENT, FAINT, RAISED, TEXT, WARNING, color32
from viewer.ui.kit.widgets import mark_words, walked
from viewer.view.view_info import PanelPicture

GAP = 0.7
"""Space between pictures in line heights."""
COPY = "\uf0c5"
MARK = 0.32
"""Size of an icon as a share of the picture."""
KEPT = 8192
"""The largest number of shortened names in the cache."""
INSET = 0.06
"""Space around each picture on a folder's tile, as a share of the tile."""
SMALL = 0.85
"""Size, in font sizes, of the stars, and of the text that says why a tile has no picture."""
STRIP, STARS = imgui.IM_COL32(0, 0, 0, 150), imgui.IM_COL32(255, 205, 70, 255)
CALLED = imgui.IM_COL32(255, 255, 255, 255)
"""Three colours: of the strips on pictures, of the stars, and of the names in the game. These colours do not
depend on the theme, because they are drawn over pictures.
"""


class Grid(Struct, frozen=True):
    """The positions of `count` tiles in rows of `columns`.

    A tile of `across` × `down` points has a square picture of `side` points, the name below the picture, and
    space around them. The first row begins `margin` points below the top.
    """

    count: int
    columns: int
    side: float
    across: float
    down: float
    margin: float = 0.0

    @classmethod
    def of(cls, count: int, width: float, side: float) -> Grid:
        """Make a grid with as many columns as fit into `width` points, evenly spread."""
        line = imgui.get_font_size()
        gap = GAP * line
        columns = max(int(width / (side + gap)), 1)
        return cls(count, columns, side, max(width / columns, 1.0), side + line + gap, gap / 2)

    @property
    def width(self) -> float:
        """The width of all tiles in points."""
        return self.columns * self.across

    @property
    def height(self) -> float:
        """The height of all tiles in points."""
        return math.ceil(self.count / self.columns) * self.down + self.margin

    def at(self, x: float, y: float) -> int:
        """The index of the tile at a point; -1 if there is none."""
        if not 0 <= x < self.width or y < 0:
            return -1
        number = int(max(y - self.margin, 0) / self.down) * self.columns + int(x / self.across)
        return number if number < self.count else -1

    def corner(self, number: int) -> tuple[float, float]:
        """The upper left corner of a tile's picture."""
        row, column = divmod(number, self.columns)
        return round(column * self.across + (self.across - self.side) / 2), row * self.down + self.margin

    def visible(self, scroll: float, height: float) -> range:
        """The indices of the tiles in a window of `height` points, scrolled down by `scroll` points."""
        first = int(max(scroll - self.margin, 0.0) / self.down)
        last = int(max(scroll + height - self.margin, 0.0) / self.down) + 1
        return range(first * self.columns, min(last * self.columns, self.count))

    def scrolled(self, number: int, scroll: float, height: float) -> float:
        """The scroll position at which the whole tile is visible, as near as possible to `scroll`."""
        top = number // self.columns * self.down
        return max(min(scroll, top), top + self.down + self.margin - height, 0.0)

    def walked(self, number: int, height: float) -> int | None:
        """The index of the tile to which a pressed arrow, Home, End or page key leads; None if no such key is
        pressed.
        """
        return walked(number, self.count, max(int(height / self.down), 1) * self.columns, self.columns)


class TileDraw:
    """Draws tiles, and caches their shortened names."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, int], str] = {}

    def __call__(
        self,
        state: State,
        table: FileTable,
        nodes: Sequence[Node],
        inside: range,
        grid: Grid,
        start: tuple[float, float],
        hovered: int,
    ) -> None:
        """Draw the tiles with the indices `inside`. `start` is the grid's upper left corner on the screen."""
        draw, files, side = imgui.get_window_draw_list(), state.files, grid.side
        line, ground = imgui.get_font_size(), color32(RAISED)
        text, round_by = color32(TEXT), imgui.get_style().frame_rounding
        chosen, over = color32(ACCENT, 0.35), color32(TEXT, 0.10)
        room, words = int(grid.across - line / 2), files.result.words
        for number in inside:
            node = nodes[number]
            x, y = grid.corner(number)
            x, y = x + start[0], y + start[1]
            low, high = ImVec2(x, y), ImVec2(x + side, y + side)
            key = node_key(table, node)
            if key in files.selected or number == hovered:
                pad = GAP * line / 3
                around = ImVec2(x - pad, y - pad), ImVec2(x + side + pad, y + side + line + pad)
                draw.add_rect_filled(*around, chosen if key in files.selected else over, round_by)
            draw.add_rect_filled(low, high, ground, round_by)
            self._picture(draw, state, table, node, low, high)
            if isinstance(node, int) and node in table.marks:
                _strip(draw, mark_text(table.marks[node]), low, high)
            if isinstance(node, int) and node in table.called:
                _called(draw, table.called[node], low, high)
            if isinstance(node, int) and node in table.copies:
                _strip(draw, COPY, low, high, right=True)
            if key == files.cursor:
                draw.add_rect(low, high, color32(ACCENT), round_by, max(side / 64, 1.5))
            name = self._name(table, node, room, not state.interface.preferences.files_folded)
            wide = imgui.calc_text_size(name).x
            corner = ImVec2(x + (side - wide) / 2, y + side + 1)
            draw.add_text(corner, text, name)
            mark_words(words, name, corner)

    def _picture(
        self, draw: imgui.ImDrawList, state: State, table: FileTable, node: Node, low: ImVec2, high: ImVec2
    ) -> None:
        """Draw a file's picture. Without a picture, draw its icon or the reason why there is no picture."""
        if not isinstance(node, int):
            _folder(draw, state, node, low, high)
            return
        files, path = state.files, table.path(node)
        found = files.turned(path, files.turn) if path == files.turning else ""
        if isinstance(found, str):
            found = files.picture(path)
        if isinstance(found, PanelPicture):
            draw.add_image(imgui.ImTextureRef(found.glo), low, high)
            return
        reason = problem(files, table, node)
        if reason:
            _mark(draw, BROKEN, low, ImVec2(high.x, (low.y + high.y) / 2), color32(WARNING), 2 * MARK)
            _reason(draw, reason, low, high)
        else:
            _mark(draw, icon(table, node), low, high, color32(FAINT, 0.5))

    def _name(self, table: FileTable, node: Node, room: int, distinct: bool) -> str:
        """Return the name of a tile, shortened to `room` points. See `title` for `distinct`."""
        whole = title(table, node, distinct) if isinstance(node, int) else folder_label(node)
        found = self._names.get((whole, room))
        if found is None:
            if len(self._names) >= KEPT:
                self._names.clear()
            found = self._names[whole, room] = fitted(whole, room)
        return found


def _folder(draw: imgui.ImDrawList, state: State, folder: ListedFolder, low: ImVec2, high: ImVec2) -> None:
    """Draw the pictures of a folder's first files and a small icon. Without pictures, draw a large icon."""
    found = [each for each in map(state.files.picture, folder.previews) if isinstance(each, PanelPicture)]
    side = high.x - low.x
    gap = side * INSET
    small = (side - 3 * gap) / 2
    for number, each in enumerate(found):
        x, y = low.x + gap + number % 2 * (small + gap), low.y + gap + number // 2 * (small + gap)
        draw.add_image(imgui.ImTextureRef(each.glo), ImVec2(x, y), ImVec2(x + small, y + small))
    corner = ImVec2(high.x - small / 2, high.y - small / 2) if found else low
    _mark(draw, FOLDER, corner, high, color32(ACCENT), 2 * MARK if found else MARK)


def _mark(
    draw: imgui.ImDrawList, text: str, low: ImVec2, high: ImVec2, color: int, share: float = MARK
) -> None:
    """Draw an icon in the middle of a rectangle."""
    size = max(round((high.y - low.y) * share), 8)
    scale = size / imgui.get_font_size()
    wide = imgui.calc_text_size(text)
    corner = ImVec2((low.x + high.x - wide.x * scale) / 2, (low.y + high.y - wide.y * scale) / 2)
    draw.add_text(imgui.get_font(), size, corner, color, text)


def _strip(draw: imgui.ImDrawList, text: str, low: ImVec2, high: ImVec2, right: bool = False) -> None:
    """Draw a mark over the lower left corner of a tile, or over its lower `right` corner. A dark strip below
    the mark makes it legible on any picture.
    """
    if not text:
        return
    size = imgui.get_font_size()
    wide = imgui.calc_text_size(text).x
    scale = min(SMALL, (high.x - low.x) / (wide + size))
    pad = size * scale / 4
    width = wide * scale + 4 * pad
    corner = ImVec2(high.x - width if right else low.x, high.y - size * scale - 2 * pad)
    draw.add_rect_filled(corner, ImVec2(corner.x + width, high.y), STRIP, imgui.get_style().frame_rounding)
    draw.add_text(imgui.get_font(), size * scale, ImVec2(corner.x + 2 * pad, corner.y + pad), STARS, text)


def _called(draw: imgui.ImDrawList, names: str, low: ImVec2, high: ImVec2) -> None:
    """Draw the names of a model in the game's tables on a dark strip along the upper edge of its tile."""
    size = imgui.get_font_size() * SMALL
    pad = size / 4
    text = fitted(printable(names), (high.x - low.x - 4 * pad) / SMALL)
    draw.add_rect_filled(low, ImVec2(high.x, low.y + size + 2 * pad), STRIP, imgui.get_style().frame_rounding)
    draw.add_text(imgui.get_font(), size, ImVec2(low.x + 2 * pad, low.y + pad), CALLED, text)


def _reason(draw: imgui.ImDrawList, reason: str, low: ImVec2, high: ImVec2) -> None:
    """Draw the reason why a tile has no picture into its lower half."""
    size = imgui.get_font_size() * SMALL
    pad = size / 2
    corner = ImVec2(low.x + pad, (low.y + high.y) / 2)
    clip = ImVec4(low.x, low.y, high.x, high.y)
    room = high.x - low.x - 2 * pad
    draw.add_text(imgui.get_font(), size, corner, color32(TEXT), reason, room, clip)
