"""The list of problems in a file, with links."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.errors import counted
from viewer.ui.bytes.byte_selection import ByteSelection
from viewer.ui.bytes.span_filter import Problem
from viewer.ui.kit.clipped_rows import clipped
from viewer.ui.kit.theme import ERROR, FAINT, WARNING, rgba
from viewer.ui.kit.widgets import colored, mono

SHOWN = 12


def problems(view: ByteSelection) -> bool:
    """Draw a button with their number that opens the list.

    Draws nothing and returns False without problems.
    """
    found = view.problems.found
    view.problems.advance()
    if not found:
        return False
    worst = ERROR if any(problem.error for problem in found) else WARNING
    imgui.push_style_color(imgui.Col_.text, rgba(worst))
    clicked = imgui.button(f"{counted(len(found), 'problem')}###problems")
    imgui.pop_style_color()
    if clicked:
        imgui.open_popup("problems")
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    imgui.set_next_window_pos(ImVec2(low.x, high.y))
    if imgui.begin_popup("problems"):
        _listed(view, found)
        imgui.end_popup()
    return True


def _listed(view: ByteSelection, found: list[Problem]) -> None:
    em = imgui.get_font_size()
    height = min(len(found), SHOWN) * imgui.get_text_line_height_with_spacing()
    if imgui.begin_child("list", ImVec2(34 * em, height)):
        for number in clipped(len(found)):
            _row(view, found[number], number)
    imgui.end_child()


def _row(view: ByteSelection, problem: Problem, number: int) -> None:
    if imgui.selectable(f"##{number}", False)[0]:
        jump(view, problem)
    imgui.same_line(0, 0)
    with mono():
        colored(f"{problem.offset:0{view.digits}X}", FAINT)
    imgui.same_line()
    colored(problem.text, ERROR if problem.error else WARNING)


def jump(view: ByteSelection, problem: Problem) -> None:
    """Select the problem's node, or the offset at which the reading ended."""
    if problem.path:
        view.choose(problem.path)
    else:
        view.select(problem.offset, problem.size)
