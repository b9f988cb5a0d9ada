"""MPQ archives as sources, so that `ARCHIVE::name` opens and models in archives find their textures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import BinaryIO

from viewer.errors import FormatError
from viewer.formats.mpq.files import MpqFiles
from viewer.formats.mpq.probe import FAR, NEAR, SUFFIXES, Bytes, Fetch, header_offsets
from viewer.formats.mpq.tables import read_tables
from viewer.scene.names import JOINT
from viewer.storage.archive import Archive
from viewer.storage.reading import open_regular
from viewer.storage.source import resource_name

LISTED_ONLY = re.compile(r"(?:^|/)File\d{8}$|\.[0-9A-F]{4}(?:\.[^./]*)?$", re.IGNORECASE)
"""Matches names that only the list of names has: numbers of files without a name, names with a language."""


class MpqSource(Archive[int]):
    """A source of the files in an MPQ archive, by number. Only its tables and its list of names are read; the
    bytes of a file are read on demand. A file that the list of names does not have is found by its hash.
    """

    joint = JOINT

    @classmethod
    def of(cls, path: str) -> MpqSource | None:
        """Return the source of an archive; None for a file of another format."""
        source = cls(path)
        return source if source._files is not None else None

    def listed(self) -> Iterator[tuple[str, int]]:
        """Implement `Archive.listed`."""
        names = self._files.names if self._files else []
        return ((name, number) for number, name in enumerate(names))

    def size(self, entry: int) -> int:
        """Implement `Archive.size`."""
        return int(self._files.sizes[entry]) if self._files else 0

    def find(self, name: str, *, fold: bool = True) -> str | None:
        """Implement `Source.find`. The hash table finds a name without the list of all names."""
        plain = resource_name(name)
        number = self._files.number(plain) if plain is not None and self._files is not None else None
        if plain is None or number is None or self._files is None:
            return super().find(name, fold=fold) if plain and LISTED_ONLY.search(plain) else None
        listed = resource_name(self._files.names[number]) or plain
        stored = listed if listed.casefold() == plain.casefold() else plain
        if not fold and stored != plain:
            return None
        self._found[stored] = number
        return stored

    @property
    def hides_any(self) -> bool:  # type: ignore[override]
        """Implement `Source.hides_any`."""
        return self._files is not None and self._files.deleted > 0

    def hides(self, name: str) -> bool:
        """Implement `Source.hides`."""
        plain = resource_name(name)
        return plain is not None and self._files is not None and self._files.is_deleted(plain)

    def entry(self, stored: str) -> int:
        """Implement `Archive.entry`."""
        number = self._found.get(stored)
        return super().entry(stored) if number is None else number

    def unpacked(self, stored: str, entry: int) -> bytes:
        """Implement `Archive.unpacked`."""
        assert self._files is not None, "only an archive has entries"
        try:
            with open_regular(self.path) as file:
                return b"".join(self._files.read(entry, _reading(file)))
        except FormatError as error:
            error.file = self.where(stored)
            raise
        except OSError as error:
            raise FormatError(f"cannot be read: {error.strerror}", file=self.where(stored)) from error

    @cached_property
    def _found(self) -> dict[str, int]:
        """The files that the hash table found, by their names."""
        return {}

    @cached_property
    def _files(self) -> MpqFiles | None:
        try:
            with open_regular(self.path) as file:
                fetch, end = _reading(file), file.seek(0, 2)
                near = FAR if self.path.lower().endswith(SUFFIXES) else NEAR
                if next(header_offsets(fetch, min(near, end)), None) is None:
                    return None
                return MpqFiles(read_tables(fetch, end), fetch)
        except (OSError, FormatError):
            return None


def _reading(file: BinaryIO) -> Fetch:
    def fetch(at: int, size: int) -> Bytes:
        file.seek(at)
        return file.read(size)

    return fetch
