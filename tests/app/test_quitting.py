"""Quitting while something is written or recorded: wait, stop or stay."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import imgui

from tests.app.conftest import SMALL, until
from tests.desktop import Desktop, state_without_multisampling, unrasterized
from tests.gltf_files import GltfFile
from tests.synthetic import write_pair
from tests.video import decoded
from viewer.app.loop import App
from viewer.app.output import clipboard
from viewer.app.viewport import DrawSurface
from viewer.export import model_file
from viewer.gpu.target import RenderTarget
from viewer.session.requests import (
    CheckFiles,
    CopyPicture,
    ExportFiles,
    ExportModel,
    Open,
    Quit,
    RecordFilm,
    Request,
    SaveFilePictures,
    SaveTexture,
    Screenshot,
)
from viewer.session.state import State
from viewer.storage.writing import PREFIX, replaced

COUNT = 12
Begin = Callable[[tuple[str, ...], str], Request]


@pytest.fixture
def app(ctx: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    """A window with a folder of models, of which the first bends for a second."""
    monkeypatch.setenv("RIGSCOPE_CACHE", str(tmp_path / "cache"))
    for number in range(COUNT):
        (tmp_path / "models" / f"{number:02}").mkdir(parents=True)
        write_pair(tmp_path / "models" / f"{number:02}")
    (tmp_path / "out").mkdir()
    target = RenderTarget(ctx, SMALL)
    surface = DrawSurface(target.framebuffer, SMALL, SMALL)
    made = App(ctx, state_without_multisampling(), surface, [str(tmp_path / "models")], workers=1)
    with unrasterized(ctx):
        until(made, lambda state: state.files.table is not None and state.view.playlist)
        made.close = cache(made.close)  # type: ignore[method-assign]  # a test that has closed it is at its end
        yield made
    made.close()
    target.release()


def endless(monkeypatch: pytest.MonkeyPatch, text: str = "half") -> threading.Event:
    """Let an export write half of its file, and go on until it is cancelled or the event is set."""
    go = threading.Event()

    def write(
        view: Any, clips: Any, textures: Any, choices: Any, path: str, context: Any, report: Any
    ) -> Any:
        with replaced(path) as file:
            file.write(text.encode())
            while not go.wait(0.01):
                report(0.5)
        return []

    monkeypatch.setattr(model_file, "write_model", write)
    return go


def listed(state: State) -> tuple[str, ...]:
    table = state.files.table
    assert table is not None
    return tuple(path for path in map(table.path, range(len(table))) if path.endswith(".mdl"))


WRITTEN: dict[str, Begin] = {
    "recording": lambda paths, out: RecordFilm(".mp4", turntable=True, path=out + "/a.mp4"),
    "numbered pictures": lambda paths, out: RecordFilm(
        ".png", turntable=True, path=out + "/a_{frame:04}.png"
    ),
    "film with two passes": lambda paths, out: RecordFilm(".gif", turntable=True, path=out + "/a.gif"),
    "export": lambda paths, out: ExportModel(path=out + "/a.glb"),
    "files exported": lambda paths, out: ExportFiles(paths, path=out),
    "pictures": lambda paths, out: SaveFilePictures(paths, path=out),
    "contact sheet": lambda paths, out: SaveFilePictures(paths, True, out + "/sheet.png"),
    "check": lambda paths, out: CheckFiles(paths),
}


@pytest.mark.parametrize("kind", WRITTEN)
def test_stopping_keeps_complete_files_and_nothing_of_the_others(
    app: App, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, out = app.state, tmp_path / "out"
    if kind == "export":
        endless(monkeypatch)
    app.post(WRITTEN[kind](listed(state), str(out)))
    until(
        app,
        lambda state: state.unfinished and (not state.files.batches or state.files.batches[0].progress[1]),
    )
    app.post(Quit())
    app.frame(0.0)
    assert app.running and state.interface.quits, "it is asked"
    app.post(Quit("stop"))
    app.frame(0.0)
    assert not app.running
    app.close()
    names = {each.name for each in out.rglob("*") if each.is_file()}
    assert not any(name.startswith(PREFIX) for name in [each.name for each in out.rglob("*")])
    assert {Path(name).suffix for name in names} <= ({".glb"} if "exported" in kind else {".png"})
    assert not names or kind in ("files exported", "pictures")
    for path in out.rglob("*.glb"):
        assert GltfFile(path).json["meshes"]


SHORT: dict[str, Begin] = {
    "picture": lambda paths, out: Screenshot(out + "/a.png"),
    "texture": lambda paths, out: SaveTexture(0, layouts=True, path=out + "/a.png"),
    "copy": lambda paths, out: CopyPicture(),
    "loading": lambda paths, out: Open((paths[5],)),
}


@pytest.mark.parametrize("kind", SHORT)
def test_short_outputs_end_before_the_window_and_reading_never_asks(
    app: App, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = []
    monkeypatch.setattr(clipboard, "put", lambda pixels: (time.sleep(0.3), copied.append(pixels)))
    app.post(SHORT[kind](listed(app.state), str(tmp_path / "out")))
    app.post(Quit())
    app.frame(0.0)
    assert not app.running and not app.state.interface.quits
    app.close()
    if kind in ("picture", "texture"):
        assert (tmp_path / "out" / "a.png").read_bytes()[-8:-4] == b"IEND"
    assert bool(copied) == (kind == "copy")


def test_waiting_ends_the_window_with_the_work(app: App, tmp_path: Path) -> None:
    app.post(RecordFilm(".mp4", turntable=True, fps=5, path=str(tmp_path / "out" / "a.mp4")))
    app.frame(0.0)
    app.post(Quit("wait"))
    until(app, lambda state: not app.running)
    assert decoded(tmp_path / "out" / "a.mp4").frames.shape[0] == 20


def test_after_a_failure_the_window_stays_with_its_message(
    app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = endless(monkeypatch)
    app.post(ExportModel(path=str(tmp_path / "out" / "a.glb")))
    app.frame(0.0)
    app.post(Quit("wait"))
    app.frame(0.0)
    (tmp_path / "out").rename(tmp_path / "gone")
    go.set()
    until(app, lambda state: not state.unfinished)
    assert app.running and "a.glb" in app.state.messages[-1].text and app.state.messages[-1].kind == "error"


def test_a_second_output_waits_for_the_first(
    app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = endless(monkeypatch, "whole")
    app.post(ExportModel(path=str(tmp_path / "out" / "a.glb")))
    app.frame(0.0)
    app.post(ExportModel(path=str(tmp_path / "out" / "b.glb")))
    app.frame(0.0)
    assert "a.glb is still being written" in app.state.messages[-1].text
    go.set()
    until(app, lambda state: not state.unfinished)
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["a.glb"]


def test_two_batches_into_one_folder_do_not_replace_each_others_files(app: App, tmp_path: Path) -> None:
    paths, out = listed(app.state), tmp_path / "out"
    app.post(ExportFiles(paths[:1], path=str(out)))
    app.post(ExportFiles(paths[1:2], path=str(out)))
    until(app, lambda state: state.files.batches and not state.unfinished)
    assert len([*out.rglob("*.glb")]) in (1, 2)
    texts = [each.result.text for each in app.state.files.batches if each.result]
    assert "exists already" in texts[1] or len([*out.rglob("*.glb")]) == 2, texts


@pytest.fixture
def asked(ctx: Any, tmp_path: Path) -> Iterator[Desktop]:
    """A window whose cross was clicked while it records."""
    made = Desktop(ctx, write_pair(tmp_path), size=(900, 600))
    made.app.post(RecordFilm(".mp4", turntable=True, path=str(tmp_path / "a.mp4")))
    made.frames(2)
    made.press("Ctrl+Q")
    yield made
    made.close()


def test_escape_stays(asked: Desktop) -> None:
    assert asked.state.interface.quits and asked.app.running
    asked.press("Escape")
    assert not asked.state.interface.quits and asked.state.recording
    asked.rest()
    assert asked.app.running, "the answer was to stay"


def test_enter_waits(asked: Desktop, tmp_path: Path) -> None:
    asked.press("Enter")
    assert not asked.state.interface.quits and asked.state.recording and asked.app.running
    until(asked.app, lambda state: not asked.app.running)
    assert decoded(tmp_path / "a.mp4").frames.shape[0] == 120


def test_stop_is_a_click(asked: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places: dict[str, tuple[float, float]] = {}
    button = imgui.button

    def noting(label: str, *more: Any) -> bool:
        drawn = button(label, *more)
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        if imgui.get_window_pos().y > 0 and label not in places:
            places[label] = (low.x + high.x) / 2, (low.y + high.y) / 2
        return drawn

    from viewer.ui.dialogs import quit_dialog

    monkeypatch.setattr(quit_dialog.imgui, "button", noting)
    asked.frames(2)
    asked.click(*places["Cancel"][:1], places["Cancel"][1])
    assert not asked.state.interface.quits
    asked.press("Ctrl+Q")
    places.clear()
    asked.frames(2)
    # the overlay of the recording has a Stop button too; that of the dialog is beside Cancel
    x, y = places["Cancel"]
    asked.click(x - 55, y)
    assert not asked.app.running and not (tmp_path / "a.mp4").exists()
