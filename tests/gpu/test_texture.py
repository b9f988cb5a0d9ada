from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from viewer.gpu.table import TexelTable
from viewer.gpu.texture import checker, covering, draws_in_software, image_texture
from viewer.scene.material import Image, Texture


def level(width: int, height: int, value: int) -> np.ndarray[Any, Any]:
    return np.full((height, width, 4), value, np.uint8)


def read(texture: Any, number: int) -> list[int]:
    return sorted(set(texture.read(level=number, alignment=1)))


def test_given_mips_are_uploaded(ctx: Any) -> None:
    image = Image((level(5, 2, 10), level(2, 1, 20), level(1, 1, 30)))
    texture = image_texture(ctx, image, Texture("t"), srgb=True)
    assert [read(texture, number) for number in range(3)] == [[10], [20], [30]]
    texture.release()


def test_a_single_level_gets_mips(ctx: Any) -> None:
    texture = image_texture(ctx, Image((level(4, 4, 90),)), Texture("t"), srgb=False)
    assert read(texture, 2) == [90]
    texture.release()


def test_an_alpha_test_keeps_its_share_of_pixels_in_all_levels(ctx: Any) -> None:
    blades = np.full((64, 64, 4), 90, np.uint8)
    blades[..., 3] = np.where(np.arange(64) % 4, 0, 255)
    description = Texture("grass", alpha_reference=220 / 255)
    texture = image_texture(ctx, Image((blades,)), description, srgb=False)
    for number in range(5):
        alpha = np.frombuffer(texture.read(level=number, alignment=1), np.uint8)[3::4]
        assert np.mean(alpha >= 220) >= 0.25
    texture.release()


@pytest.mark.parametrize("alpha", [0, 255])
def test_levels_that_all_pass_or_all_fail_stay(alpha: int) -> None:
    levels = covering([level(4, 2, alpha)], 0.5)
    assert [each.shape[:2] for each in levels] == [(2, 4), (1, 2), (1, 1)]
    assert all((each == alpha).all() for each in levels)


def test_levels_of_a_wrong_size_are_left_out(ctx: Any) -> None:
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
