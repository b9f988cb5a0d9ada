"""The dialog for recordings, and what it asks for."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui

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
    interface.recorder = RecordFilm(fps=120.0)
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
    assert not dialog.state.interface.records


def test_enter_records(dialog: Any) -> None:
    dialog.key("ENTER")
    assert [type(each) for each in dialog.posted] == [RecordFilm]
    assert not dialog.state.interface.records


def test_enter_records_nothing_if_nothing_plays(dialog: Any) -> None:
    dialog.state.playback.choose(None)
    dialog.frames(2)
    dialog.key("ENTER")
    assert dialog.posted == [] and dialog.state.interface.records


def test_cancel_closes_it(dialog: Any) -> None:
    dialog.pushed.add("Cancel")
    dialog.frames()
    assert not dialog.state.interface.records and dialog.posted == []
