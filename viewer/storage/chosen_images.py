"""Decodes the images of a document, and the files that the user chose for its textures."""

from __future__ import annotations

from collections.abc import Mapping

from viewer.scene.document import Document
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
        found = lone(path)
        images.replace(number, decode_image(found.read(FILE_LIMIT), found.path, side))
    return images
