"""The decoded images of a model's textures, which need not stay in memory once they are uploaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from viewer.arrays import Array
from viewer.errors import ViewerError
from viewer.scene.material import Image
from viewer.scene.pixel_budget import within_budget

Decoder = Callable[[], Image]
SQUARE = 8
"""Pixels per square of the checker behind translucent pictures."""
DARK, BRIGHT = 92, 140


def on_checker(colors: Array, alpha: Array) -> Array:
    """[height, width, 3] u8: `colors` of that shape over a grey checker, by `alpha` [height, width] u8."""
    rows, columns = (np.arange(count) // SQUARE for count in alpha.shape)
    ground = np.where((rows[:, None] + columns) % 2, DARK, BRIGHT)[..., None]
    share = alpha[..., None].astype(np.uint16)
    return ((colors * share + ground * (255 - share)) // 255).astype(np.uint8)


class TextureImages(Mapping[int, Image]):
    """Images by texture number. `free` drops an image that `decoders` can read again, at the same size.

    `copy` has the same images, and replaces them on its own.
    """

    def __init__(self, images: Mapping[int, Image], decoders: Mapping[int, Decoder] | None = None) -> None:
        self._images = dict(images)
        self._pixels = {number: image.size[0] * image.size[1] for number, image in images.items()}
        self._decoders = decoders or {}
        self._replaced: dict[int, Image | None] = {}

    @classmethod
    def of(cls, images: Mapping[int, Image]) -> TextureImages:
        """A copy of images that may be freed, or images that stay."""
        return images.copy() if isinstance(images, cls) else cls(images)

    def copy(self) -> TextureImages:
        """The same images; what is freed in one is freed in both."""
        made = TextureImages({}, self._decoders)
        made._images, made._pixels, made._replaced = self._images, self._pixels, dict(self._replaced)
        return made

    def __getitem__(self, number: int) -> Image:
        """An image; a freed one is decoded again. KeyError if there is none, or its file is gone."""
        if number in self._replaced:
            return self._own(number)
        if number in self._images or number not in self._pixels:
            return self._images[number]
        try:
            return within_budget(self._decoders[number](), self._pixels[number])
        except (ViewerError, OSError) as error:
            raise KeyError(number) from error

    def __contains__(self, number: object) -> bool:
        """Whether there is an image, decoded or not."""
        replaced = number in self._replaced
        return self._replaced[number] is not None if replaced else number in self._pixels  # type: ignore[index]

    def __iter__(self) -> Iterator[int]:
        """The numbers of the textures that have images."""
        return (number for number in sorted({*self._pixels, *self._replaced}) if number in self)

    def __len__(self) -> int:
        """The number of images."""
        return sum(1 for _ in self)

    def replace(self, number: int, image: Image | None) -> None:
        """Use another image for a texture; None: it has none."""
        self._replaced[number] = image

    def free(self, number: int) -> None:
        """Drop the decoded pixels of an image if they can be read again."""
        if number not in self._replaced and number in self._decoders:
            self._images.pop(number, None)

    @property
    def decoded(self) -> frozenset[int]:
        """The numbers of the images whose pixels are in memory."""
        return frozenset(self._images)

    def _own(self, number: int) -> Image:
        image = self._replaced[number]
        if image is None:
            raise KeyError(number)
        return image
