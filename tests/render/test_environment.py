"""The light of an environment: energy is kept, mirrors mirror, a turn turns, four materials as before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from tests.balls import balls, dielectric, metal
from tests.frames import frame_for
from viewer.arrays import Array
from viewer.gpu.target import RenderTarget
from viewer.render.mesh.material_block import to_linear
from viewer.render.renderer import Renderer
from viewer.scene.camera import Orbit
from viewer.scene.choices import ROOM, LightKind, Tone
from viewer.scene.display import DisplayOptions
from viewer.scene.environment import environment_of, octahedral
from viewer.scene.material import Material
from viewer.scene.room_light import room

SIZE = (96, 96)
FURNACE = 0.4
"""Below the knee of the compression, so that all light is shown as it is."""
CAMERA = Orbit(distance=4.0, yaw=0.0, pitch=0.0, ortho=True)
SURROUNDED = DisplayOptions(light=LightKind.ENVIRONMENT, grid=False, axes=False)
BLACK = (0.0, 0.0, 0.0, 1.0)
Shoot = Callable[..., Array]


def options(**more: Any) -> DisplayOptions:
    """Options with the light of the environment `test`."""
    given = {"environment": "test", "background": BLACK, **more}
    return DisplayOptions(light=LightKind.ENVIRONMENT, grid=False, axes=False, **given)


@pytest.fixture
def shoot(ctx: Any) -> Iterator[Shoot]:
    """Draws balls of these materials in a picture of all directions; the linear colours [96, 96, 3]."""
    renderer, target = Renderer(ctx), RenderTarget(ctx, SIZE)

    def draw(picture: Array, material: Material, chosen: DisplayOptions, camera: Orbit = CAMERA) -> Array:
        renderer.environments.put("test", environment_of(octahedral(picture.astype(np.float32))))
        mesh = renderer.upload(balls([material]))
        try:
            renderer.draw(mesh, frame_for(mesh, SIZE, None, chosen, camera), target.framebuffer)
            return to_linear(target.read()[..., :3] / 255)
        finally:
            mesh.release()

    yield draw
    target.release()
    renderer.release()


def even(color: float = FURNACE) -> Array:
    return np.full((32, 64, 3), color)


def quarters() -> Array:
    """Red ahead of the viewer (behind the model), green at the right, blue behind the viewer, white at the
    left.
    """
    colors = np.array(((0.4, 0, 0), (0, 0.4, 0), (0, 0, 0.4), (0.4, 0.4, 0.4)))
    across = (np.arange(64) + 0.5) / 64 - 0.5
    return np.broadcast_to(colors[np.round(across * 4).astype(int) % 4], (32, 64, 3))


FURNACES = {
    "smooth metal": metal(0.0),
    "half rough metal": metal(0.5),
    "rough metal": metal(1.0),
    "smooth dielectric": dielectric(0.0),
    "half rough dielectric": dielectric(0.5),
    "rough dielectric": dielectric(1.0),
}


@pytest.mark.parametrize("name", FURNACES)
def test_a_white_surface_vanishes_in_a_white_furnace(shoot: Shoot, name: str) -> None:
    shown = shoot(even(), FURNACES[name], options())
    ball = shown[shown.max(axis=2) > 0.2]
    assert len(ball) > 2000
    assert np.abs(ball / FURNACE - 1).max() < 0.02


def test_a_classic_surface_has_its_colour_in_a_white_furnace(shoot: Shoot) -> None:
    matt = Material("matt", diffuse=(0.5, 0.75, 0.25, 1.0))
    middle = shoot(even(), matt, options())[48, 48]
    np.testing.assert_allclose(middle, to_linear(np.array((0.5, 0.75, 0.25))) * 0.75 * FURNACE, atol=0.004)


def test_a_classic_highlight_mirrors_the_environment_by_its_shininess(shoot: Shoot) -> None:
    picture = even(0.0)
    picture[14:18, 30:34] = 0.4

    def lit(power: float) -> Array:
        shiny = Material("shiny", diffuse=BLACK, specular=(1.0, 1.0, 1.0, power))
        return shoot(picture, shiny, options(environment_turn=180.0))[..., 1]

    sharp, wide = lit(200.0), lit(8.0)
    assert 0.002 < sharp.max() < 0.4 and 0.002 < wide.max() < 0.4
    assert np.count_nonzero(sharp > sharp.max() / 2) < np.count_nonzero(wide > wide.max() / 2) / 2


def test_a_smooth_metal_mirrors_the_picture(shoot: Shoot) -> None:
    shown = shoot(quarters(), metal(0.0), options(), Orbit(distance=2.8, yaw=0.0, pitch=0.0, ortho=True))
    radius = np.count_nonzero(shown[48].max(axis=1) > 0.1) / 2

    def reflected(share: float) -> Array:
        """The colour where the normal has this x."""
        return shown[48, round(47.5 + share * radius)]

    np.testing.assert_allclose(reflected(0.0), (0, 0, 0.4), atol=0.02)  # behind the viewer
    np.testing.assert_allclose(reflected(0.7071), (0, 0.4, 0), atol=0.02)  # straight to the right
    np.testing.assert_allclose(reflected(-0.7071), (0.4, 0.4, 0.4), atol=0.02)
    red, green, _ = reflected(0.95)  # grazing: ahead
    assert red > 2 * green


def test_the_background_is_what_the_viewer_looks_at(shoot: Shoot) -> None:
    seen = options(background=None, environment_background=0.0)
    small = Orbit(distance=40.0, yaw=0.0, pitch=0.0)
    np.testing.assert_allclose(shoot(quarters(), metal(0.0), seen, small)[5, 5], (0.4, 0, 0), atol=0.02)
    turned = Orbit(
        distance=40.0, yaw=90.0, pitch=0.0
    )  # the viewer is at +x and looks to -x: the left of the front view
    np.testing.assert_allclose(shoot(quarters(), metal(0.0), seen, turned)[5, 5], (0.4, 0.4, 0.4), atol=0.02)


def test_a_turn_by_90_degrees_is_a_turn_of_the_camera_by_90_degrees(shoot: Shoot) -> None:
    straight = shoot(quarters(), metal(0.2), options())
    turned = options(environment_turn=90.0)
    both = shoot(quarters(), metal(0.2), turned, Orbit(distance=4.0, yaw=90.0, pitch=0.0, ortho=True))
    np.testing.assert_allclose(both, straight, atol=0.02)
    alone = shoot(quarters(), metal(0.2), turned)
    np.testing.assert_allclose(alone[48, 48], (0.4, 0.4, 0.4), atol=0.02)


def test_matt_surfaces_are_lit_from_the_bright_side(shoot: Shoot) -> None:
    picture = even(0.1)
    picture[:, 40:56] = 0.6  # at the right
    row = shoot(picture, dielectric(1.0), options())[48]
    assert row[70, 0] > 1.5 * row[25, 0]


def test_the_strength_and_the_exposure_multiply_the_light(shoot: Shoot) -> None:
    plain = shoot(even(0.1), dielectric(0.5), options())[48, 48]
    strong = shoot(even(0.1), dielectric(0.5), options(environment_strength=3.0))[48, 48]
    exposed = shoot(even(0.1), dielectric(0.5), options(exposure=1.0))[48, 48]
    np.testing.assert_allclose((strong, exposed), (3 * plain, 2 * plain), rtol=0.03)


def test_the_filmic_tone_keeps_grey_and_compresses_bright_light(shoot: Shoot) -> None:
    filmic = options(tone=Tone.FILMIC)
    assert shoot(even(0.18), dielectric(1.0), filmic)[48, 48] == pytest.approx(0.18, abs=0.02)
    bright = shoot(even(8.0), dielectric(1.0), filmic)[48, 48]
    assert (bright > 0.8).all() and (bright < 1.0).all()
    assert shoot(even(0.02), dielectric(1.0), filmic)[48, 48, 0] < 0.02


def test_light_without_limit_gives_finite_colours(shoot: Shoot) -> None:
    picture = even(0.0)
    picture[8, 30] = 1e9
    for material in (metal(0.0), metal(1.0), dielectric(0.3)):
        shown = shoot(picture, material, options(environment_strength=1e3, exposure=16.0, tone=Tone.FILMIC))
        assert np.isfinite(shown).all() and shown.max() > 0.5


def test_an_environment_without_light_is_dark(shoot: Shoot) -> None:
    assert shoot(even(0.0), dielectric(0.3), options()).max() == 0.0


def test_an_unknown_environment_gives_the_light_of_the_studio(shoot: Shoot) -> None:
    studio = DisplayOptions(grid=False, axes=False, background=BLACK)
    unknown = options(environment="another")
    assert (shoot(even(), metal(0.5), unknown) == shoot(even(), metal(0.5), studio)).all()


@pytest.mark.parametrize("light", [each for each in LightKind if each is not LightKind.ENVIRONMENT])
def test_other_lights_do_not_see_the_environment(shoot: Shoot, light: LightKind) -> None:
    plain = DisplayOptions(light=light, grid=False, axes=False, background=BLACK)
    given = DisplayOptions(
        light=light, grid=False, axes=False, background=BLACK, environment="test", environment_strength=9.0
    )
    given.environment_turn, given.environment_background = 50.0, 0.0
    assert (shoot(even(), metal(0.3), given) == shoot(even(), metal(0.3), plain)).all()


def test_four_materials_in_the_room(ctx: Any, golden: Callable[..., None]) -> None:
    size = (320, 96)
    renderer, target = Renderer(ctx), RenderTarget(ctx, size, 4)
    renderer.environments.put(ROOM, environment_of(room()))
    gold = (1.0, 0.87, 0.62, 1.0)
    mesh = renderer.upload(
        balls(
            (
                metal(0.15, gold),
                dielectric(0.9, (0.6, 0.35, 0.3, 1.0)),
                Material("classic", diffuse=(0.3, 0.45, 0.75, 1.0), specular=(0.6, 0.6, 0.6, 40.0)),
                Material("glass", diffuse=(0.3, 0.7, 0.5, 0.5), specular=(1, 1, 1, 90), blend="alpha"),
            )
        )
    )
    frame = frame_for(mesh, size, None, SURROUNDED, Orbit(distance=4.6, yaw=0.0, pitch=12.0))
    renderer.draw(mesh, frame, target.framebuffer)
    pixels = np.ascontiguousarray(target.read()[..., :3])
    for each in (mesh, target, renderer):
        each.release()
    golden("environment", pixels)
