"""Actions that record films."""

from __future__ import annotations

from viewer.actions.action import Action, has_picture, has_playlist, posts
from viewer.session.requests import Post, RecordFilm, StopRecording
from viewer.session.state import State


def is_recording(state: State) -> bool:
    """Whether a film is being recorded."""
    return state.recording is not None


def dialog_open(state: State) -> bool:
    """Whether the record dialog is open."""
    return state.interface.records


def toggle_dialog(state: State, post: Post) -> None:
    """Open or close the record dialog."""
    state.interface.records = not state.interface.records


MENU = ("Render",)

RECORD = (
    Action("record", "Record…", ("Shift+F12",), MENU, toggle_dialog, has_picture, dialog_open),
    Action("record_gif", "Record loop as GIF", (), MENU, posts(RecordFilm()), has_playlist),
    Action("record_mp4", "Record loop as MP4", (), MENU, posts(RecordFilm(".mp4")), has_playlist),
    Action(
        "turntable_gif", "Record turntable as GIF", (), MENU, posts(RecordFilm(turntable=True)), has_picture
    ),
    Action(
        "turntable_mp4",
        "Record turntable as MP4",
        (),
        MENU,
        posts(RecordFilm(".mp4", turntable=True)),
        has_picture,
    ),
    Action("stop_recording", "Stop recording", ("Ctrl+.",), MENU, posts(StopRecording()), is_recording),
)
