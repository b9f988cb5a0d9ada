"""The line above the hex view: go to an offset, find bytes, copy."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.ui.bytes.byte_selection import ByteSelection, parse_offset
from viewer.ui.bytes.copy_text import FORMATS
from viewer.ui.bytes.search import FLOATS, INTEGERS, KINDS, ORDERS, Search, finders, is_hex
from viewer.ui.kit.theme import ERROR, FAINT
from viewer.ui.kit.widgets import Memo, colored, copy_text, hint, wrapped

COPIED_BYTES = 1 << 24
"""The largest selection that can be copied."""
EXAMPLES = {"bytes": "42 69 ?? 70, or text", "text": "Head", "UTF-16": "Head"} | dict.fromkeys(
    FLOATS, "0.25 or 1.5±0.01"
)


class FindBar:
    """The find bar. It keeps the search text, so F3 works in the whole panel.

    `shown_key` is the text of the key that gives the Find field the focus; the empty field shows this text.
    """

    def __init__(self) -> None:
        self._search = Memo()
        self._text = self._goto = ""
        self._kind, self._order = KINDS[0], ORDERS[0]
        self._error = self._goto_error = ""
        self._focus = self.shown_key = ""
        self._jump = False

    @property
    def search(self) -> Search | None:
        """The search for the text; None if the text is empty or not a valid pattern."""
        found: Search | None = self._search.value
        return found

    @property
    def busy(self) -> bool:
        """Whether the search is running, or a field gets the keyboard focus in the next frame."""
        return bool(self._focus) or (self.search is not None and not self.search.done)

    def keys(self, view: ByteSelection, everywhere: bool = False) -> None:
        """Handle Ctrl+G, F3 and Shift+F3 while the panel has the focus.

        With `everywhere`, handle these keys too while another panel has the focus, if that panel does not use
        them.
        """
        key, ctrl, shift = imgui.Key, imgui.Key.mod_ctrl, imgui.Key.mod_shift
        route = int(imgui.InputFlags_.route_global if everywhere else imgui.InputFlags_.none)
        if imgui.shortcut(int(ctrl | key.g), route):
            self._focus = "go to"
        for chord, forward in ((key.f3, True), (shift | key.f3, False)):
            if imgui.shortcut(int(chord), route | int(imgui.InputFlags_.repeat)):
                self.step(view, forward)

    def focus_field(self) -> None:
        """Give the Find field the keyboard focus when it is drawn next."""
        self._focus = "find"

    def __call__(self, view: ByteSelection) -> None:
        """Draw the bar and continue the search."""
        em = imgui.get_font_size()
        room = imgui.get_content_region_avail().x
        wide = room > 34 * em
        self._go_to(view, 8 * em if wide else room * 0.32)
        imgui.same_line()
        self._copy(view)
        if wide:
            imgui.same_line()
        self._find(view)
        for error in filter(None, (self._goto_error, self._error)):
            wrapped(error, ERROR)
        self._advance(view)

    def _go_to(self, view: ByteSelection, width: float) -> None:
        imgui.set_next_item_width(width)
        entered, self._goto = self._field("go to", "Go to  Ctrl+G", self._goto)
        if entered:
            try:
                offset, self._goto_error = parse_offset(self._goto, view.cursor, view.digits), ""
                view.move_cursor(offset)
            except ValueError:
                self._goto_error = "Go to an offset, such as 0x1F, 31 or +16"

    def _field(self, name: str, shown: str, text: str) -> tuple[bool, str]:
        """Draw a text field; return whether Enter was pressed, and the text."""
        if self._focus == name:
            imgui.set_keyboard_focus_here()
            self._focus = ""
        flags = imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.auto_select_all
        entered, text = imgui.input_text_with_hint(f"##{name}", shown, text, flags)
        return entered, text

    def _copy(self, view: ByteSelection) -> None:
        if imgui.button("Copy"):
            imgui.open_popup("copy")
        if imgui.begin_popup("copy"):
            copy_menu(view)
            imgui.end_popup()

    def _find(self, view: ByteSelection) -> None:
        em = imgui.get_font_size()
        imgui.set_next_item_width(4.6 * em)
        self._kind = _choice("kind", self._kind, KINDS)
        if self._kind == "UTF-16" or (self._kind in (*INTEGERS, *FLOATS) and self._kind[1:] != "8"):
            imgui.same_line()
            imgui.set_next_item_width(4.2 * em)
            self._order = _choice("order", self._order, ORDERS)
            hint("Byte order")
        imgui.same_line()
        imgui.set_next_item_width(max(imgui.get_content_region_avail().x - 12 * em, 5 * em))
        entered, self._text = self._field("find", f"Find  {self.shown_key}".rstrip(), self._text)
        hint(f"{_title(self._kind)}: {EXAMPLES.get(self._kind, '17 or 0x11')}")
        if entered:
            self._focus = "find"  # keep the focus, so that Enter finds the next hit
            self.step(view, not imgui.get_io().key_shift)
        for label, forward, key in (("<", False, "Shift+F3"), (">", True, "F3")):
            imgui.same_line(0, imgui.get_style().item_inner_spacing.x)
            if imgui.button(label):
                self.step(view, forward)
            hint(key)
        imgui.same_line()
        colored(self._verdict(view), FAINT)

    def _advance(self, view: ByteSelection) -> None:
        """Start a search if the pattern has changed, and search the next slice."""
        asked = (view.document, self._text, self._kind, self._order)
        search: Search | None = self._search.get(asked, lambda: self._begun(view))
        if search is not None:
            search.advance()
            if self._jump and (len(search.hits) or search.done):
                self._jump = False
                self._show(view, search.neighbour(view.cursor - 1, True))

    def _begun(self, view: ByteSelection) -> Search | None:
        self._error = ""
        try:
            return Search(view.data, finders(self._text, self._kind, self._order)) if self._text else None
        except ValueError as error:
            self._error = f"Find: {error}"
            return None

    def step(self, view: ByteSelection, forward: bool) -> None:
        """Select the next or the previous hit.

        If no hit is known yet, the first hit is selected when it is found.
        """
        if self.search is None or not len(self.search.hits):
            self._jump = True
        else:
            self._show(view, self.search.neighbour(view.first, forward))

    def _show(self, view: ByteSelection, number: int | None) -> None:
        if self.search is not None and number is not None:
            view.select(int(self.search.hits[number]), self.search.width)

    def _verdict(self, view: ByteSelection) -> str:
        """The result of the search: `3 of 17`, with `+` while the search is not finished; empty without a
        search.

        If the text is not hexadecimal and was therefore searched as text, the verdict says so.
        """
        if self.search is None:
            return ""
        search, hits = self.search, self.search.hits
        count = f"{len(hits)}{'' if search.done and not search.full else '+'}"
        at = int(hits.searchsorted(view.first))
        on = at < len(hits) and hits[at] == view.first
        kind = " as text" if self._kind == "bytes" and not is_hex(self._text) else ""
        return f"{at + 1} of {count}{kind}" if on else f"{count} found{kind}"


def copy_menu(view: ByteSelection) -> None:
    """Draw the menu that copies the selected bytes in one of the formats."""
    size = view.last - view.first + 1
    for name, write in FORMATS.items():
        key = "Ctrl+C" if name == "Hex" else ""
        if imgui.menu_item_simple(name, key, False, len(view.data) > 0 and size <= COPIED_BYTES):
            copy_text(write(view.selected))
    if imgui.menu_item_simple("Offset"):
        copy_text(f"0x{view.first:X}")


def _choice(name: str, now: str, offered: tuple[str, ...]) -> str:
    if imgui.begin_combo(f"##{name}", _title(now), imgui.ComboFlags_.height_large):
        for each in offered:
            if imgui.selectable(_title(each), each == now)[0]:
                now = each
        imgui.end_combo()
    return now


def _title(choice: str) -> str:
    """Return the text of a choice: `Bytes`; names of types such as `i16` stay."""
    return choice.capitalize() if choice.isalpha() else choice
