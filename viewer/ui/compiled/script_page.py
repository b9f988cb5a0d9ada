"""The page of a compiled script: its header, the entropy of its bytes, and its texts."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.errors import printable
from viewer.scene.document import Document
from viewer.scene.items import ByteItem, Item, TextItem
from viewer.scene.script import CompiledScript, Entropy, ScriptLiteral, entropy
from viewer.scene.text_filter import EVERYTHING, TextFilter
from viewer.session.layouts import VIEW
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.kit.texts import grouped
from viewer.ui.kit.theme import ACCENT, FAINT, LINE, TEXT, color32
from viewer.ui.kit.widgets import (
    WHOLE_ROW,
    Memo,
    clipped,
    colored,
    faint,
    filter_box,
    hint,
    mark_words,
    mono,
    wrapped,
)
from viewer.ui.properties.page_widgets import field, section, table

HIGH = 7.0
"""Height of the plot in letter heights."""
BITS = 8.0


class EntropyPlot:
    """A bar plot of the entropy per block of bytes. A click selects the first byte of a block."""

    def __init__(self) -> None:
        self._known = Memo()

    def __call__(self, state: State, document: Document) -> None:
        """Draw the plot over the available width."""
        found: Entropy = self._known.get(document, lambda: entropy(document.data))
        if not len(found.bits):
            return
        width, height = imgui.get_content_region_avail().x, HIGH * imgui.get_font_size()
        low = imgui.get_cursor_screen_pos()
        imgui.invisible_button("entropy", ImVec2(max(width, 1), height))
        draw, step = imgui.get_window_draw_list(), width / len(found.bits)
        base = low.y + height
        marked = _block(state, found)
        for number, bits in enumerate(found.bits.tolist()):
            left = low.x + number * step
            color = color32(TEXT if number == marked else ACCENT, 0.9 if number == marked else 0.6)
            top = ImVec2(left, base - height * bits / BITS)
            draw.add_rect_filled(top, ImVec2(left + max(step - 0.5, 1.0), base), color)
        for bits in (2, 4, 6, 8):
            y = base - height * bits / BITS
            draw.add_line(ImVec2(low.x, y), ImVec2(low.x + width, y), color32(LINE))
            draw.add_text(ImVec2(low.x + 2, y), color32(TEXT), str(bits))
        if imgui.is_item_hovered():
            number = int((imgui.get_mouse_pos().x - low.x) / step)
            if 0 <= number < len(found.bits):
                _hover_block(state, found, number)


def _hover_block(state: State, found: Entropy, number: int) -> None:
    """Show the tooltip of a bar; on a click, select the first byte of its block."""
    offset = number * found.block
    state.view.selection.point(ByteItem(offset))
    if imgui.is_item_clicked():
        state.view.selection.pick(ByteItem(offset))
    hint(f"{found.bits[number]:.2f} bits a byte\n{found.block} bytes at 0x{offset:X}")


def _block(state: State, found: Entropy) -> int | None:
    """The index of the selected byte's block; None if no byte is selected."""
    picked = state.view.selection.picked
    return picked.number // found.block if isinstance(picked, ByteItem) else None


OFFSET = 9.0
"""Width of the offset column in digits."""


class ScriptPage:
    """The page of a compiled script."""

    def __init__(self) -> None:
        self._plot = EntropyPlot()
        self._filter = EVERYTHING
        self._fitting = Memo()
        self._shown: Item | None = None

    def __call__(self, state: State, post: Post) -> None:
        """Draw the page of the script in view."""
        document = state.document
        if document is None or not isinstance(document.content, CompiledScript):
            return
        script = document.content
        colored("Compiled script", ACCENT)
        imgui.same_line()
        total, opaque = (grouped(count) for count in (len(document.data), script.opaque))
        faint(f"{total} bytes, {opaque} of unknown meaning")
        self._header(script)
        with section("Entropy, bits a byte") as shown:
            if shown:
                self._plot(state, document)
        faint(f"{len(script.literals)} probable texts")
        self._filter = filter_box("texts", self._filter, state.interface.find_requested(VIEW))
        if imgui.begin_child("texts"):
            self._texts(state, script)
        imgui.end_child()

    def _header(self, script: CompiledScript) -> None:
        """Draw the fields of the serializer's header and the table of classes."""
        wrapped(
            "AngelScript's serializer stores neither its version nor the sizes of its parts, so the bytes "
            "after the declarations are shown as data.",
            FAINT,
        )
        left_out = {True: "left out", False: "there", None: "unknown"}
        field("Debug information", left_out[script.stripped])
        field("Enums", "unknown" if script.enums is None else str(script.enums))
        if script.classes:
            rows = [(each.name, each.namespace, f"0x{each.flags:X}") for each in script.classes]
            table("classes", ("class", "namespace", "flags"), rows)
        else:
            field("Classes", "unknown" if script.classes is None else "none")

    def _texts(self, state: State, script: CompiledScript) -> None:
        literals = script.literals
        texts = (each.text for each in literals)
        rows: list[int] = self._fitting.get((script, self._filter), lambda: self._filter.matching(texts))
        height = imgui.get_text_line_height_with_spacing()
        self._follow(state.view.selection.picked, rows, height)
        for row in clipped(len(rows), height):
            _row(state, rows[row], literals[rows[row]], self._filter)

    def _follow(self, picked: Item | None, rows: list[int], height: float) -> None:
        """Scroll to the text that was selected since the last frame."""
        if picked == self._shown:
            return
        self._shown = picked
        if not isinstance(picked, TextItem) or picked.number not in rows:
            return
        top, room, scrolled = (
            rows.index(picked.number) * height,
            imgui.get_window_height(),
            imgui.get_scroll_y(),
        )
        if not scrolled <= top <= scrolled + room - 2 * height:
            imgui.set_scroll_y(max(top - room / 2, 0.0))


def _row(state: State, number: int, literal: ScriptLiteral, wanted: TextFilter) -> None:
    item = TextItem(number)
    size = ImVec2(0, imgui.get_text_line_height())
    if imgui.selectable(f"##{number}", state.view.selection.picked == item, WHOLE_ROW, size)[0]:
        state.view.selection.pick(item)
    if imgui.is_item_hovered():
        state.view.selection.point(item)
    imgui.same_line(0, 0)
    with mono():
        colored(f"{literal.offset:06X}", FAINT)
        imgui.same_line(OFFSET * imgui.calc_text_size("0").x)
    text = printable(literal.text.replace("\n", "⏎ "))
    imgui.text_unformatted(text)
    mark_words(wanted, text)
