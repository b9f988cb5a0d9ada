"""A texture as panels show it: its channels, its repetitions, and the layouts over it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.quads import BLUE, GREEN, RED, UV, WHITE, quad
from viewer.arrays import Array
from viewer.export.picture.texture import texture_picture
from viewer.render.renderer import Renderer
from viewer.render.texture_picture import DARK, FAINTEST, tiles
from viewer.scene.material import Image, Material, Texture
from viewer.scene.mesh.uv_layout import texture_uses
from viewer.scene.model import Model
from viewer.scene.texture_images import BRIGHT
from viewer.scene.texture_images import DARK as SQUARE
from viewer.view.texture_shot import CHOSEN, TextureShot, geometry_color, uv_layers, whole_shot

FOUR = Image((np.array(((RED, GREEN), (BLUE, WHITE)), np.uint8),))
BLACK = Image((np.array((((0, 0, 0, 255),),), np.uint8),))
SIZE = (32, 32)
GROUND = np.round(np.array(DARK[0]) * 255)
Draw = Callable[..., Array]


def model(uv: Any = UV) -> Model:
    """A quad with one texture."""
    columns = {"uv0": np.asarray(uv, np.float32)}
    return quad(Material("m", units={"diffuse": 0}), (Texture("t"),), columns=columns)


@pytest.fixture
def draw(ctx: Any) -> Iterator[Draw]:
    """Draws a shot of the texture of four colours, or of another one, [h, w, 3] int."""
    renderer = Renderer(ctx)

    def draw_one(shot: TextureShot, image: Image | None = FOUR, drawn: Model | None = None) -> Array:
        pixels = texture_picture(renderer, drawn or model(), image, shot)
        assert (pixels[..., 3] == 255).all()
        return pixels[..., :3].astype(int)

    yield draw_one
    renderer.release()


def layered(uv: Any = UV, **shot: Any) -> tuple[TextureShot, Model]:
    """A shot with the layout of a quad, and the quad."""
    made = model(uv)
    layers = uv_layers(made, texture_uses(made, 0), 0, **shot)
    return whole_shot(0, 0, "RGB", SIZE, layers), made


def near(pixel: Array, color: Any) -> bool:
    return bool((np.abs(pixel - np.array(color)[:3]) <= 2).all())


def test_the_first_row_is_on_top_and_enlarged_texels_are_sharp(draw: Draw) -> None:
    pixels = draw(whole_shot(0, 0, "RGB", SIZE))
    for (row, column), color in (((8, 8), RED), ((8, 24), GREEN), ((24, 8), BLUE), ((24, 24), WHITE)):
        assert near(pixels[row, column], color)
    assert near(pixels[8, 14], RED) and near(pixels[8, 17], GREEN)


def test_channels_are_shown_alone(draw: Draw) -> None:
    for channel, value in (("R", 255), ("G", 0), ("A", 255)):
        assert near(draw(whole_shot(0, 0, channel, SIZE))[8, 8], (value,) * 3)


def test_alpha_shows_a_checker(draw: Draw) -> None:
    clear = Image((np.zeros((2, 2, 4), np.uint8),))
    pixels = draw(whole_shot(0, 0, "RGBA", SIZE), clear)[4:28, 4:28]
    assert {tuple(each) for each in pixels.reshape(-1, 3).tolist()} == {(BRIGHT,) * 3, (SQUARE,) * 3}


def test_a_smaller_picture_is_the_mean_of_the_texels(draw: Draw) -> None:
    squares = np.indices((64, 64)).sum(axis=0) % 2 * 255
    fine = Image((np.dstack((squares, squares, squares, np.full_like(squares, 255))).astype(np.uint8),))
    assert near(draw(whole_shot(0, 0, "RGB", (16, 16)), fine)[8, 8], (127, 127, 127))


def test_around_the_texture_is_the_ground(draw: Draw) -> None:
    pixels = draw(replace(whole_shot(0, 0, "RGB", SIZE), low=(-1.0, -1.0), high=(2.0, 2.0)))
    assert near(pixels[2, 2], GROUND) and near(pixels[13, 13], RED)


@pytest.mark.parametrize(
    ("mode", "expected"), [("wrap", BLUE), ("mirror", WHITE), ("clamp", WHITE), ("border", None)]
)
def test_a_layout_that_leaves_the_texture_shows_its_repetition(draw: Draw, mode: str, expected: Any) -> None:
    shot, wide = layered(np.array(UV) * (2, 1))
    pixels = draw(replace(shot, high=(2.0, 1.0), address=(mode, mode)), FOUR, wide)
    seen, wanted = pixels[26, 18], GROUND if expected is None else 0.4 * np.array(expected[:3]) + 0.6 * GROUND
    assert near(seen, wanted)


def test_the_edges_of_a_layout_are_drawn(draw: Draw) -> None:
    shot, made = layered(np.array(UV) * 0.5 + 0.25)
    bright = draw(shot, BLACK, made).max(axis=2) > 100
    rows, columns = np.nonzero(bright[2:-2, 2:-2])
    assert rows.min() + 2 in (7, 8) and rows.max() + 2 in (23, 24)
    assert columns.min() + 2 in (7, 8) and columns.max() + 2 in (23, 24)


def test_lines_are_no_brighter_than_their_colour(draw: Draw) -> None:
    shot, made = layered(np.array(UV) * 0.5 + 0.25)
    red, green, blue, alpha = shot.layers[0].color
    brightest = draw(shot, BLACK, made)[4:28, 4:28].max(axis=(0, 1))
    assert near(brightest, np.array((red, green, blue)) * alpha * 255)


def test_lines_are_as_strong_as_their_length_in_the_picture(draw: Draw) -> None:
    large, small = (layered((np.array(UV) - 0.5) * side + 0.5) for side in (0.5, 0.05))
    zoomed = replace(small[0], low=(0.45, 0.45), high=(0.55, 0.55))
    whole = replace(large[0], low=(0.0, 0.0), high=(1.0, 1.0))
    one, other = (
        draw(shot, BLACK, made)[4:28, 4:28] for shot, made in ((zoomed, small[1]), (whole, large[1]))
    )
    assert one.max() > 100 and np.abs(one - other).max() <= 2


def test_the_layout_of_the_selected_geometry_has_its_colour(draw: Draw) -> None:
    shot, made = layered(np.array(UV) * 0.5 + 0.25, geometries=frozenset((0,)))
    pixels = draw(shot, FOUR, made)
    assert shot.layers[0].color == CHOSEN != geometry_color(0)
    assert (np.abs(pixels - np.array(CHOSEN[:3]) * 255) < 40).all(axis=2).any()


def test_a_texture_without_an_image_is_grey_with_its_layout(draw: Draw) -> None:
    shot, made = layered(np.array(UV) * 0.5 + 0.25)
    assert near(draw(shot, None, made)[4, 4], (96, 96, 96)) and 0 < FAINTEST < 1


def test_tiles_hold_the_texture_and_all_layouts_and_have_a_limit() -> None:
    assert tiles([]).tolist() == [[0, 0], [1, 1]]
    assert tiles([np.array(((-0.5, 0.2), (1.5, 0.8)))]).tolist() == [[-1, 0], [2, 1]]
    assert tiles([np.array(((0.0, 0.0), (1.001, 1.0)))]).tolist() == [[0, 0], [1, 1]], "rounding"
    assert np.abs(tiles([np.array(((-1e6, 0), (1e6, 1)))])).max() < 100
    assert tiles([np.full((2, 2), np.nan)]).tolist() == [[0, 0], [1, 1]]
