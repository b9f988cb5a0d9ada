"""All readable formats, and the function that opens a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

from viewer.arrays import damaged_numbers
from viewer.errors import FormatError, Topic
from viewer.formats.registry import Format
from viewer.scene.document import Document
from viewer.scene.files import FileKind, Role
from viewer.scene.mesh.flat_geometry import without_area
from viewer.scene.model import Model
from viewer.storage.decoders import DECODERS, ImageDecoder
from viewer.storage.listing import entries_of, listed_once
from viewer.storage.package_path import OPENERS, as_path, open_package, read_path
from viewer.storage.place import RECOGNISERS, Place, PlaceLayout
from viewer.storage.reading import Fetch, fetching, open_regular
from viewer.storage.source import Source

__all__ = ["FORMATS", "Format", "Role", "kinds_by_suffix", "open_document", "suffixes"]


class Families(Iterable[Format]):
    """The formats of all families, in order. A family is a subpackage, which is imported when an iteration
    reaches it.
    """

    def __init__(self, *names: str) -> None:
        self._names = names

    def __iter__(self) -> Iterator[Format]:
        for name in self._names:
            yield from import_module(f"viewer.formats.{name}").FORMATS


FORMATS = Families("urho3d", "ogre", "m2", "blp", "dbc", "mpq", "axp")
"""All formats. The first format whose probe accepts a file opens it. Each probe is first called with the
bytes alone; if no probe accepts them, each is called again with the suffix. If the chosen format cannot read
the file, no other format is tried.
"""


@cache
def suffixes(*roles: Role) -> tuple[str, ...]:
    """Return the suffixes of readable files, each once, in lower case with dots; `roles` limits them to some
    roles.
    """
    readable = (format for format in FORMATS if not roles or format.role in roles)
    return tuple(dict.fromkeys(suffix for format in readable for suffix in format.suffixes))


@cache
def kinds_by_suffix() -> dict[str, FileKind]:
    """Return, for each suffix, the kind that a file is assumed to have before it is read."""
    return {suffix: format.kind for format in FORMATS for suffix in format.suffixes}


def _package(path: str) -> Source | None:
    """The file as a package source, or None if it is no package. The first call imports the package
    reader.
    """
    from viewer.formats.urho3d.package.source import PackageSource

    return PackageSource(path).if_known()


def _mpq(path: str) -> Source | None:
    """The file as a source of an MPQ archive, or None if it is no MPQ archive. The first archive imports the
    reader.
    """
    from viewer.formats.mpq.probe import has_header

    if not _fits(path, partial(has_header, path)):
        return None
    from viewer.formats.mpq.source import MpqSource

    return MpqSource(path).if_known()


def _axp(path: str) -> Source | None:
    """The file as a source of an AXP archive, or None if it is no AXP archive. The first archive imports the
    reader.
    """
    from viewer.formats.axp.probe import MAGIC, is_axp

    if not _fits(path, lambda fetch, end: is_axp(bytes(fetch(0, len(MAGIC))), "")):
        return None
    from viewer.formats.axp.source import AxpSource

    return AxpSource(path).if_known()


def _fits(path: str, test: Callable[[Fetch, int], bool]) -> bool:
    """Whether a file can be read and passes a test of its bytes and its size."""
    try:
        with open_regular(path) as file:
            return test(fetching(file), file.seek(0, os.SEEK_END))
    except OSError:
        return False


def _mpq_client(folder: str) -> PlaceLayout | None:
    """The archives of a World of Warcraft client in a folder. The first folder with archives imports the
    recogniser.
    """
    if not _has_names(folder, (".mpq", "data")):
        return None
    from viewer.formats.mpq.client import client_layout

    return client_layout(folder)


def _axp_client(folder: str) -> PlaceLayout | None:
    """The archives of a client of 天龙八部 in a folder. The first folder with archives imports the
    recogniser.
    """
    if not _has_names(folder, (".axp", "data")):
        return None
    from viewer.formats.axp.client import client_layout

    return client_layout(folder)


def _urho3d_root(folder: str) -> PlaceLayout | None:
    """The resource roots of an Urho3D program in a folder."""
    from viewer.storage.resource_folders import urho3d_layout  # imported late, because few folders are opened

    return urho3d_layout(folder)


def _ogre_program(folder: str) -> PlaceLayout | None:
    """The resource locations of an OGRE program in a folder."""
    from viewer.storage.configuration import ogre_layout  # imported late, because few folders are opened

    return ogre_layout(folder)


def _has_names(folder: str, ends: tuple[str, ...]) -> bool:
    """Whether a folder has a file or folder whose folded name ends with one of `ends`."""
    return any(each.name.casefold().endswith(ends) for each in entries_of(folder))


def _is_blp(data: bytes, suffix: str) -> bool:
    """Whether a file is a BLP picture. The reader is imported for files that begin like one."""
    return data.startswith(b"BLP") and bool(_of_blp("is_blp")(data, suffix))


def _of_blp(name: str) -> Callable[..., Any]:
    """Return a function of the reader of BLP pictures. The first call of the function imports the reader."""
    return lambda *given: getattr(import_module("viewer.formats.blp.load"), name)(*given)


_BLP = ImageDecoder(
    "BLP", (".blp",), _is_blp, _of_blp("decode_blp"), _of_blp("decode_small_blp"), _of_blp("blp_header")
)
DECODERS.insert(0, _BLP)
OPENERS += (_package, _mpq, _axp)
RECOGNISERS += (_mpq_client, _axp_client, _urho3d_root, _ogre_program)


def _known(path: str | Path, head: bytes) -> bool:
    """Whether a file has a known format, by its first bytes or its suffix. A file that is a package, or has a
    package appended to it, counts too.
    """
    named = as_path(path).suffix.lower()
    if any(format.probe(head, suffix) for suffix in ("", named) for format in FORMATS):
        return True
    return open_package(str(path)) is not None


def _mapped(head: bytes) -> bool:
    """Whether the first bytes show a format whose large files are mapped."""
    return any(format.probe(head, "") for format in FORMATS if format.mapped)


def open_document(path: str | Path) -> Document:
    """Open a file in one of the readable formats; `PACKAGE::name` opens a file inside a package.

    The document of a broken file has the readable part, and the errors in `report`. FormatError if the file
    cannot be read or its format is unknown or unsupported. ResourceError if a package does not contain the
    file.
    """
    place = open_package(str(path)) if os.path.isdir(path) else None
    if isinstance(place, Place):
        from viewer.formats.place import place_document  # imported late, because few paths are games

        return place_document(place)
    file, data = read_path(path, known=partial(_known, path), mapped=_mapped)
    named = file.suffix.lower()
    for suffix in ("", named):  # formats are first probed by the bytes alone
        for format in FORMATS:
            if (format.mapped or isinstance(data, bytes)) and format.probe(data, suffix):
                with damaged_numbers(), listed_once():
                    return _with_notes(format.load(file, data))
        if not suffix:
            _refuse_foreign(data, named, str(file))
    begin = data[:4].hex(" ").upper()
    why = f"the format is unknown: the file begins with {begin}" if begin else "the file is empty"
    raise FormatError(why, file=str(file))


def _refuse_foreign(data: bytes, suffix: str, file: str) -> None:
    """Raise a FormatError that names the format of a file from another program."""
    # imported late, because only a file of an unknown format is tested for the formats of other programs
    from viewer.formats.foreign import foreign_format, has_own_suffix

    name = foreign_format(data, suffix)
    if name is not None:
        topic = Topic.FOREIGN if has_own_suffix(name, suffix) else Topic.OTHER
        raise FormatError(f"is {name}", file=file, topic=topic)


def _with_notes(document: Document) -> Document:
    """Return the document, with a note on each geometry that is drawn as points instead of triangles."""
    for name in without_area(document.content) if isinstance(document.content, Model) else ():
        document.report.note(f"{name}: its triangles have no area; its vertices are drawn as points")
    return document
