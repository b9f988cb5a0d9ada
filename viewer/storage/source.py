"""Sources of named resources: the base class `Source`, and folders. Packages implement the same methods.

Names use `/` and are relative to the source's root. Many model files come from systems that ignore case, so
the exact name is searched first, then the name in any case.
"""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator

from viewer.budget import BUDGET
from viewer.errors import ResourceError
from viewer.storage.listing import entries_of
from viewer.storage.reading import read_file
from viewer.storage.versions import is_regular, path_version

PLAIN = re.compile(r"(?:[^\\/:.\s\0][^\\/:\0]*/)*[^\\/:.\s\0](?:[^\\/:\0]*[^\\/:\s\0])?")
"""Matches names that need no normalisation, as most names do."""


def resource_name(name: str) -> str | None:
    """Normalise a name: `/` between parts, no `.`, `..` or empty parts. None if it is absolute or leaves its
    root.
    """
    if name.isascii() and len(name) <= BUDGET.name_letters and PLAIN.fullmatch(name):
        return name
    plain = name.strip().replace("\\", "/")
    if "\0" in plain or len(plain) > BUDGET.name_letters or plain.startswith("/") or plain[1:2] == ":":
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


class Source(ABC):
    """A set of named resources. No name reaches a file outside the source."""

    @abstractmethod
    def find(self, name: str, *, fold: bool = True) -> str | None:
        """Return the stored name of a resource; None if it is missing. With `fold` the stored name may differ
        in case.
        """

    @abstractmethod
    def read(self, name: str, limit: int = BUDGET.file_bytes) -> bytes:
        """Read the bytes of a resource. ResourceError if it is missing. FormatError if it is unreadable or
        has more than `limit` bytes.
        """

    @abstractmethod
    def names(self, folder: str = "", *, deep: bool = False) -> Iterator[str]:
        """Return the names of the resources in a folder, in order. With `deep` its sub-folders are
        included.
        """

    @abstractmethod
    def where(self, name: str) -> str:
        """Return the path that the user sees for an existing or missing resource."""

    def exists(self, name: str) -> bool:
        """Whether the source has the resource, without regard to case."""
        return self.find(name) is not None


class FolderSource(Source):
    """A source of the files below a folder. Listings are cached: create a new FolderSource to see changes on
    the disk.

    Without `list_top` the folder itself is never listed (it may be `/` or a home folder with thousands of
    entries): only the usual upper and lower case spellings of its entries are tried.
    """

    def __init__(self, path: str | os.PathLike[str], *, list_top: bool = True) -> None:
        self.path = os.path.abspath(path)
        self._list_top = list_top
        self._listings: dict[str, dict[str, str]] = {}
        self._tops: dict[str, str | None] = {}

    def find(self, name: str, *, fold: bool = True) -> str | None:
        """Implement `Source.find`."""
        plain = resource_name(name)
        if plain is None or is_regular(f"{self.path}/{plain}"):
            return plain
        stored = self._stored(plain) if fold else None
        return stored if stored and is_regular(f"{self.path}/{stored}") else None

    def read(self, name: str, limit: int = BUDGET.file_bytes) -> bytes:
        """Implement `Source.read`."""
        stored = self.find(name)
        if stored is None:
            raise ResourceError(f"{name} is not in {self.path}")
        return read_file(self.where(stored), limit)

    def names(self, folder: str = "", *, deep: bool = False) -> Iterator[str]:
        """Implement `Source.names`. Linked folders are not entered, so that a loop of links ends."""
        top = self._stored(resource_name(folder) or "") if folder else ""
        queue = deque(() if top is None else (top,))
        while queue:
            here = queue.popleft()
            for entry in entries_of(f"{self.path}/{here}"):
                name = f"{here}/{entry.name}" if here else entry.name
                if entry.is_file(follow_symlinks=False) or (entry.is_symlink() and is_regular(entry.path)):
                    yield name
                elif deep and entry.is_dir(follow_symlinks=False):
                    queue.append(name)

    def where(self, name: str) -> str:
        """Implement `Source.where`."""
        return os.path.join(self.path, *(resource_name(name) or "").split("/"))

    def _stored(self, name: str) -> str | None:
        """The path of an existing file or folder that equals `name` without regard to case; None if there is
        none.
        """
        done = ""
        for part in name.split("/"):
            entry = self._entry(done, part)
            if entry is None:
                return None
            done = f"{done}/{entry}" if done else entry
        return done

    def _entry(self, folder: str, name: str) -> str | None:
        if folder or self._list_top:
            listing = self._listing(folder)
            return listing.get(name) or listing.get(name.casefold())
        if name not in self._tops:
            spellings = (name, name.lower(), name.capitalize(), name.upper())
            self._tops[name] = next((s for s in spellings if path_version(f"{self.path}/{s}")), None)
        return self._tops[name]

    def _listing(self, folder: str) -> dict[str, str]:
        """The names of a folder's entries, by name and by folded name."""
        if folder not in self._listings:
            names = [entry.name for entry in entries_of(f"{self.path}/{folder}")]
            folded = {name.casefold(): name for name in reversed(names)}
            self._listings[folder] = folded | {name: name for name in names}
        return self._listings[folder]
