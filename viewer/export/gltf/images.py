"""The pictures of textures for glTF. PNG and JPEG files stay unchanged; pictures in other formats
become PNG.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from viewer.arrays import Array
from viewer.errors import ViewerError
from viewer.scene.material import Image, Texture
from viewer.scene.reading_context import ReadingContext
from viewer.scene.texture_images import ALL_PIXELS, within_budget
from viewer.storage.image import FILE_LIMIT
from viewer.storage.package_path import read_path
from viewer.storage.png import SIGNATURE, png_pieces

JPEG = b"\xff\xd8\xff"


class PixelChange(Protocol):
    """A function that changes pixels [height, width, 4] u8."""

    def __call__(self, pixels: Array, /) -> Array:
        """Return the changed pixels."""


class PictureFile(NamedTuple):
    """The bytes of a picture file, and its media type."""

    data: bytes
    media: str

    @property
    def suffix(self) -> str:
        """The suffix of the media type: `.png` or `.jpg`."""
        return ".png" if self.media == "image/png" else ".jpg"


def picture(
    texture: Texture, path: str | None, change: PixelChange | None, context: ReadingContext
) -> PictureFile:
    """Return the picture of a texture, or of the file `path` that the user chose for it.

    If `change` is given, it alters the pixels, and the picture becomes a PNG. Raises ViewerError or OSError
    if the picture cannot be read.
    """
    known = None if change is not None else _as_it_is(path or texture.path, context)
    if known is not None:
        return known
    image = _decoded(texture, path, context)
    pixels = within_budget(image, ALL_PIXELS).levels[0]
    pixels = pixels if change is None else change(pixels)
    if pixels.shape[2] == 4 and bool((pixels[..., 3] == 255).all()):
        pixels = np.ascontiguousarray(pixels[..., :3])
    return PictureFile(b"".join(png_pieces(pixels)), "image/png")


def _as_it_is(path: str | None, context: ReadingContext) -> PictureFile | None:
    """Return the picture file unchanged if glTF allows its format, else None."""
    if path is None:
        return None
    data = read_path(path, context, FILE_LIMIT)[1]
    if data.startswith(SIGNATURE):
        return PictureFile(data, "image/png")
    return PictureFile(data, "image/jpeg") if data.startswith(JPEG) else None


def _decoded(texture: Texture, path: str | None, context: ReadingContext) -> Image:
    from viewer.storage.image import read_image  # imported late, because unchanged files need no Pillow
    from viewer.storage.search import lone

    if path is not None:
        return read_image(lone(path, context))
    if texture.decode is None:
        raise ViewerError("was not found")
    return texture.decode()


def opaque(pixels: Array) -> Array:
    """Return the pixels without alpha, [height, width, 3]."""
    return pixels[..., :3]


def unpacked_normals(pixels: Array) -> Array:
    """Convert the pixels of a normal map that has X in alpha and Y in green: X, Y and Z then are in red,
    green and blue.
    """
    xy = pixels[..., (3, 1)].astype(np.float32) / 127.5 - 1
    z = np.sqrt(np.maximum(1 - np.sum(xy * xy, axis=-1, keepdims=True), 0))
    stored = np.rint((np.concatenate((xy, z), axis=-1) + 1) * 127.5)
    return stored.astype(np.uint8)


class PackedChannels(NamedTuple):
    """A change that packs red of one or two textures as glTF's roughness (green) and metalness (blue).

    `rough` and `metal` say which of these two channels the changed picture has. If metalness has its own
    picture, `other` is the texture of this picture and the file that the user chose for it. The picture is
    resized to the size of the changed picture.
    """

    rough: bool
    metal: bool
    other: tuple[Texture, str | None, ReadingContext] | None = None

    def __call__(self, pixels: Array) -> Array:
        """Return the packed pixels, [height, width, 3] u8. ViewerError or OSError if the other picture cannot
        be read.
        """
        packed = np.full((*pixels.shape[:2], 3), 255, np.uint8)
        if self.rough:
            packed[..., 1] = pixels[..., 0]
        if self.metal:
            packed[..., 2] = pixels[..., 0] if self.other is None else self._resized(pixels.shape[:2])
        return packed

    def _resized(self, size: tuple[int, ...]) -> Array:
        """Red of the other picture, [height, width] u8."""
        assert self.other is not None, "the metalness has a picture of its own"
        pixels = within_budget(_decoded(*self.other), ALL_PIXELS).levels[0]
        rows, columns = (np.arange(n) * old // n for n, old in zip(size, pixels.shape[:2], strict=True))
        return np.asarray(pixels[rows[:, None], columns, 0])
