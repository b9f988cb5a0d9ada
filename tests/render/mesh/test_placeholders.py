"""What is drawn in place of missing textures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.frames import frame_for
from tests.quads import FRONT, GREEN, display_options, middle, quad, two_by_two
from viewer.arrays import Array
from viewer.gpu.target import RenderTarget
from viewer.render.mesh.placeholders import hue, placeholder, spot
from viewer.render.renderer import Renderer
from viewer.scene.camera import Orbit
from viewer.scene.choices import MissingTextures, Shading
from viewer.scene.material import Appearance, Material, Texture

Shot = Callable[..., Array]
CLAY, CHECKER = MissingTextures.CLAY, MissingTextures.CHECKER
GREY = replace(display_options(), background=(0.4, 0.4, 0.4, 1.0))
LOST = Material("m", units={"diffuse": 0})


def lost(**fields: Any) -> Any:
    """A quad whose diffuse texture is missing."""
    return quad(replace(LOST, **fields), (Texture("gone"),))


def test_a_spot_is_made_once_and_not_in_every_frame() -> None:
    assert spot("add") is spot("add") and spot("add") is not spot("alpha")


def test_the_hue_is_steady_soft_and_never_pink() -> None:
    assert hue("Body") == hue("Body") != hue("Hair")
    colors = np.array([hue(f"material {number}")[:3] for number in range(500)], float)
    red, green, blue = colors.T
    assert len({tuple(color) for color in colors.tolist()}) > 400
    assert (np.ptp(colors, axis=1) / colors.max(axis=1) < 0.3).all()
    assert not ((green < red) & (green < blue) & (np.minimum(red, blue) - green > 25)).any()


def test_clay_has_the_hue_of_the_material_name(shot: Shot) -> None:
    assert middle(shot(lost(), display_options())) == list(hue("m"))
    assert middle(shot(lost(name="Hair"), display_options())) == list(hue("Hair"))


def test_clay_has_the_colour_of_a_coloured_material(shot: Shot) -> None:
    red, green, blue, _ = middle(shot(lost(diffuse=(0.9, 0.3, 0.1, 1.0)), display_options()))
    assert red > 2 * green > 3 * blue


@pytest.mark.parametrize("grey", [0.0, 0.588, 0.8, 1.0])
def test_grey_is_no_colour_of_a_material(shot: Shot, grey: float) -> None:
    assert middle(shot(lost(diffuse=(grey, grey, grey, 1.0)), display_options())) == list(hue("m"))


def test_a_missing_material_is_clay_from_both_sides(shot: Shot) -> None:
    model = quad(Material("m", searched=("Materials/m.xml",)))
    front, back = (shot(model, display_options(), camera) for camera in (FRONT, FRONT.seen_from("back")))
    assert middle(front) == middle(back) == list(hue("m"))


def test_a_missing_material_has_the_colours_of_the_vertices(shot: Shot) -> None:
    columns = {"color0": np.tile(np.array((0, 1, 0, 0), np.float32), (4, 1))}
    missing = Material("m", searched=("Materials/m.xml",))
    model = quad(replace(missing, vertex_color=True), columns=columns)
    assert middle(shot(model, display_options())) == [0, 225, 0, 255]
    assert middle(shot(quad(missing, columns=columns), display_options())) == list(hue("m"))


def test_clay_is_lit_where_the_material_is_not(shot: Shot) -> None:
    flat = middle(shot(lost(unlit=True), display_options()))
    lit = middle(shot(lost(unlit=True), display_options(Shading.LIT)))
    assert flat == list(hue("m")) != lit


@pytest.mark.parametrize(
    "fields",
    [
        {"alpha_mask": 0.5},
        {"alpha_mask": 0.5, "alpha_function": "less"},
        {"blend": "alpha", "depth_write": False},
        {"blend": "premulalpha"},
    ],
)
def test_the_alpha_of_clay_is_1(shot: Shot, fields: dict[str, Any]) -> None:
    assert middle(shot(lost(**fields), GREY)) == list(hue("m"))


def test_clay_fades_with_its_material(shot: Shot) -> None:
    color = hue("m")[0]
    faded = lost(blend="alpha", motion=lambda clip_time: Appearance((1.0, 1.0, 1.0, 0.5)))
    assert middle(shot(faded, GREY))[0] == pytest.approx((color + 102) / 2, abs=2)
    gone = lost(blend="alpha", motion=lambda clip_time: Appearance((1.0, 1.0, 1.0, 0.0)))
    assert middle(shot(gone, GREY))[0] == 102


@pytest.mark.parametrize("blend", ["add", "addalpha", "one one", "src_alpha one", "one_minus_dst_color one"])
def test_adding_materials_show_a_soft_round_tone(shot: Shot, blend: str) -> None:
    """It is no lamp: on a grey of 102 it stays far from white."""
    pixels = shot(lost(blend=blend, depth_write=False), GREY, Orbit(yaw=0.0, pitch=0.0, distance=2.6)).astype(
        int
    )
    red = pixels[..., 0]
    assert 130 < red[8, 8] < 190
    row = red[8]
    assert row[8] > row[11] > row[13] and row[14] <= 106  # soft
    assert red[13, 13] <= 106  # a corner of the square: round


def test_a_missing_reflection_is_a_highlight_and_an_effect_a_bright_spot() -> None:
    mirror = replace(LOST, blend="add", sphere=True)
    tone, effect = placeholder(mirror, "m", CLAY), placeholder(mirror, "m", CLAY, effect=True)
    assert tone.material.sphere
    assert tone.image.levels[0].max() < 80 < 240 < effect.image.levels[0].max()
    assert tone.key != effect.key


@pytest.mark.parametrize("blend", ["multiply", "dst_color zero", "zero src_color", "dst_color src_color"])
def test_multiplying_materials_darken_and_colour_nothing(shot: Shot, blend: str) -> None:
    tinted = lost(blend=blend, diffuse=(1.0, 0.0, 1.0, 1.0), depth_write=False)
    pixels = shot(tinted, GREY, Orbit(yaw=0.0, pitch=0.0, distance=2.6)).astype(int)
    assert 20 < pixels[8, 8, 0] < 70 and np.ptp(pixels[8, 8, :3]) <= 1
    assert pixels[13, 13, 0] == pytest.approx(102, abs=3)


@pytest.mark.parametrize("blend", ["multiply", "dst_color src_color", "add", "zero one_minus_src_color"])
def test_the_edge_of_a_spot_leaves_the_picture_as_it_is(shot: Shot, blend: str) -> None:
    edge = spot(blend).levels[0][0, 0, :3]
    neutral = {"multiply": 255, "dst_color src_color": 128}.get(blend, 0)
    assert edge.tolist() == [neutral] * 3


def test_missing_maps_besides_the_colour_are_left_out(shot: Shot) -> None:
    units = {"diffuse": 0, "second": 1, "normal": 1, "specular": 1, "emissive": 1, "environment": 1}
    model = quad(replace(LOST, units=units), (Texture("here"), Texture("gone")))
    assert middle(shot(model, display_options(), images={0: two_by_two(*[GREEN] * 4)})) == list(GREEN)


def test_a_layer_without_its_texture_leaves_the_base_in_view(shot: Shot) -> None:
    base = Material("base", units={"diffuse": 0})
    model = quad(base, (Texture("here"), Texture("gone")))
    over = Material("over", units={"diffuse": 1}, blend="alpha", layer=1)
    geometries = (replace(model.geometries[0], layers=(1,)),)
    layered = replace(model, materials=(base, over), geometries=geometries)
    green = {0: two_by_two(*[GREEN] * 4)}
    assert middle(shot(layered, display_options(), images=green)) == list(GREEN)
    assert middle(shot(layered, display_options(missing=CHECKER), images=green)) != list(GREEN)


def test_the_choice_can_change_between_frames(ctx: Any) -> None:
    renderer, target = Renderer(ctx), RenderTarget(ctx, (16, 16))
    mesh = renderer.upload(lost(), {})
    seen = []
    for missing in (CLAY, CHECKER, CLAY):
        frame = frame_for(mesh, (16, 16), None, display_options(missing=missing), FRONT)
        renderer.draw(mesh, frame, target.framebuffer)
        seen.append(middle(target.read()))
    assert seen[0] == seen[2] == list(hue("m")) != seen[1]
    mesh.release()
    target.release()
    renderer.release()


def test_a_checker_keeps_the_material() -> None:
    found = placeholder(LOST, "m", CHECKER)
    assert found.material is LOST and not found.optional
