"""A plot of the entropy of a file's bytes: high for packed or random data, low for repetitions."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.scene.document import Document
from viewer.scene.items import ByteItem
from viewer.scene.script import Entropy, entropy
from viewer.session.state import State
from viewer.ui.kit.theme import ACCENT, LINE, TEXT, color32
from viewer.ui.kit.widgets import Memo, hint

HIGH = 7.0
"""Height in letter heights."""
BITS = 8.0


class EntropyPlot:
    """A bar for each block of bytes; a click selects the bytes of the block."""

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
    """Show the values of a hovered bar; a click selects the first byte of its block."""
    offset = number * found.block
    state.selection.point(ByteItem(offset))
    if imgui.is_item_clicked():
        state.selection.pick(ByteItem(offset))
    hint(f"{found.bits[number]:.2f} bits a byte\n{found.block} bytes at 0x{offset:X}")


def _block(state: State, found: Entropy) -> int | None:
    """The block of the selected byte."""
    picked = state.selection.picked
    return picked.number // found.block if isinstance(picked, ByteItem) else None
