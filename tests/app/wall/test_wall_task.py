"""The pictures of a model that turns on the wall."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.synthetic import write_pair
from viewer.app.wall.wall_task import WallTask
from viewer.errors import ViewerError
from viewer.library.thumbnails.thumbnail import ThumbnailRecord
from viewer.storage.image import decode_image


def pixels(png: bytes) -> np.ndarray:
    return decode_image(png, "a.png").levels[0].astype(int)


def test_a_model_is_drawn_from_all_sides_without_a_background(tmp_path: Path) -> None:
    task = WallTask()
    path = str(write_pair(tmp_path))
    thumbnail = task(path)
    assert isinstance(thumbnail, ThumbnailRecord)
    front = pixels(thumbnail.png)
    assert front.shape == (256, 256, 4) and front[0, 0, 3] == 0 and front[..., 3].max() == 255
    turned = task(path, 3)
    assert isinstance(turned, tuple) and len(turned) == 3
    sides = [pixels(each) for each in turned]
    assert all(side[..., 3].max() == 255 for side in sides)
    assert np.abs(sides[0] - sides[1]).max() > 50


def test_nothing_but_models_turns_and_broken_files_are_errors(tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    assert WallTask()(str(path.with_name("Post_Bend.ani")), 4) == ()
    path.write_bytes(path.read_bytes()[:30])
    with pytest.raises(ViewerError):
        WallTask()(str(path), 4)
