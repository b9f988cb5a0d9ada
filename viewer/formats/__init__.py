"""Every format that opens, and the one way to open a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from viewer.errors import FormatError
from viewer.formats.registry import Format
from viewer.scene.document import Document
from viewer.storage.package_path import OPENERS, read_path
from viewer.storage.source import Source

__all__ = ["FORMATS", "Format", "open_document", "suffixes"]


class Families(Iterable[Format]):
    """The formats of the families, folders beside this file, in order. A family is imported when one who
    looks through them gets to it: a file of the first needs nothing of the others."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def __iter__(self) -> Iterator[Format]:
        for name in self._names:
            yield from import_module(f"viewer.formats.{name}").FORMATS


FORMATS = Families("urho3d", "ogre", "m2", "blp")
"""In order: the first whose probe recognises a file has it, by its bytes or else by its name, and its error
is then the verdict."""


@cache
def suffixes(drawn: bool = False) -> tuple[str, ...]:
    """Those of all files that open, in lower case with their dots; `drawn`: of those only in which there may
    be something to draw."""
    return tuple(suffix for format in FORMATS if format.drawn or not drawn for suffix in format.suffixes)


def _package(path: str) -> Source | None:
    """A package as a source; what that takes is imported with the first one."""
    from viewer.formats.urho3d.package.source import PackageSource

    return PackageSource.of(path)


OPENERS.append(_package)


def open_document(path: str | Path) -> Document:
    """Open a file of any known format; `PACKAGE::name` is one inside of a package.

    What could be read of a broken file is in the document, its errors in `report`. FormatError where the file
    cannot be read at all, or is of no known format; ResourceError where a package has no such file.
    """
    place, data = read_path(path)
    for suffix in ("", place.suffix.lower()):  # what the bytes say counts for more than a name
        for format in FORMATS:
            if format.probe(data, suffix):
                return format.load(place, data)
    begin = data[:4].hex(" ").upper()
    why = f"is of no known format: it begins with {begin}" if begin else "is empty"
    raise FormatError(why, file=str(place))
