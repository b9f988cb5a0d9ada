"""The window with the tasks on files."""

from __future__ import annotations

import re
from typing import Any

import pytest
from imgui_bundle import imgui

from viewer.errors import FormatError
from viewer.scene.finding import Severity
from viewer.session.file_batches import BatchResult, FileBatch, FileResult
from viewer.session.requests import ContinueFileBatch, OpenListed, RemoveFileBatch, ShowFiles, StopFileBatch
from viewer.ui.files import batch_window as module
from viewer.ui.files.batch_window import batch_window
from viewer.ui.kit.theme import ERROR, WARNING, Color, rgba

FIRST = "/files/a/afile0.mdl"
RESULT = BatchResult(
    "Checked 2 files: 1 error in 1 file",
    True,
    "/out",
    (FileResult(FIRST, "the file ends here", ((Severity.ERROR, 1), (Severity.NOTE, 2))),),
)


@pytest.fixture
def window(listed: Any) -> Any:
    listed.state.files.batches.append(FileBatch("Check of 2 files", ("checking 1 of 2", 0.5)))
    listed.state.files.shows_batches = True
    listed.show(batch_window)
    return listed


def press(window: Any, label: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Press the button with a label in the next frame."""
    button = imgui.button
    monkeypatch.setattr(module.imgui, "button", lambda text, *more: button(text, *more) or text == label)
    window.frames(1)
    monkeypatch.undo()


def test_a_running_task_is_cancelled(window: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    press(window, "Cancel", monkeypatch)
    assert window.posted == [StopFileBatch(0)]


def test_a_result_opens_its_folder_and_is_removed(window: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    window.state.files.batches[0].result = RESULT
    press(window, "Show in file manager", monkeypatch)
    assert window.posted == [ShowFiles(("/out",))]
    assert window.state.files.shows_batches, "a result stays"
    press(window, "Remove", monkeypatch)
    assert window.posted[1:] == [RemoveFileBatch(0)]


def test_a_task_that_ended_early_is_continued(window: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    window.state.files.batches[0].result = RESULT
    press(window, "Continue", monkeypatch)
    assert window.posted == []
    window.state.files.batches[0].result = RESULT._replace(continues=True)
    press(window, "Continue", monkeypatch)
    assert window.posted == [ContinueFileBatch(0)]


def test_a_click_on_a_file_opens_it_at_its_problems(window: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    brought: list[str] = []
    state = window.state
    state.files.batches[0].result = RESULT
    state.files.wall = True
    monkeypatch.setattr(type(state.interface), "bring", lambda self, name, cover=True: brought.append(name))
    window.frames(3)
    child = next(
        each for each in imgui.get_current_context().windows if "files_" in each.name and each.active
    )
    window.click(child.pos.x + 200, child.pos.y + 8)
    assert window.posted == [OpenListed(FIRST)] and brought == ["problems"] and not state.files.wall


def test_a_window_that_grows_stays_on_the_screen(window: Any) -> None:
    window.state.files.batches[0].result = BatchResult("Checked", files=RESULT.files * 12)
    window.state.files.batches.append(FileBatch("Export of 2 files"))
    window.frames(4)
    shown = next(each for each in imgui.get_current_context().windows if each.name.endswith("###batches"))
    assert shown.size.y > 250 and shown.pos.y >= 0 and shown.pos.y + shown.size.y <= 300


@pytest.mark.parametrize(("failed", "color"), [(True, ERROR), (False, WARNING)])
def test_a_message_of_a_file_that_was_written_is_no_error(
    window: Any, monkeypatch: pytest.MonkeyPatch, failed: bool, color: Color
) -> None:
    files = (FileResult(FIRST, "left out 2 tracks", failed=failed),)
    window.state.files.batches[0].result = BatchResult("Exported 1 model", failed, "/out", files)
    window.frames(2)
    used: list[Color] = []
    monkeypatch.setattr(module, "rgba", lambda color, *more: used.append(color) or rgba(color, *more))
    window.frames(1)
    assert used == [color]


@pytest.mark.parametrize("counts", [(1, 2), (120, 345, 678), ()])
def test_the_counts_the_name_and_the_message_of_a_file_are_side_by_side(
    window: Any, monkeypatch: pytest.MonkeyPatch, counts: tuple[int, ...]
) -> None:
    counted = tuple(zip(sorted(Severity, reverse=True), counts, strict=False))
    file = FileResult(FIRST, "the file ends here", counted)
    window.state.files.batches[0].result = BatchResult("Checked", files=(file,))
    window.frames(3)
    edges: list[float] = []

    def noting(draw: Any) -> Any:
        def run(*values: Any) -> None:
            draw(*values)
            edges.extend((imgui.get_item_rect_min().x, imgui.get_item_rect_max().x))

        return run

    row = module._row

    def note(*values: Any) -> None:
        left, room = imgui.get_cursor_screen_pos().x, imgui.get_content_region_avail().x
        with monkeypatch.context() as patch:
            for name in ("text_colored", "text_unformatted"):
                patch.setattr(imgui, name, noting(getattr(imgui, name)))
            row(*values)
        assert edges[0] == left and edges[-1] <= left + room

    monkeypatch.setattr(module, "_row", note)
    window.frames(1)
    assert len(edges) == 2 * (len(counts) + 2) and edges == sorted(edges)


def test_messages_of_the_program_have_their_time_and_are_cleared(
    window: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, texts = window.state, list[str]()
    state.say("/films/a.mp4: No space left on device", "error", "film")
    state.say("Saved /films/b.png")
    monkeypatch.setattr(module, "faint", texts.append)
    monkeypatch.setattr(module, "wrapped", lambda text, color=None: texts.append((text, color)))
    window.frames(1)
    monkeypatch.undo()
    assert [each[0] for each in texts[1::2]] == [
        "Saved /films/b.png",
        "/films/a.mp4: No space left on device",
    ]
    assert texts[3][1] == ERROR and re.fullmatch(r"\d\d:\d\d:\d\d", texts[0])
    state.say("Saved /films/a.mp4", about="film")
    assert [each.text for each in state.program_messages] == ["Saved /films/a.mp4", "Saved /films/b.png"]
    press(window, "Clear messages", monkeypatch)
    assert state.messages == []


def test_an_error_of_an_open_file_stands_in_problems_alone(post: Any) -> None:
    error = FormatError("cut off", "bones", 7)
    post.state.say(str(error), "error")
    assert len(post.state.program_messages) == 1
    post.state.document.report.fail(error)
    assert post.state.program_messages == []
