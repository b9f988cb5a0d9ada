"""Actions that record films."""

from __future__ import annotations

from viewer.actions.action import Action, has_picture, has_playlist, holds, otherwise, posts, toggles
from viewer.session.requests import RecordFilm, StopRecording
from viewer.session.state import State


@otherwise("Nothing is recorded")
def is_recording(state: State) -> bool:
    """Whether a film is being recorded."""
    return state.recording is not None


MENU, DIALOG = ("Render",), "interface.records"

RECORD = (
    Action(
        "record",
        "Record…",
        ("Shift+F12",),
        MENU,
        toggles(DIALOG),
        has_picture,
        holds(DIALOG),
        words="video film movie animation gif mp4 render",
    ),
    Action(
        "record_mp4",
        "Record loop as MP4",
        (),
        MENU,
        posts(RecordFilm(".mp4")),
        has_playlist,
        words="video film movie",
    ),
    Action(
        "record_gif",
        "Record loop as GIF",
        (),
        MENU,
        posts(RecordFilm(".gif")),
        has_playlist,
        words="video film movie",
    ),
    Action(
        "turntable_mp4",
        "Record turntable as MP4",
        (),
        MENU,
        posts(RecordFilm(".mp4", turntable=True)),
        has_picture,
        words="video film movie rotate spin 360",
    ),
    Action(
        "turntable_gif",
        "Record turntable as GIF",
        (),
        MENU,
        posts(RecordFilm(".gif", turntable=True)),
        has_picture,
        words="video film movie rotate spin 360",
    ),
    Action("stop_recording", "Stop recording", ("Ctrl+.",), MENU, posts(StopRecording()), is_recording),
)
