"""The icon: it is what its generator makes of the drawing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from viewer.paths import folder

SIZES = (16, 24, 32, 48, 64, 128, 256)


@pytest.mark.parametrize("size", SIZES)
def test_the_generator_makes_it(size: int, rebuilt_assets: Path) -> None:
    stored, made = (
        np.asarray(Image.open(path / "icon/rigscope.ico").ico.getimage((size, size)), int)  # type: ignore[attr-defined]
        for path in (folder("assets"), rebuilt_assets)
    )
    assert stored.shape == (size, size, 4) and np.abs(stored - made).mean() < 1
