"""The banner over the picture: a file that changed on the disk, or the first error of a damaged file."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.errors import printable
from viewer.scene.document import Document
from viewer.scene.items import ByteItem
from viewer.scene.names import file_name
from viewer.session.pending_files import GONE
from viewer.session.requests import Post, Reload
from viewer.session.state import State
from viewer.ui.item_menu import CHANGE
from viewer.ui.kit.texts import cut
from viewer.ui.kit.theme import ERROR, RAISED, WARNING, color32, rgba
from viewer.ui.kit.widgets import colored, hint

ICON, CROSS = "\uf071", "\uf00d"


class Banner:
    """The banner, one line high.

    After the user has dismissed it, it returns only when the file is reloaded or its text changes.
    """

    def __init__(self) -> None:
        self._away: list[tuple[Document, str]] = []

    def text(self, state: State) -> str:
        """The text of the banner of the document in view; empty if there is none or the user dismissed it."""
        self._away = [each for each in self._away if each[0] in state.documents.opened]
        document = state.document
        if document is None:
            return ""
        change = state.pending_files.change(document.path)
        text = f"{file_name(document.path)} {change}" if change else ""
        if not change and document.report.errors and not document.unread:  # a page lists the errors itself
            text = f"Not read completely: {document.report.errors[0].why}"
        return "" if (document, text) in self._away else text

    def height(self, state: State) -> float:
        """The height of the banner in points, 0 if there is no banner."""
        padding = imgui.get_style().window_padding.y
        return imgui.get_frame_height() + 2 * padding if self.text(state) else 0.0

    def __call__(self, state: State, post: Post) -> None:
        """Draw the banner over the full width of the window."""
        document, said = state.document, self.text(state)
        if document is None or not said:
            return
        change = state.pending_files.change(document.path)
        low, width = imgui.get_window_pos(), imgui.get_window_width()
        high = ImVec2(low.x + width, low.y + imgui.get_window_height())
        draw = imgui.get_window_draw_list()
        draw.add_rect_filled(low, high, imgui.get_color_u32(rgba(RAISED)))
        draw.add_rect_filled(
            low, ImVec2(low.x + imgui.get_font_size() / 4, high.y), color32(WARNING if change else ERROR)
        )
        errors = [] if change else document.report.errors
        more = f"  and {len(errors) - 1} more" if len(errors) > 1 else ""
        worst = next(iter(errors), None)
        placed = worst is not None and bool(worst.path or worst.offset) and worst.file in ("", document.path)
        labels = (*(("Show bytes",) if placed else ()), "Problems")
        if change:
            labels = () if change == GONE else ("Reload",)
        buttons = sum(map(_width, (*labels, CROSS)))
        imgui.align_text_to_frame_padding()
        colored(CHANGE if change else ICON, WARNING if change else ERROR)
        imgui.same_line()
        location = f"  {printable(worst.path)} at 0x{worst.offset:X}" if worst is not None and placed else ""
        text = f"{printable(said)}{location}{more}"
        room = imgui.get_content_region_avail().x - buttons - imgui.get_font_size()
        imgui.text_unformatted(cut(text, room))
        hint(text)
        imgui.same_line(width - buttons - imgui.get_style().window_padding.x)
        for label in labels:
            if not imgui.button(label):
                pass
            elif label == "Reload":
                post(Reload())
            elif label == "Problems":
                state.interface.bring("problems")
            elif worst is not None:
                state.view.selection.pick(ByteItem(min(worst.offset, len(document.data) - 1)))
                state.interface.bring("chunks")
            imgui.same_line()
        if imgui.button(CROSS):
            self._away.append((document, said))
        hint("Dismiss")


def _width(label: str) -> float:
    style = imgui.get_style()
    return imgui.calc_text_size(label).x + 2 * style.frame_padding.x + style.item_spacing.x
