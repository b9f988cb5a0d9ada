"""Decoded images that are freed after their upload."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from tests.synthetic import write_pair
from viewer.errors import FormatError
from viewer.scene.document import Document
from viewer.scene.material import Image, Texture
from viewer.scene.texture_images import TextureImages, decode_textures
from viewer.storage.documents import open_document


def image(side: int = 4) -> Image:
    return Image((np.zeros((side, side, 4), np.uint8),))


def test_a_freed_image_is_decoded_again() -> None:
    first, second = image(), image()
    images = TextureImages({0: first}, {0: lambda: second})
    assert images[0] is first
    images.take(0)
    assert images.decoded == frozenset()
    assert 0 in images and images[0] is second and dict(images) == {0: second}


def test_an_image_that_cannot_be_read_again_stays() -> None:
    only = image()
    images = TextureImages({0: only})
    images.take(0)
    assert images[0] is only


def test_an_image_comes_back_as_small_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.scene.texture_images.SMALLEST", 1)
    images = TextureImages({0: image(4)}, {0: lambda: image(16)})
    images.take(0)
    assert images[0].size == (4, 4)


def test_an_image_whose_file_is_gone_is_missing() -> None:
    def gone() -> Image:
        raise FormatError("no such file")

    images = TextureImages({0: image()}, {0: gone})
    images.take(0)
    assert images.get(0) is None


def test_a_copy_replaces_on_its_own_and_frees_with_the_original() -> None:
    own, other = image(), image()
    images = TextureImages({0: own, 1: image()}, {0: image, 1: image})
    copied = images.copy()
    copied.replace(0, other)
    copied.replace(1, None)
    copied.replace(7, other)
    assert copied[0] is copied[7] is other and 1 not in copied and images[0] is own
    assert [*copied] == [0, 7] and len(copied) == 2
    with pytest.raises(KeyError):
        copied[1]
    images.take(0)
    assert copied.copy()[0] is other and 0 not in copied.decoded


def painted(document: Document, *textures: Texture) -> Document:
    document.content = replace(document.model, textures=textures)
    return document


def test_pictures_are_decoded_and_broken_ones_warned_about(tmp_path: Path) -> None:
    def broken() -> Image:
        raise FormatError("not a picture", file="b.png")

    image = Image((np.zeros((1, 1, 4), np.uint8),))
    textures = (Texture("a.png", decode=lambda: image), Texture("b.png", decode=broken), Texture("c.png"))
    document = painted(open_document(write_pair(tmp_path)), *textures)
    assert decode_textures(document) == {0: image}
    assert any("b.png" in line and "not a picture" in line for line in document.report.warnings)


def test_images_beyond_the_budget_are_made_smaller_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viewer.scene.texture_images.ALL_PIXELS", 1 << 21)
    monkeypatch.setattr("viewer.scene.texture_images.SMALLEST", 1 << 10)
    document = open_document(write_pair(tmp_path))
    assert document.model is not None
    large = Image((np.zeros((1024, 1024, 4), np.uint8),))
    textures = tuple(Texture(name, decode=lambda: large) for name in "abc")
    document = replace(document, content=replace(document.model, textures=textures))
    images = decode_textures(document)
    assert [image.size[0] for image in images.values()] == [1024, 1024, 32]
    assert [text for text in document.report.warnings if "shown as 32 × 32" in text and text[:3] == "c: "]


def test_decoding_stops_when_told(tmp_path: Path) -> None:
    def never() -> Image:
        raise AssertionError("decoded after all")

    document = painted(open_document(write_pair(tmp_path)), Texture("a.png", decode=never))
    assert decode_textures(document, lambda: True) == {}


def test_small_images_are_decoded_where_they_are_enough(tmp_path: Path) -> None:
    large, small = (Image((np.zeros((side, side, 4), np.uint8),)) for side in (64, 16))
    sides: list[int] = []

    def shrunk(side: int) -> Image:
        sides.append(side)
        return small

    textures = (
        Texture("a.png", decode=lambda: large, decode_small=shrunk),
        Texture("b.png", decode=lambda: large),
    )
    document = painted(open_document(write_pair(tmp_path)), *textures)
    assert decode_textures(document, side=9) == {0: small, 1: large}
    assert sides == [9]
    assert decode_textures(document) == {0: large, 1: large}
