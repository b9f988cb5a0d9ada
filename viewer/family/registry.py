"""The one registry of families: what the built-in and the installed families give together.

A family is imported when a suffix or the first bytes of a file ask for it. Most questions about suffixes are
answered by data, so that no family is imported. `viewer.families` lists the built-in families.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from viewer.families import BUILT_IN, BuiltIn

if TYPE_CHECKING:
    from viewer.family.archive import ArchiveFormat
    from viewer.family.family import Family, FamilyRule
    from viewer.family.format import Format
    from viewer.family.page import FormatPage
    from viewer.family.picture import ImageDecoder
    from viewer.family.place import Recogniser
    from viewer.scene.files import FileKind, Role


HEAD = 64
"""How many first bytes of a file are compared with magics."""


@cache
def built_in() -> tuple[BuiltIn, ...]:
    """The rows of the built-in families whose packages exist."""
    return tuple(row for row in BUILT_IN if find_spec(row.package) is not None)


def family_of(row: BuiltIn) -> Family:
    """The family of a row. The first call imports it."""
    found: Family = import_module(f"{row.package}.family").FAMILY
    return found


def families() -> Iterator[Family]:
    """Yield all families. Each is imported when the iteration reaches it."""
    return (family_of(row) for row in built_in())


def asked(head: bytes, suffix: str) -> list[Family]:
    """The families that the first bytes of a file or its suffix ask for, in order."""
    first = bytes(head[:HEAD])  # the bytes may be a map of the file
    return [family_of(row) for row in built_in() if suffix in row.kinds or first.startswith(row.magics)]


def in_turn(head: bytes, suffix: str) -> Iterator[Family]:
    """Yield all families: first those that `asked` returns, then the rest."""
    first = asked(head, suffix)
    yield from first
    yield from (each for each in families() if each not in first)


def formats() -> Iterator[Format]:
    """Yield the formats of all families, in order."""
    return (format for family in families() for format in family.formats)


def format_named(name: str) -> Format | None:
    """The format with this name; None if no family has it. The families are tried in their order."""
    return next((each for each in formats() if each.name == name), None)


def engine_of(name: str) -> str:
    """The engine whose treatment of the files `check` describes, by the name of a format."""
    format = format_named(name)
    return format.engine if format is not None and format.engine else name.partition(" ")[0]


def archives(head: bytes, suffix: str) -> Iterator[ArchiveFormat]:
    """Yield all formats of archives; first those of the families that the file asks for."""
    return (archive for family in in_turn(head, suffix) for archive in family.archives)


def decoders(head: bytes, suffix: str) -> Iterator[ImageDecoder]:
    """Yield the decoders of the families that a picture asks for by its first bytes or its suffix."""
    return (decoder for family in asked(head, suffix) for decoder in family.pictures)


def recognisers(names: Sequence[str]) -> Iterator[Recogniser]:
    """Yield the functions that recognise places in a folder with these names of files and folders."""
    folded = [name.casefold() for name in names]
    for row in built_in():
        if row.places and any(name.endswith(row.places) for name in folded):
            yield from family_of(row).places


def pages() -> list[FormatPage]:
    """The pages of all formats, family by family. The call imports the layouts of all formats."""
    return [page for family in families() for page in family.pages()]


def rules() -> list[FamilyRule]:
    """The rules of all families. The call imports the rules of all formats."""
    return [rule for family in families() for rule in family.rules()]


def suffix_of(name: str) -> str:
    """The suffix of a name in lower case, with its dot; empty without a dot."""
    _, dot, end = name.lower().rpartition(".")
    return dot + end


def kind_name(name: str) -> str:
    """The name of the kind that a file with this name is assumed to have before it is read; empty if no
    family has its suffix.
    """
    suffix = suffix_of(name)
    return next((row.kinds[suffix] for row in built_in() if suffix in row.kinds), "")


def kind_of(name: str) -> FileKind | None:
    """The kind that a file with this name is assumed to have before it is read; None if no family has its
    suffix.
    """
    from viewer.scene.files import kind_named  # imported late, because it imports numpy

    return kind_named(kind_name(name))


def has_role(name: str, *roles: Role) -> bool:
    """Whether a file with this name has one of `roles`, by its suffix."""
    kind = kind_of(name)
    return kind is not None and kind.role in roles


@cache
def kinds_by_suffix() -> dict[str, FileKind]:
    """For each suffix of a readable file the kind that the file is assumed to have before it is read."""
    from viewer.scene.files import kind_named  # imported late, because it imports numpy

    pairs = ((suffix, kind_named(name)) for row in built_in() for suffix, name in row.kinds.items())
    return {suffix: kind for suffix, kind in pairs if kind is not None}


@cache
def suffixes(*roles: Role) -> tuple[str, ...]:
    """The suffixes of readable files, each once, in lower case with dots; `roles` limits them to some
    roles.
    """
    return tuple(suffix for suffix, kind in kinds_by_suffix().items() if not roles or kind.role in roles)


def _words(of: Callable[[BuiltIn], Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for row in built_in() for word in of(row)))


def displayed() -> tuple[str, ...]:
    """The suffixes of models that have displays."""
    return _words(lambda row: row.displays)


def look_keys() -> tuple[str, ...]:
    """The choices of a look. Later choices depend on earlier choices."""
    return _words(lambda row: row.look_keys)


def item_slots() -> tuple[str, ...]:
    """The slots of worn items."""
    return _words(lambda row: row.item_slots)


def clients() -> tuple[str, ...]:
    """The known versions of games, each with its own order of archives."""
    return _words(lambda row: row.clients)
