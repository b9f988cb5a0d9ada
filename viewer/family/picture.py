"""Decoders of pictures."""

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
