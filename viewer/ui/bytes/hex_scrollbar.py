"""The scroll bar of the hex view: it scrolls by lines, and marks problems and hits."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.ui.bytes.byte_selection import ByteSelection
from viewer.ui.bytes.search import Search
from viewer.ui.kit.theme import ERROR, FAINT, LINE, WARNING, color32

BAR = 0.75
"""Width in letter heights."""
LEAST = 1.2
"""Height of the grip in letter heights."""
MARKS = 200


def scrollbar(top: int, shown: int, total: int, view: ByteSelection, search: Search | None) -> int:
    """Draw the bar at the right edge and return the new top line."""
    em, room = imgui.get_font_size(), imgui.get_content_region_avail()
    origin = imgui.get_cursor_screen_pos()
    left, width = origin.x + room.x - BAR * em, BAR * em
    most = max(total - shown, 0)
    grip = max(room.y * min(shown / max(total, 1), 1.0), min(LEAST * em, room.y))
    free = max(room.y - grip, 1e-6)
    imgui.set_cursor_screen_pos(ImVec2(left, origin.y))
    imgui.invisible_button("scroll", ImVec2(max(width, 1), max(room.y, 1)))
    if imgui.is_item_active() and most:
        along = (imgui.get_mouse_pos().y - origin.y - grip / 2) / free
        top = round(max(0.0, min(along, 1.0)) * most)
    draw = imgui.get_window_draw_list()
    if most:
        y = origin.y + free * top / most
        held = imgui.is_item_hovered() or imgui.is_item_active()
        color = color32(FAINT, 0.6) if held else color32(LINE)
        draw.add_rect_filled(ImVec2(left + 2, y), ImVec2(left + width, y + grip), color, width / 3)
    for offset, color in _marks(view, search):
        y = origin.y + room.y * offset / max(len(view.data), 1)
        draw.add_rect_filled(ImVec2(left, y), ImVec2(left + width, y + 2), color)
    return top


def _marks(view: ByteSelection, search: Search | None) -> list[tuple[int, int]]:
    """The offsets and colours of some hits and problems, spread over the file."""
    hits = search.hits if search is not None else ()
    found = view.problems.found
    marks = [(int(hit), color32(WARNING, 0.5)) for hit in hits[:: len(hits) // MARKS + 1]]
    return marks + [
        (problem.offset, color32(ERROR if problem.error else WARNING))
        for problem in found[:: len(found) // MARKS + 1]
    ]
