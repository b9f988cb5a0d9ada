"""Places of a family: folders whose files come from many sources, such as the folder of a game."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from viewer.scene.package import GameSource
from viewer.scene.reading_context import ReadingContext


class PlaceLayout(Struct, frozen=True):
    """The sources of a place; a later source hides the files of earlier sources. Sources that are not loaded
    come last. `game` names the game and its version. `folders` are the folders and files on which the choice
    of the sources depends. `by_base_name`: see `Source.by_base_name`. If the place is `loose`, its files lie
    open on the disk, and a list of the folder has all files below it, not only the files of the place.
    """

    game: str
    sources: tuple[GameSource, ...]
    folders: tuple[str, ...]
    by_base_name: bool = False
    loose: bool = False


Recogniser = Callable[[str, ReadingContext], PlaceLayout | None]
"""A function that finds the sources of a game in a folder; None if the folder is no game of this kind. The
user may choose the version of the game and the order of its sources.
"""
