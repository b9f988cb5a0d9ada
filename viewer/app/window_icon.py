"""The pictures of the program's icon for the window."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from viewer.arrays import Array
from viewer.errors import FormatError, ViewerError
from viewer.paths import folder
from viewer.storage.image import decode_image
from viewer.storage.reading import read_file

ICON = "icon/rigscope.ico"
LARGEST = 128
"""The side in pixels of the largest picture. A window manager shrinks pictures that are too large."""
HEAD, ENTRY = struct.Struct("<HHH"), struct.Struct("<BBBBHHII")


class IconPicture:
    """A picture [side, side, 4] u8, RGBA with the upper row first, as pyglet's windows read it. pyglet's own
    class converts the pixels one by one with regular expressions, and imports decoders of pictures.
    """

    def __init__(self, pixels: Array) -> None:
        self._pixels = pixels
        self.height, self.width = pixels.shape[:2]

    def get_image_data(self) -> IconPicture:
        """The picture itself."""
        return self

    def get_data(self, fmt: str, pitch: int) -> bytes:
        """The pixels with the channels of `fmt`, for example `BGRA`. A negative `pitch` means that the upper
        row comes first.
        """
        rows = self._pixels if pitch < 0 else self._pixels[::-1]
        return bytes(rows[..., ["RGBA".index(channel) for channel in fmt]].tobytes())


def icon_pictures() -> list[Array]:
    """The pictures [side, side, 4] u8 of the icon, RGBA with the upper row first, the smallest first.

    Empty if the installation lacks the icon.
    """
    try:
        data = read_file(folder("assets") / ICON)
        pictures = [decode_image(each, ICON).levels[0] for each in pictures_of(data)]
    except (ViewerError, FileNotFoundError):
        return []
    return sorted((each for each in pictures if len(each) <= LARGEST), key=len)


def pictures_of(data: bytes) -> Iterator[bytes]:
    """Yield the PNG files in an icon file (ICO). FormatError if the file is truncated."""
    try:
        for number in range(HEAD.unpack_from(data)[2]):
            *_, size, offset = ENTRY.unpack_from(data, HEAD.size + number * ENTRY.size)
            yield data[offset : offset + size]
    except struct.error as error:
        raise FormatError(f"no icon: {error}", file=ICON) from error
