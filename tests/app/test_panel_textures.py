"""The pictures of a model as panels see them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from viewer.app.panel_textures import SMALL, PanelTextures, channel, shrunk
from viewer.app.tasks import Tasks
from viewer.scene.material import Image
from viewer.scene.texture_images import BRIGHT, DARK

PIXELS = np.array((((10, 20, 30, 255), (200, 100, 50, 0)),), np.uint8)


def image(*sizes: tuple[int, int]) -> Image:
    return Image(tuple(np.zeros((height, width, 4), np.uint8) for width, height in sizes), "PNG")


@pytest.mark.parametrize(
    ("channels", "expected"),
    [("R", (10, 10, 10)), ("B", (30, 30, 30)), ("A", (255,) * 3), ("RGB", (10, 20, 30))],
)
def test_channels_of_a_pixel(channels: str, expected: tuple[int, ...]) -> None:
    assert tuple(channel(PIXELS, channels)[0, 0]) == (*expected, 255)


def test_what_is_transparent_shows_the_checker() -> None:
    shown = channel(np.zeros((16, 16, 4), np.uint8), "RGBA")
    assert tuple(shown[0, 0, :3]) == (BRIGHT,) * 3
    assert tuple(shown[0, 8, :3]) == (DARK,) * 3
    assert tuple(channel(PIXELS, "RGBA")[0, 0]) == (10, 20, 30, 255), "opaque pixels are themselves"


@pytest.mark.parametrize("sizes", [((1000, 300),), ((8, 8),), ((512, 512), (256, 256), (128, 128), (64, 64))])
def test_small_ones_are_small(sizes: tuple[tuple[int, int], ...]) -> None:
    assert max(shrunk(image(*sizes)).shape) <= SMALL


def test_a_picture_is_made_once_and_only_one_is_large(ctx: Any) -> None:
    pictures = PanelTextures(ctx, {0: image((64, 32), (32, 16)), 1: image((8, 8))}, Tasks())
    assert pictures.small(0) is pictures.small(0)
    first = pictures.large(0, 1, "RGB")
    assert first is not None and first.size == (32, 16)
    assert first.levels == ((64, 32), (32, 16))
    assert pictures.large(0, 1, "RGB") is first
    pictures.large(1, 5, "A")
    assert len(pictures._textures) == 2, "the small one and the large one of now"
    pictures.release()


def test_a_missing_picture_is_the_small_checker(ctx: Any) -> None:
    pictures = PanelTextures(ctx, {}, Tasks())
    assert pictures.small(3).levels == ()
    assert pictures.large(3, 0, "RGB") is None
    pictures.release()
