"""The mark of views in each format of pictures: the picture stays the same, and the mark is found."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest

from viewer.scene.reading_context import DEFAULT, reading_context
from viewer.storage.own_picture import MARK, is_replaceable, is_view, marked

PIXELS = np.random.default_rng(1).integers(0, 255, (37, 23, 3), np.uint8)
EXIF = PIL.Image.Exif()
EXIF[0x10E] = "a rabbit"
FORMS = [
    ("a.png", {}),
    ("a.jpg", {}),
    ("a.jpg", {"progressive": True, "exif": EXIF}),
    ("a.gif", {}),
    ("a.webp", {}),
    ("a.webp", {"lossless": True}),
    ("a.webp", {"lossless": True, "exif": EXIF}),
]


def encoded(name: str, pixels: Any = PIXELS, **options: Any) -> bytes:
    data = io.BytesIO()
    PIL.Image.fromarray(pixels).save(data, name.rpartition(".")[2].replace("jpg", "jpeg"), **options)
    return data.getvalue()


def decoded(data: bytes) -> np.ndarray[Any, Any]:
    with PIL.Image.open(io.BytesIO(data)) as picture:
        return np.asarray(picture.convert("RGBA"))


@pytest.mark.parametrize(("name", "options"), FORMS)
@pytest.mark.parametrize("alpha", [False, True])
def test_a_mark_changes_no_pixel(tmp_path: Path, name: str, options: dict[str, Any], alpha: bool) -> None:
    pixels = np.dstack((PIXELS, PIXELS[..., :1])) if alpha and name != "a.jpg" else PIXELS
    plain = encoded(name, pixels, **options)
    data = b"".join(marked((plain[:900], plain[900:])))
    assert (decoded(data) == decoded(plain)).all()
    path = tmp_path / name
    path.write_bytes(plain)
    assert not is_view(str(path), DEFAULT) and not is_replaceable(str(path))
    path.write_bytes(data)
    assert is_view(str(path), DEFAULT) and is_replaceable(str(path))


@pytest.mark.parametrize("suffix", ["bmp", "tiff", "tga"])
def test_a_format_without_a_place_for_the_mark_stays_as_it_is(suffix: str) -> None:
    plain = encoded(f"a.{suffix}")
    assert b"".join(marked((plain,))) == plain


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBPVP8 "])
def test_a_file_that_is_no_picture_is_no_view(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.png").write_bytes(data)
    assert not is_view(str(tmp_path / "a.png"), DEFAULT)
    assert not is_view(str(tmp_path / "gone.png"), DEFAULT)
    assert is_replaceable(str(tmp_path / "gone.png"))


def test_only_the_ends_of_a_large_file_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(bytes(10_000) + MARK + bytes(10_000))
    assert not is_view(str(path), DEFAULT)
    path.write_bytes(bytes(20_000) + MARK)
    assert is_view(str(path), DEFAULT)


def test_outputs_are_views_whatever_they_hold(tmp_path: Path) -> None:
    os.symlink(tmp_path, tmp_path / "link")
    for name in ("a.png", "b_12.png", "c_12.png"):
        (tmp_path / name).write_bytes(b"")
    context = reading_context(outputs=[f"{tmp_path}/a.png", f"{tmp_path}/link/b_{{frame:04}}.png"])
    views = [name for name in ("a.png", "b_12.png", "c_12.png") if is_view(f"{tmp_path}/{name}", context)]
    assert views == ["a.png", "b_12.png"]
