"""Files in, pictures and films out."""

from __future__ import annotations

from viewer.actions.action import Action, asks, opened, playing, recording
from viewer.actions.camera import Operation
from viewer.session.requests import (
    CancelLoading,
    CloseDocument,
    CopyPicture,
    Open,
    OpenFolder,
    OpenNeighbour,
    Post,
    Quit,
    RecordFilm,
    Reload,
    Screenshot,
    StopRecording,
    Watch,
)
from viewer.session.state import State


def _loading(state: State) -> bool:
    return bool(state.opening.loading)


def _watching(state: State) -> bool:
    return state.opening.watching


def _neighbour(by: int) -> Operation:
    def run(state: State, post: Post) -> None:
        post(OpenNeighbour(by, keep_camera=state.interface.kept.same_view))

    return run


def _keep_view(state: State, post: Post) -> None:
    state.interface.kept.same_view = not state.interface.kept.same_view


def _same_view(state: State) -> bool:
    return state.interface.kept.same_view


FILE = (
    Action("open", "Open…", ("Ctrl+O",), ("File",), asks(Open())),
    Action("open_folder", "Open folder…", ("Ctrl+Shift+O",), ("File",), asks(OpenFolder())),
    Action("previous_file", "Previous file of the folder", ("Left",), ("File",), _neighbour(-1), opened),
    Action("next_file", "Next file of the folder", ("Right",), ("File",), _neighbour(1), opened),
    Action(
        "previous_file_same_view",
        "Previous file, same view",
        ("Alt+Left",),
        ("File",),
        asks(OpenNeighbour(-1, keep_camera=True)),
        opened,
    ),
    Action(
        "next_file_same_view",
        "Next file, same view",
        ("Alt+Right",),
        ("File",),
        asks(OpenNeighbour(1, keep_camera=True)),
        opened,
    ),
    Action("same_view", "Keep the view between files", (), ("File",), _keep_view, checked=_same_view),
    Action("cancel_loading", "Stop loading", ("Ctrl+Shift+.",), ("File",), asks(CancelLoading()), _loading),
    Action("reload", "Reload", ("F5",), ("File",), asks(Reload()), opened),
    Action("watch", "Reload when a file changes", (), ("File",), asks(Watch()), opened, _watching),
    Action("close", "Close", ("Ctrl+W",), ("File",), asks(CloseDocument()), opened),
    Action("screenshot", "Save picture", ("F12",), ("File",), asks(Screenshot()), opened),
    Action(
        "clean_screenshot",
        "Save picture without panels and background",
        ("Ctrl+F12",),
        ("File",),
        asks(Screenshot(clean=True)),
        opened,
    ),
    Action("copy_picture", "Copy picture", ("Ctrl+C",), ("File",), asks(CopyPicture()), opened),
    Action("quit", "Quit", ("Ctrl+Q",), ("File",), asks(Quit())),
)


def _record(state: State, post: Post) -> None:
    state.interface.recorder.open = not state.interface.recorder.open


def _asked(state: State) -> bool:
    return state.interface.recorder.open


RENDER = (
    Action("record", "Record…", ("Shift+F12",), ("Render",), _record, opened, _asked),
    Action("record_gif", "Record loop as GIF", (), ("Render",), asks(RecordFilm()), playing),
    Action("record_mp4", "Record loop as MP4", (), ("Render",), asks(RecordFilm(".mp4")), playing),
    Action(
        "turntable_gif", "Record turntable as GIF", (), ("Render",), asks(RecordFilm(turntable=True)), opened
    ),
    Action(
        "turntable_mp4",
        "Record turntable as MP4",
        (),
        ("Render",),
        asks(RecordFilm(".mp4", turntable=True)),
        opened,
    ),
    Action("stop_recording", "Stop recording", ("Ctrl+.",), ("Render",), asks(StopRecording()), recording),
)
