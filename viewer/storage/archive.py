"""Zip files as sources. They are opened for every read, so that nothing stays open."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from viewer.errors import FormatError, ResourceError
from viewer.storage.source import LIMIT, Source, resource_name

if TYPE_CHECKING:
    from zipfile import ZipInfo

UTF8 = 0x800
"""The flag of entries whose name is UTF-8; the others are in the code page of their maker."""

MOST_ENTRIES = 1 << 18
"""An archive with more files than this is refused."""


class ZipSource(Source):
    """The files of a zip archive. Entries whose names leave the archive are not there.

    What the archive holds is read when somebody asks for the first time: FormatError where it is broken.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.path.abspath(path)

    def find(self, name: str, *, fold: bool = True) -> str | None:
        """See Source."""
        plain = resource_name(name)
        if plain is None or plain in self._entries:
            return plain
        return self._folded.get(plain.casefold()) if fold else None

    def read(self, name: str, limit: int = LIMIT) -> bytes:
        """See Source."""
        stored = self.find(name)
        if stored is None:
            raise ResourceError(f"{name} is not in {self.path}")
        entry = self._entries[stored]
        if entry.file_size > limit:
            raise FormatError(
                f"{entry.file_size} bytes are more than the limit of {limit}", file=self.where(stored)
            )
        return self._unpacked(stored, entry)

    def names(self, folder: str = "", *, deep: bool = False) -> Iterator[str]:
        """See Source."""
        top = f"{resource_name(folder)}/".casefold() if folder else ""
        for name in sorted(self._entries):
            if name.casefold().startswith(top) and (deep or "/" not in name[len(top) :]):
                yield name

    def where(self, name: str) -> str:
        """See Source."""
        return f"{self.path}/{resource_name(name) or ''}"

    def _unpacked(self, stored: str, entry: ZipInfo) -> bytes:
        from zipfile import ZipFile

        try:
            with ZipFile(self.path) as archive, archive.open(entry) as file:
                return file.read(entry.file_size)
        except Exception as error:
            # zipfile reports damage, encryption and unknown methods with whatever its decoders raise.
            raise FormatError(f"cannot be unpacked: {error}", file=self.where(stored)) from error

    @cached_property
    def _entries(self) -> dict[str, ZipInfo]:
        """By name; of several entries of one name the last counts, as for unzip."""
        from zipfile import BadZipFile, ZipFile

        try:
            with ZipFile(self.path) as archive:
                listed = archive.infolist()
        except (BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise FormatError(f"no zip archive that can be read: {error}", file=self.path) from error
        if len(listed) > MOST_ENTRIES:
            raise FormatError(
                f"{len(listed)} files are more than the limit of {MOST_ENTRIES}", file=self.path
            )
        named = ((resource_name(_name(entry)), entry) for entry in listed if not entry.is_dir())
        return {name: entry for name, entry in named if name}

    @cached_property
    def _folded(self) -> dict[str, str]:
        return {name.casefold(): name for name in sorted(self._entries, reverse=True)}


def _name(entry: ZipInfo) -> str:
    """zipfile takes every name that is not UTF-8 for code page 437; archives from China hold GBK."""
    if entry.flag_bits & UTF8:
        return entry.filename
    raw = entry.filename.encode("cp437", "replace")
    for encoding in ("utf-8", "gb18030"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return entry.filename
