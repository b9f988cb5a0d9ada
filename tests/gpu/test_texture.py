from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from viewer.gpu import mip_levels
from viewer.gpu.mip_levels import draws_in_software
from viewer.gpu.table import TexelTable
from viewer.gpu.texture import checker, covering, image_texture, level_texture
from viewer.scene.material import Image, Texture


def level(width: int, height: int, value: int) -> np.ndarray[Any, Any]:
    return np.full((height, width, 4), value, np.uint8)


@pytest.fixture(params=["own levels", "levels of the driver"])
def maker(request: pytest.FixtureRequest, ctx: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program makes the mip levels, or the driver does."""
    own = request.param == "own levels"
    if own and not mip_levels.makes_levels(ctx, (1, 1)):
        pytest.skip("the driver makes the levels")
    monkeypatch.setattr("viewer.gpu.texture.makes_levels", lambda ctx, size: own)


def pixels(texture: Any, number: int) -> np.ndarray[Any, Any]:
    """The pixels of a level [height, width, 4] u8. moderngl reads only levels that it has generated."""
    height, width = (max(1, side >> number) for side in (texture.height, texture.width))
    out = np.zeros((height, width, 4), np.uint8)
    opengl = mip_levels._opengl()
    if opengl is None:
        return np.frombuffer(texture.read(level=number, alignment=1), np.uint8).reshape(out.shape)
    texture.use(texture.ctx.default_texture_unit)
    opengl.glGetTexImage(
        mip_levels.TEXTURE_2D,
        number,
        mip_levels.RGBA,
        mip_levels.UNSIGNED_BYTE,
        ctypes.c_void_p(out.ctypes.data),
    )
    return out


def read(texture: Any, number: int) -> list[int]:
    return sorted(set(pixels(texture, number).flat))


def test_given_mips_are_uploaded(ctx: Any, maker: None) -> None:
    image = Image((level(5, 2, 10), level(2, 1, 20), level(1, 1, 30)))
    texture = image_texture(ctx, image, Texture("t"), srgb=True)
    assert [read(texture, number) for number in range(3)] == [[10], [20], [30]]
    texture.release()


def test_a_single_level_gets_mips(ctx: Any, maker: None) -> None:
    texture = image_texture(ctx, Image((level(4, 4, 90),)), Texture("t"), srgb=False)
    assert read(texture, 2) == [90]
    texture.release()
    texture = level_texture(ctx, level(4, 2, 7))
    assert read(texture, 2) == [7]
    texture.release()


@pytest.mark.parametrize("srgb", [False, True])
@pytest.mark.parametrize("size", [(64, 64), (128, 2), (1, 32), (1024, 512)])
def test_own_levels_are_those_of_the_driver(
    ctx: Any, srgb: bool, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    colors = np.random.default_rng(7).integers(0, 256, (*size, 4), np.uint8)
    made = {}
    for own in (True, False):
        monkeypatch.setattr("viewer.gpu.texture.makes_levels", lambda ctx, size, own=own: own)
        texture = image_texture(ctx, Image((colors,)), Texture("t"), srgb)
        made[own] = [pixels(texture, number).astype(int) for number in range(max(size).bit_length())]
        texture.release()
    for number, (ours, theirs) in enumerate(zip(made[True], made[False], strict=True)):
        assert np.abs(ours - theirs).max() <= number  # llvmpipe rounds up in each level


def test_the_driver_makes_the_levels_of_large_textures(ctx: Any) -> None:
    assert not mip_levels.makes_levels(ctx, (4096, 2048))


def test_a_complete_chain_is_sampled_far_away(ctx: Any, maker: None) -> None:
    """The last level is the colour of a texture that is drawn on one pixel."""
    halves = np.concatenate((level(8, 16, 0), level(8, 16, 200)), axis=1)
    texture = image_texture(ctx, Image((halves,)), Texture("t"), srgb=False)
    program = ctx.program(
        vertex_shader="#version 330\nout float value; uniform sampler2D t;"
        "void main() { value = textureLod(t, vec2(0.5), 4.0).r * 255.0; }",
        varyings=["value"],
    )
    out, empty = ctx.buffer(reserve=4), ctx.vertex_array(program, [])
    target = ctx.framebuffer(ctx.renderbuffer((1, 1)))
    target.use()
    texture.use(0)
    empty.transform(out, ctx.POINTS, 1)
    assert abs(np.frombuffer(out.read(), np.float32)[0] - 100) < 2
    for each in (target.color_attachments[0], target, out, empty, program, texture):
        each.release()


def test_an_alpha_test_keeps_its_share_of_pixels_in_all_levels(ctx: Any, maker: None) -> None:
    blades = np.full((64, 64, 4), 90, np.uint8)
    blades[..., 3] = np.where(np.arange(64) % 4, 0, 255)
    description = Texture("grass", alpha_reference=220 / 255)
    texture = image_texture(ctx, Image((blades,)), description, srgb=False)
    for number in range(5):
        alpha = pixels(texture, number)[..., 3]
        assert np.mean(alpha >= 220) >= 0.25
    texture.release()


@pytest.mark.parametrize("alpha", [0, 255])
def test_levels_that_all_pass_or_all_fail_stay(alpha: int) -> None:
    levels = covering([level(4, 2, alpha)], 0.5)
    assert [each.shape[:2] for each in levels] == [(2, 4), (1, 2), (1, 1)]
    assert all((each == alpha).all() for each in levels)


def test_levels_of_a_wrong_size_are_left_out(ctx: Any, maker: None) -> None:
    texture = image_texture(ctx, Image((level(4, 4, 90), level(3, 2, 7))), Texture("t"), srgb=False)
    assert read(texture, 1) == [90]
    texture.release()


def test_address_modes_repeat_or_clamp(ctx: Any) -> None:
    texture = image_texture(ctx, checker(), Texture("t", address=("mirror", "clamp")), srgb=True)
    assert (texture.repeat_x, texture.repeat_y) == (True, False)
    texture.release()


def test_without_mipmaps_only_the_first_level_is_read(ctx: Any) -> None:
    texture = image_texture(ctx, checker(), Texture("t", mipmaps=False, filter="nearest"), srgb=True)
    assert texture.filter == (ctx.NEAREST, ctx.NEAREST)
    texture.release()


@pytest.mark.parametrize(("filter", "samples"), [("anisotropic", 4.0), ("trilinear", 1.0)])
def test_anisotropy_belongs_to_the_filter_of_that_name(
    ctx: Any, filter: str, samples: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viewer.gpu.texture.draws_in_software", lambda ctx: False)
    texture = image_texture(ctx, checker(), Texture("t", filter=filter, anisotropy=4), srgb=True)
    assert texture.anisotropy == samples
    texture.release()


def test_software_takes_one_sample(ctx: Any) -> None:
    assert draws_in_software(ctx) is ("llvmpipe" in ctx.info["GL_RENDERER"])
    texture = image_texture(ctx, checker(), Texture("t", filter="anisotropic", anisotropy=4), srgb=True)
    assert texture.anisotropy == (1.0 if draws_in_software(ctx) else 4.0)
    texture.release()


@pytest.mark.parametrize("count", [1, 2048, 2049, 5000])
def test_tables_wrap_at_2048(ctx: Any, count: int) -> None:
    table = TexelTable(ctx, count, 1, "i4")
    values = np.arange(count, dtype=np.int32)[:, None]
    table.write(values)
    stored = np.frombuffer(table.texture.read(alignment=1), np.int32)
    assert table.texture.width == min(count, 2048)
    assert stored[:count].tolist() == values[:, 0].tolist() and len(stored) - count < 2048
    table.release()
