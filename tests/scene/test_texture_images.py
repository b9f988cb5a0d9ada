"""Decoded images that are freed after their upload."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.errors import FormatError
from viewer.scene.material import Image
from viewer.scene.texture_images import TextureImages


def image(side: int = 4) -> Image:
    return Image((np.zeros((side, side, 4), np.uint8),))


def test_a_freed_image_is_decoded_again() -> None:
    first, second = image(), image()
    images = TextureImages({0: first}, {0: lambda: second})
    assert images[0] is first
    images.free(0)
    assert images.decoded == frozenset()
    assert 0 in images and images[0] is second and dict(images) == {0: second}


def test_an_image_that_cannot_be_read_again_stays() -> None:
    only = image()
    images = TextureImages({0: only})
    images.free(0)
    assert images[0] is only


def test_an_image_comes_back_as_small_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.scene.texture_images.SMALLEST", 1)
    images = TextureImages({0: image(4)}, {0: lambda: image(16)})
    images.free(0)
    assert images[0].size == (4, 4)


def test_an_image_whose_file_is_gone_is_missing() -> None:
    def gone() -> Image:
        raise FormatError("no such file")

    images = TextureImages({0: image()}, {0: gone})
    images.free(0)
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
    images.free(0)
    assert copied.copy()[0] is other and 0 not in copied.decoded
