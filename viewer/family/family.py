"""The value in which a family of engines ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec import Struct

from viewer.family.archive import ArchiveFormat
from viewer.family.format import Format
from viewer.family.page import FormatPage
from viewer.family.picture import ImageDecoder
from viewer.family.place import Recogniser
from viewer.scene.engine import EngineSearch

API = 1
"""The version of all that a family is made of. A family of another version is not used."""


class FamilyRule(Protocol):
    """A rule of `check`, or further findings of a rule; see `viewer.check.rule`."""

    @property
    def id(self) -> str:
        """The rule's id `group/name`, which never changes."""


def no_pages() -> Sequence[FormatPage]:
    """Return no pages: the value for a family without specifications."""
    return ()


def no_rules() -> Sequence[FamilyRule]:
    """Return no rules: the value for a family without rules of its own."""
    return ()


class Family(Struct, frozen=True):
    """A family of engines, and all that the program knows about its files.

    `formats` are probed in their order. `places` recognise the folders of games. `pictures` are the decoders
    of pictures that Pillow does not read. `pages` and `rules` are functions, because most starts need none of
    them. `engine` says how the engine finds files. `api` is the version of these classes for which the family
    was written.
    """

    name: str
    formats: tuple[Format, ...]
    archives: tuple[ArchiveFormat, ...] = ()
    places: tuple[Recogniser, ...] = ()
    pictures: tuple[ImageDecoder, ...] = ()
    pages: Callable[[], Sequence[FormatPage]] = no_pages
    rules: Callable[[], Sequence[FamilyRule]] = no_rules
    engine: EngineSearch = EngineSearch()
    api: int = API
