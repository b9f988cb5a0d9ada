"""The decoders of pictures: a format registers an `ImageDecoder` in `DECODERS`."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from viewer.scene.material import Image, ImageHeader


class ImageDecoder(Struct, frozen=True):
    """A decoder of pictures: `probe(data, suffix)` checks the first bytes, `decode(data)` reads all.

    `small(data, side)` decodes a small level of at least `side` pixels; `small` is None if the format has no
    levels. `header(data)` decodes no pixels.
    """

    name: str
    suffixes: tuple[str, ...]
    probe: Callable[[bytes, str], bool]
    decode: Callable[[bytes], Image]
    small: Callable[[bytes, int], Image] | None = None
    header: Callable[[bytes], ImageHeader] | None = None


DECODERS: list[ImageDecoder] = []
"""The decoders in the order in which they are tried: formats with a magic first. TGA comes last, because it
has no magic.
"""
