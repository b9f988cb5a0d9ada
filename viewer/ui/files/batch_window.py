"""The window with the tasks on listed files, their progress and their results, and the program's messages."""

from __future__ import annotations

import time

from imgui_bundle import ImVec2, imgui

from viewer.errors import printable
from viewer.session.file_batches import FileBatch, FileResult
from viewer.session.requests import (
    ContinueFileBatch,
    OpenListed,
    Post,
    RemoveFileBatch,
    ShowFiles,
    StopFileBatch,
)
from viewer.session.state import State, UserMessage
from viewer.ui.kit.dialogs import settings_window
from viewer.ui.kit.texts import cut, fitted, label_text
from viewer.ui.kit.theme import ERROR, WARNING, rgba
from viewer.ui.kit.widgets import faint, hint, wrapped
from viewer.ui.problems.problem_rows import COLORS, ICONS

WIDTH = 50.0
"""The width of the window in letter heights."""
MESSAGES = 20
"""The largest number of messages that the window shows."""
ROWS = 12
"""The largest number of files that a result shows without scrolling."""
COUNTS_WIDTH, NAME_SHARE = 9.0, 0.45
"""The width in letter heights of the counts of a file, and the share that the file's name takes of the
remaining width.
"""


def batch_window(state: State, post: Post) -> None:
    """Draw the window while `state.files.shows_batches` is set."""
    if not state.files.shows_batches:
        return
    if not settings_window("Tasks and messages###batches", lambda: _inside(state, post), WIDTH):
        state.files.shows_batches = False


def _inside(state: State, post: Post) -> None:
    batches = state.files.batches
    for number, batch in reversed([*enumerate(batches)]):
        imgui.push_id(number)
        imgui.separator_text(batch.title)
        if batch.result is None:
            _running(batch, number, post)
        else:
            _finished(state, batch, number, post)
        imgui.pop_id()
    messages = state.program_messages
    state.interface.seen = max((each.time for each in messages), default=0.0)
    if messages:
        imgui.separator_text("Messages")
        _messages(state, messages)
    elif not batches:
        faint("No tasks, no messages")


def _messages(state: State, messages: list[UserMessage]) -> None:
    """Draw each message with its time, and a button that removes all messages."""
    for each in messages[:MESSAGES]:
        faint(time.strftime("%H:%M:%S", time.localtime(each.time)))
        imgui.same_line()
        wrapped(printable(each.text), {"error": ERROR, "warning": WARNING}.get(each.kind))
    if imgui.button("Clear messages"):
        state.messages.clear()


def _running(batch: FileBatch, number: int, post: Post) -> None:
    step, share = batch.progress
    style = imgui.get_style()
    button = imgui.calc_text_size("Cancel").x + 2 * style.frame_padding.x + style.item_spacing.x
    value = -imgui.get_time() if share is None else share
    imgui.progress_bar(value, ImVec2(-button, 0), step)
    imgui.same_line()
    if imgui.button("Cancel"):
        post(StopFileBatch(number))


def _finished(state: State, batch: FileBatch, number: int, post: Post) -> None:
    result = batch.result
    assert result is not None, "the task has ended"
    wrapped(printable(result.text), WARNING if result.failed else None)
    if result.files:
        line = imgui.get_text_line_height_with_spacing()
        height = min(len(result.files), ROWS) * line + imgui.get_style().frame_padding.y
        if imgui.begin_child("files", ImVec2(0, height)):
            _rows(state, result.files, post)
        imgui.end_child()
    if result.written:
        if imgui.button("Show in file manager"):
            post(ShowFiles((result.written,)))
        imgui.same_line()
    if result.continues:
        if imgui.button("Continue"):
            post(ContinueFileBatch(number))
        imgui.same_line()
    if imgui.button("Remove"):
        post(RemoveFileBatch(number))


def _rows(state: State, files: tuple[FileResult, ...], post: Post) -> None:
    """Draw a row for each file; a click opens the file at its problems."""
    clipper = imgui.ListClipper()
    clipper.begin(len(files), imgui.get_text_line_height_with_spacing())
    while clipper.step():
        for number in range(clipper.display_start, clipper.display_end):
            _row(state, files[number], number, post)


def _row(state: State, file: FileResult, number: int, post: Post) -> None:
    letter, start, room = imgui.get_font_size(), imgui.get_cursor_pos_x(), imgui.get_content_region_avail().x
    if imgui.selectable(f"###{number}", False, 0, ImVec2(0, imgui.get_text_line_height()))[0]:
        state.files.cursor = file.path
        state.files.wall = False
        state.interface.bring("problems")
        post(OpenListed(file.path))
    hint(f"{printable(file.path)}\n{printable(file.text)}")
    counts_width = COUNTS_WIDTH * letter if file.counts else 0.0
    # without the spacing 0, ImGui adds the spacing of widgets to the offset 0
    for column, (severity, count) in enumerate(file.counts):
        imgui.same_line(start + column * COUNTS_WIDTH / 3 * letter, 0)
        imgui.text_colored(rgba(COLORS[severity]), f"{ICONS[severity]} {count}")
    rest = room - counts_width
    name = state.files.table.name_of(file.path) if state.files.table is not None else file.path
    imgui.same_line(start + counts_width, 0)
    imgui.text_unformatted(fitted(label_text(name), int(rest * NAME_SHARE - letter)))
    imgui.same_line(start + counts_width + rest * NAME_SHARE)
    message = ERROR if file.failed else WARNING
    imgui.push_style_color(imgui.Col_.text, rgba(COLORS[file.counts[0][0]] if file.counts else message))
    imgui.text_unformatted(cut(printable(file.text), rest * (1 - NAME_SHARE)))
    imgui.pop_style_color()
