"""What a material's less common fields do to the picture: one quad, the pixel in its middle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.frames import frame_for
from tests.synthetic import QUAD, model_of, vertex_buffer
from viewer.arrays import Array
from viewer.gpu.target import RenderTarget
from viewer.render.renderer import Renderer
from viewer.scene.camera import Orbit
from viewer.scene.choices import LightKind
from viewer.scene.display import DisplayOptions
from viewer.scene.material import (
    ALPHA_FUNCTIONS,
    COMBINES,
    Appearance,
    ClipTime,
    Flipbook,
    Image,
    Material,
    Texture,
    TextureStage,
)
from viewer.scene.model import Model
from viewer.scene.texture_images import TextureImages

Shot = Callable[..., list[int]]

SIZE = (8, 8)
CAMERA = Orbit(yaw=0.0, pitch=0.0, distance=2.0)
OPTIONS = DisplayOptions(light=LightKind.UNLIT, grid=False, axes=False, background=(0.4, 0.4, 0.4, 1.0))
GREY = [102, 102, 102]
RED, GREEN = (255, 0, 0, 255), (0, 255, 0, 255)
PLAIN = Texture("t", filter="nearest", mipmaps=False)
LEFT = np.full((4, 2), (0.25, 0.5), np.float32)
RIGHT = np.full((4, 2), (0.75, 0.5), np.float32)
RED_GREEN = Image((np.array([[RED, GREEN]], np.uint8),))


@pytest.fixture
def shot(ctx: Any) -> Iterator[Shot]:
    """Draws a quad of a material at a time; its middle, rgb."""
    renderer, target = Renderer(ctx), RenderTarget(ctx, SIZE)

    def draw(model: Model, *times: float, images: Mapping[int, Image] | None = None) -> list[Any]:
        mesh = renderer.upload(model, images or {0: RED_GREEN})
        found = []
        for time in times or (0.0,):
            renderer.draw(mesh, frame_for(mesh, SIZE, None, OPTIONS, CAMERA, time=time), target.framebuffer)
            found.append(target.read()[4, 4, :3].tolist())
        mesh.release()
        return found if times else found[0]

    yield draw
    target.release()
    renderer.release()


def quad(material: Material, textures: int = 1, **columns: Array) -> Model:
    buffer = vertex_buffer(position=QUAD, **({"uv0": LEFT} | columns))
    return model_of(buffer, geometry={"material": 0}, materials=(material,), textures=(PLAIN,) * textures)


@pytest.mark.parametrize("function", ALPHA_FUNCTIONS)
def test_alpha_functions(shot: Shot, function: str) -> None:
    bits = ALPHA_FUNCTIONS.index(function)
    material = Material("m", alpha_mask=128 / 255, alpha_function=function)
    drawn = [
        shot(quad(replace(material, diffuse=(1.0, 1.0, 1.0, alpha / 255)))) == [255, 255, 255]
        for alpha in (127, 128, 129)
    ]
    assert drawn == [bool(bits & 1), bool(bits & 2), bool(bits & 4)]


@pytest.mark.parametrize(
    ("factors", "expected"),
    [
        ("one one", 102 + 51),
        ("zero src_color", 0.2 * 102),
        ("zero one_minus_src_color", 0.8 * 102),
        ("dst_color src_color", 2 * 0.2 * 102),
        ("one_minus_dst_color one", 0.6 * 51 + 102),
        ("src_alpha zero", 0.5 * 51),
        ("one_minus_src_alpha src_alpha", 0.5 * 51 + 0.5 * 102),
        ("dst_alpha one_minus_dst_alpha", 51),
    ],
)
def test_blends_by_factors(shot: Shot, factors: str, expected: float) -> None:
    material = Material("m", diffuse=(0.2, 0.2, 0.2, 0.5), blend=factors, depth_write=False)
    assert shot(quad(material))[0] == pytest.approx(expected, abs=2)


def test_a_motion_takes_the_place_of_the_offsets(shot: Shot) -> None:
    material = Material(
        "m",
        units={"diffuse": 0},
        u_offset=(1.0, 0.0, 0.0, 0.5),
        uv_motion=lambda time: ((1.0, 0.0, 0.0, time), (0.0, 1.0, 0.0, 0.0)),
    )
    assert shot(quad(material), 0.0, 0.5, 1.0) == [[255, 0, 0], [0, 255, 0], [255, 0, 0]]


def test_a_flipbook_takes_the_place_of_the_diffuse_texture(shot: Shot) -> None:
    pages = {
        number: Image((np.array([[color]], np.uint8),)) for number, color in enumerate((RED, GREEN), start=1)
    }
    material = Material("m", units={"diffuse": 0}, flipbook=Flipbook((1, 2), 4.0))
    model = quad(material, textures=3)
    assert shot(model, 1.0, 3.0, 5.0, images={0: RED_GREEN} | pages) == [
        [255, 0, 0],
        [0, 255, 0],
        [255, 0, 0],
    ]


def test_a_flipbook_without_duration_stays_at_its_first_page() -> None:
    assert [Flipbook((7, 8), 0.0).at(time) for time in (0.0, 3.0)] == [0, 0]


@pytest.mark.parametrize(("uv_set", "expected"), [(0, [255, 0, 0]), (1, [0, 255, 0]), (5, [255, 0, 0])])
def test_textures_are_read_at_the_set_that_the_material_names(
    shot: Shot, uv_set: int, expected: list[int]
) -> None:
    material = Material("m", units={"diffuse": 0}, uv_set=uv_set)
    assert shot(quad(material, uv1=RIGHT)) == expected


def test_a_set_that_is_converted_is_the_named_one_too(shot: Shot) -> None:
    buffer = vertex_buffer(("uv1",), position=QUAD, uv0=LEFT, uv1=np.full((4, 2), (24576, 16384), np.int16))
    material = Material("m", units={"diffuse": 0}, uv_set=1)
    model = model_of(buffer, geometry={"material": 0}, materials=(material,), textures=(PLAIN,))
    assert shot(model) == [0, 255, 0]


def test_an_appearance_colours_and_moves_the_texture(shot: Shot) -> None:
    def motion(clip_time: ClipTime) -> Appearance:
        return Appearance((1.0, clip_time.time, 1.0, 1.0), u_offset=(1.0, 0.0, 0.0, 0.5))

    material = Material("m", units={"diffuse": 0}, motion=motion)
    assert shot(quad(material), 0.0, 1.0) == [[0, 0, 0], [0, 255, 0]]


def test_what_replaces_fades_by_blending_and_is_not_drawn_at_all_without_alpha(shot: Shot) -> None:
    material = Material("m", motion=lambda clip_time: Appearance((1.0, 0.0, 0.0, clip_time.time)))
    whole, half, gone = shot(quad(material), 1.0, 0.5, 0.0)
    assert (whole, gone) == ([255, 0, 0], GREY)
    assert half == pytest.approx([0.5 * 255 + 51, 51, 51], abs=2)


def test_the_alpha_of_an_opaque_texture_does_not_count(shot: Shot) -> None:
    clear = {0: Image((np.array([[(255, 0, 0, 0)]], np.uint8),))}
    drawn = [
        shot(quad(Material("m", units={"diffuse": 0}, blend="alpha", opaque_texture=opaque)), images=clear)
        for opaque in (False, True)
    ]
    assert drawn == [GREY, [255, 0, 0]]


def combined(combine: str) -> tuple[int, int]:
    """Red and alpha of 100 of 128 under 60 of 128, from the definition of each combination."""
    base, alpha, over, other = 100 / 255, 128 / 255, 60 / 255, 64 / 255
    found = {
        "opaque": (base * over, alpha),
        "mod": (base * over, alpha * other),
        "decal": (base + (over - base) * other, alpha),
        "add": (base + over, alpha + other),
        "mod2x": (2 * base * over, 2 * alpha * other),
        "fade": (base + (over - base) * alpha, alpha),
        "mod2x_na": (2 * base * over, alpha),
        "add_na": (base + over, alpha),
    }[combine]
    return round(found[0] * 255), round(found[1] * 255)


@pytest.mark.parametrize("combine", COMBINES)
def test_a_second_texture_is_mixed_in(shot: Shot, combine: str) -> None:
    images = {0: Image((np.full((1, 1, 4), (100, 0, 0, 128), np.uint8),))}
    images[1] = Image((np.full((1, 1, 4), (60, 0, 0, 64), np.uint8),))
    material = Material("m", units={"diffuse": 0, "second": 1}, second=TextureStage(combine), blend="alpha")
    red, alpha = combined(combine)
    drawn = shot(quad(material, textures=2), images=images)
    assert drawn[0] == pytest.approx(red * alpha / 255 + 102 * (1 - alpha / 255), abs=3)


@pytest.mark.parametrize(("first", "second"), [(0, 1), (1, 0), (0, 0), (1, 1)])
def test_the_second_texture_has_its_own_set(shot: Shot, first: int, second: int) -> None:
    images = {0: Image((np.array([[(255, 255, 255, 255), (255, 0, 0, 255)]], np.uint8),)), 1: RED_GREEN}
    stage = TextureStage("mod", uv_set=second)
    material = Material("m", units={"diffuse": 0, "second": 1}, uv_set=first, second=stage)
    below, over = ([255, 255, 255], [255, 0, 0])[first], ([255, 0, 0], [0, 255, 0])[second]
    expected = [min(each) for each in zip(below, over, strict=True)]
    assert shot(quad(material, textures=2, uv1=RIGHT), images=images) == expected


def test_a_sphere_is_read_in_its_middle_where_the_surface_faces_the_viewer(shot: Shot) -> None:
    dots = np.zeros((3, 3, 4), np.uint8)
    dots[1, 1] = GREEN
    normals = np.tile(np.array((0.0, 0.0, 1.0), np.float32), (4, 1))
    material = Material("m", units={"diffuse": 0}, sphere=True)
    model = quad(material, normal=normals)
    assert shot(model, images={0: Image((dots,))}) == [0, 255, 0]


def test_the_pixels_of_a_texture_are_freed_when_it_is_uploaded(shot: Shot) -> None:
    images = TextureImages({0: RED_GREEN}, {0: lambda: RED_GREEN})
    model = quad(Material("m", units={"diffuse": 0}))
    assert shot(model, images=images) == [255, 0, 0]
    assert images.decoded == frozenset()
