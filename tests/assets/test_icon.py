"""The icon: it is what its generator makes of the drawing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from viewer.paths import folder

SIZES = (16, 24, 32, 48, 64, 128, 256)


def picture(root: Path, size: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """[size, size, 4]: the picture of this size in the icon."""
    with Image.open(root / "icon/rigscope.ico") as icon:
        return np.asarray(icon.ico.getimage((size, size)), np.int64)  # type: ignore[attr-defined]


@pytest.mark.parametrize("size", SIZES)
def test_the_generator_makes_it(size: int, rebuilt_assets: Path) -> None:
    stored, made = picture(folder("assets"), size), picture(rebuilt_assets, size)
    assert stored.shape == (size, size, 4) and np.abs(stored - made).mean() < 1
