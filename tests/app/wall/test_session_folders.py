"""What the user adds for the session reaches the index, pictures, checks and exports of listed files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.app.conftest import SMALL, until
from tests.desktop import state_without_multisampling, unrasterized
from tests.packages import MATERIAL, png
from tests.synthetic import model_bytes
from viewer.app.loop import App
from viewer.app.viewport import DrawSurface
from viewer.app.wall import file_tasks
from viewer.app.wall.wall_task import wall_thumbnail
from viewer.gpu.target import RenderTarget
from viewer.library.thumbnails.cache import ThumbnailCache
from viewer.library.workers.batches import LocalRunner, SameProcess
from viewer.scene.reading_context import DEFAULT
from viewer.session.file_batches import BatchResult
from viewer.session.requests import AddResourceFolder, CheckFiles, ExportFiles, GiveFile, RemoveResourceFolder
from viewer.session.state import State
from viewer.storage.versions import file_version
from viewer.view.view_info import PanelPicture

NAME = "Textures/P.png"
QUERY = "missing:texture"


class InThisProcess(LocalRunner, frozen=True):
    """Runs batches without worker processes, whose start takes 0.6 s."""

    def run(self, task: Any, calls: Any) -> Any:
        return SameProcess().run(task, calls)


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """The file that the model needs, in a folder that no search reaches."""
    path = tmp_path / "given" / NAME
    path.parent.mkdir(parents=True)
    path.write_bytes(png())
    return path


@pytest.fixture
def app(ctx: Any, tmp_path: Path, picture: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    """A window that lists a folder with a model whose texture is missing."""
    monkeypatch.setenv("RIGSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(file_tasks, "LocalRunner", InThisProcess)
    model = tmp_path / "models/Box.mdl"
    (tmp_path / "models/.git").mkdir(parents=True)
    model.write_bytes(model_bytes())
    model.with_suffix(".txt").write_text("Box.xml\n")
    model.with_suffix(".xml").write_text(MATERIAL)
    target = RenderTarget(ctx, SMALL)
    surface = DrawSurface(target.framebuffer, SMALL, SMALL)
    app = App(ctx, state_without_multisampling(), surface, [str(model.parent)], workers=1)
    with unrasterized(ctx):
        yield app
    app.close()
    target.release()


def found(app: App, number: int) -> State:
    """Wait until the query for models with a missing texture finds so many files."""

    def true(state: State) -> bool:
        state.files.query = QUERY
        result = state.files.result
        return result.query == QUERY and result.rows is not None and len(result.rows) == number

    return until(app, true)


def thumbnail(app: App) -> bytes:
    """The picture of the model in the cache, as the window draws it now."""
    path = app.state.files.table.path(0)  # type: ignore[union-attr]
    version, task = file_version(path), wall_thumbnail(app.state.context)
    assert version is not None

    def drawn(state: State) -> bool:
        kept = ThumbnailCache().find(path, version, task)
        return isinstance(state.files.picture(path), PanelPicture) and kept is not None

    until(app, drawn)
    kept = ThumbnailCache().find(path, version, task)
    assert kept is not None
    return kept.png


def result_of(app: App, request: Any) -> BatchResult:
    """The result of a task on the model."""
    app.post(request)
    number = len(app.state.files.batches)
    state = until(app, lambda state: len(state.files.batches) > number and state.files.batches[-1].result)
    result = state.files.batches[-1].result
    assert result is not None
    return result


def give_folder(app: App, picture: Path) -> None:
    app.post(AddResourceFolder(path=str(picture.parents[1])))


def give_file(app: App, picture: Path) -> None:
    app.post(GiveFile(NAME, path=str(picture)))


def remembered_folder(app: App, picture: Path) -> None:
    """A folder of the session that no setting keeps."""
    app.state.reading.folders.append(str(picture.parents[1]))


@pytest.mark.parametrize("give", [give_folder, give_file, remembered_folder])
def test_what_is_given_reaches_everything_about_listed_files(
    app: App, picture: Path, tmp_path: Path, give: Callable[[App, Path], None]
) -> None:
    state = found(app, 1)
    assert state.files.table is not None
    paths, without = (state.files.table.path(0),), thumbnail(app)
    assert result_of(app, CheckFiles(paths)).failed
    assert result_of(app, ExportFiles(paths, path=str(tmp_path / "without"))).written
    assert b"image/png" not in (tmp_path / "without/Box.glb").read_bytes()
    give(app, picture)
    found(app, 0)
    assert thumbnail(app) != without
    checked = result_of(app, CheckFiles(paths))
    assert not [each for each in checked.files if "P.png" in each.text] and state.context != DEFAULT
    assert result_of(app, ExportFiles(paths, path=str(tmp_path / "with"))).written
    assert b"image/png" in (tmp_path / "with/Box.glb").read_bytes()


def test_a_folder_that_is_taken_away_counts_no_more(app: App, picture: Path) -> None:
    found(app, 1)
    before = thumbnail(app)
    give_folder(app, picture)
    found(app, 0)
    app.post(RemoveResourceFolder(str(picture.parents[1])))
    found(app, 1)
    assert thumbnail(app) == before
