"""The state of the Files panel and of the wall: which files they list, in which order, and what is selected.

Pure data: `viewer.app` fills it, `viewer.ui` draws it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct, field

from viewer.arrays import Array
from viewer.scene.file_kind import KINDS, MODEL, PART
from viewer.session.file_table import FileTable
from viewer.session.pending_files import FolderPosition
from viewer.session.preferences import Preferences
from viewer.view.view_info import Preview

WAITING = ""


class QueryResult(Struct, frozen=True, eq=False):
    """The answer to a `query`: the rows [R] that it finds in `table`, or the `error` at the letter `at`."""

    query: str
    table: FileTable | None = None
    rows: Array | None = None
    error: str = ""
    at: int = 0


class FileList(Struct, eq=False):
    """The files of the folder or package `place`; empty: none is listed.

    `table` is None until the place has been listed, and `problem` says why it could not be. `wall`: pictures
    of the files are shown in place of the view. `query` is typed by the user, `result` the latest answer.
    `folder` is the folder that the wall shows while folders are folded: "" or a path with `/` at its end;
    `opened` are the folders that the list shows opened. `selected` are paths, `cursor` is the path, or the
    name of the folder with `/` at its end, that the keys move from; `anchor` is where a range begins.

    `shown` are the paths whose pictures the panels drew in this frame, nearest to the middle first, `side`
    pixels wide; `turning` is the path of the file that the pointer rests on, `turn` the share of a full turn
    that it has made. `picture(path)` is the thumbnail, `turned(path, share)` the picture of the turned model,
    both WAITING until they are drawn. `progress` is what is being done in the background. `takes_text`:
    letters go to the query. `revision` counts the changes of `rows`.
    """

    place: str = ""
    table: FileTable | None = None
    problem: str = ""
    wall: bool = False
    query: str = ""
    result: QueryResult = field(default_factory=lambda: QueryResult(""))
    folder: str = ""
    opened: set[str] = field(default_factory=set)
    selected: set[str] = field(default_factory=set)
    cursor: str = ""
    anchor: str = ""
    shown: Sequence[str] = ()
    side: float = 0.0
    turning: str = ""
    turn: float = 0.0
    progress: str = ""
    takes_text: bool = False
    revision: int = 0
    picture: Callable[[str], Preview] = lambda path: WAITING
    turned: Callable[[str, float], Preview] = lambda path, share: WAITING
    _ordered: tuple[object, Array] = (None, np.empty(0, np.intp))

    def begin(self, place: str, table: FileTable | None = None) -> None:
        """List another place."""
        if place != self.place:
            self.query, self.folder, self.cursor, self.anchor = "", "", "", ""
            self.result = QueryResult("")
            self.selected.clear()
            self.opened.clear()
        self.place, self.table, self.problem = place, table, ""

    def replace(self, table: FileTable) -> None:
        """Show the files as they are now; what is gone is no longer selected."""
        self.table = table
        self.selected = {path for path in self.selected if table.row(path) is not None}

    def escape(self) -> bool:
        """Empty the query if letters go to it, else close the wall; False if there is nothing to do."""
        if self.takes_text and self.query:
            self.query = ""
            return True
        shown, self.wall = self.wall, False
        return shown

    def rows(self, preferences: Preferences) -> Array:
        """[R] the rows that the query finds, in the user's order."""
        table, result = self.table, self.result
        if table is None:
            return self._ordered[1][:0]
        found = result.rows if result.table is table and self.query.strip() else None
        sort, down = preferences.files_sort, preferences.files_descending
        key = (
            table,
            table.version if sort != "name" else 0,
            result if found is not None else None,
            sort,
            down,
        )
        if self._ordered[0] != key:
            self._ordered = key, ordered(table, found, sort, down)
            self.revision += 1
        return self._ordered[1]

    def neighbour(self, path: str, by: int, preferences: Preferences) -> FolderPosition | None:
        """The model `by` positions further in the list, or the file of the same kind if the file is neither a
        model nor a part of one; None if the file is not in the table. The walk ends as in a folder. A file
        that the query does not find lies before all others.
        """
        table = self.table
        row = table.row(path) if table is not None else None
        if table is None or row is None:
            return None
        own = table.kind(row)
        kind = MODEL if own in (MODEL, PART) else own
        noun = MODEL.name if kind is MODEL else "file"
        rows = self.rows(preferences)
        rows = rows[table.kinds[rows] == KINDS.index(kind)]
        found = np.flatnonzero(rows == row)
        at = int(found[0]) if len(found) else -1
        number = at + by
        if 0 <= number < len(rows):
            path = table.path(int(rows[number]))
            self.choose(path)
            return FolderPosition(path, number + 1, len(rows), noun)
        end = "only" if len(rows) < 2 else "first" if by < 0 else "last"
        return FolderPosition(path, max(at, 0) + 1, len(rows), noun, f"the {end} {noun} in the list")

    def choose(self, path: str) -> None:
        """Select one file and nothing else."""
        self.selected, self.cursor, self.anchor = {path}, path, path

    def toggle(self, path: str) -> None:
        """Add a file to the selection, or take it out."""
        self.selected ^= {path}
        self.cursor = self.anchor = path

    def extend(self, path: str, rows: Array) -> None:
        """Select the files of `rows` from the anchor to this one."""
        table = self.table
        if table is None:
            return
        numbers = rows.tolist()
        ends = [table.row(each) for each in (self.anchor or path, path)]
        places = [numbers.index(each) for each in ends if each in numbers]
        if len(places) == 2:
            self.selected = {table.path(row) for row in numbers[min(places) : max(places) + 1]}
        else:
            self.selected = {path}
            self.anchor = path
        self.cursor = path

    def choose_all(self, rows: Array) -> None:
        """Select the files of all these rows."""
        if self.table is not None:
            self.selected = {self.table.path(row) for row in rows.tolist()}

    def chosen(self, rows: Array) -> tuple[str, ...]:
        """The selected paths in the order of `rows`."""
        table = self.table
        if table is None or not self.selected:
            return ()
        picked = {table.row(path) for path in self.selected}
        return tuple(table.path(row) for row in rows.tolist() if row in picked)


def ordered(table: FileTable, found: Array | None, sort: str, descending: bool) -> Array:
    """[R] the rows, or those of `found`, sorted by a column, then by name. Unknown counts come last."""
    rows = np.arange(len(table)) if found is None else np.sort(found)
    values = table.column(sort)
    if values is None:
        return rows[::-1] if descending else rows
    own = values[rows].astype(np.int64)
    if descending:
        own = -own
    own[values[rows] < 0] = np.iinfo(np.int64).max
    return np.asarray(rows[np.argsort(own, kind="stable")])
