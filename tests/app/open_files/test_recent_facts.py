"""What is found out about recent files: missing ones, and thumbnails that the cache has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.app.conftest import Make, until
from tests.synthetic import model_bytes
from viewer.app.loop import App
from viewer.app.open_files import recent_facts
from viewer.app.wall.wall_task import wall_thumbnail
from viewer.library.file_sources import source_files
from viewer.library.thumbnails.cache import ThumbnailCache
from viewer.library.thumbnails.thumbnail import ThumbnailRecord
from viewer.scene.files import MODEL, PACKAGE, FileFacts
from viewer.scene.reading_context import DEFAULT
from viewer.session.requests import Open, OpenFolder
from viewer.storage.png import png_pieces
from viewer.view.view_info import PanelPicture


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RIGSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(recent_facts, "START_DELAY", 0.0)
    folder = tmp_path / "models"
    folder.mkdir()
    for name in ("Fox.mdl", "Hare.mdl"):
        (folder / name).write_bytes(model_bytes())
    return folder


def looked_up(app: App, *paths: object, folders: tuple[object, ...] = ()) -> Any:
    preferences = app.state.interface.preferences
    preferences.recent, preferences.recent_folders = [str(p) for p in paths], [str(p) for p in folders]
    return until(app, lambda state: len(state.pending_files.recent) == len(paths) + len(folders))


def draw(app: App, path: Path) -> None:
    """Put a thumbnail of a file into the cache."""
    task = wall_thumbnail(app.state.context)
    [file] = source_files([str(path)], (".mdl",), lambda failed: None, DEFAULT)
    png = b"".join(png_pieces(np.full((256, 256, 4), 200, np.uint8)))
    ThumbnailCache().keep(file.path, file.version, task, ThumbnailRecord(png, FileFacts(), "", {}))


def test_missing_files_and_folders_are_known(make: Make, models: Path) -> None:
    app = make()
    fox, gone = str(models / "Fox.mdl"), str(models / "gone.mdl")
    state = looked_up(app, fox, gone, folders=(models, models / "none", models / "a.pak"))
    missing = [path for path, each in state.pending_files.recent.items() if each.missing]
    assert missing == [gone, str(models / "none"), str(models / "a.pak")]
    icons = [each.icon for each in state.pending_files.recent.values()]
    assert icons == [MODEL.icon, MODEL.icon, "", "", PACKAGE.icon]


def test_thumbnails_come_from_the_cache_and_a_folder_has_that_of_its_latest_file(
    make: Make, models: Path
) -> None:
    app = make()
    draw(app, models / "Hare.mdl")
    state = looked_up(app, models / "Fox.mdl", models / "Hare.mdl", folders=(models, models.parent / "cache"))
    fox, hare, folder, other = state.pending_files.recent.values()
    assert isinstance(hare.picture, PanelPicture) and isinstance(folder.picture, PanelPicture)
    assert (fox.picture, other.picture) == (None, None)
    assert hare.picture.size == (128, 128)


def test_nothing_is_looked_up_while_nothing_is_shown(make: Make, models: Path) -> None:
    app = make(models / "Fox.mdl")
    app.state.interface.preferences.recent = [str(models / "gone.mdl")]
    for _ in range(5):
        app.frame(0.0)
    assert app.state.pending_files.recent == {}


def test_the_first_frames_look_nothing_up(make: Make, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recent_facts, "START_DELAY", 60.0)
    app = make()
    app.state.interface.preferences.recent = [str(models / "Fox.mdl")]
    for _ in range(3):
        app.frame(0.0)
    assert not app.busy and app.pause is not None and app.state.pending_files.recent == {}


def test_opened_folders_and_packages_are_remembered_beside_files(make: Make, models: Path) -> None:
    app = make()
    app.post(OpenFolder(str(models)))
    until(app, lambda state: state.documents.opened and not state.pending_files.loading)
    preferences = app.state.interface.preferences
    assert preferences.recent_folders == [str(models)]
    assert preferences.recent == [str(models / "Fox.mdl")]
    app.post(Open((str(models / "Hare.mdl"),)))
    until(app, lambda state: len(state.documents.opened) == 2)
    assert preferences.recent_folders == [str(models)]
