"""Sources of named resources: the base class `Source`, and folders. Packages implement the same methods.

Names use `/` and are relative to the source's root. Many model files come from systems that ignore case, so
the exact name is searched first, then a name that differs only in case.
"""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from viewer.budget import BUDGET
from viewer.errors import FormatError, ResourceError
from viewer.scene.names import is_absolute
from viewer.scene.reading_context import DEFAULT, ReadingContext
from viewer.storage.listing import DiskEntry, is_file, listed_entries
from viewer.storage.reading import open_regular, read_file
from viewer.storage.versions import is_regular, path_version

PLAIN = re.compile(r"(?:[^\\/:.\s\0][^\\/:\0]*/)*[^\\/:.\s\0](?:[^\\/:\0]*[^\\/:\s\0])?")
"""Matches names that need no normalisation, as most names do."""
ODD = (
    *("\\", ":", "\0", "//", "/.", "/ ", "\n/", "\n.", "\n ", "/\n", " \n"),
    *("\t", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x1f"),
)
"""Parts that a list of ASCII names, one on each line, does not contain if all names match `PLAIN`."""

HEAD = 4096
"""The number of bytes at the beginning of a file by which files of other programs are recognised."""


def resource_name(name: str) -> str | None:
    """Normalise a name: `/` between parts, no `.`, `..` or empty parts. None if it is absolute or leaves its
    root.
    """
    if name.isascii() and len(name) <= BUDGET.name_letters and PLAIN.fullmatch(name):
        return name
    plain = name.strip().replace("\\", "/")
    if "\0" in plain or len(plain) > BUDGET.name_letters or is_absolute(plain):
        return None
    try:
        plain.encode("utf-8", "surrogateescape")
    except UnicodeError:
        return None
    parts: list[str] = []
    for part in plain.split("/"):
        if part == ".." and not parts:
            return None
        if part == "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts) or None


def resource_names(names: Sequence[str]) -> Iterable[str | None]:
    """Normalise names as `resource_name` does; fast if all of them are in their normal form."""
    text = "\n".join(("", *names, ""))
    plain = text.isascii() and text.count("\n") == len(names) + 1 and not any(odd in text for odd in ODD)
    if plain and all(names) and max(map(len, names), default=0) <= BUDGET.name_letters:
        return names
    return map(resource_name, names)


class Source(ABC):
    """A set of named resources. No name reaches a file outside the source. Its files depend on the choices in
    `context`, as those of a game do on the order of its archives.
    """

    context: ReadingContext = DEFAULT

    @abstractmethod
    def find(self, name: str, *, fold: bool = True) -> str | None:
        """Return the stored name of a resource. With `fold` it may differ from `name` in case."""

    @abstractmethod
    def read(self, name: str, limit: int = BUDGET.file_bytes) -> bytes:
        """Read the bytes of a resource. ResourceError if it is missing. FormatError if it is unreadable or
        has more than `limit` bytes.
        """

    def head(self, name: str) -> bytes | None:
        """Read the first `HEAD` bytes of a resource; None if they cannot be read alone. An archive reads only
        files that have no more bytes.
        """
        try:
            return self.read(name, HEAD)
        except (FormatError, ResourceError):
            return None

    @abstractmethod
    def names(self, folder: str = "", *, deep: bool = False) -> Iterator[str]:
        """Return the names of the resources in a folder, in order. With `deep` its sub-folders are
        included.
        """

    @abstractmethod
    def where(self, name: str) -> str:
        """Return the path that the user sees for an existing or missing resource."""

    def learn(self, names: Iterable[str]) -> bool:
        """Receive the names of other sources' files. An archive without a list of names may have files with
        the same names. Return whether a file of this source got a name.
        """
        return False

    hides_any = False
    """Whether the source has deletion markers."""
    names_all = True
    """Whether the source has no files whose names are unknown."""
    by_base_name = False
    """Whether the program of the source finds files by their base names, in any folder."""

    def hides(self, name: str) -> bool:
        """Whether the source has a deletion marker for a resource, so that copies in earlier sources do not
        count.
        """
        return False

    def exists(self, name: str) -> bool:
        """Whether the source has the resource, without regard to case."""
        return self.find(name) is not None


class FolderSource(Source):
    """A source of the files below a folder. Each folder is listed once, and its list is cached: create a new
    FolderSource to see changes on the disk.

    Without `list_top` the folder itself is listed only if it is small (it may be a home folder with thousands
    of entries). If the folder is not listed, a name in it is tried with the usual upper and lower case
    spellings.
    """

    def __init__(self, path: str | os.PathLike[str], *, list_top: bool = True) -> None:
        self.path = os.path.abspath(path)
        self._front = os.path.join(self.path, "")
        self._most_top = BUDGET.listed_files if list_top else BUDGET.upper_entries
        self._listings: dict[str, dict[str, DiskEntry] | None] = {}
        self._spelled: dict[str, str | None] = {}

    def find(self, name: str, *, fold: bool = True) -> str | None:
        """Return the stored name of a file: the exact name, or with `fold` a name that differs in case."""
        plain = resource_name(name)
        if plain is None:
            return None
        exact = self._stored(plain, file=True, fold=False)
        return self._stored(plain, file=True, fold=True) if exact is None and fold else exact

    def read(self, name: str, limit: int = BUDGET.file_bytes) -> bytes:
        """Read a file. ResourceError if it is missing, FormatError if it is unreadable or larger than
        `limit`.
        """
        try:
            return read_file(self.where(name), limit)
        except FormatError as error:
            stored = self.find(name)
            if stored is None:
                raise ResourceError(f"{name} is not in {self.path}") from error
            if stored == resource_name(name):
                raise
        return read_file(self.where(stored), limit)

    def head(self, name: str) -> bytes | None:
        """Read the first `HEAD` bytes of a file; None if it cannot be read."""
        try:
            with open_regular(self.where(name)) as file:
                return file.read(HEAD)
        except OSError:
            return None

    def names(self, folder: str = "", *, deep: bool = False) -> Iterator[str]:
        """Yield the names of the files in a folder. Linked folders are not entered, so that a loop of links
        ends.
        """
        top = self._stored(resource_name(folder) or "") if folder else ""
        queue = deque(() if top is None else (top,))
        while queue:
            here = queue.popleft()
            most = BUDGET.listed_files if here else self._most_top
            for entry in listed_entries(f"{self.path}/{here}", most) or ():
                name = f"{here}/{entry.name}" if here else entry.name
                if entry.is_file(follow_symlinks=False) or (entry.is_symlink() and is_regular(entry.path)):
                    yield name
                elif deep and entry.is_dir(follow_symlinks=False):
                    queue.append(name)

    def where(self, name: str) -> str:
        """Return the path on the disk."""
        return self._front + (resource_name(name) or "").replace("/", os.sep)

    def _stored(self, name: str, *, file: bool = False, fold: bool = True) -> str | None:
        """The stored path of an existing file or folder. With `file`, only a file is found. With `fold`, the
        stored path may differ in case.
        """
        done, parts = "", name.split("/")
        for number, part in enumerate(parts, 1):
            last = number == len(parts)
            listing = self._listing(done)
            if listing is None:
                entry = self._spelling(done, part, fold)
                found = entry is not None and (
                    not (file and last) or is_regular(f"{self.path}/{done}/{entry}")
                )
            else:
                known = listing.get(part) or (listing.get(part.casefold()) if fold else None)
                found = known is not None and (not (file and last) or is_file(known))
                entry = known.name if known is not None else None
            if not found or entry is None or (not fold and entry != part):
                return None
            done = f"{done}/{entry}" if done else entry
        return done

    def _spelling(self, folder: str, name: str, fold: bool) -> str | None:
        """The existing spelling of an entry in a folder that is not listed."""
        path = f"{folder}/{name}" if folder else name
        if path not in self._spelled:
            spellings = (name, name.lower(), name.capitalize(), name.upper())
            front = f"{self.path}/{folder}/" if folder else f"{self.path}/"
            self._spelled[path] = next((s for s in spellings if path_version(front + s)), None)
        return self._spelled[path]

    def _listing(self, folder: str) -> dict[str, DiskEntry] | None:
        """The entries of a folder, by name and by folded name; None if it cannot be listed."""
        if folder not in self._listings:
            path = f"{self.path}/{folder}" if folder else self.path
            entries = listed_entries(path, BUDGET.listed_files if folder else self._most_top)
            folded = None if entries is None else {each.name.casefold(): each for each in reversed(entries)}
            self._listings[folder] = (
                None if folded is None else folded | {each.name: each for each in entries or ()}
            )
        return self._listings[folder]


class TopFolderSource(FolderSource):
    """A source of the files directly in a folder, without its subfolders."""

    def find(self, name: str, *, fold: bool = True) -> str | None:
        """Return the stored name of a file directly in the folder; a name with folders finds nothing."""
        return None if "/" in (resource_name(name) or "") else super().find(name, fold=fold)

    def names(self, folder: str = "", *, deep: bool = False) -> Iterator[str]:
        """Yield the names of the files directly in the folder; none for a subfolder."""
        return iter(()) if folder else super().names()
