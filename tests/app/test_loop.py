"""The whole program without a window: App on a bare context."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.desktop import state_without_multisampling, unrasterized
from tests.synthetic import animation_bytes, model_bytes, write_pair
from viewer.actions import ACTIONS
from viewer.app.loop import App
from viewer.app.viewport import DrawSurface
from viewer.errors import ResourceError
from viewer.gpu.target import RenderTarget
from viewer.render.renderer import Renderer
from viewer.scene.choices import Quality
from viewer.scene.finding import Severity
from viewer.session.requests import (
    Browse,
    CloseDocument,
    CopyPicture,
    FitView,
    Open,
    Quit,
    RecordFilm,
    Reload,
    SaveAs,
    SavedFile,
    Screenshot,
)
from viewer.session.state import State
from viewer.storage.documents import open_document
from viewer.ui.kit.theme import GROUND, PALETTES
from viewer.ui.problems.problem_rows import problem_rows

SIZE = (640, 400)
DT = 1 / 60

Make = Callable[..., App]


@pytest.fixture(autouse=True)
def clipboard(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The pictures that were copied; the user's own clipboard is left alone."""
    copied: list[Any] = []

    monkeypatch.setattr("viewer.app.output.clipboard.put", copied.append)
    return copied


@pytest.fixture
def make(ctx: Any) -> Iterator[Make]:
    """Makes one App in the context; it is closed before the context is looked at."""
    target = RenderTarget(ctx, SIZE)
    made: list[App] = []

    def make(*paths: object, **more: Any) -> App:
        surface = DrawSurface(target.framebuffer, SIZE, SIZE)
        made.append(App(ctx, state_without_multisampling(), surface, [str(p) for p in paths], **more))
        return made[0]

    yield make
    for app in made:
        app.close()
    target.release()


def settle(app: App) -> None:
    """Frames until nothing is being read."""
    end = time.monotonic() + 60
    with unrasterized(app._ctx):
        app.frame(0.0)
        while app.loading and time.monotonic() < end:
            app.frame(0.0)
    app.frame(0.0)


def finish(app: App) -> None:
    """Frames until nothing is asked, saved or recorded any more."""
    end = time.monotonic() + 60
    with unrasterized(app._ctx):
        for _ in range(4):
            app.frame(0.0)
        while app.state.recording and time.monotonic() < end:
            app.frame(0.0)


def said(app: App) -> list[str]:
    return [message.text for message in app.state.messages if message.kind == "error"]


def test_nothing_open_shows_a_window_all_the_same(make: Make) -> None:
    app = make()
    for _ in range(3):
        app.frame(DT)
    assert app.state.documents.opened == []


def test_a_model_plays_what_lies_beside_it(make: Make, tmp_path: Path) -> None:
    app = make(write_pair(tmp_path))
    settle(app)
    assert [chosen.animation.name for chosen in app.state.view.playlist] == ["Bend"]
    assert app.state.view.clock.time == 0
    for _ in range(30):
        app.frame(DT)
    assert app.state.view.clock.time == pytest.approx(0.5)


def test_every_action_once(make: Make, tmp_path: Path) -> None:
    app = make(write_pair(tmp_path))
    settle(app)
    preferences = app.state.interface.preferences
    preferences.pictures, preferences.films = str(tmp_path / "{name}.png"), str(tmp_path / "{name}")
    for action in ACTIONS:
        if action.name in ("close", "quit") or not action.enabled(app.state):
            continue
        action.run(app.state, app.post)
        with unrasterized(app._ctx):
            app.frame(DT)
    settle(app)
    assert app.running
    assert said(app) == []
    assert sorted(path.name for path in tmp_path.glob("*.png")) == ["Post-1.png", "Post-2.png", "Post.png"]


def test_the_picture_moves(make: Make, tmp_path: Path) -> None:
    app = make(write_pair(tmp_path))
    settle(app)
    pictures = []
    for name in ("a.png", "b.png"):
        app.post(Screenshot(str(tmp_path / name), content="model"))
        app.frame(0.5)
        with Image.open(tmp_path / name) as picture:
            pictures.append(np.asarray(picture))
        app.frame(0.0)
    assert pictures[0].shape == pictures[1].shape
    assert pictures[0][..., 3].max() == 255 and pictures[0][0, 0, 3] == 0
    assert np.abs(pictures[0].astype(int) - pictures[1]).max() > 50


def test_a_clean_picture_has_any_size(make: Make, tmp_path: Path) -> None:
    app = make(write_pair(tmp_path))
    settle(app)
    app.post(Screenshot(str(tmp_path / "large.png"), content="model", size=(900, 700)))
    app.frame(0.0)
    app.frame(0.0)
    with Image.open(tmp_path / "large.png") as picture:
        assert picture.size == (900, 700) and picture.mode == "RGBA"


def test_copying_leaves_out_the_panels(make: Make, tmp_path: Path, clipboard: list[Any]) -> None:
    app = make(write_pair(tmp_path))
    settle(app)
    app.post(CopyPicture())
    app.frame(0.0)
    settle(app)
    (copied,) = clipboard
    assert copied.shape[0] < SIZE[1] and copied.shape[1] < SIZE[0] and copied.std() > 5
    assert app.state.messages[-1].text == "Image copied"


def test_a_whole_picture_has_the_panels(make: Make, tmp_path: Path) -> None:
    app = make(write_pair(tmp_path))
    settle(app)
    app.post(Screenshot(str(tmp_path / "whole.png"), "window"))
    app.frame(0.0)
    with Image.open(tmp_path / "whole.png") as picture:
        assert picture.size == SIZE
        assert picture.getpixel((1, 1)) == tuple(round(255 * part) for part in PALETTES["dark"][GROUND])


@pytest.mark.parametrize(("wanted", "name"), [(Screenshot(), "Post.png"), (RecordFilm(fps=2.0), "Post.mp4")])
def test_the_first_picture_and_the_first_film_ask_where_to(
    make: Make, tmp_path: Path, wanted: SavedFile, name: str
) -> None:
    app = make(write_pair(tmp_path))
    settle(app)
    app.post(wanted)
    settle(app)
    browser = app.state.pending_files.browser
    assert browser is not None and (browser.folder, browser.name) == (str(tmp_path), name)
    (tmp_path / "out").mkdir()
    app.post(SaveAs(wanted, str(tmp_path / "out" / name)))
    app.post(Browse(None))
    finish(app)
    app.post(wanted)
    finish(app)
    stem, _, suffix = name.partition(".")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [f"{stem}-1.{suffix}", name]
    assert app.state.pending_files.browser is None


def test_saving_as_asks_although_a_pattern_is_known(make: Make, tmp_path: Path) -> None:
    app = make(write_pair(tmp_path))
    settle(app)
    app.state.interface.preferences.pictures = str(tmp_path / "{name}.png")
    app.post(SaveAs(Screenshot()))
    settle(app)
    assert app.state.pending_files.browser is not None
    assert not (tmp_path / "Post.png").exists()


class Answers:
    """The system's dialog, which answers at once."""

    available, waiting = True, False

    def __init__(self, answer: str) -> None:
        self.answer, self.asked = answer, []

    def show(self, folder: str, folders: bool, name: str | None) -> None:
        self.asked.append((folder, name))

    def poll(self) -> tuple[str, ...]:
        return (self.answer,) if len(self.asked) == 1 and not self.asked.append(("", "")) else ()


def test_the_systems_dialog_is_asked_where_there_is_one(make: Make, tmp_path: Path) -> None:
    dialog = Answers(str(tmp_path / "elsewhere.png"))
    app = make(write_pair(tmp_path), dialog=dialog)
    settle(app)
    app.post(Screenshot())
    finish(app)
    assert dialog.asked[0] == (str(tmp_path), "Post.png")
    assert (tmp_path / "elsewhere.png").exists()


def test_a_picture_that_cannot_be_written_is_a_message(make: Make, tmp_path: Path) -> None:
    app = make(write_pair(tmp_path))
    settle(app)
    app.post(Screenshot(str(tmp_path / "nowhere" / "a.png")))
    app.frame(0.0)
    assert any("nowhere" in line for line in said(app))


def test_a_picture_beyond_the_driver_is_a_message(make: Make, tmp_path: Path) -> None:
    app = make(write_pair(tmp_path))
    settle(app)
    app.post(Screenshot(str(tmp_path / "a.png"), content="model", size=(1_000_000, 1)))
    app.frame(0.0)
    assert any("OpenGL on this machine cannot draw" in line for line in said(app))
    app.frame(0.0)


def test_a_missing_file_is_a_message(make: Make, tmp_path: Path) -> None:
    app = make(tmp_path / "missing.mdl")
    settle(app)
    assert app.unread
    assert any("missing.mdl" in line for line in said(app))


def test_a_broken_file_shows_what_it_has(make: Make, tmp_path: Path) -> None:
    (tmp_path / "Cut.mdl").write_bytes(model_bytes()[:-200])
    app = make(tmp_path / "Cut.mdl")
    settle(app)
    assert app.unread
    assert app.state.document is not None
    rows = [row.text for row in problem_rows(app.state) if row.severity is Severity.ERROR]
    assert rows == [error.why for error in app.state.document.report.errors]


def test_start_is_called_with_the_files_in_place(make: Make, tmp_path: Path) -> None:
    seen: list[Any] = []
    app = make(
        write_pair(tmp_path), start=lambda state, size: seen.append((len(state.documents.opened), size))
    )
    settle(app)
    ((documents, size),) = seen
    assert documents == 1
    assert 0 < size[0] < SIZE[0] and 0 < size[1] < SIZE[1]


def test_what_start_raises_comes_out(make: Make, tmp_path: Path) -> None:
    def start(state: State, size: tuple[int, int]) -> None:
        raise ResourceError("no animation 'Jump'")

    app = make(write_pair(tmp_path), start=start)
    with pytest.raises(ResourceError):
        settle(app)


def test_the_first_model_is_in_view(make: Make, tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    (tmp_path / "Second.mdl").write_bytes(model_bytes())
    app = make(tmp_path / "Post_Bend.ani", path, tmp_path / "Second.mdl", start=lambda state, size: None)
    settle(app)
    assert app.state.document.path == str(path)


def test_a_dropped_animation_plays(make: Make, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "Wave.ani").write_bytes(animation_bytes("Wave"))
    app = make(write_pair(tmp_path))
    settle(app)
    app.post(Open((str(folder / "Wave.ani"),)))
    settle(app)
    assert [chosen.animation.name for chosen in app.state.view.playlist] == ["Wave"]
    assert app.state.document.path.endswith("Post.mdl")


def test_reloading_keeps_camera_and_time(make: Make, tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    app = make(path)
    settle(app)
    app.state.view.camera = app.state.view.camera.turned(20, 5)
    app.state.view.clock.seek(0.25)
    before, camera = app.state.document, app.state.view.camera
    app.post(Reload())
    settle(app)
    assert app.state.document is not before
    assert (app.state.view.camera, app.state.view.clock.time) == (camera, 0.25)


def test_closing_one_shows_the_other(make: Make, tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    (tmp_path / "Second.mdl").write_bytes(model_bytes())
    app = make(path, tmp_path / "Second.mdl")
    settle(app)
    app.post(CloseDocument(0))
    app.frame(DT)
    assert [Path(document.path).name for document in app.state.documents.opened] == ["Second.mdl"]
    app.post(CloseDocument())
    app.frame(DT)
    app.post(CloseDocument())
    app.frame(DT)
    assert app.state.documents.opened == []


def test_fit_brings_the_model_back(make: Make, tmp_path: Path) -> None:
    app = make(write_pair(tmp_path))
    settle(app)
    fitted = app.state.view.camera
    app.state.view.camera = fitted.panned(3, 3).zoomed(9)
    app.post(FitView())
    app.frame(0.0)
    assert app.state.view.camera.distance == pytest.approx(fitted.distance)
    assert app.state.view.camera.target == pytest.approx(fitted.target)


def test_home_is_the_camera_of_the_first_frame(make: Make, tmp_path: Path) -> None:
    app = make(write_pair(tmp_path))
    settle(app)
    first = app.state.view.camera
    app.state.view.camera = first.turned(50, 10)
    assert app.state.view.home == first


def test_open_without_a_dialog_shows_the_own_one(make: Make) -> None:
    app = make()
    app.post(Open())
    settle(app)
    assert app.state.pending_files.browser.folder == str(Path.cwd())


def test_quit_ends_the_loop(make: Make) -> None:
    app = make()
    app.post(Quit())
    app.frame(DT)
    assert not app.running


@pytest.mark.parametrize("size", [(1, 1), (320, 240), (2000, 300)])
def test_any_size_of_the_window(make: Make, tmp_path: Path, size: tuple[int, int]) -> None:
    app = make(write_pair(tmp_path))
    settle(app)
    app.surface.points = app.surface.pixels = size
    app.frame(DT)


def test_the_first_picture_is_drawn_in_haste_and_the_next_one_well(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[int, bool]] = []

    class Noted(Renderer):
        def draw(self, mesh: Any, frame: Any, framebuffer: Any) -> Any:
            drawn.append((framebuffer.samples, frame.options.grid))
            return super().draw(mesh, frame, framebuffer)

    monkeypatch.setattr("viewer.app.viewport.Renderer", Noted)
    app = make(write_pair(tmp_path))
    app.state.options.samples = 4
    app.await_first(10.0)
    app.state.options.quality = Quality.FULL
    app.frame(0.0)
    app.frame(0.0)
    assert app.state.documents.opened and drawn == [(0, False), (4, True)]


def test_what_was_asked_of_the_look_outlives_the_first_frame(ctx: Any, tmp_path: Path) -> None:
    state, target = State(), RenderTarget(ctx, SIZE)
    state.put(open_document(write_pair(tmp_path)))
    state.view.bone = 1
    state.view.morphs[0] = 0.5
    app = App(ctx, state, DrawSurface(target.framebuffer, SIZE, SIZE), start=lambda state, size: None)
    app.frame(0.0)
    assert (state.view.bone, state.view.morphs) == (1, {0: 0.5})
    app.close()
    target.release()
