"""Outputs that cannot be written: nothing is half written, and one line names the file that was asked for."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.app.conftest import Make, until
from tests.synthetic import write_pair
from viewer.session.requests import ExportModel, RecordFilm, Request, SaveAs, SaveTexture, Screenshot

OUTPUTS: dict[str, Callable[[str], Request]] = {
    "a.png": Screenshot,
    "b.png": lambda path: Screenshot(path, "window"),
    "c.png": lambda path: SaveTexture(0, layouts=True, path=path),
    "a.glb": lambda path: ExportModel(path=path),
    "a.obj": lambda path: ExportModel(".obj", path=path),
    "a.mp4": lambda path: RecordFilm(".mp4", fps=5, path=path),
    "a_{frame:04}.png": lambda path: RecordFilm(".png", fps=5, path=path),
}
FULL, LOCKED, READ_ONLY = "No space left on device", "Permission denied", "Read-only file system"


def refused(monkeypatch: pytest.MonkeyPatch, folder: Path, text: str) -> None:
    """Let the disk be full, another program hold the file, or the folder be read-only."""

    def fails(function: Any, number: int) -> Any:
        def run(path: Any, *more: Any, **named: Any) -> Any:
            inside = not isinstance(path, int) and Path(path).is_relative_to(folder)
            if isinstance(path, int) or inside:
                raise OSError(number, os.strerror(number), None if isinstance(path, int) else str(path))
            return function(path, *more, **named)

        return run

    if text == FULL:
        monkeypatch.setattr(os, "fsync", fails(os.fsync, errno.ENOSPC))
    elif text == LOCKED:
        monkeypatch.setattr(os, "replace", fails(os.replace, errno.EACCES))
    else:
        monkeypatch.setattr(os, "mkdir", fails(os.mkdir, errno.EROFS))
        monkeypatch.setattr(os, "open", fails(os.open, errno.EROFS))


@pytest.mark.parametrize("text", [FULL, LOCKED, READ_ONLY])
@pytest.mark.parametrize("name", OUTPUTS)
def test_nothing_is_half_written(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    app, out = make(write_pair(tmp_path)), tmp_path / "out"
    out.mkdir()
    with monkeypatch.context() as patch:
        refused(patch, out, text)
        app.post(OUTPUTS[name](str(out / name)))
        state = until(app, lambda state: state.messages and not state.unfinished and not app.busy)
        (message,) = [each for each in state.messages if each.kind == "error"]
    assert message.text == f"{out / name}: {text}" and [*out.iterdir()] == []
    app.post(OUTPUTS[name](str(out / name)))
    until(app, lambda state: any(out.iterdir()) and not state.unfinished and not app.busy)
    assert not any(each.kind == "error" for each in state.messages), "it is gone when a repeat succeeds"


def test_a_format_without_transparency_says_which_have_it(make: Make, tmp_path: Path) -> None:
    app = make(write_pair(tmp_path))
    app.post(Screenshot(str(tmp_path / "a.jpg"), "model"))
    state = until(app, lambda state: state.messages)
    assert ".png or .webp" in state.messages[-1].text and not (tmp_path / "a.jpg").exists()


def test_a_folder_that_failed_is_not_remembered(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, out = make(write_pair(tmp_path)), tmp_path / "out"
    out.mkdir()
    preferences = app.state.interface.preferences
    with monkeypatch.context() as patch:
        refused(patch, out, READ_ONLY)
        app.post(SaveAs(Screenshot(), str(out / "a.png")))
        until(app, lambda state: state.messages)
    assert preferences.pictures == ""
    app.post(SaveAs(Screenshot(), str(out / "a.png")))
    until(app, lambda state: (out / "a.png").exists())
    assert preferences.pictures == str(out / "a.png")


def test_a_folder_that_cannot_be_listed_is_not_remembered(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from viewer.app.open_files import manager
    from viewer.session.requests import OpenFolder

    app = make(write_pair(tmp_path))
    (tmp_path / "closed").mkdir()
    monkeypatch.setattr(manager.os, "access", lambda path, mode: False)
    app.post(OpenFolder(str(tmp_path / "closed")))
    app.frame(0.0)
    assert app.state.interface.preferences.recent_folders == []
    monkeypatch.undo()
    app.post(OpenFolder(str(tmp_path / "closed")))
    app.frame(0.0)
    assert app.state.interface.preferences.recent_folders == [str(tmp_path / "closed")]
