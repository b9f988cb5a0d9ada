"""The folders of a project, each with what it contains and with its version."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator, Mapping
from functools import cached_property

from msgspec import Struct

from viewer.storage.contents import digest_of
from viewer.storage.listing import DiskEntry, is_walked, list_folder
from viewer.storage.project_roots import is_marker
from viewer.storage.versions import Version, is_settled, unrecorded_version

END = "\0"
"""Between two names; no name contains it."""


class ProjectFolder(Struct, frozen=True, array_like=True):
    """The names of the files in a folder, as one text with `END` between them, and of the folders in it that
    are listed too. The version is None if a later version may be equal although the folder has changed.
    `marked` folders have the marker of a project. `error` is the reason why the folder cannot be listed, else
    empty. Links to folders and to files outside the project are left out.
    """

    version: Version | None
    text: str
    folders: list[str]
    marked: bool = False
    error: str = ""

    @property
    def files(self) -> list[str]:
        """The names of the files."""
        return self.text.split(END) if self.text else []

    @property
    def count(self) -> int:
        """The number of files."""
        return self.text.count(END) + 1 if self.text else 0


class ProjectFolders:
    """Folders by their paths relative to the root of a project; the path of the root is empty. `names` are
    the paths of all files.
    """

    def __init__(self, folders: Mapping[str, ProjectFolder], version: Version | None = None) -> None:
        self.by_path, self._version = folders, version
        texts = [_paths(folder, listed.text) for folder, listed in folders.items() if listed.text]
        self.names = END.join(texts).split(END) if texts else []

    @cached_property
    def version(self) -> Version:
        """The version of the list: it changes when a file is added, removed or renamed."""
        if self._version is not None:
            return self._version
        names = END.join(self.names).encode("utf-8", "surrogatepass")
        return Version(int.from_bytes(digest_of(names), "big"), len(self.names))

    @cached_property
    def marked(self) -> frozenset[str]:
        """The folders with the marker of a project."""
        return frozenset(folder for folder, listed in self.by_path.items() if listed.marked)

    @cached_property
    def unlisted(self) -> dict[str, str]:
        """The reasons why folders cannot be listed, by folder."""
        return {folder: listed.error for folder, listed in self.by_path.items() if listed.error}


def _paths(folder: str, text: str) -> str:
    """The paths of the files in a folder, as one text."""
    return f"{folder}/{text.replace(END, f'{END}{folder}/')}" if folder else text


def listed_folders(
    root: str, known: Mapping[str, ProjectFolder], without: Container[str] = ()
) -> Iterator[tuple[str, ProjectFolder]]:
    """Yield the folders below a root with their relative paths, the root first. A folder that has the version
    of a `known` one is not listed again. Hidden and linked folders and the paths `without` are left out.
    """
    waiting = [("", root)]
    while waiting:
        folder, path = waiting.pop()
        listed, version = known.get(folder), unrecorded_version(path)
        if listed is None or listed.version is None or listed.version != version:
            listed = _listed(path, version, root)
        yield folder, listed
        front, above = (f"{folder}/" if folder else ""), path + os.sep
        inner = ((front + name, above + name) for name in reversed(listed.folders))
        waiting += [each for each in inner if each[1] not in without]


def _listed(path: str, version: Version | None, root: str) -> ProjectFolder:
    """List a folder that had this version before it was listed."""
    settled = version if version is not None and is_settled(version) else None
    try:
        entries = list_folder(path)
    except OSError as error:
        return ProjectFolder(None, "", [], error=error.strerror or str(error))
    folders = [each.name for each in entries if is_walked(each)]
    files = [each.name for each in entries if _is_inner_file(each, root)]
    return ProjectFolder(settled, END.join(files), folders, any(map(is_marker, entries)))


def _is_inner_file(entry: DiskEntry, root: str) -> bool:
    """Whether an entry is a file below the root. A link that leads out of the root is not."""
    try:
        if entry.is_file(follow_symlinks=False):
            return True
        inner = entry.is_symlink() and entry.is_file()
        return inner and os.path.realpath(entry.path).startswith(os.path.realpath(root) + os.sep)
    except OSError:
        return False
