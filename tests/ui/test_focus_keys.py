"""Keys go to what has the focus: a dialog, a menu, the picture."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import imgui

from tests.desktop import Desktop
from tests.labels import drawn_labels
from tests.synthetic import write_pair
from viewer.session.requests import ExportModel, ListFiles, OpenFolder, RecordFilm
from viewer.ui.kit.overlays import OVERLAYS

DIALOGS = {"Ctrl+E": "###export", "Shift+F12": "###record"}


@pytest.fixture
def desktop(ctx: Any, tmp_path: Path) -> Iterator[Desktop]:
    """The post in the whole window."""
    made = Desktop(ctx, write_pair(tmp_path))
    yield made
    made.close()


def opened(desktop: Desktop) -> list[str]:
    return [each.window for each in OVERLAYS if each.is_open(desktop.state)]


def focused_items(desktop: Desktop, count: int) -> set[int]:
    """The widgets to which Tab leads."""
    found = set()
    for _ in range(count):
        desktop.press("Tab")
        found.add(imgui.get_current_context().nav_id)
    return found


@pytest.mark.parametrize(("chord", "window"), DIALOGS.items())
def test_tab_walks_the_fields_of_a_dialog_and_letters_stay_there(
    desktop: Desktop, chord: str, window: str
) -> None:
    desktop.press(chord)
    desktop.frames(3)
    assert len(focused_items(desktop, 5)) == 5
    before = desktop.state.view.camera, desktop.state.view.clock.playing
    for letter in ("W", "K", "1", "Space", "Tab", "N"):
        desktop.press(letter)
    options = desktop.state.options
    assert not options.wireframe and not options.skeleton and not desktop.state.interface.hidden
    assert (desktop.state.view.camera, desktop.state.view.clock.playing) == before
    assert desktop.state.interface.focused == window
    desktop.press("Escape")
    desktop.press("Escape")  # the list that Space opened comes first
    assert opened(desktop) == []
    desktop.press("W")
    assert options.wireframe, "the picture has the keys again"


@pytest.mark.parametrize(("chord", "wanted"), [("Ctrl+E", ExportModel), ("Shift+F12", RecordFilm)])
def test_enter_does_the_main_thing_wherever_the_focus_is(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch, chord: str, wanted: type
) -> None:
    for walked in (0, 1, 2, 3):
        posted: list[Any] = []
        monkeypatch.setattr(desktop.app, "_take", posted.append)
        desktop.press(chord)
        desktop.frames(3)
        focused_items(desktop, walked)
        choices = desktop.state.interface.exporter, desktop.state.interface.recorder
        desktop.press("Enter")
        assert [type(each) for each in posted] == [wanted] and opened(desktop) == []
        assert (desktop.state.interface.exporter, desktop.state.interface.recorder) == choices


def test_enter_on_cancel_cancels(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    posted: list[Any] = []
    monkeypatch.setattr(desktop.app, "_take", posted.append)
    desktop.press("Shift+F12")
    desktop.frames(3)
    window = imgui.internal.find_window_by_id(imgui.internal.im_hash_str("###record"))
    cancel = imgui.internal.im_hash_str("Cancel", 0, window.id_)
    for _ in range(20):
        desktop.press("Tab")
        if imgui.get_current_context().nav_id == cancel:
            break
    desktop.press("Enter")
    assert opened(desktop) == [] and posted == []


def test_space_switches_the_field_that_tab_reached(desktop: Desktop) -> None:
    desktop.press("Shift+F12")
    desktop.frames(3)
    desktop.press("Tab")
    desktop.press("Tab")
    desktop.press("Space")
    assert desktop.state.interface.recorder.turntable


def test_arrow_keys_walk_a_menu(desktop: Desktop) -> None:
    desktop.click(20, 10)
    for key in ("Down", "Down", "Enter"):
        desktop.press(key)
    desktop.frames(3)
    assert opened(desktop) == ["###browser"], "Open folder"
    desktop.press("Escape")
    x, y = drawn_labels(desktop)["View"]
    desktop.click(x, y)
    before = imgui.get_current_context().nav_window.name
    desktop.press("Right")
    desktop.frames(2)
    assert imgui.get_current_context().nav_window.name != before, "the next menu is open"
    desktop.press("Escape")
    assert imgui.get_current_context().open_popup_stack.size() == 0


def test_letters_go_to_the_picture_after_a_folder_is_opened(ctx: Any, tmp_path: Path) -> None:
    desktop = Desktop(ctx)
    desktop.press("?")
    assert opened(desktop) == ["###keys"], "as the card says"
    desktop.press("Escape")
    desktop.press("Ctrl+Shift+O")
    desktop.frames(3)
    desktop.press("Escape")
    desktop.app.post(OpenFolder(str(write_pair(tmp_path).parent)))
    desktop.settle()
    desktop.rest()
    desktop.press("?")
    assert opened(desktop) == ["###keys"]
    desktop.press("Escape")
    desktop.press("W")
    assert desktop.state.options.wireframe and not desktop.state.files.query
    desktop.close()


def test_arrow_keys_step_through_a_folder_that_is_opened_while_the_manual_has_the_focus(
    ctx: Any, tmp_path: Path
) -> None:
    (tmp_path / "Second.mdl").write_bytes(write_pair(tmp_path).read_bytes())
    desktop = Desktop(ctx)
    desktop.press("F1")
    desktop.rest()
    desktop.press("Ctrl+F")
    desktop.frames(3)
    desktop.press("Escape")
    desktop.press("Ctrl+Shift+O")
    desktop.frames(3)
    desktop.press("Escape")
    desktop.app.post(OpenFolder(str(tmp_path)))
    desktop.settle()
    desktop.rest()
    desktop.press("Right")
    desktop.settle()
    assert desktop.state.document is not None and desktop.state.document.path.endswith("Second.mdl")
    desktop.close()


def test_the_picture_of_a_listed_file_does_not_cover_a_dialog(ctx: Any, tmp_path: Path) -> None:
    desktop = Desktop(ctx)
    desktop.app.post(OpenFolder(str(write_pair(tmp_path).parent)))
    desktop.settle()
    desktop.rest()
    x, y = drawn_labels(desktop)["2 files"]
    desktop.move(x, y + 40)  # the first file of the list
    desktop.skip(40)
    assert imgui.internal.find_window_by_name("##Tooltip_00").active
    desktop.press("Ctrl+E")
    desktop.skip(40)
    assert opened(desktop) == ["###export"]
    assert not imgui.internal.find_window_by_name("##Tooltip_00").active
    desktop.close()


def test_the_export_dialog_names_the_model_in_view(desktop: Desktop) -> None:
    desktop.press("Ctrl+E")
    desktop.frames(3)
    window = imgui.internal.find_window_by_id(imgui.internal.im_hash_str("###export"))
    assert window.name.startswith("Export Post.mdl###")


@pytest.mark.parametrize(
    ("chord", "button", "window"),
    [("Shift+F12", "Record as…", "###record"), ("Ctrl+E", "Export as…", "###export")],
)
def test_escape_in_the_save_dialog_goes_back_to_the_dialog_that_opened_it(
    desktop: Desktop, tmp_path: Path, chord: str, button: str, window: str
) -> None:
    desktop.press(chord)
    desktop.frames(3)
    desktop.click(*drawn_labels(desktop)[button])
    desktop.frames(4)
    assert set(opened(desktop)) == {"###browser", window}
    assert desktop.state.interface.focused == "###browser"
    desktop.press("Escape")
    assert opened(desktop) == [window]
    desktop.click(*drawn_labels(desktop)[button])
    desktop.frames(4)
    desktop.type(str(tmp_path / "saved"))
    desktop.press("Enter")
    desktop.frames(2)
    assert opened(desktop) == [], "the chosen file closes both dialogs"
    desktop.rest()


def test_the_palette_does_not_open_over_a_file_dialog(desktop: Desktop) -> None:
    desktop.press("Ctrl+O")
    desktop.frames(3)
    desktop.press("Ctrl+P")
    assert opened(desktop) == ["###browser"]
    desktop.press("Escape")
    desktop.press("Ctrl+P")
    assert opened(desktop) == ["palette"]


def test_ctrl_e_exports_the_selected_files_while_the_list_has_the_focus(ctx: Any, tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    (tmp_path / "Second.mdl").write_bytes(path.read_bytes())
    desktop = Desktop(ctx, path)
    try:
        desktop.app.post(ListFiles())
        desktop.settle()
        desktop.rest()
        x, y = drawn_labels(desktop)["3 files"]
        desktop.click(x, y + 40)
        desktop.settle()
        desktop.press("Ctrl+E")
        desktop.frames(2)
        assert desktop.state.files.exported == (), "the selected file is the model in view"
        desktop.press("Escape")
        desktop.click(x, y + 40)
        desktop.press("Ctrl+A")
        assert len(desktop.state.files.selected) == 3
        desktop.press("Ctrl+E")
        desktop.frames(2)
        assert len(desktop.state.files.exported) == 3
        assert "3 selected files; subfolders are kept, existing files are not replaced" in drawn_labels(
            desktop
        )
        desktop.press("Escape")
        desktop.click(640, 300)
        assert desktop.state.interface.focused != "files"
        desktop.press("Ctrl+E")
        desktop.frames(2)
        assert desktop.state.files.exported == (), "the picture has the focus"
    finally:
        desktop.close()


@pytest.mark.parametrize("chord", [".", ","])
def test_steps_show_whole_frames_after_a_clip_has_played_for_a_while(desktop: Desktop, chord: str) -> None:
    """The clip is not a whole number of frames long, so that frames of its second round lie between those of
    the first.
    """
    clock = desktop.state.view.clock
    clock.fps = 12.3
    desktop.skip(150, seconds=0.05)
    assert clock.playing and clock.time > 2 * desktop.state.playback.duration
    seen = []
    for _ in range(40):
        desktop.press(chord)
        seen.append(clock.shown(desktop.state.playback.duration) * clock.fps)
    assert seen == pytest.approx([round(frame) for frame in seen], abs=1e-4)
    ways = {round(after - before) for before, after in pairwise(seen)}
    assert len(ways) == 2 and (1 if chord == "." else -1) in ways, "each frame, then the first again"


def test_an_error_that_was_not_seen_has_a_mark_until_it_is_seen_or_its_cause_goes(desktop: Desktop) -> None:
    """The mark stays when the message has left the picture."""
    state = desktop.state
    state.say("cannot save /films/a.mp4: the disk is full", "error", "a film")
    state.say("Saved /films/b.png")
    desktop.skip(30, seconds=0.5)
    assert "1 new error" in drawn_labels(desktop)
    state.settle("a film")
    desktop.frames(2)
    assert "1 new error" not in drawn_labels(desktop)
    state.say("cannot save /films/a.mp4: the disk is full", "error", "a film")
    desktop.frames(2)
    desktop.click(*drawn_labels(desktop)["1 new error"])
    desktop.frames(3)
    assert opened(desktop) == ["###batches"] and "1 new error" not in drawn_labels(desktop)
    desktop.press("Escape")
    assert "1 new error" not in drawn_labels(desktop)
