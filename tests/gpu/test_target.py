from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from viewer.gpu.target import RenderTarget, straight_alpha, usable_samples


@pytest.mark.parametrize("samples", [0, 1, 4, 8])
def test_what_is_drawn_is_read_with_the_top_row_first(ctx: Any, samples: int) -> None:
    target = RenderTarget(ctx, (5, 3), samples)
    target.framebuffer.use()
    target.framebuffer.clear(0.0, 0.0, 1.0, 1.0)
    target.framebuffer.clear(1.0, 0.0, 0.0, 1.0, viewport=(0, 2, 5, 1))
    pixels = target.read()
    assert pixels.shape == (3, 5, 4)
    assert pixels[0, 4].tolist() == [255, 0, 0, 255] and pixels[1, 0].tolist() == [0, 0, 255, 255]
    target.release()


def test_samples_are_cut_to_what_the_driver_has(ctx: Any) -> None:
    assert [usable_samples(ctx, wanted) for wanted in (0, 1, 2, 3)] == [0, 0, 2, 2]
    assert usable_samples(ctx, 1000) <= ctx.max_samples


def test_straight_alpha_undoes_premultiplication() -> None:
    pixels = np.array([[0, 0, 0, 0], [64, 0, 128, 128], [10, 20, 30, 255]], np.uint8)
    assert straight_alpha(pixels).tolist() == [[0, 0, 0, 0], [128, 0, 255, 128], [10, 20, 30, 255]]


def test_light_without_coverage_is_as_opaque_as_it_is_bright() -> None:
    pixels = np.array([[200, 50, 0, 100], [60, 30, 0, 0], [255, 255, 255, 0]], np.uint8)
    assert straight_alpha(pixels).tolist() == [[255, 64, 0, 200], [255, 128, 0, 60], [255, 255, 255, 255]]
