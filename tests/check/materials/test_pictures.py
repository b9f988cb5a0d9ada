"""Pictures of textures are looked at within a budget, each file once."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from tests.checked import picture, tangent_normals
from viewer.arrays import Array
from viewer.check.materials.pictures import BUDGET, CheckedPicture, TexturePictures
from viewer.errors import FormatError
from viewer.scene.material import ImageHeader, Texture


def one(texture: Texture) -> CheckedPicture:
    """The picture of a model with one texture."""
    return TexturePictures((texture,))[0]


def filled(*color: int) -> Array:
    return np.full((8, 8, 4), color, np.uint8)


def test_a_file_counts_once() -> None:
    same = picture("a.png", filled(1, 2, 3, 255))
    textures = (same, replace(same, srgb=False), picture("b.png", filled(1, 2, 3, 255)), Texture("gone.png"))
    assert [each.number for each in TexturePictures(textures)] == [0, 2]


def test_what_costs_more_than_the_budget_is_not_decoded() -> None:
    half = picture("a.png", filled(1, 2, 3, 255), cost=BUDGET // 2 + 1)
    pictures = TexturePictures((half, replace(half, path="b.png")))
    assert pictures[0].pixels is not None and pictures[1].pixels is None
    assert pictures[1].looks_like_normals is None and not pictures[1].is_grey


def test_alpha_is_looked_for_in_the_pixels_if_the_header_has_it() -> None:
    assert one(picture("a.png", filled(1, 2, 3, 0), alpha=False)).is_opaque is True
    assert one(picture("a.png", filled(1, 2, 3, 255))).is_opaque is True
    assert one(picture("a.png", filled(1, 2, 3, 90))).is_opaque is False
    assert one(picture("a.png", filled(1, 2, 3, 90), cost=2 * BUDGET)).is_opaque is None


def test_normal_maps_are_vectors_of_length_1() -> None:
    assert one(picture("n.png", tangent_normals())).looks_like_normals is True
    assert one(picture("n.png", filled(128, 128, 255, 255))).looks_like_normals is True
    assert one(picture("skin.png", filled(190, 140, 110, 255))).looks_like_normals is False
    assert one(picture("sky.png", filled(150, 190, 255, 255))).looks_like_normals is not True
    random = np.random.default_rng(1).integers(0, 256, (64, 64, 4), dtype=np.uint8)
    assert one(picture("noise.png", random)).looks_like_normals is not True


def test_normals_of_two_channels_are_not_judged() -> None:
    texture = picture("n.dds", filled(128, 128, 0, 255))
    assert one(texture).looks_like_normals is False
    header = ImageHeader("DDS BC5U", 8, 8, False, cost=64)
    assert one(replace(texture, header=lambda: header)).looks_like_normals is None


def test_grey_pictures_are_known() -> None:
    assert one(picture("h.png", filled(90, 92, 91, 255))).is_grey
    assert not one(picture("c.png", filled(90, 120, 91, 255))).is_grey


def test_an_unreadable_file_has_a_reason() -> None:
    def broken() -> ImageHeader:
        raise FormatError("the file ends in its header")

    found = one(replace(picture("a.png", filled(1, 2, 3, 255)), header=broken))
    assert found.header is None and found.error == "the file ends in its header"
    assert found.pixels is None and found.is_opaque is None
