"""What a material does to a quad."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.quads import BLUE, FRONT, GREEN, MIRROR, RED, WHITE, display_options, middle, quad, two_by_two
from viewer.arrays import Array
from viewer.scene.choices import LightKind, MissingTextures, Shading
from viewer.scene.material import DETAIL_BLENDS, Detail, Material, PhysicalSurface, Texture

Shot = Callable[..., Array]


@pytest.mark.parametrize(("cull", "front", "back"), [("none", 255, 255), ("front", 0, 255), ("back", 255, 0)])
def test_cull_modes(shot: Shot, cull: str, front: int, back: int) -> None:
    model = quad(Material("m", cull=cull))
    assert middle(shot(model, display_options()))[0] == front
    assert middle(shot(model, display_options(), FRONT.seen_from("back")))[0] == back


def test_the_first_row_of_a_texture_is_at_v_0(shot: Shot) -> None:
    material = Material("m", units={"diffuse": 0})
    images = {0: two_by_two(RED, GREEN, BLUE, WHITE)}
    pixels = shot(
        quad(material, (Texture("t", filter="nearest", mipmaps=False),)), display_options(), images=images
    )
    corners = [pixels[row, column].tolist() for row in (6, 9) for column in (6, 9)]
    assert corners == [list(color) for color in (RED, GREEN, BLUE, WHITE)]


def test_a_mirrored_model_shows_its_texture_mirrored(shot: Shot) -> None:
    material = Material("m", units={"diffuse": 0})
    textures = (Texture("t", filter="nearest", mipmaps=False),)
    model = quad(material, textures, to_world=MIRROR)
    pixels = shot(model, display_options(), images={0: two_by_two(RED, GREEN, BLUE, WHITE)})
    assert [pixels[6, column].tolist() for column in (6, 9)] == [list(GREEN), list(RED)]


CHECKERED = display_options(missing=MissingTextures.CHECKER)


def test_a_missing_picture_is_a_checker_on_request(shot: Shot) -> None:
    pixels = shot(quad(Material("m", units={"diffuse": 0}), (Texture("gone"),)), CHECKERED)
    seen = {tuple(pixel) for pixel in pixels[5:11, 5:11].reshape(-1, 4).tolist()}
    assert len(seen) > 1 and all(red > green for red, green, _, _ in seen)


def test_a_missing_material_is_a_checker_on_request(shot: Shot) -> None:
    pixels = shot(quad(Material("m", searched=("Materials/m.xml",))), CHECKERED)
    assert len({tuple(pixel) for pixel in pixels[5:11, 5:11].reshape(-1, 4).tolist()}) > 1


def test_uv_offsets_move_and_scale_the_texture(shot: Shot) -> None:
    material = Material("m", units={"diffuse": 0}, u_offset=(1.0, 0.0, 0.0, 0.5))
    textures = (Texture("t", filter="nearest", mipmaps=False),)
    pixels = shot(
        quad(material, textures), display_options(), images={0: two_by_two(RED, GREEN, BLUE, WHITE)}
    )
    assert pixels[6, 6].tolist() == list(GREEN)


def wide(mode: str) -> tuple[Material, tuple[Texture, ...]]:
    material = Material("m", units={"diffuse": 0}, u_offset=(0.01, 0.0, 0.0, 1.2))
    border = (0.0, 0.0, 1.0, 1.0)
    return material, (Texture("t", address=(mode, "wrap"), border=border, filter="nearest", mipmaps=False),)


@pytest.mark.parametrize(
    ("mode", "color"), [("wrap", RED), ("mirror", GREEN), ("clamp", GREEN), ("border", BLUE)]
)
def test_address_modes(shot: Shot, mode: str, color: tuple[int, ...]) -> None:
    pixels = shot(quad(*wide(mode)), display_options(), images={0: two_by_two(RED, GREEN, RED, GREEN)})
    assert middle(pixels) == list(color)


def test_an_alpha_mask_leaves_pixels_out(shot: Shot) -> None:
    faint = Material("m", diffuse=(1.0, 1.0, 1.0, 0.4))
    assert middle(shot(quad(replace(faint, alpha_mask=0.5)), display_options()))[0] == 0
    assert middle(shot(quad(replace(faint, alpha_mask=0.3)), display_options())) == list(WHITE)


BLENDED = {
    "replace": 255,
    "alpha": 128 + 51,
    "add": 255,
    "addalpha": 128 + 102,
    "multiply": 102,
    "premulalpha": 255,
    "subtract": 0,
    "subtractalpha": 0,
}


@pytest.mark.parametrize("blend", BLENDED)
def test_blends_on_a_grey_background(shot: Shot, blend: str) -> None:
    model = quad(Material("m", diffuse=(1.0, 1.0, 1.0, 128 / 255), blend=blend, depth_write=False))
    grey = replace(display_options(), background=(0.4, 0.4, 0.4, 1.0))
    red, _, _, alpha = middle(shot(model, grey))
    assert red == pytest.approx(BLENDED[blend], abs=2) and alpha == 255


def test_vertex_colours_count_where_the_material_says(shot: Shot) -> None:
    colors = {"color0": np.tile(np.array((0, 1, 0, 1), np.float32), (4, 1))}
    assert middle(shot(quad(Material("m", vertex_color=True), columns=colors), display_options())) == list(
        GREEN
    )
    assert middle(shot(quad(Material("m"), columns=colors), display_options())) == list(WHITE)


def test_an_unlit_material_stays_unlit(shot: Shot) -> None:
    material = Material("m", diffuse=(0.5, 0.5, 0.5, 1.0), unlit=True)
    assert middle(shot(quad(material), display_options(Shading.LIT)))[0] == pytest.approx(128, abs=1)


def test_emissive_colours_glow(shot: Shot) -> None:
    dark = Material("m", diffuse=(0.0, 0.0, 0.0, 1.0))
    assert middle(shot(quad(dark), display_options(Shading.LIT)))[2] < 10
    assert middle(shot(quad(replace(dark, emissive=(0.0, 0.0, 1.0))), display_options(Shading.LIT)))[2] > 200


def bumped(shot: Shot, texel: tuple[int, ...], packed: bool = False, **fields: Any) -> int:
    """How bright a quad is whose normal map is this texel all over."""
    tangents = {"tangent": np.tile(np.array((1, 0, 0, 1), np.float32), (4, 1))}
    material = Material("m", units={"normal": 0}, packed_normal=packed)
    model = quad(material, (Texture("n"),), columns=tangents, **fields)
    return middle(shot(model, display_options(Shading.LIT), images={0: two_by_two(*[texel] * 4)}))[0]  # type: ignore[arg-type]


def test_a_normal_map_bends_light_along_the_tangent(shot: Shot) -> None:
    assert (
        bumped(shot, (60, 128, 230, 255))
        > bumped(shot, (128, 128, 255, 255))
        > bumped(shot, (250, 128, 128, 255))
    )


def test_packed_normals_are_in_alpha_and_green(shot: Shot) -> None:
    assert bumped(shot, (0, 128, 0, 60), packed=True) == pytest.approx(
        bumped(shot, (60, 128, 236, 255)), abs=3
    )


def test_bitangents_are_tangent_times_normal_in_left_handed_files(shot: Shot) -> None:
    up, down = (128, 230, 190, 255), (128, 26, 190, 255)
    assert bumped(shot, down, to_world=MIRROR) > bumped(shot, up, to_world=MIRROR)
    assert bumped(shot, up) > bumped(shot, down)


def test_a_wireframe_material_leaves_the_middle_open(shot: Shot) -> None:
    pixels = shot(quad(Material("m", fill="wireframe")), display_options(), FRONT.zoomed(0.5))
    assert (pixels[..., 0] > 0).any() and pixels[10, 13, 0] == 0


def reflected(
    shot: Shot, surface: PhysicalSurface, texel: tuple[int, ...] = WHITE, **units: int
) -> list[int]:
    """The middle of a quad under the headlamp. `units` select the picture of one colour, or a white one."""
    grey = (0.2, 0.2, 0.2, 24.0)
    material = Material("m", units=units, diffuse=(0.6, 0.1, 0.1, 1.0), specular=grey, surface=surface)
    pictures = {0: two_by_two(*[texel] * 4), 1: two_by_two(*[WHITE] * 4)}  # type: ignore[arg-type]
    model = quad(material, (Texture("t"), Texture("white")))
    return middle(shot(model, display_options(Shading.LIT, light=LightKind.HEADLAMP), images=pictures))


def test_a_rough_surface_spreads_its_highlight(shot: Shot) -> None:
    """The headlamp is reflected straight back."""
    assert reflected(shot, PhysicalSurface(0.3))[1] > reflected(shot, PhysicalSurface(1.0))[1] + 20


def test_a_metal_reflects_its_own_colour(shot: Shot) -> None:
    red, green, _, _ = reflected(shot, PhysicalSurface(0.5, 1.0))
    plain = reflected(shot, PhysicalSurface(0.5, 0.0))
    assert red - green > plain[0] - plain[1]


@pytest.mark.parametrize("unit", ["roughness", "metalness"])
def test_red_of_a_map_multiplies_roughness_and_metalness(shot: Shot, unit: str) -> None:
    full = PhysicalSurface(0.8, 0.8)
    half = replace(full, **{unit: 0.4})
    assert reflected(shot, full, **{unit: 1}) == reflected(shot, full)
    mapped = reflected(shot, full, (128, 0, 0, 255), **{unit: 0})
    assert mapped == pytest.approx(reflected(shot, half), abs=2)


def test_a_specular_map_colours_the_reflection(shot: Shot) -> None:
    smooth = PhysicalSurface(0.3)
    assert reflected(shot, smooth, RED, specular=0)[1] < reflected(shot, smooth, specular=1)[1] - 20


DETAILED = {
    "normal": (0, 255, 0),
    "premultiplied": (0, 255, 0),
    "add": (255, 255, 0),
    "subtract": (255, 0, 0),
    "multiply": (0, 0, 0),
    "multiply2x": (0, 0, 0),
    "screen": (255, 255, 0),
    "overlay": (255, 0, 0),
    "lighten": (255, 255, 0),
    "darken": (0, 0, 0),
    "grain extract": (255, 0, 188),
    "grain merge": (188, 188, 0),
    "difference": (255, 255, 0),
}
"""Green laid over red."""


@pytest.mark.parametrize("blend", DETAIL_BLENDS)
@pytest.mark.parametrize("unit", ["detail0", "detail1"])
def test_detail_textures_are_laid_over_the_base(shot: Shot, blend: str, unit: str) -> None:
    details = (Detail(blend), Detail(blend))
    material = Material("m", units={"diffuse": 0, unit: 1}, surface=PhysicalSurface(details=details))
    images = {0: two_by_two(*[RED] * 4), 1: two_by_two(*[GREEN] * 4)}
    pixels = shot(quad(material, (Texture("a"), Texture("b"))), display_options(), images=images)
    assert middle(pixels)[:3] == pytest.approx(DETAILED[blend], abs=2)


def test_the_weight_of_a_detail_texture_is_multiplied_by_its_map(shot: Shot) -> None:
    surface = PhysicalSurface(details=(Detail(weight=1.0), Detail()))
    material = Material("m", units={"diffuse": 0, "detail0": 1, "detail_weight": 2}, surface=surface)
    images = {0: two_by_two(*[RED] * 4), 1: two_by_two(*[GREEN] * 4), 2: two_by_two(*[BLUE] * 4)}
    pixels = shot(quad(material, tuple(map(Texture, "abc"))), display_options(), images=images)
    assert middle(pixels)[:3] == [255, 0, 0]


def test_a_detail_texture_has_a_place_of_its_own(shot: Shot) -> None:
    surface = PhysicalSurface(details=(Detail(offset=(0.5, 0.0), scale=(0.01, 0.01)), Detail()))
    material = Material("m", units={"diffuse": 0, "detail0": 1}, surface=surface)
    images = {0: two_by_two(*[WHITE] * 4), 1: two_by_two(RED, GREEN, RED, GREEN)}
    textures = (Texture("a"), Texture("b", filter="nearest", mipmaps=False))
    assert middle(shot(quad(material, textures), display_options(), images=images)) == list(GREEN)


def test_the_blue_of_a_normal_map_is_not_read_for_a_surface(shot: Shot) -> None:
    tangents = {"tangent": np.tile(np.array((1, 0, 0, 1), np.float32), (4, 1))}
    material = Material("m", units={"normal": 0}, surface=PhysicalSurface())
    model = quad(material, (Texture("n"),), columns=tangents)
    first, second = (
        middle(shot(model, display_options(Shading.LIT), images={0: two_by_two(*[(60, 128, blue, 255)] * 4)}))
        for blue in (236, 0)
    )
    assert first == second
