"""Decodes the images of a document, and the files that the user chose for its textures."""

from __future__ import annotations

from collections.abc import Mapping

from viewer.scene.document import Document
from viewer.scene.material import Image, Texture
from viewer.scene.reading_context import DEFAULT, ReadingContext
from viewer.scene.texture_images import TextureImages, decode_textures
from viewer.storage.image import FILE_LIMIT, decode_image
from viewer.storage.search import lone


def chosen_images(
    document: Document | None, chosen: Mapping[int, str], side: int | None = None
) -> TextureImages:
    """Decode the images by texture number. `chosen` are the user's files by texture number.

    With a `side` in pixels small versions are decoded, see `decode_textures`. FormatError if a chosen file is
    no image.
    """
    images = decode_textures(document, side=side) if document else TextureImages({})
    for number, path in chosen.items():
        images.replace(number, _chosen(path, document.context if document else DEFAULT, side))
    return images


def chosen_image(texture: Texture, path: str | None, context: ReadingContext) -> Image | None:
    """Decode the file `path` that the user chose for a texture, or without a path the texture's own image;
    None if the texture has no image.

    FormatError if the file is no image.
    """
    if path is not None:
        return _chosen(path, context)
    return None if texture.decode is None else texture.decode()


def _chosen(path: str, context: ReadingContext, side: int | None = None) -> Image:
    found = lone(path, context)
    return decode_image(found.read(FILE_LIMIT), found.path, side)
