"""The properties of a picture that its header tells, without its pixels."""

from __future__ import annotations

from typing import NamedTuple


class ImageHeader(NamedTuple):
    """The `width` and `height` in pixels of a picture, and whether its pixels have an `alpha`.

    `levels` is the number of mip levels that the header declares, `stored` the number of those whose bytes
    are all there. `block` is the side of the blocks of pixels that are compressed together (1: none).
    `damage` says what is wrong with the levels. `cost` is about the time to decode a small picture, in pixels
    that are copied one by one.
    """

    encoding: str
    width: int
    height: int
    alpha: bool
    levels: int = 1
    stored: int = 1
    block: int = 1
    damage: str = ""
    cost: int = 0

    @property
    def full_levels(self) -> int:
        """The number of levels down to one pixel."""
        return max(self.width, self.height).bit_length()
