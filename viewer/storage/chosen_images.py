"""The images of a document, with files that the user chooses for textures."""

from __future__ import annotations

from collections.abc import Mapping

from viewer.scene.document import Document
from viewer.scene.texture_images import TextureImages, decode_textures
from viewer.storage.image import FILE_LIMIT, decode_image
from viewer.storage.search import lone


def chosen_images(
    document: Document | None, chosen: Mapping[int, str], side: int | None = None
) -> TextureImages:
    """The decoded images by texture number; `chosen` are files by texture number.

    For a `side` images are decoded small, see `decode_textures`. FormatError if a chosen file is no image.
    """
    images = decode_textures(document, side=side) if document else TextureImages({})
    for number, path in chosen.items():
        found = lone(path)
        images.replace(number, decode_image(found.read(FILE_LIMIT), found.path, side))
    return images
