"""The dialog for recordings, and what it asks for."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui

from tests.labels import drawn_labels
from viewer.export.film.codecs import CODECS
from viewer.scene.choices import FILM_FORMATS, PICTURE
from viewer.session.requests import RecordFilm, SaveAs
from viewer.ui.dialogs.record_dialog import record_dialog


@pytest.fixture
def dialog(bent: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The desk with the dialog open; `push` clicks a button, whatever it is called."""
    pushed: set[str] = set()
    button = imgui.button

    def push(label: str, *more: Any) -> bool:
        drawn = button(label, *more)
        return label in pushed or drawn

    monkeypatch.setattr(imgui, "button", push)
    bent.pushed = pushed
    bent.state.interface.records = True
    bent.show(record_dialog)
    return bent


def test_every_format_that_can_be_written_is_offered() -> None:
    assert {each.suffix for each in FILM_FORMATS} == {PICTURE, *CODECS}


def test_it_asks_for_what_was_chosen(dialog: Any) -> None:
    wanted = RecordFilm(".webm", False, 24.0, frames=(3, 9), size=(640, 360), transparent=True, seamless=True)
    dialog.state.interface.recorder = wanted
    dialog.pushed.add("Record")
    dialog.frames()
    assert dialog.posted == [wanted] and not dialog.state.interface.records


def test_what_a_format_cannot_do_is_not_asked_for(dialog: Any) -> None:
    interface = dialog.state.interface
    interface.recorder = RecordFilm(".gif", fps=120.0)
    dialog.frames()
    assert interface.recorder.fps == 50.0, "a GIF has no more"
    interface.recorder = RecordFilm(".mp4", transparent=True)
    dialog.pushed.add("Record")
    dialog.frames()
    assert dialog.posted == [RecordFilm(".mp4")]
    assert interface.recorder.transparent, "another format can do it again"


def test_it_can_ask_where_to_again(dialog: Any) -> None:
    dialog.pushed.add("Record as…")
    dialog.frames()
    assert dialog.posted == [SaveAs(dialog.state.interface.recorder)]
    assert dialog.state.interface.records, "the dialog waits for the chosen file"


def test_enter_records(dialog: Any) -> None:
    dialog.key("ENTER")
    assert [type(each) for each in dialog.posted] == [RecordFilm]
    assert not dialog.state.interface.records


def test_enter_records_nothing_if_nothing_plays(dialog: Any) -> None:
    assert any(text.startswith("About ") for text in drawn_labels(dialog))
    dialog.state.playback.choose(None)
    dialog.frames(2)
    assert not any(text.startswith("About ") for text in drawn_labels(dialog)), "a film without frames"
    dialog.key("ENTER")
    assert dialog.posted == [] and dialog.state.interface.records


def test_a_dialog_without_a_file_says_why_its_buttons_are_grey(dialog: Any) -> None:
    assert "No picture is in view" not in drawn_labels(dialog)
    dialog.state.documents.remove(0)
    dialog.frames(2)
    assert "No picture is in view" in drawn_labels(dialog)
    dialog.pushed.add("Cancel")


def test_cancel_closes_it(dialog: Any) -> None:
    dialog.pushed.add("Cancel")
    dialog.frames()
    assert not dialog.state.interface.records and dialog.posted == []


@pytest.fixture
def widgets(dialog: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[float, float]]:
    """The middle of each drawn widget by its label, or by the text of a closed list."""
    found: dict[str, tuple[float, float]] = {}

    def noting(draw: Any) -> Any:
        def run(label: str, *more: Any) -> Any:
            result = draw(label, *more)
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            name = str(more[0]) if draw is combo else label
            found[name] = ((low.x + high.x) / 2, (low.y + high.y) / 2)
            return result

        return run

    combo = imgui.begin_combo
    for name in ("begin_combo", "selectable", "radio_button"):
        monkeypatch.setattr(imgui, name, noting(getattr(imgui, name)))
    dialog.frames(2)
    return found


def test_a_size_is_chosen_from_the_list(dialog: Any, widgets: dict[str, tuple[float, float]]) -> None:
    recorder = dialog.state.interface.recorder
    assert recorder.size is None and "As in the view" in widgets
    dialog.click(*widgets["As in the view"])
    dialog.frames(2)
    dialog.click(*widgets["640 × 360"])
    assert dialog.state.interface.recorder.size == (640, 360)
    dialog.frames(2)
    dialog.click(*widgets["640 × 360"])
    dialog.frames(2)
    dialog.click(*widgets["As in the view"])
    assert dialog.state.interface.recorder.size is None


def test_frames_from_to_begin_with_thirty(dialog: Any, widgets: dict[str, tuple[float, float]]) -> None:
    dialog.click(*widgets["From – to"])
    assert dialog.state.interface.recorder.frames == (0, 29)
    dialog.frames(2)
    dialog.click(*widgets["All"])
    assert dialog.state.interface.recorder.frames is None


def test_a_turntable_and_a_loop_are_chosen(dialog: Any, widgets: dict[str, tuple[float, float]]) -> None:
    for title, turns in (("Turntable", True), ("Loop", False)):
        dialog.click(*widgets[title])
        assert dialog.state.interface.recorder.turntable is turns


@pytest.mark.parametrize(
    ("typed", "frames"), [((5, 9), (5, 9)), ((0, 0), (0, 0)), ((-3, 2), (0, 2)), ((8, 4), (8, 8))]
)
def test_typed_frames_are_a_range(
    dialog: Any, monkeypatch: pytest.MonkeyPatch, typed: tuple[int, int], frames: tuple[int, int]
) -> None:
    dialog.state.interface.recorder = RecordFilm(frames=(0, 29))
    monkeypatch.setattr(imgui, "input_int2", lambda label, values: (label == "##frames", list(typed)))
    dialog.frames()
    assert dialog.state.interface.recorder.frames == frames


def test_a_typed_size_is_kept_between_its_limits(dialog: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for typed, size in (((300, 200), (300, 200)), ((1, 100_000), (16, 8192))):
        dialog.state.interface.recorder = RecordFilm(size=(640, 360))
        monkeypatch.setattr(
            imgui, "input_int2", lambda label, values, typed=typed: (label == "##pixels", [*typed])
        )
        dialog.frames()
        assert dialog.state.interface.recorder.size == size


def test_the_size_of_the_file_is_estimated(dialog: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    texts, draw = list[str](), imgui.text_unformatted
    monkeypatch.setattr(imgui, "text_unformatted", lambda text, *more: (texts.append(text), draw(text))[1])

    def estimate(wanted: RecordFilm) -> str:
        texts.clear()
        dialog.state.interface.recorder = wanted
        dialog.frames()
        return next(text for text in texts if text.startswith("About"))

    size = (1000, 500)
    assert estimate(RecordFilm(".mp4", size=size, frames=(0, 9))) == "About 150 KB: 10 frames of 1000 × 500"
    assert estimate(RecordFilm(".gif", size=size, frames=(0, 9))).startswith("About 1 MB")
    assert "10 frames" in estimate(RecordFilm(".mp4", size=size, fps=10.0)), "the loop takes a second"
    assert "40 frames" in estimate(RecordFilm(".mp4", size=size, fps=10.0, turntable=True))


def test_a_format_without_its_encoder_is_not_offered(dialog: Any) -> None:
    interface = dialog.state.interface
    assert interface.recorder.suffix == ".mp4"
    interface.films = (".gif", ".png")
    dialog.frames(2)
    assert interface.recorder.suffix == ".gif"


def test_the_dialog_stays_while_its_document_closes(dialog: Any) -> None:
    dialog.state.close(0)
    dialog.pushed.add("Record")
    dialog.frames(2)
    assert dialog.posted == [] or not dialog.state.documents.opened
