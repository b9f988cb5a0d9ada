"""What the index knows of all files of a place, in columns: for lists that sort and mark them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from viewer.library.index_connection import IndexConnections
from viewer.library.index_rows import separated
from viewer.library.place_ranges import PlaceRange, in_ranges

CHUNK = 2000
"""Rows that are read together; between them other threads run."""


COUNTS = """
    SELECT files.id, files.path, facts.kind, facts.bones, facts.triangles, names.error_texts
    FROM files JOIN facts USING (id) LEFT JOIN names ON names.rowid = files.id AND facts.errors > 0"""


class FileCounts(NamedTuple):
    """A file of the index by its `id`; `error` is its first error. A file that was not read has no kind, and
    its counts are None.
    """

    id: int
    path: str
    kind: str
    bones: int | None
    triangles: int | None
    error: str


def file_counts(connections: IndexConnections, ranges: list[PlaceRange]) -> Iterator[FileCounts]:
    """The files of some places."""
    with connections.use() as connection:
        where, parameters = in_ranges(connection, ranges)
        cursor = connection.execute(f"{COUNTS} WHERE {where}", parameters)
        while rows := cursor.fetchmany(CHUNK):
            for id, path, kind, bones, triangles, errors in rows:
                yield FileCounts(id, path, kind or "", bones, triangles, next(iter(separated(errors)), ""))
