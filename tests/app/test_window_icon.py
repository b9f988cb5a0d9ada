"""The pictures of the window's icon."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewer.app import window_icon
from viewer.app.window_icon import icon_pictures, pictures_of
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
