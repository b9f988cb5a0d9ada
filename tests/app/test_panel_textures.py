"""The pictures of a model as panels see them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from tests.quads import quad
from viewer.app.panel_textures import SMALL, PanelTextures, shrunk
from viewer.app.tasks import Tasks
from viewer.gpu.shader import Composer
from viewer.render.shader_constants import SHADER_CONSTANTS
from viewer.scene.material import Image, Material, Texture
from viewer.scene.texture_images import BRIGHT, DARK
from viewer.view.texture_shot import whole_shot

PIXELS = np.array((((10, 20, 30, 255), (200, 100, 50, 0)),), np.uint8)


def image(*sizes: tuple[int, int]) -> Image:
    return Image(tuple(np.zeros((height, width, 4), np.uint8) for width, height in sizes), "PNG")


def test_a_thumbnail_shows_the_checker_where_it_is_transparent() -> None:
    shown = shrunk(Image((np.zeros((16, 16, 4), np.uint8),)))
    assert tuple(shown[0, 0]) == (*(BRIGHT,) * 3, 255)
    assert tuple(shown[0, 8]) == (*(DARK,) * 3, 255)
    assert tuple(shrunk(Image((PIXELS,)))[0, 0]) == (10, 20, 30, 255), "opaque pixels are themselves"


@pytest.mark.parametrize("sizes", [((1000, 300),), ((8, 8),), ((512, 512), (256, 256), (128, 128), (64, 64))])
def test_small_ones_are_small(sizes: tuple[tuple[int, int], ...]) -> None:
    assert max(shrunk(image(*sizes)).shape) <= SMALL


@pytest.fixture
def make(ctx: Any) -> Iterator[Callable[..., PanelTextures]]:
    """Makes the pictures of a quad whose two textures have these images."""
    composer = Composer(ctx, constants=SHADER_CONSTANTS)
    made: list[PanelTextures] = []

    def make_one(images: dict[int, Image]) -> PanelTextures:
        model = quad(Material("m", units={"diffuse": 0}), (Texture("one"), Texture("two")))
        made.append(PanelTextures(composer, model, images, Tasks()))
        return made[-1]

    yield make_one
    for each in made:
        each.release()
    composer.release()


def test_a_picture_is_drawn_again_only_if_its_shot_changes(make: Callable[..., PanelTextures]) -> None:
    pictures = make({0: image((64, 32), (32, 16)), 1: image((8, 8))})
    assert pictures.small(0) is pictures.small(0)
    first = pictures.view("panel", whole_shot(0, 1, "RGB", (16, 16)))
    assert first.levels == ((64, 32), (32, 16)) and first.size == (16, 16)
    assert pictures.view("panel", whole_shot(0, 1, "RGB", (16, 16))) is first
    assert pictures.view("page", whole_shot(1, 0, "RGB", (16, 16))).levels == ((8, 8),)
    assert pictures.view("panel", whole_shot(0, 1, "RGB", (16, 16))) is first, "each place has its own"
    assert pictures.view("panel", whole_shot(0, 0, "RGB", (16, 16))) is not first


def test_levels_that_no_place_shows_leave_the_gpu(make: Callable[..., PanelTextures]) -> None:
    pictures = make({0: image((64, 32), (32, 16), (16, 8), (8, 4))})
    for level in range(4):
        pictures.view("panel", whole_shot(0, level, "RGB", (16, 16)))
    assert len(pictures._levels) == 2


def test_a_level_that_the_image_does_not_have_is_its_smallest(make: Callable[..., PanelTextures]) -> None:
    pictures = make({0: image((8, 8), (4, 4))})
    assert pictures.view("panel", whole_shot(0, 9, "A", (16, 16))).levels == ((8, 8), (4, 4))


def test_a_replaced_image_is_drawn_again(make: Callable[..., PanelTextures]) -> None:
    pictures = make({0: image((8, 8))})
    first = pictures.view("panel", whole_shot(0, 0, "RGB", (16, 16)))
    pictures.replace_texture(0, image((4, 4)))
    assert pictures.view("panel", whole_shot(0, 0, "RGB", (16, 16))).levels == ((4, 4),) != first.levels


def test_a_missing_picture_is_the_small_checker_and_has_no_levels(make: Callable[..., PanelTextures]) -> None:
    pictures = make({})
    assert pictures.small(1).levels == ()
    assert pictures.image(1) is None
    assert pictures.view("panel", whole_shot(1, 0, "RGB", (16, 16))).levels == ()
