"""Saving the thumbnails of listed files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.synthetic import model_bytes
from viewer.app.tasks import Task
from viewer.app.wall.picture_saving import save_pictures
from viewer.family.registry import suffixes
from viewer.library.file_sources import source_files
from viewer.library.thumbnails.thumbnail import ThumbnailTask
from viewer.session.file_batches import BatchResult
from viewer.storage.image import decode_image


def test_pictures_are_saved_one_by_one_or_as_a_sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIGSCOPE_CACHE", str(tmp_path / "cache"))
    models, out = tmp_path / "models", tmp_path / "out"
    for name, data in (("a/Box.mdl", model_bytes()), ("b/Box.mdl", model_bytes()), ("Cut.mdl", b"UMD2")):
        (models / name).parent.mkdir(parents=True, exist_ok=True)
        (models / name).write_bytes(data)
    out.mkdir()
    (out / "Box.png").write_text("mine")
    files = list(source_files([str(models)], suffixes(), pytest.fail))

    def saved(folder: Path, sheet: bool) -> BatchResult:
        task = Task("save", None, None, None)
        found = save_pictures(files, ThumbnailTask(), str(folder), sheet, 1, task)
        assert task.progress[0] == "saving 3 of 3"
        return found

    told = saved(out, False)
    assert told.failed and told.text.startswith(f"Saved 2 pictures in {out}; Cut.mdl has no picture: ")
    assert sorted(each.name for each in out.iterdir()) == ["Box-1.png", "Box-2.png", "Box.png"]
    assert (out / "Box.png").read_text() == "mine"
    assert saved(out, True).text.startswith(f"Saved 3 pictures in {out / 'contact-sheet.png'}")
    sheet = decode_image((out / "contact-sheet.png").read_bytes(), "sheet.png").levels[0]
    assert sheet.shape[1] > 2 * 256
    gone = tmp_path / "gone"
    assert saved(gone, True).text == f"The pictures could not be saved in {gone}: No such file or directory"
