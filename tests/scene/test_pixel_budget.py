"""Images beyond the budget of pixels are shown smaller, and the messages say so."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.scene import texture_images
from viewer.scene.material import Image
from viewer.scene.texture_images import half_size, within_budget


def image(width: int, height: int, levels: int = 1) -> Image:
    sizes = [(max(height >> n, 1), max(width >> n, 1), 4) for n in range(levels)]
    return Image(tuple(np.full(size, 40 + n, np.uint8) for n, size in enumerate(sizes)))


def test_an_image_within_the_budget_stays_as_it_is() -> None:
    whole = image(64, 32)
    assert within_budget(whole, 64 * 32) is whole


def test_an_image_beyond_the_budget_is_halved_until_it_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texture_images, "SMALLEST", 16)
    shown = within_budget(image(64, 32), 300)
    assert shown.size == (16, 8) and (shown.levels[0] == 40).all()
    assert shown.warnings == ("64 × 32 pixels are shown as 16 × 8, to save memory",)


def test_the_levels_of_a_file_are_used_before_pixels_are_averaged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texture_images, "SMALLEST", 16)
    shown = within_budget(image(64, 32, levels=3), 600)
    assert [level.shape[:2] for level in shown.levels] == [(16, 32), (8, 16)]
    assert (shown.levels[0] == 41).all()


def test_a_small_image_is_never_made_smaller() -> None:
    assert within_budget(image(64, 64), 0).size == (64, 64)


def test_half_the_size_is_the_mean_of_four_pixels() -> None:
    pixels = np.zeros((2, 5, 4), np.uint8)
    pixels[:, :2, 0] = [[0, 10], [20, 31]]
    pixels[:, 2:4] = 255
    assert half_size(pixels)[0, :, 0].tolist() == [15, 255] and half_size(pixels).shape == (1, 2, 4)
    assert half_size(np.full((1, 4, 4), 7, np.uint8)).shape == (1, 2, 4)


def test_a_side_beyond_the_drivers_limit_is_halved() -> None:
    shown = within_budget(image(20_000, 4), 1 << 27)
    assert shown.size == (5000, 1) and shown.warnings
