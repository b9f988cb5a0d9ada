"""Sources of archives whose tables have hashes of names, and made-up names for files without a known name."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Protocol, TypeVar

from viewer.storage.archive import NumberedArchive, StoredFiles
from viewer.storage.source import resource_name

LISTED_ONLY = re.compile(r"(?:^|/)File\d{8}(?:\.\w+)?$|\.[0-9A-F]{4}(?:\.[^./]*)?$", re.IGNORECASE)
"""Matches names that are made for the list of files, and that no hash table has: the number of a file without
a name, or a name with a language.
"""
CONTENTS: tuple[tuple[bytes, str], ...] = (
    *((magic, ".m2") for magic in (b"MD20", b"MD21")),
    *((magic, ".blp") for magic in (b"BLP1", b"BLP2")),
    *((b"SKIN", ".skin"), (b"AFM2", ".anim"), (b"WDBC", ".dbc"), (b"AXPK", ".axp"), (b"MPQ\x1a", ".mpq")),
    *((b"\0\x10[MeshSerializer_", ".mesh"), (b"\0\x10[Serializer_", ".skeleton")),
    *((b"DDS ", ".dds"), (b"\x89PNG", ".png"), (b"\xff\xd8\xff", ".jpg"), (b"BM", ".bmp")),
    *((b"RIFF", ".wav"), (b"OggS", ".ogg"), (b"ID3", ".mp3")),
)
"""Pairs: the bytes with which a kind of file begins, and the suffix of such files."""


class HashedFiles(StoredFiles, Protocol):
    """The files of an archive, which are found by the hashes of their names."""

    def number(self, name: str, /) -> int | None:
        """Return the number of the file with this name, listed or not; None if there is none."""


Hashed = TypeVar("Hashed", bound=HashedFiles)


class HashedArchive(NumberedArchive[Hashed]):
    """A source of the files in an archive. The hash table of the archive finds a file without the list of all
    names.
    """

    def find(self, name: str, *, fold: bool = True) -> str | None:
        """Implement `Source.find`."""
        plain = resource_name(name)
        number = self.files.number(plain) if plain is not None and self.files is not None else None
        if plain is None or number is None or self.files is None:
            return super().find(name, fold=fold) if plain and LISTED_ONLY.search(plain) else None
        listed = resource_name(self.files.names[number]) or plain
        stored = listed if listed.casefold() == plain.casefold() else plain
        if not fold and stored != plain:
            return None
        self._found[stored] = number
        return stored

    def entry(self, stored: str) -> int:
        """Implement `Archive.entry`."""
        number = self._found.get(stored)
        return super().entry(stored) if number is None else number

    @cached_property
    def _found(self) -> dict[str, int]:
        """The files that the hash table has found so far, by name. They are kept when the archive is
        forgotten, because another task may be about to read one of them.
        """
        return {}


def numbered(block: int, head: bytes = b"") -> str:
    """Make a name for a file without a known name, from the number of its block and from its first bytes."""
    return f"File{block:08}" + next((suffix for magic, suffix in CONTENTS if head.startswith(magic)), "")
