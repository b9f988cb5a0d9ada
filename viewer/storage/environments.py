"""Makes the environments that light models: the built-in room, or the picture in a file."""

from __future__ import annotations

from viewer.errors import FormatError
from viewer.scene.choices import ROOM
from viewer.scene.environment import WIDEST, environment_of, octahedral
from viewer.scene.environment_map import Environment
from viewer.scene.reading_context import ReadingContext
from viewer.storage.image import FILE_LIMIT
from viewer.storage.radiance import decode_radiance
from viewer.storage.search import lone

WIDEST_PICTURE = 2 * WIDEST
"""Wider pictures are reduced while they are decoded."""


def make_environment(name: str, context: ReadingContext) -> Environment:
    """Make the environment of this name: `room`, or the path of an equirectangular picture.

    FormatError with the path for a picture that cannot be read, is broken or too large, or is not twice as
    wide as high.
    """
    if name == ROOM:
        # imported late, because the environment of a picture needs no room
        from viewer.scene.room_light import room

        return environment_of(room())
    try:
        picture = decode_radiance(lone(name, context).read(FILE_LIMIT), WIDEST_PICTURE)
        height, width = picture.shape[:2]
        if width != 2 * height:
            raise FormatError("the picture of an environment has to be twice as wide as high")
    except FormatError as error:
        error.file = error.file or name
        raise
    return environment_of(octahedral(picture))
