"""The pictures of a model's textures. All headers are read; small versions are decoded within a budget."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property, partial

import numpy as np

from viewer.arrays import Array
from viewer.errors import FormatError
from viewer.scene.document import Document
from viewer.scene.material import ImageHeader, Texture
from viewer.scene.names import path_key
from viewer.storage.image import image_header

SIDE = 64
"""The longer side of a picture's small version has at least this many pixels."""
BUDGET = 1 << 27
"""The limit of the decoding cost of all pictures of a model, in pixels; see `ImageHeader.cost`."""
OPAQUE = 250
"""The lowest alpha of an opaque pixel."""
UNIT_LENGTHS = 0.75, 1.15
"""The allowed lengths of the vectors in a normal map. Lengths other than 1 are allowed, because each pixel of
a small version is an average.
"""
TWO_CHANNELS = ("BC5U", "BC5S", "ATI2", "DXGI 82", "DXGI 83", "DXGI 84")
"""Encodings that store only two components of the vectors in a normal map."""


class CheckedPicture:
    """The picture of a texture.

    `header` is None if the file is unreadable (`error` is the reason), or if the header of its format is not
    read separately. `pixels` [height, width, 4] u8 are a small version; None if the budget is spent.
    """

    def __init__(self, pictures: TexturePictures, number: int, texture: Texture) -> None:
        self.number, self.texture = number, texture
        self._pictures = pictures
        self.error = ""

    @cached_property
    def header(self) -> ImageHeader | None:
        """The header of the picture; None if it cannot be read, or if its format has no decoder of
        headers.
        """
        try:
            return self.texture.header() if self.texture.header is not None else None
        except (FormatError, OSError) as error:
            self.error = error.why if isinstance(error, FormatError) else str(error)
            return None

    @cached_property
    def pixels(self) -> Array | None:
        """The pixels of a small version; None if they cannot be decoded within the budget."""
        small = self.texture.decode_small
        if self.header is None or small is None or not self._pictures.spend(self.header.cost):
            return None
        try:
            return small(SIDE).levels[0]
        except (FormatError, OSError) as error:
            self.error = error.why if isinstance(error, FormatError) else str(error)
            return None

    @property
    def fault(self) -> str:
        """Why the picture cannot be decoded; empty if it can, or if the budget is spent."""
        return self.texture.error or (self.error if self.pixels is None else "")

    @property
    def is_opaque(self) -> bool | None:
        """Whether no pixel is transparent; None if unknown."""
        if self.header is None:
            return None
        if not self.header.alpha:
            return True
        return None if self.pixels is None else bool(self.pixels[..., 3].min() >= OPAQUE)

    @property
    def looks_like_normals(self) -> bool | None:
        """Whether the colours are unit vectors that point out of the surface; None if unknown or unclear."""
        if self.pixels is None or self.header is None or self.header.encoding.endswith(TWO_CHANNELS):
            return None
        red, green, blue = (self.pixels[..., channel].astype(np.float32) / 127.5 - 1 for channel in range(3))
        lengths = np.sqrt(red * red + green * green + blue * blue)
        shortest, longest = UNIT_LENGTHS
        share = float(np.mean((lengths > shortest) & (lengths < longest) & (blue > 0)))
        if share > 0.95 and max(abs(float(red.mean())), abs(float(green.mean()))) < 0.1 and blue.mean() > 0.6:
            return True
        return False if share < 0.5 else None

    @property
    def is_grey(self) -> bool:
        """Whether all pixels are grey, as in a height map."""
        pixels = self.pixels
        return pixels is not None and int(np.ptp(pixels[..., :3].astype(np.int16), axis=2).max(initial=0)) < 8


class TexturePictures:
    """The pictures of textures, and the budget for decoding them."""

    def __init__(self, textures: Sequence[Texture]) -> None:
        self._textures = textures
        self._left = BUDGET
        self._made: dict[int, CheckedPicture] = {}

    def __iter__(self) -> Iterator[CheckedPicture]:
        """Yield the pictures with a file, each file once."""
        seen = set()
        for number, texture in enumerate(self._textures):
            key = path_key(texture.path or "")
            if texture.header is not None and key not in seen:
                seen.add(key)
                yield self[number]

    def __getitem__(self, number: int) -> CheckedPicture:
        if number not in self._made:
            self._made[number] = CheckedPicture(self, number, self._textures[number])
        return self._made[number]

    def spend(self, cost: int) -> bool:
        """Subtract `cost` from the budget; False if it does not suffice."""
        if cost > self._left:
            return False
        self._left -= cost
        return True


def own_texture(document: Document) -> Texture:
    """Make a texture from a document that is itself a picture."""
    name = os.path.basename(document.path)
    return Texture(name, document.path, header=partial(image_header, document.data, document.path))
