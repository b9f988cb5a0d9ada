"""Saving the thumbnails of listed files."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.synthetic import model_bytes
from viewer.app.picture_saving import PictureSaving, SavedPictures
from viewer.formats import suffixes
from viewer.library.places import source_files
from viewer.library.thumbnail import ThumbnailTask
from viewer.storage.image import decode_image


def saved(saving: PictureSaving) -> SavedPictures:
    end = time.monotonic() + 60
    while (found := saving.saved()) is None:
        assert time.monotonic() < end
        time.sleep(0.01)
    return found


def test_pictures_are_saved_one_by_one_or_as_a_sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIGSCOPE_CACHE", str(tmp_path / "cache"))
    models, out = tmp_path / "models", tmp_path / "out"
    for name, data in (("a/Box.mdl", model_bytes()), ("b/Box.mdl", model_bytes()), ("Cut.mdl", b"UMD2")):
        (models / name).parent.mkdir(parents=True, exist_ok=True)
        (models / name).write_bytes(data)
    out.mkdir()
    (out / "Box.png").write_text("mine")
    files = list(source_files([str(models)], suffixes(), pytest.fail))
    saving = PictureSaving(1, lambda: None)
    saving.begin(files, ThumbnailTask(), str(out), False)
    told = saved(saving)
    assert told.failed and told.text.startswith(f"Saved 2 pictures in {out}; Cut.mdl has none: ")
    assert sorted(each.name for each in out.iterdir()) == ["Box-1.png", "Box-2.png", "Box.png"]
    assert (out / "Box.png").read_text() == "mine"
    saving.begin(files, ThumbnailTask(), str(out), True)
    assert saved(saving).text.startswith(f"Saved 3 pictures in {out / 'contact-sheet.png'}")
    sheet = decode_image((out / "contact-sheet.png").read_bytes(), "sheet.png").levels[0]
    assert sheet.shape[1] > 2 * 256
    saving.begin(files, ThumbnailTask(), str(tmp_path / "gone"), True)
    assert (
        saved(saving).text == f"The pictures are not saved in {tmp_path / 'gone'}: No such file or directory"
    )
    saving.close()
