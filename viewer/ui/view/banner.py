"""The banner over the picture of a damaged file: the first error, with a link to its bytes."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.errors import printable
from viewer.scene.document import Document
from viewer.scene.items import ByteItem
from viewer.session.state import State
from viewer.ui.kit.texts import cut
from viewer.ui.kit.theme import ERROR, RAISED, rgba
from viewer.ui.kit.widgets import colored, hint

ICON, CROSS = "\uf071", "\uf00d"


class Banner:
    """The banner, one line high.

    After the user has dismissed it, it returns only when the file is reloaded.
    """

    def __init__(self) -> None:
        self._away: list[Document] = []

    def broken(self, state: State) -> bool:
        """Whether the document in view has a banner that the user has not dismissed."""
        self._away = [each for each in self._away if each in state.documents.opened]
        document = state.document
        if document is None or document.unread or document in self._away:
            return False  # the page of the document lists the errors already
        return bool(document.report.errors)

    def height(self, state: State) -> float:
        """The height of the banner in points, 0 if there is no banner."""
        padding = imgui.get_style().window_padding.y
        return imgui.get_frame_height() + 2 * padding if self.broken(state) else 0.0

    def __call__(self, state: State) -> None:
        """Draw the banner over the full width of the window."""
        document = state.document
        if document is None or not self.broken(state):
            return
        low, width = imgui.get_window_pos(), imgui.get_window_width()
        high = ImVec2(low.x + width, low.y + imgui.get_window_height())
        draw = imgui.get_window_draw_list()
        draw.add_rect_filled(low, high, imgui.get_color_u32(rgba(RAISED)))
        draw.add_rect_filled(
            low, ImVec2(low.x + imgui.get_font_size() / 4, high.y), imgui.get_color_u32(rgba(ERROR))
        )
        errors = document.report.errors
        more = f"  and {len(errors) - 1} more" if len(errors) > 1 else ""
        worst = errors[0]
        placed = bool(worst.path or worst.offset) and worst.file in ("", document.path)
        buttons = _width("Problems") + _width(CROSS) + (_width("Show bytes") if placed else 0)
        imgui.align_text_to_frame_padding()
        colored(ICON, ERROR)
        imgui.same_line()
        location = f"  {printable(worst.path)} at 0x{worst.offset:X}" if placed else ""
        text = f"Not read completely: {printable(worst.why)}{location}{more}"
        room = imgui.get_content_region_avail().x - buttons - imgui.get_font_size()
        imgui.text_unformatted(cut(text, room))
        hint(text)
        imgui.same_line(width - buttons - imgui.get_style().window_padding.x)
        if placed:
            if imgui.button("Show bytes"):
                state.view.selection.pick(ByteItem(min(worst.offset, len(document.data) - 1)))
                state.interface.bring("chunks")
            imgui.same_line()
        if imgui.button("Problems"):
            state.interface.bring("problems")
        imgui.same_line()
        if imgui.button(CROSS):
            self._away.append(document)
        hint("Dismiss")


def _width(label: str) -> float:
    style = imgui.get_style()
    return imgui.calc_text_size(label).x + 2 * style.frame_padding.x + style.item_spacing.x
