"""Pictures of images, and cards for files that have no picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.packages import write_package
from tests.shader_files import script_bytes, vs4_bytes
from tests.synthetic import animation_bytes
from viewer.arrays import Array
from viewer.library.thumbnails.file_pictures import contents, image_picture, kind_picture
from viewer.scene.material import Image
from viewer.storage.documents import open_document


def plain(width: int, height: int, *color: int) -> Array:
    return np.tile(np.array(color, np.uint8), (height, width, 1))


def test_an_image_keeps_its_shape() -> None:
    made = image_picture(Image((plain(300, 100, 9, 8, 7, 255),)), (60, 60))
    assert made.shape == (60, 60, 4)
    rows, columns = np.nonzero(made[..., 3])
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (20, 39, 0, 59)
    assert made[30, 30].tolist() == [9, 8, 7, 255]


def test_pixels_of_a_small_image_are_enlarged_by_a_whole_number() -> None:
    two = np.array([[[255, 0, 0, 255], [0, 0, 255, 255]]], np.uint8)
    made = image_picture(Image((two,)), (15, 15))
    assert made[7, :, 3].sum() == 14 * 255
    assert set(map(tuple, made[made[..., 3] > 0].tolist())) == {(255, 0, 0, 255), (0, 0, 255, 255)}


def test_the_smallest_level_that_is_large_enough_is_shown() -> None:
    levels = plain(64, 64, 1, 1, 1, 255), plain(32, 32, 2, 2, 2, 255), plain(16, 16, 3, 3, 3, 255)
    assert image_picture(Image(levels), (20, 20))[10, 10, 0] == 2


def test_a_level_is_large_enough_if_one_side_fills_the_picture() -> None:
    levels = plain(64, 16, 1, 1, 1, 255), plain(32, 8, 2, 2, 2, 255)
    assert image_picture(Image(levels), (40, 20))[10, 10, 0] == 1
    assert image_picture(Image(levels), (40, 8))[4, 20, 0] == 2


def test_translucent_images_are_on_a_checker() -> None:
    half = plain(32, 32, 255, 0, 0, 255)
    half[:, :16, 3] = 0
    made = image_picture(Image((half,)), (32, 32))
    assert len(np.unique(made[:, :16, 0])) == 2
    assert made[16, 20].tolist() == [255, 0, 0, 255]


def test_an_image_whose_alpha_hides_everything_shows_its_colours() -> None:
    assert image_picture(Image((plain(8, 8, 5, 6, 7, 0),)), (8, 8))[4, 4].tolist() == [5, 6, 7, 255]


def test_a_kind_is_told_apart(tmp_path: Path) -> None:
    (tmp_path / "a.ani").write_bytes(animation_bytes())
    (tmp_path / "a.asc").write_bytes(script_bytes())
    clip, script = (
        kind_picture(open_document(tmp_path / name), (64, 64), "-") for name in ("a.ani", "a.asc")
    )
    assert (clip[8:24] != script[8:24]).any()


@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        ("a.ani", animation_bytes(), "bone"),
        ("a.vs4", vs4_bytes(), "vertex shader, model 4"),
        ("a.asc", script_bytes(), "1 class"),
    ],
)
def test_what_a_file_holds(tmp_path: Path, name: str, data: bytes, text: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    assert text in contents(open_document(path))


def test_the_files_of_a_package_are_counted(tmp_path: Path) -> None:
    assert contents(open_document(write_package(tmp_path))).endswith("files")
