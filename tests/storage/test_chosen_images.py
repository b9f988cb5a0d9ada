"""The images of a document, with files that the user chose."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from tests.packages import png
from tests.synthetic import write_pair
from viewer.errors import FormatError
from viewer.storage.chosen_images import chosen_images
from viewer.storage.documents import open_document


def test_chosen_files_replace_images_and_are_small_too(tmp_path: Path) -> None:
    PIL.Image.fromarray(np.full((64, 64, 3), 7, np.uint8)).save(tmp_path / "a.png")
    document = open_document(write_pair(tmp_path))
    chosen = {3: str(tmp_path / "a.png")}
    assert chosen_images(document, chosen)[3].size == (64, 64)
    small = chosen_images(document, chosen, 10)[3]
    assert (small.size, small.levels[0][0, 0].tolist()) == ((16, 16), [7, 7, 7, 255])
    assert [*chosen_images(None, {})] == []


def test_a_chosen_file_has_to_be_an_image(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(png()[:30])
    with pytest.raises(FormatError, match=r"a\.png"):
        chosen_images(None, {0: str(tmp_path / "a.png")})
