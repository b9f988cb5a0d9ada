"""Decodes images of every supported format to [height, width, 4] u8.

Families decode their own formats; the rest is decoded by Pillow, which is imported when the first image is
decoded.
"""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from viewer.arrays import Array
from viewer.budget import BUDGET
from viewer.errors import FormatError, NeedState, words_of
from viewer.family import registry
from viewer.family.picture import ImageDecoder
from viewer.scene.material import Image, ImageHeader, cube_picture
from viewer.scene.reading_context import ReadingContext
from viewer.storage.dds import FACES, cube_faces, dds_header, decode_plain_dds, is_plain_dds, plain_dds_size
from viewer.storage.own_picture import marked
from viewer.storage.png import png_pieces
from viewer.storage.search import FoundResource
from viewer.storage.versions import KeptAnswers
from viewer.storage.writing import written

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage


PICTURES = (
    *(".dds", ".png", ".jpg", ".jpeg", ".tga", ".bmp", ".webp"),
    *(".psd", ".tif", ".tiff", ".gif", ".pcx"),
)
"""Suffixes of images. If an image is missing, a file of the same name with another suffix replaces it. The
suffixes are tried in this order.
"""

ALPHA_MODES = ("LA", "PA", "RGBA")
"""Pillow's modes of pixels with alpha."""
REDUCED_MODES = ("L", "LA", "RGB", "RGBA", "CMYK")
"""Pillow's modes of pixels that can be averaged. Other modes have palette indices, or more than 8 bits a
channel.
"""

STORED_MODES = {"RGB": "RGBX", "RGBA": "RGBA"}
"""For each mode that Pillow stores as four bytes a pixel: the mode of a picture with the same bytes in
memory.
"""

STRIP = 1 << 18
"""How many pixels are converted together."""

FILE_LIMIT = 256 << 20
"""The largest size of an image file in bytes."""

_SMALL_IMAGES: KeptAnswers[tuple[str, ReadingContext, int], Image] = KeptAnswers(32 << 20)
"""The cache of small images, by path and smallest side in pixels."""
_HEADERS: KeptAnswers[tuple[str, ReadingContext], ImageHeader | None] = KeptAnswers(1 << 20)
"""The cache of image headers, by path."""
HEADER_BYTES = 256
"""The approximate size of a cached header in bytes."""


class PillowFormat(Struct, frozen=True):
    """A format that Pillow decodes. Its fields are the name and the plugin in Pillow, the magic, and the
    largest number of pixels in a byte of a file.

    A header that declares more pixels is refused before allocation. When Pillow decodes a reduced picture,
    `pixels_at_once` pixels of the file take as much time as copying one pixel.
    """

    name: str
    suffixes: tuple[str, ...]
    magic: bytes | tuple[bytes, ...]
    plugin: str
    pixels_per_byte: int
    pixels_at_once: int = 1


PILLOW_FORMATS = (
    # Deflate packs at most 1032 bytes into one; a byte has 8 pixels of 1 bit.
    PillowFormat("PNG", (".png",), b"\x89PNG\r\n\x1a\n", "PngImagePlugin", 8256),
    # A block of 8 × 8 pixels takes at least one bit.
    PillowFormat("JPEG", (".jpg", ".jpeg"), b"\xff\xd8\xff", "JpegImagePlugin", 512, 4),
    # BC1 and BC4 pack 4 × 4 pixels into 8 bytes.
    PillowFormat("DDS", (".dds",), b"DDS ", "DdsImagePlugin", 2),
    # Two bytes are a run of up to 255 pixels.
    PillowFormat("BMP", (".bmp",), b"BM", "BmpImagePlugin", 128),
    PillowFormat("WEBP", (".webp",), b"RIFF", "WebPImagePlugin", BUDGET.image_pixels),
    # A code of at most 12 bits stands for up to 4096 pixels.
    PillowFormat("GIF", (".gif",), b"GIF8", "GifImagePlugin", 4096),
    # Deflate, and CCITT, which packs white lines even better.
    PillowFormat("TIFF", (".tif", ".tiff"), (b"II*\0", b"MM\0*"), "TiffImagePlugin", 1 << 16),
    # Two bytes are a run of up to 128 bytes.
    PillowFormat("PSD", (".psd",), b"8BPS", "PsdImagePlugin", 512),
    # Two bytes are a run of up to 63 bytes; a byte has 8 pixels of 1 bit.
    PillowFormat(
        "PCX", (".pcx",), tuple(bytes((10, version, 1)) for version in (0, 2, 3, 4, 5)), "PcxImagePlugin", 252
    ),
    # Two bytes are a run of up to 128 pixels. TGA comes last, because it has no magic, only its suffix.
    PillowFormat("TGA", (".tga",), b"", "TgaImagePlugin", 64),
)


def decode_image(data: bytes, name: str, side: int | None = None) -> Image:
    """Decode the image in `data`. Its `name` has the suffix, and appears in errors. With a `side` in pixels a
    small level of at least this size is decoded, if the format has levels.

    FormatError if the data are no image, or if the image is broken or too large.
    """
    decoder = _sure_decoder(data, name)
    with _format_errors(decoder, name):
        return decoder.decode(data) if side is None or not decoder.small else decoder.small(data, side)


def image_header(data: bytes, name: str) -> ImageHeader | None:
    """Read the header of the image in `data`; None if its decoder reads no headers. FormatError if the data
    are no image, or if the header is broken.
    """
    decoder = _sure_decoder(data, name)
    with _format_errors(decoder, name):
        return None if decoder.header is None else decoder.header(data)


@contextmanager
def _format_errors(decoder: ImageDecoder, name: str) -> Iterator[None]:
    """Convert the errors of a decoder to FormatErrors with the file's name."""
    try:
        yield
    except FormatError as error:
        error.file = error.file or name
        raise
    except Exception as error:
        # Pillow raises whatever its parsers raise for a damaged picture.
        raise FormatError(f"broken {decoder.name} picture, {words_of(error)}", file=name) from error


def _sure_decoder(data: bytes, name: str) -> ImageDecoder:
    """The decoder of the image in `data`. FormatError if the data are no image."""
    suffix = os.path.splitext(name)[1].lower()
    why = picture_state(data, suffix)[1]
    decoder = None if why else _decoder(data, suffix)
    if decoder is None:
        raise FormatError(why, file=name)
    return decoder


def _decoder(data: bytes, suffix: str, by_bytes: bool = False) -> ImageDecoder | None:
    """The first decoder that accepts the data. With `by_bytes` the suffix alone does not count."""
    tried = chain(registry.decoders(data, suffix), DECODERS, registry.plugin_decoders(suffix))
    return next((each for each in tried if each.probe(data, "" if by_bytes else suffix)), None)


def picture_state(head: bytes | None, suffix: str) -> tuple[NeedState, str]:
    """Whether a picture with these first bytes can be decoded, and why not. None stands for unknown bytes."""
    if head is None or _decoder(head, suffix, by_bytes=True) is not None:
        return "found", ""
    # imported late, because only a file of an unknown format is tested for the formats of other programs
    from viewer.storage.foreign_formats import foreign_format, stand_in, state_of

    state, why = stand_in(head)
    if why or _decoder(head, suffix) is not None:
        return state, why
    foreign = foreign_format(head, suffix)
    if foreign is not None:
        return state_of(foreign)
    known = ", ".join(sorted(each[1:] for each in picture_suffixes()))
    return "unreadable", f"the file is not an image in a known format ({known})"


def picture_suffixes() -> tuple[str, ...]:
    """The suffixes of all pictures that can be decoded, each once."""
    own = (suffix for each in DECODERS for suffix in each.suffixes)
    return tuple(dict.fromkeys((*registry.suffixes("picture"), *own)))


def read_image(resource: FoundResource) -> Image:
    """Decode the image of a resource, see `decode_image`."""
    return decode_image(resource.read(FILE_LIMIT), resource.path)


def read_cube(resource: FoundResource) -> Image:
    """Decode a DDS with the faces of a cube map to one picture, see `cube_picture`. Any other picture is on
    each face.
    """
    data = resource.read(FILE_LIMIT)
    faces = cube_faces(data) if data[:4] == b"DDS " else ()
    decoded = [decode_image(each, resource.path) for each in faces or (data,)]
    return cube_picture(decoded * (FACES // len(decoded)))


def read_small_image(resource: FoundResource, side: int) -> Image:
    """Decode the image of a resource for a thumbnail of `side` pixels, see `decode_image`. The latest images
    are cached, because models of one folder share textures.
    """
    return _SMALL_IMAGES.get(
        (resource.path, resource.source.context, side),
        lambda: decode_image(resource.read(FILE_LIMIT), resource.path, side),
        lambda image: sum(level.nbytes for level in image.levels),
    )


def decoders(resource: FoundResource) -> dict[str, Any]:
    """Return the fields of a texture that read its image, which was found. Its first bytes are read now."""
    state, error = picture_state(resource.head, os.path.splitext(resource.path)[1].lower())
    return {
        "state": state,
        "error": error,
        "decode": partial(read_image, resource),
        "decode_small": partial(read_small_image, resource),
        "header": partial(read_header, resource),
        "read": partial(resource.read, FILE_LIMIT),
    }


def read_header(resource: FoundResource) -> ImageHeader | None:
    """Read the header of a resource, see `image_header`. The latest headers are cached, because models of one
    folder share textures.
    """
    return _HEADERS.get(
        (resource.path, resource.source.context),
        lambda: image_header(resource.read(FILE_LIMIT), resource.path),
        lambda header: HEADER_BYTES,
    )


def check_size(width: int, height: int, most: int = BUDGET.image_pixels) -> None:
    """Raise FormatError for an image without pixels, with more pixels than the limit, or with more pixels
    than a file of its size can contain (`most`).
    """
    if width <= 0 or height <= 0:
        raise FormatError(f"the image has no pixels: its size is {width} × {height}")
    if width * height > BUDGET.image_pixels:
        raise FormatError(f"{width} × {height} pixels are more than the limit of {BUDGET.image_pixels}")
    if width * height > most:
        raise FormatError(f"the file is too short for {width} × {height} pixels")


def save_png(path: str | os.PathLike[str], rgba: Array, *, view: bool = False) -> None:
    """Write [height, width, 3 or 4] u8 as a PNG, the top row first, without waiting for the disk. A `view` of
    a model gets the mark.
    """
    with written(os.fspath(path), sync=False) as file:
        file.writelines(marked(png_pieces(rgba)) if view else png_pieces(rgba))


def jpeg_channels(data: bytes, size: tuple[int, int]) -> Array:
    """Decode a JPEG to [height, width, channels] u8. Four channels are returned as stored, three are
    converted to RGB. FormatError if the size is not `size` (width, height), or if the JPEG is damaged.
    """
    import PIL.JpegImagePlugin

    try:
        with PIL.JpegImagePlugin.JpegImageFile(io.BytesIO(data)) as picture:
            if picture.size != size:
                raise FormatError(f"the JPEG has {picture.size[0]} × {picture.size[1]} pixels")
            stored = np.asarray(picture)
            # Pillow interprets four channels as Adobe's inverted CMYK.
            return 255 - stored if picture.mode == "CMYK" else stored
    except FormatError:
        raise
    except Exception as error:
        # Pillow raises whatever its parsers raise for a damaged picture.
        raise FormatError(f"broken JPEG picture, {words_of(error)}") from error


def _decode_dds(data: bytes) -> Image:
    check_size(*plain_dds_size(data))
    return decode_plain_dds(data)


def _pillow_decoder(form: PillowFormat) -> ImageDecoder:
    def probe(data: bytes, suffix: str) -> bool:
        return data.startswith(form.magic) if form.magic else suffix in form.suffixes

    decode = partial(_decode_by_pillow, form)
    header = dds_header if form.name == "DDS" else partial(_header_by_pillow, form)
    return ImageDecoder(form.name, form.suffixes, probe, decode, decode, header)


@contextmanager
def _opened(form: PillowFormat, data: bytes) -> Iterator[PillowImage]:
    """Open the picture in `data` without decoding its pixels."""
    from importlib import import_module

    import PIL.Image

    # PIL.Image.open would import every plugin: 15 to 60 ms.
    import_module(f"PIL.{form.plugin}")
    make = PIL.Image.OPEN[form.name][0]
    with warnings.catch_warnings():
        # Pillow warns of large images and odd metadata; `check_size` tests sizes, and metadata are not used.
        warnings.simplefilter("ignore")
        with make(io.BytesIO(data), "") as picture:
            yield picture


def _header_by_pillow(form: PillowFormat, data: bytes) -> ImageHeader:
    with _opened(form, data) as picture:
        width, height = picture.size
        alpha = picture.mode in ALPHA_MODES or "transparency" in picture.info
    return ImageHeader(form.name, width, height, alpha, cost=width * height // form.pixels_at_once)


def _decode_by_pillow(form: PillowFormat, data: bytes, side: int | None = None) -> Image:
    with _opened(form, data) as picture:
        check_size(*picture.size, len(data) * form.pixels_per_byte)
        encoding = f"{form.name} {getattr(picture, 'pixel_format', None) or picture.mode}"
        return Image((_rgba(picture if side is None else _reduced(picture, side)),), encoding)


def _reduced(picture: PillowImage, side: int) -> PillowImage:
    """Shrink a picture by a power of two. Its longer side keeps at least `side` pixels, unless it has
    fewer.
    """
    longer = max(picture.size)
    factor = 1 << max((longer // side).bit_length() - 1, 0)
    if factor == 1 or picture.mode not in REDUCED_MODES:
        return picture
    picture.draft(
        None, (picture.size[0] // factor, picture.size[1] // factor)
    )  # the decoder of JPEG shrinks the picture while it decodes
    return picture.reduce(max(factor * max(picture.size) // longer, 1))


def _rgba(picture: PillowImage) -> Array:
    """Convert a picture to [height, width, 4] u8 strip by strip, because Pillow's own conversion needs three
    copies of all pixels. Pictures of four bytes a pixel are decoded into the result without a copy.
    """
    width, height = picture.size
    out = np.zeros((height, width, 4), np.uint8)
    if _loaded_into(out, picture):
        return out
    rows = max(STRIP // width, 1)
    for top in range(0, height, rows):
        bottom = min(top + rows, height)
        out[top:bottom] = _strip_rgba(picture.crop((0, top, width, bottom)))
    return out


def _loaded_into(out: Array, picture: PillowImage) -> bool:
    """Decode a picture, and return whether its pixels are in `out` [height, width, 4] u8.

    Pillow stores RGB and RGBA as four bytes a pixel. It decodes into the memory that the picture has, here
    the memory of `out`. A picture that Pillow turns round or stores otherwise has memory of its own
    afterwards.
    """
    import PIL.Image

    stored = STORED_MODES.get(picture.mode)
    if stored is None or "transparency" in picture.info or getattr(picture, "_im", None) is not None:
        picture.load()
        return False
    memory = PIL.Image.frombuffer(stored, picture.size, out, "raw", stored, 0, 1).im
    picture.im = memory
    picture.load()
    if picture.im is not memory:
        picture.im = picture.im.convert(picture.mode)
        return False
    if picture.mode == "RGB":
        out[..., 3] = 255
    return True


def resized(pixels: Array, width: int, height: int) -> Array:
    """Scale [h, w, 4] u8 to [height, width, 4] u8 with a bilinear filter. Transparent pixels do not count."""
    import PIL.Image

    return np.asarray(PIL.Image.fromarray(pixels).resize((width, height), PIL.Image.Resampling.BILINEAR))


def _strip_rgba(picture: PillowImage) -> Array:
    """Convert a picture to [height, width, 4] u8. Pillow itself would clip 16-bit greys instead of scaling
    them.
    """
    if not picture.mode.startswith("I"):
        return np.asarray(picture.convert("RGBA"))
    grey = np.clip(np.asarray(picture).astype(np.int64) >> 8, 0, 255).astype(np.uint8)
    opaque = np.full_like(grey, 255)
    return np.stack((grey, grey, grey, opaque), axis=-1)


DECODERS = (
    # This decoder comes before Pillow's, which takes a second for a megapixel of these files.
    ImageDecoder("DDS", (".dds",), lambda data, _suffix: is_plain_dds(data), _decode_dds, header=dds_header),
    *(_pillow_decoder(form) for form in PILLOW_FORMATS),
)
"""Decoders in the order in which they are tried: formats with a magic first."""
