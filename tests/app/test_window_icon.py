"""The pictures of the window's icon."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from viewer.app import window_icon
from viewer.app.window_icon import IconPicture, icon_pictures, pictures_of
from viewer.errors import FormatError


def test_the_pictures_are_square_and_the_smallest_comes_first() -> None:
    pictures = icon_pictures()
    assert [each.shape for each in pictures] == [(n, n, 4) for n in (16, 24, 32, 48, 64, 128)]
    assert all(each[0, 0, 3] == 0 < each[len(each) // 2, len(each) // 2, 3] for each in pictures)


def test_without_the_file_there_are_no_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window_icon, "folder", lambda name: tmp_path)
    assert icon_pictures() == []


@pytest.mark.parametrize("data", [b"", b"\0\0\1\0\2\0", b"\0\0\1\0\1\0" + bytes(15)])
def test_a_cut_file_is_an_error(data: bytes) -> None:
    with pytest.raises(FormatError, match="no icon"):
        list(pictures_of(data))


def test_a_picture_has_the_channels_and_the_row_order_that_a_window_asks_for() -> None:
    pixels = np.arange(16, dtype=np.uint8).reshape(2, 2, 4)
    picture = IconPicture(pixels)
    assert (picture.width, picture.height) == (2, 2)
    assert picture.get_data("RGBA", -8) == bytes(range(16))
    assert picture.get_image_data().get_data("BGRAAAAA", -16)[:8] == bytes((2, 1, 0, 3, 3, 3, 3, 3))
    assert picture.get_data("ARGB", 8)[:4] == bytes((11, 8, 9, 10))
