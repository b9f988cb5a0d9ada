"""Archives as sources: the base class of all archives, archives of the families' formats, and zip archives.

An archive is opened again for every read, so that no file handle stays open.
"""

from __future__ import annotations

import os
import re
from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from viewer.binary.code_pages import decode
from viewer.budget import BUDGET
from viewer.errors import FormatError, ResourceError, words_of
from viewer.family import registry
from viewer.family.archive import ArchiveFiles, ArchiveFormat, Bytes, HashedFiles
from viewer.family.registry import suffix_of
from viewer.scene.names import JOINT
from viewer.scene.reading_context import DEFAULT, ReadingContext
from viewer.storage.listing import APPLE_DOUBLE
from viewer.storage.reading import fetching, open_regular, too_large
from viewer.storage.source import Source, resource_name
from viewer.storage.unnamed_files import LISTED_ONLY

if TYPE_CHECKING:
    from zipfile import ZipInfo

    from viewer.arrays import Array

HEAD = 64
"""How many first bytes of a file show the family of an archive."""
UTF8 = 0x800
"""The flag of entries whose name is UTF-8; other names use the code page of their author."""


ArchiveEntry = TypeVar("ArchiveEntry")


class Archive(Source, Generic[ArchiveEntry]):
    """A source of the files inside an archive. Entries whose names lead outside the archive are ignored.

    The directory is read at the first access.
    """

    joint = "/"
    """The separator between the archive's path and the names inside."""

    def __init__(self, path: str | os.PathLike[str], context: ReadingContext = DEFAULT) -> None:
        self.path, self.context = os.path.abspath(path), context

    @abstractmethod
    def listed(self) -> Iterator[tuple[str, ArchiveEntry]]:
        """List every file of the archive with its stored name. If several files have the same name, only the
        last file is listed.
        """

    @abstractmethod
    def size(self, entry: ArchiveEntry) -> int:
        """Return the declared size of an unpacked file in bytes."""

    @abstractmethod
    def unpacked(self, stored_name: str, entry: ArchiveEntry) -> bytes:
        """Unpack a file and return its bytes. FormatError if it cannot be unpacked."""

    def sizes_of(self, entries: Sequence[ArchiveEntry]) -> Sequence[int] | Array:
        """Return the declared sizes in bytes of unpacked files."""
        return [self.size(entry) for entry in entries]

    def size_of(self, stored_name: str) -> int:
        """Return the declared size in bytes of a file by its stored name."""
        return self.size(self.entry(stored_name))

    def entry(self, stored_name: str) -> ArchiveEntry:
        """Return what the directory has about a file; KeyError for an unknown stored name."""
        return self._entries[stored_name]

    def find(self, name: str, *, fold: bool = True) -> str | None:
        """Return the stored name of a file. With `fold` it may differ from `name` in case."""
        plain = resource_name(name)
        if plain is None or plain in self._entries:
            return plain
        return self._folded.get(plain.casefold()) if fold else None

    def read(self, name: str, limit: int = BUDGET.file_bytes) -> bytes:
        """Unpack a file. ResourceError if it is missing, FormatError if it is damaged or larger than `limit`
        or than the user's limit.
        """
        stored = self.find(name)
        if stored is None:
            raise ResourceError(f"{name} is not in {self.path}")
        entry = self.entry(stored)
        size, most = self.size(entry), self.context.unpacked_limit(os.path.getsize(self.path))
        if size > min(limit, most):
            raise FormatError(too_large(size, min(limit, most), most <= limit), file=self.where(stored))
        return self.unpacked(stored, entry)

    def names(self, folder: str = "", *, deep: bool = False) -> Iterator[str]:
        """Return the names of the files directly in a folder, or with `deep` of all files below it,
        sorted.
        """
        top = resource_name(folder) if folder else ""
        if top is None:
            return iter(())
        if not deep:
            return iter(self._folders.get(top.casefold(), ()))
        keys, names = self._sorted
        front = f"{top}/".casefold() if top else ""
        # Names inside the folder sort from `folder/` to `folder0`, because `0` is the character after `/`.
        first, end = bisect_left(keys, front), bisect_left(keys, f"{front[:-1]}0") if front else len(keys)
        return iter(names[first:end])

    def forget_listing(self) -> None:
        """Forget the lists of files, because names have changed."""
        for made in ("_entries", "_folded", "_sorted", "_folders"):
            self.__dict__.pop(made, None)

    def forget(self) -> None:
        """Forget all that was read of the archive, so that it takes no memory. The next access reads it
        again.
        """
        self.forget_listing()

    def where(self, name: str) -> str:
        """Return the path of the archive, the separator and the name."""
        return f"{self.path}{self.joint}{resource_name(name) or ''}"

    @cached_property
    def _entries(self) -> Mapping[str, ArchiveEntry]:
        named = ((resource_name(name), entry) for name, entry in self.listed())
        return {name: entry for name, entry in named if name}

    @cached_property
    def _folded(self) -> Mapping[str, str]:
        return dict(zip(*map(reversed, self._sorted), strict=True))

    @cached_property
    def _sorted(self) -> tuple[list[str], list[str]]:
        """All case-folded names, sorted, and the stored names in the same order."""
        pairs = sorted((name.casefold(), name) for name in self._entries)
        return [key for key, _ in pairs], [name for _, name in pairs]

    @cached_property
    def _folders(self) -> Mapping[str, list[str]]:
        """The files directly in each folder, by the case-folded name of the folder."""
        folders: dict[str, list[str]] = {}
        for key, name in zip(*self._sorted, strict=True):
            folders.setdefault(key.rpartition("/")[0], []).append(name)
        return folders


class ArchiveSource(Archive[int]):
    """A source of the files in an archive of a family's format, by number. Only the tables of the archive are
    read; the bytes of a file are read on demand.
    """

    joint = JOINT

    def __init__(
        self, path: str | os.PathLike[str], format: ArchiveFormat, context: ReadingContext = DEFAULT
    ) -> None:
        super().__init__(path, context)
        self._format, self.by_base_name = format, format.by_base_name

    @cached_property
    def files(self) -> ArchiveFiles | None:
        """The files of the archive; None if the file is no archive of this format or cannot be read."""
        try:
            return self._format.open(self.fetch, os.path.getsize(self.path), self.context)
        except (OSError, FormatError):
            return None

    @property
    def _hashed(self) -> HashedFiles | None:
        """The files, if the archive finds them by the hashes of their names."""
        return cast(HashedFiles, self.files) if self._format.hashed and self.files is not None else None

    def fetch(self, at: int, size: int) -> Bytes:
        """Read bytes at an offset of the archive. FormatError if the file cannot be read."""
        try:
            with open_regular(self.path) as file:
                return fetching(file)(at, size)
        except OSError as error:
            raise FormatError(f"cannot be read: {error.strerror}", file=self.path) from error

    def listed(self) -> Iterator[tuple[str, int]]:
        """Yield the name and the number of each file; none if the archive cannot be read."""
        names = self.files.names if self.files else []
        return ((name, number) for number, name in enumerate(names))

    def size(self, entry: int) -> int:
        """Return the declared size of a file in bytes; 0 if the archive cannot be read."""
        return int(self.files.sizes[entry]) if self.files else 0

    def sizes_of(self, entries: Sequence[int]) -> Sequence[int] | Array:
        """Return the declared sizes in bytes, all of them at once."""
        return self.files.sizes[[*entries]] if self.files else [0] * len(entries)

    def unpacked(self, stored_name: str, entry: int) -> bytes:
        """Unpack a file by its number. FormatError, with the path of the file, if it cannot be unpacked."""
        assert self.files is not None, "only an archive has entries"
        try:
            with open_regular(self.path) as file:
                return b"".join(self.files.read(entry, fetching(file)))
        except FormatError as error:
            error.file = self.where(stored_name)
            raise
        except OSError as error:
            raise FormatError(f"cannot be read: {error.strerror}", file=self.where(stored_name)) from error

    def forget(self) -> None:
        """Forget the tables of the archive too."""
        super().forget()
        self.__dict__.pop("files", None)

    def find(self, name: str, *, fold: bool = True) -> str | None:
        """Return the stored name of a file. A hash table finds it without the list of all names."""
        files = self._hashed
        if files is None:
            return super().find(name, fold=fold)
        plain = resource_name(name)
        number = files.number(plain) if plain is not None else None
        if plain is None or number is None:
            return super().find(name, fold=fold) if plain and re.search(LISTED_ONLY, plain) else None
        listed = resource_name(files.names[number]) or plain
        stored = listed if listed.casefold() == plain.casefold() else plain
        if not fold and stored != plain:
            return None
        self._found[stored] = number
        return stored

    def entry(self, stored_name: str) -> int:
        """Return the number of a file; KeyError for an unknown stored name."""
        number = self._found.get(stored_name)
        return super().entry(stored_name) if number is None else number

    @cached_property
    def _found(self) -> dict[str, int]:
        """The files that the hash table has found so far, by name. They are kept when the archive is
        forgotten, because another task may be about to read one of them.
        """
        return {}

    def learn(self, names: Iterable[str]) -> bool:
        """Test whether these names belong to files without a known name, which only an archive with hashes
        can have.
        """
        files = self._hashed
        changed = files is not None and files.names_missing and files.learn(names)
        if changed:
            self.forget_listing()
        return changed

    @property
    def names_all(self) -> bool:  # type: ignore[override]
        """Whether every file has a known name."""
        return self._hashed is None or not self._hashed.names_missing

    @property
    def hides_any(self) -> bool:  # type: ignore[override]
        """Whether the archive has deletion markers."""
        return self._hashed is not None and self._hashed.deleted > 0

    def hides(self, name: str) -> bool:
        """Whether the archive has a deletion marker for this name."""
        plain = resource_name(name)
        return plain is not None and self._hashed is not None and self._hashed.is_deleted(plain)


def open_archive(path: str, context: ReadingContext = DEFAULT) -> ArchiveSource | None:
    """Open an archive of a family's format as a source; None for any other file."""
    try:
        with open_regular(path) as file:
            fetch, size = fetching(file), file.seek(0, os.SEEK_END)
            head = bytes(fetch(0, HEAD))
            fitting = [
                each for each in registry.archives(head, suffix_of(path)) if each.probe(path, fetch, size)
            ]
    except OSError:
        return None
    sources = (ArchiveSource(path, each, context) for each in fitting)
    return next((source for source in sources if source.files is not None), None)


class ZipSource(Archive["ZipInfo"]):
    """A source of the files in a zip archive. A broken archive raises FormatError at the first access."""

    def listed(self) -> Iterator[tuple[str, ZipInfo]]:
        """Yield the name and the entry of each file, without AppleDouble files. FormatError for a broken
        archive or one with too many files.
        """
        from zipfile import BadZipFile, ZipFile

        try:
            with open_regular(self.path) as file, ZipFile(file) as archive:
                listed = archive.infolist()
        except (BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise FormatError(f"the zip archive cannot be read: {words_of(error)}", file=self.path) from error
        if len(listed) > BUDGET.archive_entries:
            raise FormatError(
                f"{len(listed)} files are more than the limit of {BUDGET.archive_entries}", file=self.path
            )
        files = ((_name(entry), entry) for entry in listed if not entry.is_dir())
        return (each for each in files if not each[0].rpartition("/")[2].startswith(APPLE_DOUBLE))

    def size(self, entry: ZipInfo) -> int:
        """Return the declared size of a file in bytes."""
        return entry.file_size

    def unpacked(self, stored_name: str, entry: ZipInfo) -> bytes:
        """Unpack a file. FormatError if it is damaged, encrypted or packed by an unknown method."""
        from zipfile import ZipFile

        try:
            with open_regular(self.path) as packed, ZipFile(packed) as archive, archive.open(entry) as file:
                return file.read(entry.file_size)
        except Exception as error:
            # zipfile reports damage, encryption and unknown methods by the exceptions of its decoders.
            why = f"cannot be unpacked: {words_of(error)}"
            raise FormatError(why, file=self.where(stored_name)) from error


def _name(entry: ZipInfo) -> str:
    """Decode the name of an entry. zipfile decodes a name that is not UTF-8 as code page 437, but archives
    from other countries use their code pages.
    """
    if entry.flag_bits & UTF8:
        return entry.filename
    raw = entry.filename.encode("cp437", "replace")
    return decode(raw, "cp437")
