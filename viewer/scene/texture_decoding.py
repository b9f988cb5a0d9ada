"""The decoded images of all textures of a model."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from viewer.errors import FormatError
from viewer.scene.document import Document
from viewer.scene.material import Image, Texture
from viewer.scene.model import pictured
from viewer.scene.pixel_budget import ALL_PIXELS, within_budget
from viewer.scene.texture_images import Decoder, TextureImages

Note = Callable[[str, float | None], None]
"""Receives the current step and its progress."""


def decode_textures(
    document: Document,
    stop: Callable[[], bool] = lambda: False,
    note: Note = lambda step, share: None,
    side: int | None = None,
) -> TextureImages:
    """The decoded images of the document's model, numbered like `scene.model.pictured`.

    `stop` is asked and `note` is called before each image. An image that cannot be decoded is left out, with
    a warning in the document's report, which has the images' own warnings too. Images beyond the budget of
    pixels are made smaller as they are decoded; each is freed when it is uploaded. For a `side`, images are
    decoded as small as they can be with at least so many pixels on their longer side.
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
            document.report.warn(f"{texture.name}: {error}")
            document.unreadable_images[number] = str(error)
            continue
        left -= images[number].size[0] * images[number].size[1]
        for text in images[number].warnings if images[number] is not document.content else ():
            document.report.warn(f"{texture.name}: {text}")
    return TextureImages(images, {} if isinstance(document.content, Image) else decoders)


def _decoder(texture: Texture, side: int | None) -> Decoder:
    """The function that decodes a texture, small if a `side` is enough."""
    assert texture.decode is not None, "the texture has an image"
    if side is None or texture.decode_small is None:
        return texture.decode
    return partial(texture.decode_small, side)
