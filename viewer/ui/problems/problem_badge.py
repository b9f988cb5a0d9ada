"""The badge in the corner of the picture: how many errors and warnings the files in view have."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.scene.finding import Severity
from viewer.session.state import State
from viewer.ui.kit.theme import GROUND, color32, rgba
from viewer.ui.kit.widgets import Memo, hint
from viewer.ui.problems.problem_rows import (
    COLORS,
    ICONS,
    ProblemRow,
    count_text,
    counts,
    problem_rows,
    version,
)

CLEAR = 0.72
COUNTED = (Severity.ERROR, Severity.WARNING)


class ProblemBadge:
    """The badge, drawn only if there are errors or warnings. A click opens the Problems panel."""

    def __init__(self) -> None:
        self._rows = Memo()

    def __call__(self, state: State, low: ImVec2, high: ImVec2) -> float:
        """Draw the badge in the lower right corner of the picture, which extends from `low` to `high`.

        Return the badge's width in points, including the space beside it; 0 if no badge is drawn.
        """
        rows: list[ProblemRow] = self._rows.get(version(state), lambda: problem_rows(state))
        found = counts(rows)
        parts = [(kind, f"{ICONS[kind]} {found[kind]}") for kind in COUNTED if found[kind]]
        if not parts:
            return 0.0
        style, gap = imgui.get_style(), imgui.get_font_size() / 2
        pad = style.window_padding
        widths = [imgui.calc_text_size(text).x for _, text in parts]
        width = sum(widths) + gap * (len(parts) - 1) + 2 * style.frame_padding.x
        corner = ImVec2(high.x - pad.x - width, high.y - pad.y - imgui.get_frame_height())
        if corner.x < low.x + pad.x:
            return 0.0
        imgui.set_cursor_screen_pos(corner)
        imgui.push_style_color(imgui.Col_.button, rgba(GROUND, CLEAR))
        if imgui.button("###problems", ImVec2(width, 0)):
            state.interface.bring("problems")
        imgui.pop_style_color()
        hint("\n".join(count_text(rows, kind) for kind, _ in parts))
        draw, x = imgui.get_window_draw_list(), corner.x + style.frame_padding.x
        for (kind, text), wide in zip(parts, widths, strict=True):
            draw.add_text(ImVec2(x, corner.y + style.frame_padding.y), color32(COLORS[kind]), text)
            x += wide + gap
        return width + style.item_spacing.x
