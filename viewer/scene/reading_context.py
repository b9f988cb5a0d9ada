"""How files are read and what belongs to them is found: the user's choices as one value."""

from __future__ import annotations

import os
from collections.abc import Iterable

from msgspec import Struct

from viewer.scene.choices import SearchMode

DEFAULT_SIZE = 2 << 30
"""The limit of a file's size in bytes, unless the user sets another limit."""
UNPACKED = 16
"""An unpacked file of a package may be this many times as large as the package."""
LEAST_UNPACKED = 1 << 30
"""An unpacked file of a package may always have this many bytes."""


class ReadingContext(Struct, frozen=True):
    """The user's choices about reading. All paths are absolute. Plain data, so that a task in another process
    takes it with it.

    `resources` are the resource folders in the order of the search. `chosen` has the file that the user chose
    for a name, by the name as `name_key` writes it. `left_out` are folders into which a command writes; no
    project lists them. `outputs` are files that a command writes, with `{frame}` in the names of numbered
    pictures; none of them is guessed as a texture. `listfiles` are lists of names, for archives that store
    none, and for files that a model gives by number. `client` is the version of a game's client,
    `archive_order` a file with the order of its archives; empty to find out both. `max_size` is the limit of
    a file's size in bytes; None for the default.
    """

    resources: tuple[str, ...] = ()
    search: SearchMode = "project"
    chosen: tuple[tuple[str, str], ...] = ()
    left_out: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    listfiles: tuple[str, ...] = ()
    client: str = ""
    archive_order: str = ""
    max_size: int | None = None

    @property
    def of_archives(self) -> ReadingContext:
        """The choices on which an opened archive depends."""
        return ReadingContext(
            listfiles=self.listfiles,
            client=self.client,
            archive_order=self.archive_order,
            max_size=self.max_size,
        )

    @property
    def size_limit(self) -> int:
        """The limit of a file's size in bytes."""
        return DEFAULT_SIZE if self.max_size is None else self.max_size

    def unpacked_limit(self, package: int) -> int:
        """The limit in bytes of an unpacked file in a package of `package` bytes."""
        return max(UNPACKED * package, LEAST_UNPACKED) if self.max_size is None else self.max_size

    def chosen_file(self, name: str) -> str | None:
        """The path of the file that the user chose for a name; None if the user chose none."""
        key = name_key(name)
        return next((path for each, path in self.chosen if each == key), None)


DEFAULT = ReadingContext()


def name_key(name: str) -> str:
    """A name as it is compared with other names: `/` between parts, in lower case."""
    return name.replace("\\", "/").casefold()


def reading_context(
    max_size: int | None = None,
    resources: Iterable[str] = (),
    search: SearchMode | None = None,
    listfile: Iterable[str] = (),
    client: str = "",
    archive_order: str = "",
    left_out: Iterable[str] = (),
    outputs: Iterable[str] = (),
) -> ReadingContext:
    """Make a context from the values of options and settings; all paths become absolute."""
    return ReadingContext(
        resources=tuple(dict.fromkeys(map(os.path.abspath, resources))),
        search=search or DEFAULT.search,
        listfiles=tuple(map(os.path.abspath, listfile)),
        client=client,
        archive_order=os.path.abspath(archive_order) if archive_order else "",
        max_size=max_size,
        left_out=tuple(left_out),
        outputs=tuple(map(os.path.abspath, outputs)),
    )
