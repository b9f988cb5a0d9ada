"""Finds the tables of the game from which a model comes, and the rows that name the model.

The tables are searched in the archive or game folder of the model, then in a folder `DBFilesClient` or `dbc`
in each folder above the model, then in the user's resource folders. The nearest folder with tables that have
a row for the path of the model is used.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice

import numpy as np
from msgspec import Struct, field

from viewer.arrays import Array
from viewer.errors import ViewerError
from viewer.scene.document import Document
from viewer.scene.reading_context import ReadingContext
from viewer.scene.table import Table
from viewer.storage.documents import open_undressed
from viewer.storage.listing import present
from viewer.storage.package_path import SubSource, on_disk, open_package, split
from viewer.storage.resource_folders import resource_indexes
from viewer.storage.search import upwards
from viewer.storage.source import FolderSource, Source
from viewer.storage.versions import KeptAnswers, path_version

FOLDERS = ("DBFilesClient", "dbfilesclient", "DBFILESCLIENT", "dbc", "DBC", "Dbc")
"""The names of folders of tables, in their usual spellings."""
SUFFIX = ".dbc"
TOP_FOLDERS = ("creature", "character", "item", "spells", "world")
"""The folders of models directly in a game's folder, beside its folder of tables."""
MOST_MATCHES = 10_000
"""The largest number of texts that are compared with the path of a model."""
TABLE_BYTES = 256 << 20
"""How many bytes of tables are cached."""
_TABLES: KeptAnswers[tuple[str, ReadingContext], Document] = KeptAnswers(TABLE_BYTES)


class TableLog(Struct, eq=False):
    """The `paths` of the tables that were read for a model, and a line for each table that does not fit.
    `around` has the folders of tables around each searched folder, so that none is searched twice.
    """

    context: ReadingContext
    paths: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    around: dict[str, tuple[Source, ...]] = field(default_factory=dict)


class TablePlace(Struct, frozen=True, eq=False):
    """A folder of tables. Read tables and their faults are recorded in `log`."""

    source: Source
    log: TableLog

    def table(self, name: str, *columns: str) -> Table | None:
        """Read a table of known layout with these columns. None if the table is missing or does not fit; the
        log says why a table does not fit.
        """
        stored = self.source.find(f"{name}{SUFFIX}")
        if stored is None:
            return None
        path = self.source.where(stored)
        try:
            document = _read(path, self.log.context)
            table = document.content
        except (ViewerError, OSError) as error:
            self._complain(f"{os.path.basename(path)} cannot be read: {error}")
            return None
        if not isinstance(table, Table):
            errors = "".join(f": {each.why}" for each in document.report.errors[:1])
            self._complain(f"{os.path.basename(path)} cannot be read as a table{errors}")
            return None
        missing = [each for each in columns if table.column(each) is None]
        if missing:
            fault = f"its {len(table.columns)} columns are those of no known client"
            if table.clients:
                fault = f"columns are missing ({', '.join(missing)})"
            self._complain(f"{os.path.basename(path)}: {fault}")
            return None
        self.log.paths.append(path)
        return table

    def has(self, name: str) -> bool:
        """Whether the folder has a table, readable or not."""
        return self.source.find(f"{name}{SUFFIX}") is not None

    def _complain(self, text: str) -> None:
        self.log.problems.append(text)


def places(path: str, name: str, log: TableLog) -> Iterator[TablePlace]:
    """Yield folders of tables, the nearest first. Each folder has the table `name`, and may belong to the
    file at `path`.
    """
    for source in _sources(path, name, log):
        place = TablePlace(source, log)
        if place.has(name):
            yield place


def _sources(path: str, name: str, log: TableLog) -> Iterator[Source]:
    stored = split(path)
    package = open_package(stored[0], log.context) if stored else None
    if package is not None:
        yield from (SubSource(package, folder) for folder in (FOLDERS[0], FOLDERS[3]))
    own = os.path.dirname(os.path.abspath(on_disk(path)))
    if own not in log.around:
        log.around[own] = tuple(_around(own)) if log.context.search != "none" else ()
    yield from log.around[own]
    for index in resource_indexes(log.context):
        found = index.find(f"{name}{SUFFIX}")
        if found is not None:
            yield SubSource(index.source, found.rpartition("/")[0])


def _around(folder: str) -> Iterator[Source]:
    for above in upwards(folder):
        yield from (FolderSource(os.path.join(above, each)) for each in present(above, FOLDERS))


def expected_tables(path: str, name: str, context: ReadingContext) -> tuple[str, ...]:
    """The paths at which a table is expected. `name` is the name of the table; `path` is a file in a folder
    of models such as `Creature`. For a file elsewhere or in a package there are no paths.
    """
    if split(path) is not None or context.search == "none":
        return ()
    for folder in upwards(os.path.dirname(os.path.abspath(path))):
        top, own = os.path.split(folder)
        if own.casefold() in TOP_FOLDERS:
            return tuple(os.path.join(top, each, f"{name}{SUFFIX}") for each in (FOLDERS[0], FOLDERS[3]))
    return ()


def _read(path: str, context: ReadingContext) -> Document:
    def read() -> Document:
        """Read a table, and record the version of its file."""
        path_version(on_disk(path))
        return open_undressed(path, context)

    return _TABLES.get((path, context.of_archives), read, lambda document: len(document.data))


def rows_naming(table: Table, column: str, path: str) -> Array:
    """The numbers [N] of the rows whose text in `column` is the path of a model.

    Case, the kind of slash and the last suffix do not count. The text with the longest common end is chosen.
    If only the base name of a text fits, it is chosen if no other text has this base name. The result is
    empty if no text fits.
    """
    parts = _folded(os.path.splitext(path)[0].encode("utf-8", "surrogateescape")).split(b"\\")
    texts: dict[bytes, list[int]] = {}
    for offset, text in _texts_ending_with(_folded(table.strings), parts[-1]):
        texts.setdefault(text, []).append(offset)
    common = {text: _common_parts(text.split(b"\\"), parts) for text in texts}
    longest = max(common.values(), default=0)
    fitting = [text for text, count in common.items() if count == longest]
    if not longest or (longest == 1 and len(fitting) > 1):
        return np.empty(0, np.intp)
    # Of several texts with equally long common ends, a text that fits as a whole is better than a longer one.
    best = min(fitting, key=lambda text: text.count(b"\\"))
    return np.flatnonzero(np.isin(table.records[column], np.array(texts[best], np.int64)))


def _folded(text: bytes) -> bytes:
    return text.lower().replace(b"/", b"\\")


def _texts_ending_with(block: bytes, stem: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the offset and the text, without its last suffix, of each path with a base name in a folded block
    of texts.
    """
    wanted = re.compile(rb"(?:\\|\0)" + re.escape(stem) + rb"(?:\.[^.\\\0]*)?(?=\0)")
    for found in islice(wanted.finditer(block), MOST_MATCHES):
        begin = block.rfind(b"\0", 0, found.start() + 1) + 1
        yield begin, block[begin : found.start() + 1 + len(stem)]


def _common_parts(one: list[bytes], other: list[bytes]) -> int:
    count = 0
    for a, b in zip(reversed(one), reversed(other), strict=False):
        if a != b:
            break
        count += 1
    return count
