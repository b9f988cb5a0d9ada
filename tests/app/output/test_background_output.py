"""Copies and recordings of the window, a frame at a time."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.synthetic import write_pair
from tests.video import decoded
from viewer.app.output import clipboard
from viewer.app.output.background_output import BackgroundOutput
from viewer.app.output.save_paths import suggested
from viewer.app.tasks import Tasks
from viewer.app.viewport import Viewport
from viewer.errors import ResourceError
from viewer.scene.camera import Orbit
from viewer.session.pending_files import FileProgress
from viewer.session.requests import RecordFilm
from viewer.session.state import State
from viewer.storage.documents import open_document
from viewer.view.framing import fit, posed_bounds

SIZE = (48, 32)


@pytest.fixture
def state(tmp_path: Path) -> State:
    """The post in the picture, bending for a second."""
    made = State()
    made.put(open_document(str(write_pair(tmp_path))))
    made.playback.choose(made.playback.animations[0])
    assert made.model is not None
    made.view.camera = fit(Orbit(), posed_bounds(made.model), SIZE, 2.0)
    return made


@pytest.fixture
def tasks() -> Iterator[Tasks]:
    made = Tasks()
    yield made
    made.close()


@pytest.fixture
def output(state: State, ctx: Any, tasks: Tasks) -> Iterator[BackgroundOutput]:
    assert state.document is not None
    viewport = Viewport(ctx)
    list(viewport.put(state.document, {}))  # to the end
    made = BackgroundOutput(state, viewport, tasks)
    yield made
    made.close()
    viewport.release()


def finish(output: BackgroundOutput, state: State) -> int:
    """Frames until nothing is recorded any more."""
    end = time.monotonic() + 60
    for frames in range(1, 100_000):
        output.step()
        if not state.recording or time.monotonic() > end:
            return frames
    return 0


def files(folder: Path) -> set[str]:
    """What is there beside the model."""
    return set(os.listdir(folder)) - {"Post.mdl", "Post_Bend.ani"}


def test_a_loop_is_recorded_beside_the_model(output: BackgroundOutput, state: State, tmp_path: Path) -> None:
    output.record(RecordFilm(".mp4", fps=10), SIZE)
    assert finish(output, state) > 10
    assert decoded(tmp_path / "Post.mp4").frames.shape == (10, 32, 48, 3)
    assert files(tmp_path) == {"Post.mp4"}
    assert state.messages[-1].text.startswith("Saved")


def test_a_frame_of_the_window_draws_one_of_the_film(output: BackgroundOutput, state: State) -> None:
    output.record(RecordFilm(fps=10), SIZE)
    shown = []
    for _ in range(10):
        output.step()
        shown.append(state.recording)
    path = suggested(state, RecordFilm())
    assert shown[0] == FileProgress(path, "recording", 0.1) and shown[8] == FileProgress(
        path, "recording", 0.9
    )
    assert shown[9] == FileProgress(path, "encoding")


def test_the_user_can_go_on_meanwhile(output: BackgroundOutput, state: State, tmp_path: Path) -> None:
    """The film shows what was there when it began."""
    output.record(RecordFilm(".apng", fps=5, path=str(tmp_path / "calm.apng")), SIZE)
    finish(output, state)
    output.record(RecordFilm(".apng", fps=5, path=str(tmp_path / "busy.apng")), SIZE)
    output.step()
    state.playback.choose(None)
    state.options.wireframe = True
    state.view.camera = Orbit(yaw=90)
    finish(output, state)
    with Image.open(tmp_path / "calm.apng") as calm, Image.open(tmp_path / "busy.apng") as busy:
        for number in range(5):
            calm.seek(number)
            busy.seek(number)
            assert (np.asarray(calm) == np.asarray(busy)).all()


def test_a_turntable_goes_around_the_users_camera(
    output: BackgroundOutput, state: State, tmp_path: Path
) -> None:
    state.playback.choose(None)
    output.record(RecordFilm(".apng", turntable=True, fps=2), SIZE)
    finish(output, state)
    with Image.open(tmp_path / "Post.apng") as picture:
        assert picture.n_frames == 8  # type: ignore[attr-defined]
        first = np.asarray(picture.convert("RGB"))
        picture.seek(2)
        assert (np.asarray(picture.convert("RGB")) != first).any()


def test_without_a_seam_the_frames_fill_the_loop(
    output: BackgroundOutput, state: State, tmp_path: Path
) -> None:
    """8 frames at 7.6 a second show what 8 a second show of a loop of one second."""
    shown = []
    for seamless, fps in ((True, 7.6), (False, 8.0)):
        path = tmp_path / f"film{fps}.apng"
        output.record(RecordFilm(".apng", fps=fps, path=str(path), seamless=seamless), SIZE)
        finish(output, state)
        with Image.open(path) as picture:
            picture.seek(7)
            shown.append(np.asarray(picture.convert("RGB")))
    assert (shown[0] == shown[1]).all()
    assert state.view.effects.period == 0.0


def test_stopping_leaves_nothing(output: BackgroundOutput, state: State, tmp_path: Path) -> None:
    output.record(RecordFilm(), SIZE)
    output.step()
    output.stop()
    output.step()
    assert files(tmp_path) == set() and state.recording is None


def test_closing_the_document_stops_its_recording(
    output: BackgroundOutput, state: State, tmp_path: Path
) -> None:
    output.record(RecordFilm(), SIZE)
    output.step()
    state.close(0)
    output.step()
    assert files(tmp_path) == set() and state.recording is None


def test_nothing_that_moves_is_told(output: BackgroundOutput, state: State, tmp_path: Path) -> None:
    state.playback.choose(None)
    output.record(RecordFilm(), SIZE)
    output.step()
    assert state.messages[-1].kind == "warning" and files(tmp_path) == set()


def test_a_place_that_cannot_be_written_is_told(
    output: BackgroundOutput, state: State, tmp_path: Path
) -> None:
    output.record(RecordFilm(path=str(tmp_path / "no" / "x.gif")), SIZE)
    output.step()
    assert state.messages[-1].kind == "error" and "x.gif" in state.messages[-1].text


def test_copying_takes_the_picture_and_tells(
    output: BackgroundOutput, state: State, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    free, copied = threading.Event(), list[Any]()

    def put(pixels: Any) -> None:
        assert free.wait(60)
        copied.append(pixels)
        if len(copied) == 2:
            raise ResourceError("install xclip")

    monkeypatch.setattr(clipboard, "put", put)
    output.copy(SIZE)
    output.step()
    tasks.step()
    assert state.messages == [] and copied == [], "nobody waits for it"
    free.set()
    for _ in range(2):
        while tasks.busy:
            tasks.step()
        output.copy(SIZE)
    assert copied[0].shape == (32, 48, 3) and len(np.unique(copied[0])) > 2
    assert [message.text for message in state.messages] == ["install xclip"], "one message a repeat"
    assert state.messages[-1].kind == "warning"


def test_pictures_of_some_frames_alone_on_nothing(
    output: BackgroundOutput, state: State, tmp_path: Path
) -> None:
    output.record(RecordFilm(".png", frames=(3, 5), size=(40, 30), transparent=True), SIZE)
    finish(output, state)
    made = sorted(tmp_path.glob("*.png"))
    assert [each.name for each in made] == [f"Post_{number:04}.png" for number in (3, 4, 5)]
    with Image.open(made[0]) as picture:
        alpha = np.asarray(picture.convert("RGBA"))[..., 3]
        assert picture.size == (40, 30) and alpha.min() == 0 and alpha.max() == 255
    assert state.options.background is None and state.options.grid


def test_a_file_that_is_open_is_not_recorded_over(
    output: BackgroundOutput, state: State, tmp_path: Path
) -> None:
    assert state.document is not None
    link = tmp_path / "a.mp4"
    link.symlink_to(state.document.path)
    before = Path(state.document.path).read_bytes()
    output.record(RecordFilm(path=str(link), fps=10), SIZE)
    assert (
        state.messages[-1].text
        == f"{state.document.path} is open here, so it is not written. Choose another name."
    )
    assert not state.recording and Path(state.document.path).read_bytes() == before


def test_a_size_beyond_the_driver_is_a_message(
    output: BackgroundOutput, state: State, tmp_path: Path
) -> None:
    output.record(RecordFilm(path=str(tmp_path / "a.gif"), fps=10, size=(1_000_000, 1)), SIZE)
    finish(output, state)
    assert (
        "a.gif: OpenGL on this machine cannot draw a picture of 1000000 × 1 pixels" in state.messages[-1].text
    )
    assert files(tmp_path) == set()
