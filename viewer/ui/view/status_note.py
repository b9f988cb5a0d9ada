"""The note in the status line, such as `Copied 0.25`: it stays for a while, and is no message."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.session.interface import Interface
from viewer.ui.kit.copying import take_copied
from viewer.ui.kit.theme import TEXT
from viewer.ui.layout import Rect
from viewer.ui.view.overlays import GAP, label
from viewer.ui.view.view_panel import SHOWN


class StatusNote:
    """Shows the note of the interface, and takes it away."""

    def __init__(self) -> None:
        self._number = 0
        self._since = -SHOWN

    def __call__(self, interface: Interface, rect: Rect) -> None:
        """Draw the note at the lower edge of the picture, which fills `rect`."""
        copied = take_copied()
        if copied:
            interface.note(copied)
        now = imgui.get_time()
        if interface.notes != self._number:
            self._number, self._since = interface.notes, now
        if now - self._since >= SHOWN:
            interface.status = ""
        if not interface.status:
            return
        pad, line = imgui.get_style().window_padding, imgui.get_text_line_height()
        width = imgui.calc_text_size(interface.status).x + 2 * GAP
        place = (rect.x + pad.x, rect.y + rect.height - line - pad.y, width, line)
        draw = imgui.get_foreground_draw_list()
        draw.push_clip_rect(ImVec2(rect.x, rect.y), ImVec2(rect.x + rect.width, rect.y + rect.height))
        label(draw, interface.status, place, TEXT)
        draw.pop_clip_rect()
