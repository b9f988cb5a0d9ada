"""The list of a creature's displays, in the properties of its document."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.actions import ACTIONS_BY_NAME
from viewer.actions.displays import choose_display, chosen_number, displays_of
from viewer.errors import printable
from viewer.scene.document import Document
from viewer.scene.looks import OPAQUE, Display, Displays, DistinctDisplay, displays_text
from viewer.scene.text_filter import EVERYTHING, TextFilter
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.kit.texts import fitted, label_text, number_text
from viewer.ui.kit.theme import FAINT
from viewer.ui.kit.widgets import Memo, clipped, colored, faint, filter_box, found_line, hint, walked
from viewer.ui.properties.page_widgets import section

ROWS = 10
"""The largest number of rows that are visible at once."""
SEARCHED = 8
"""The smallest number of rows for which the list has a filter."""
NAMED = 40
"""The largest number of ids in a tooltip."""
WITHOUT = "Without a display"
NUMBER = 6.0
"""The width of the column of ids in font sizes."""


class DisplayList:
    """The list of distinct displays. A click chooses a display; while the list has the focus, the arrow keys
    choose the next display. The filter accepts ids, and parts of texture names.
    """

    def __init__(self) -> None:
        self._filter, self._path, self._scrolls = EVERYTHING, "", False
        self._rows = Memo()

    def __call__(self, state: State, post: Post, document: Document) -> None:
        """Draw the list, if the model has displays."""
        displays = displays_of(state)
        if displays is None or state.document is not document:
            return
        if document.path != self._path:
            self._filter, self._path = EVERYTHING, document.path
        with section("Displays") as shown:
            if shown:
                faint(displays_text(displays))
                if imgui.text_link("Show all on the wall"):
                    ACTIONS_BY_NAME["display_wall"].run(state, post)
                if len(displays.distinct) >= SEARCHED or len(displays.listed) >= SEARCHED:
                    self._filter = filter_box("displays", self._filter, tip="Texture or id")
                self._list(state, displays, self._matching(document, displays))
                _ids(state, displays)

    def _matching(self, document: Document, displays: Displays) -> list[Display | None]:
        """The displays to list for the filter text, see `matching`."""
        rows: list[Display | None] = self._rows.get(
            (document, self._filter), lambda: matching(displays, self._filter)
        )
        return rows

    def _list(self, state: State, displays: Displays, rows: list[Display | None]) -> None:
        height = imgui.get_text_line_height_with_spacing()
        size = ImVec2(0, height * min(max(len(rows), 1), ROWS) + imgui.get_style().item_spacing.y)
        if imgui.begin_child("displays", size, imgui.ChildFlags_.nav_flattened):
            chosen = _row_of(state, displays, rows)
            if imgui.is_window_focused():
                target = walked(-1 if chosen is None else chosen, len(rows), ROWS - 1, sideways=True)
                if target is not None:
                    choose_display(state, rows[target])
                    chosen, self._scrolls = target, True
            if chosen is not None and self._scrolls:
                _scroll_to(chosen, height)
                self._scrolls = False
            for number in clipped(len(rows), height):
                imgui.push_id(number)
                if _row(displays, rows[number], number == chosen, self._filter):
                    choose_display(state, rows[number])
                imgui.pop_id()
            if not rows:
                faint("No display has this texture or id")
        imgui.end_child()


def matching(displays: Displays, wanted: TextFilter) -> list[Display | None]:
    """The displays that a filter lists. The display whose id is the text comes first. Then comes one display
    of each group of displays that are drawn alike, if the title of the group contains the words of the
    filter. A filter without words lists None, which stands for the model without a display, then one display
    of each group.
    """
    if not wanted:
        return [None, *(each.first for each in displays.distinct)]
    named = (each.first for each in displays.distinct)
    found = [each for each in named if wanted.fits(each.title)]
    exact = [each for each in displays.listed if str(each.id) == wanted.text.strip()]
    return [*exact, *(each for each in found if each not in exact)]


def _row_of(state: State, displays: Displays, rows: list[Display | None]) -> int | None:
    """The number of the row with the chosen display; None if the filter leaves it out."""
    id, number = state.view.display, chosen_number(state)
    exact = (n for n, each in enumerate(rows) if (None if each is None else each.id) == id)
    alike = (n for n, each in enumerate(rows) if each is not None and displays.number_of(each) == number)
    return next(exact, next(alike, None))


def _row(displays: Displays, display: Display | None, chosen: bool, wanted: TextFilter) -> bool:
    """Draw a row; return whether it was clicked."""
    left = imgui.get_cursor_pos_x()
    room = imgui.get_content_region_avail().x - NUMBER * imgui.get_font_size()
    title = WITHOUT if display is None else label_text(display.title)
    if display is not None and not any(display.textures):
        title = title.capitalize()
    clicked = found_line(fitted(title, room), "row", chosen, wanted)
    if display is None:
        return clicked
    alike = displays.distinct[displays.number_of(display) or 0]
    hint(lambda: details(display, alike))
    imgui.same_line(left + max(room, 0.0))
    more = len(alike.ids) - 1
    colored(f"{display.id}" + (f" +{more}" if more else ""), FAINT)
    return clicked


def details(display: Display, alike: DistinctDisplay) -> str:
    """The tooltip of a row: what the display changes, and the ids of all displays that are drawn alike."""
    ids = ", ".join(map(str, alike.ids[:NAMED]))
    more = len(alike.ids) - NAMED
    lines = (
        "\n".join(filter(None, display.textures)),
        "" if display.complete else "Files of these textures are missing",
        f"Scale {number_text(display.scale)}",
        "" if display.alpha == OPAQUE else f"Alpha {display.alpha} of {OPAQUE}",
        f"Geosets {', '.join(map(str, display.geosets))}" if display.geosets else "",
        f"Particle colours {display.colors}" if display.colors else "",
        f"Character {display.extra}" if display.extra else "",
        f"{'Ids' if more > 1 - NAMED else 'Id'} {ids}" + (f" and {more} more" if more > 0 else ""),
    )
    return printable_lines(lines)


def printable_lines(lines: tuple[str, ...]) -> str:
    """Join the lines that are not empty. Control characters of the tables are escaped."""
    return "\n".join(printable(part) for line in lines if line for part in line.split("\n"))


def _ids(state: State, displays: Displays) -> None:
    """Draw a choice among the ids that differ only in size from the chosen display."""
    number = chosen_number(state)
    if number is None or len(displays.distinct[number].ids) < 2:
        return
    by_id = {each.id: each for each in displays.listed}
    ids = displays.distinct[number].ids
    imgui.set_next_item_width(-1)
    chosen = state.view.display if isinstance(state.view.display, int) else ids[0]
    if imgui.begin_combo("##id", _id_text(by_id[chosen])):
        for at in clipped(len(ids)):
            if imgui.selectable(_id_text(by_id[ids[at]]), ids[at] == state.view.display)[0]:
                choose_display(state, by_id[ids[at]])
        imgui.end_combo()


def _id_text(display: Display) -> str:
    return f"{display.id}, scale {number_text(display.scale)}"


def _scroll_to(row: int, height: float) -> None:
    """Scroll the list until a row is visible."""
    top, room = imgui.get_scroll_y(), imgui.get_window_height()
    if not top <= row * height <= top + room - height:
        imgui.set_scroll_y(max((row + 0.5) * height - room / 2, 0.0))
