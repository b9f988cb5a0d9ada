"""The decoded images of a model's textures within a budget of pixels; uploaded images may be freed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial

import numpy as np
from msgspec.structs import replace

from viewer.arrays import Array
from viewer.errors import MISSING_TEXTURE, FormatError, ViewerError
from viewer.scene.document import Document
from viewer.scene.material import Image, Texture
from viewer.scene.model import pictured

ALL_PIXELS = 1 << 27
"""The largest number of pixels in all textures of one model: 512 MiB, or two images of 8192 × 8192."""
SMALLEST = 1 << 20
"""The largest number of pixels of an image that always keeps its size: 1024 × 1024."""
DRIVER_SIDE = 8192
"""The longest side that every OpenGL 3.3 driver accepts in practice."""


BAND = 1 << 18
"""How many pixels are halved at once."""
LIGHT, ALPHA = 16383, 64
"""The largest light and the factor of alpha with which four values have a sum of 16 bits."""


def within_budget(image: Image, left: int) -> Image:
    """Halve an image until it has at most `left` pixels and no side above `DRIVER_SIDE`; a warning in the
    result names both sizes.
    """
    width, height = image.size
    levels = list(image.levels)
    while max(levels[0].shape) > DRIVER_SIDE or levels[0].size // 4 > max(left, SMALLEST):
        stored = levels[1:] if len(levels) > 1 and _is_half(levels[0], levels[1]) else []
        levels = stored or [half_size(levels[0])]
    if levels[0] is image.levels[0]:
        return image
    shown = levels[0]
    text = f"{width} × {height} pixels are shown as {shown.shape[1]} × {shown.shape[0]}, to save memory"
    return replace(image, levels=tuple(levels), warnings=(*image.warnings, text))


def half_size(pixels: Array, srgb: bool = False) -> Array:
    """[height / 2, width / 2, 4] u8: each pixel is the mean of two by two pixels of [height, width, 4] u8. A
    side of one pixel stays one pixel long. With `srgb` the colours are sRGB and the mean is that of their
    light; alpha is always linear.
    """
    height, width = pixels.shape[:2]
    tall, wide = min(height, 2), min(width, 2)
    out = np.empty((height // tall, width // wide, 4), np.uint8)
    rows = max(1, BAND // width)
    for start in range(0, len(out), rows):
        band = pixels[start * tall : (start + rows) * tall, : out.shape[1] * wide]
        values = _light(band) if srgb else band.astype(np.uint16)
        pairs = values[: len(band) // tall * tall : tall] + values[tall - 1 :: tall]
        # The sum of four values fits in 16 bits, so four channels are added as one number.
        packed = pairs.view(np.uint64)[..., 0]
        sums = packed[:, ::wide] + packed[:, wide - 1 :: wide]
        means = sums.view(np.uint16).reshape(*sums.shape, 4)
        out[start : start + rows] = _srgb(means) if srgb else (means + np.uint16(2)) >> 2
    return out


def smaller_levels(pixels: Array, srgb: bool) -> Iterator[Array]:
    """Yield the mip levels below a level, down to one pixel; see `half_size`."""
    while pixels.shape[:2] != (1, 1):
        pixels = half_size(pixels, srgb)
        yield pixels


def _light(pixels: Array) -> Array:
    """[height, width, 4] u16: light from 0 to `LIGHT` of sRGB colours, and alpha times `ALPHA`."""
    out = _light_of_srgb().take(pixels)
    np.multiply(pixels[..., 3], ALPHA, out=out[..., 3], dtype=np.uint16)
    return out


def _srgb(sums: Array) -> Array:
    """[height, width, 4] u8: the sRGB colours and the alpha of the sums of four values of `_light`."""
    out = _srgb_of_sum().take(sums)
    out[..., 3] = (sums[..., 3] + np.uint16(2 * ALPHA)) // (4 * ALPHA)
    return out


@cache
def _light_of_srgb() -> Array:
    """[256] u16: the light of each sRGB value, from 0 to `LIGHT`. Source: IEC 61966-2-1."""
    value = np.arange(256) / 255
    light = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    return np.round(light * LIGHT).astype(np.uint16)


@cache
def _srgb_of_sum() -> Array:
    """[4 * LIGHT + 1] u8: the sRGB value of the mean of four values of light, by their sum."""
    light = np.arange(4 * LIGHT + 1) / (4 * LIGHT)
    value = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.round(value * 255).astype(np.uint8)


def _is_half(large: Array, small: Array) -> bool:
    return bool(small.shape[:2] == (max(large.shape[0] // 2, 1), max(large.shape[1] // 2, 1)))


COLOR_CHANNELS = {"R": 0, "G": 1, "B": 2, "A": 3}


def channels_of(pixels: Array, channels: str) -> Array:
    """[h, w, 4] u8: a picture [h, w, 4] u8 reduced to some channels. `RGBA` keeps all channels, `RGB` gives
    opaque colours, and a name of `COLOR_CHANNELS` gives this channel as an opaque grey.
    """
    if channels == "RGBA":
        return pixels
    out = np.full(pixels.shape, 255, np.uint8)
    number = COLOR_CHANNELS.get(channels)
    out[..., :3] = pixels[..., :3] if number is None else pixels[..., number, None]
    return out


Decoder = Callable[[], Image]
SQUARE = 8
"""The side in pixels of a square of the checker behind translucent pictures."""
DARK, BRIGHT = 92, 140


def on_checker(colors: Array, alpha: Array) -> Array:
    """Draw `colors` [height, width, 3] u8 over a grey checker, with the opacity `alpha` [height, width] u8;
    return the result in the shape of `colors`.
    """
    rows, columns = (np.arange(count) // SQUARE for count in alpha.shape)
    ground = np.where((rows[:, None] + columns) % 2, DARK, BRIGHT)[..., None]
    share = alpha[..., None].astype(np.uint16)
    return ((colors * share + ground * (255 - share)) // 255).astype(np.uint8)


class TextureImages(Mapping[int, Image]):
    """Images by texture number. `take` drops an image if one of `decoders` can decode it again at the same
    size.

    `copy` shares the images; a replacement in one object does not affect the other.
    """

    def __init__(self, images: Mapping[int, Image], decoders: Mapping[int, Decoder] | None = None) -> None:
        self._images = dict(images)
        self._pixels = {number: image.size[0] * image.size[1] for number, image in images.items()}
        self._decoders = decoders or {}
        self._replaced: dict[int, Image | None] = {}

    @classmethod
    def of(cls, images: Mapping[int, Image]) -> TextureImages:
        """Make `TextureImages` of `images`: a copy if they are already `TextureImages`, else a new object
        that never frees its images.
        """
        return images.copy() if isinstance(images, cls) else cls(images)

    def copy(self) -> TextureImages:
        """A copy that shares the images: `take` drops an image in the copy and in the original."""
        made = TextureImages({}, self._decoders)
        made._images, made._pixels, made._replaced = self._images, self._pixels, dict(self._replaced)
        return made

    def __getitem__(self, number: int) -> Image:
        """The image of a texture; a freed image is decoded again. KeyError if there is none, or if its file
        is gone.
        """
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
        return (number for number in sorted({*self._pixels, *self._replaced}) if number in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def replace(self, number: int, image: Image | None) -> None:
        """Replace the image of a texture (None: remove it)."""
        self._replaced[number] = image

    def take(self, number: int) -> Image:
        """Return an image like `[]`, and drop its decoded pixels if they can be read again."""
        image = self[number]
        if number not in self._replaced and number in self._decoders:
            self._images.pop(number, None)
        return image

    @property
    def decoded(self) -> frozenset[int]:
        """The numbers of the images whose pixels are in memory."""
        return frozenset(self._images)

    def _own(self, number: int) -> Image:
        image = self._replaced[number]
        if image is None:
            raise KeyError(number)
        return image


Note = Callable[[str, float | None], None]
"""A function that receives the current step and its progress from 0 to 1 (None: unknown)."""


def decode_textures(
    document: Document,
    stop: Callable[[], bool] = lambda: False,
    note: Note = lambda step, share: None,
    side: int | None = None,
) -> TextureImages:
    """Decode the images of the document's model, numbered as in `scene.model.pictured`.

    `stop` and `note` are called before each image; `stop` ends the work. An unreadable image is left out. The
    document's report gets a warning for it, and also the warnings of the other images. Images beyond the
    budget of pixels are made smaller. If `side` is given, images are decoded as small as possible, but with
    at least `side` pixels on the longer side.
    """
    images: dict[int, Image] = {}
    left = ALL_PIXELS
    textures = pictured(document.model)
    decoders = {number: _decoder(each, side) for number, each in enumerate(textures) if each.decode}
    for number, decode in decoders.items():
        texture = textures[number]
        if stop():
            break
        note("reading images", number / len(textures))
        try:
            images[number] = within_budget(decode(), left)
        except (FormatError, OSError) as error:
            document.report.warn(f"{texture.name}: {error}", MISSING_TEXTURE)
            document.unreadable_images[number] = error.why if isinstance(error, FormatError) else str(error)
            continue
        left -= images[number].size[0] * images[number].size[1]
        for text in images[number].warnings if images[number] is not document.content else ():
            document.report.warn(f"{texture.name}: {text}")
    return TextureImages(images, {} if isinstance(document.content, Image) else decoders)


def _decoder(texture: Texture, side: int | None) -> Decoder:
    """The function that decodes a texture, at a small size if `side` is given."""
    assert texture.decode is not None, "the texture has an image"
    if side is None or texture.decode_small is None:
        return texture.decode
    return partial(texture.decode_small, side)
