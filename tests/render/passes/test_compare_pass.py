"""Two quads in one picture of 32 × 16 pixels: a small red one and a larger green one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.frames import frame_for
from tests.quads import FRONT, quad
from viewer.render.passes.compare_pass import ComparePass
from viewer.render.renderer import Renderer
from viewer.scene.choices import CompareMode, LightKind
from viewer.scene.comparison import Comparison, panes
from viewer.scene.display import DisplayOptions
from viewer.scene.material import Material
from viewer.scene.vertex_distances import ModelDistances, VertexDistances

SIZE = (32, 16)
RED = quad(Material("m", diffuse=(1.0, 0.0, 0.0, 1.0)))
GREEN = quad(Material("m", diffuse=(0.0, 1.0, 0.0, 1.0)))
NEAR, FAR = FRONT, replace(FRONT, distance=FRONT.distance * 2)
Draw = Callable[..., Any]


@pytest.fixture
def draw(ctx: Any) -> Iterator[Draw]:
    """Compares models seen by cameras: [16, 32, 3] numbers, and the share of pixels that differ."""
    renderer = Renderer(ctx)
    compare_pass = ComparePass(renderer)

    def shoot(
        mode: CompareMode, *pairs: Any, split: float = 0.5, distances: Any = None, **options: Any
    ) -> Any:
        size = panes(Comparison(mode, split), len(pairs), SIZE[0])[0].width, SIZE[1]
        shown = [
            (renderer.upload(model), frame_for(model, size, None, _options(**options), camera))
            for model, camera in pairs
        ]
        pixels = compare_pass.draw(shown, Comparison(mode, split), SIZE, 0, distances).read().astype(int)
        for mesh, _ in shown:
            mesh.release()
        return pixels, compare_pass.differing() if len(pairs) == 2 else None

    yield shoot
    compare_pass.release()
    renderer.release()


def _options(background: Any = (0.0, 0.0, 0.0, 1.0)) -> DisplayOptions:
    return DisplayOptions(light=LightKind.UNLIT, grid=False, axes=False, background=background)


def of(pixels: Any, channel: int) -> Any:
    """Where a pixel is red (0) or green (1) alone."""
    return (pixels[..., channel] > 200) & (pixels[..., 1 - channel] < 60)


def test_side_by_side_each_model_has_its_half(draw: Draw) -> None:
    pixels, _ = draw(CompareMode.SIDE, (RED, NEAR), (GREEN, NEAR))
    red, green = of(pixels, 0), of(pixels, 1)
    assert red[8, 7] and green[8, 24]
    assert not red[:, 15:].any() and not green[:, :17].any()
    assert (red[:, :15] == green[:, 17:]).all(), "the same camera in panes of the same size"


def test_between_panes_is_a_line_from_top_to_bottom(draw: Draw) -> None:
    pixels, _ = draw(CompareMode.SIDE, (RED, NEAR), (GREEN, NEAR))
    assert (pixels[:, 15:17, :3] == pixels[0, 15, :3]).all() and pixels[0, 15].min() > 60


def test_three_models_are_beside_each_other(draw: Draw) -> None:
    pixels, _ = draw(CompareMode.SIDE, (RED, NEAR), (GREEN, NEAR), (RED, NEAR))
    assert of(pixels, 0)[8, 4] and of(pixels, 1)[8, 16] and of(pixels, 0)[8, 27]


@pytest.mark.parametrize("split", [0.0, 0.5, 1.0])
def test_the_slider_has_the_first_at_its_left(split: float, draw: Draw) -> None:
    pixels, _ = draw(CompareMode.SLIDER, (RED, NEAR), (GREEN, NEAR), split=split)
    left, right = of(pixels, 0)[8, 13], of(pixels, 1)[8, 18]
    assert (bool(left), bool(right)) == (split > 0, split < 1)


def test_distances_colour_both_models(draw: Draw) -> None:
    near = ModelDistances([np.full(4, 0.05, np.float32)], 4, 4, 0)
    far = ModelDistances([np.ones(4, np.float32)], 4, 4, 0)
    pairs = (RED, NEAR), (GREEN, NEAR)
    pixels, _ = draw(CompareMode.DISTANCE, *pairs, distances=VertexDistances((near, far), 1.0))
    dark, light = pixels[8, 7, :3], pixels[8, 24, :3]
    assert 0 < 1.5 * dark.sum() < light.sum()
    unknown, _ = draw(CompareMode.DISTANCE, *pairs)
    assert (np.ptp(unknown[6:10, 3:12, :3], axis=-1) < 50).all(), "grey until they are known"


def test_equal_pictures_do_not_differ(draw: Draw) -> None:
    pixels, share = draw(CompareMode.DIFFERENCE, (RED, NEAR), (RED, NEAR))
    grey = pixels[..., :3]
    assert share == 0.0 and (np.ptp(grey, axis=-1) == 0).all() and grey.max() > 20


def test_what_differs_is_tinted_by_how_much(draw: Draw) -> None:
    dim = quad(Material("m", diffuse=(0.8, 0.0, 0.0, 1.0)))
    little, _ = draw(CompareMode.DIFFERENCE, (RED, NEAR), (dim, NEAR))
    much, share = draw(CompareMode.DIFFERENCE, (RED, NEAR), (GREEN, NEAR))
    assert little[8, 16, 1] > 2 * little[8, 16, 2], "yellow"
    assert much[8, 16, 0] > 3 * much[8, 16, 1], "red"
    assert 0 < share < 1


def test_only_the_pixels_that_differ_count(draw: Draw) -> None:
    pixels, share = draw(CompareMode.DIFFERENCE, (RED, NEAR), (RED, FAR))
    tinted = np.ptp(pixels[..., :3], axis=-1) > 0
    assert share == tinted.mean() and not tinted[8, 16], "both cover the middle"


def test_without_a_background_coverage_is_a_difference(draw: Draw) -> None:
    clear = (0.0, 0.0, 0.0, 0.0)
    black = quad(Material("m", diffuse=(0.0, 0.0, 0.0, 1.0)))
    pixels, share = draw(CompareMode.DIFFERENCE, (black, NEAR), (black, FAR), background=clear)
    assert share > 0 and pixels[0, 0, 3] == 0 and pixels.max() == 255
