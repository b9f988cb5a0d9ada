"""The state of the Files panel and of the wall: the listed files, their order, and the selection.

Pure data: `viewer.app` fills it, `viewer.ui` draws it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct, field

from viewer.arrays import Array
from viewer.scene.files import KINDS, MODEL, PART
from viewer.scene.text_filter import TextFilter
from viewer.session.file_batches import FileBatch
from viewer.session.file_columns import BY_NAME, FILE_SORTS
from viewer.session.file_table import FileTable
from viewer.session.pending_files import FolderPosition
from viewer.session.preferences import Preferences
from viewer.view.view_info import Preview

WAITING = ""
PLAIN_WORDS = re.compile(r'(?<![^\s()"])[^\s()":<>=!*?]+(?![^\s()"])')
KEYWORDS = {"and", "or", "not"}


class QueryResult(Struct, frozen=True, eq=False):
    """The result of a `query`: the row numbers `rows` [R] that were found in `table`. If the query is
    invalid, `error` has the reason, and `at` is the index of the wrong character. If the query is only words,
    `wider` is the query that also finds them in the names inside files, and `more` the number of files that
    it finds besides.
    """

    query: str
    table: FileTable | None = None
    rows: Array | None = None
    error: str = ""
    at: int = 0
    wider: str = ""
    more: int = 0

    @property
    def words(self) -> TextFilter:
        """The words of the query that are searched in paths: without fields, operators and wildcards."""
        words = PLAIN_WORDS.findall(self.query)
        return TextFilter(" ".join(word for word in words if word.lower() not in KEYWORDS))


class FileList(Struct, eq=False):
    """The files of the folder or package `root`; an empty `root` means that no files are listed.

    `table` is None until the files are listed; `problem` is the reason why they cannot be listed. If `wall`
    is set, pictures of the files replace the 3D view. `query` is the user's text, `result` the latest answer.
    `folder` is the folder that the wall shows in folder view: empty, or a path that ends with `/`. `opened`
    are the folders that are open in the list. `selected` are the paths of selected files. `cursor` is the
    path of the file or folder at the keyboard cursor; the path of a folder ends with `/`. `anchor` is the
    path of the file at which a selected range begins.

    `shown` are the paths whose pictures the panels drew in this frame, from the top; the pictures are `side`
    pixels wide. `turning` is the path of the file under the resting pointer. The model of this file is turned
    by `turn`, a share of a full turn. `picture(path)` returns the thumbnail, and `turned(path, share)` the
    picture of the turned model. Both functions return WAITING until the picture is drawn. `sources(path)`
    returns the names of the game's archives that have the file: the file is read from the first archive,
    which hides the copies in the further archives. `progress` is the text about background work. If
    `takes_text` is set, typed letters go to the query of the wall. `revision` counts the changes of `rows`.
    `batches` are the tasks on many files, the oldest first; `shows_batches` opens their window. `exported`
    are the files that the export dialog exports; empty for the model in view.
    """

    root: str = ""
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
    exported: tuple[str, ...] = ()
    batches: list[FileBatch] = field(default_factory=list)
    shows_batches: bool = False
    picture: Callable[[str], Preview] = lambda path: WAITING
    turned: Callable[[str, float], Preview] = lambda path, share: WAITING
    sources: Callable[[str], Sequence[str]] = lambda path: ()
    _led: str = ""
    _ordered: tuple[object, Array] = (None, np.empty(0, np.intp))

    def begin(self, root: str, table: FileTable | None = None) -> None:
        """List the files of another folder or package."""
        if root != self.root:
            self.query, self.folder, self.cursor, self.anchor = "", "", "", ""
            self.result = QueryResult("")
            self.selected.clear()
            self.opened.clear()
        self.root, self.table, self.problem = root, table, ""

    def replace(self, table: FileTable) -> None:
        """Replace the table, and deselect the files that the new table lacks."""
        self.table = table
        self.selected = {path for path in self.selected if table.row(path) is not None}

    @property
    def answered(self) -> bool:
        """Whether `result` is the answer to the query. No query needs no answer."""
        query = self.query.strip()
        return not query or (self.result.query.strip() == query and self.result.table is self.table)

    def takes_first(self, wall: bool) -> bool:
        """Whether the cursor goes to the first match now: once after the answer to each typed query.

        The `wall` or the list asks; while the wall is shown, the first match is the first on the wall.
        """
        query = self.query.strip()
        if self.wall != wall or query == self._led or not self.answered or self.result.error:
            return False
        self._led = query
        return bool(query)

    def escape(self) -> bool:
        """Clear the query if typed letters go to the query field; otherwise close the wall.

        Return False if neither applies.
        """
        if self.takes_text and self.query:
            self.query = ""
            return True
        shown, self.wall = self.wall, False
        return shown

    def rows(self, preferences: Preferences) -> Array:
        """The rows [R] of the table that match the query, in the user's order."""
        table, result = self.table, self.result
        if table is None:
            return self._ordered[1][:0]
        found = result.rows if result.table is table and self.query.strip() else None
        sort, down = preferences.files_sort, preferences.files_descending
        flat = not preferences.files_folded
        key = (
            table,
            table.version if sort != "name" else 0,
            result if found is not None else None,
            sort,
            down,
            flat,
        )
        if self._ordered[0] != key:
            self._ordered = key, ordered(table, found, sort, down, flat)
            self.revision += 1
        return self._ordered[1]

    def neighbour(self, path: str, by: int, preferences: Preferences) -> FolderPosition | None:
        """Choose a neighbour of the file `path` in the list of models, and return the neighbour's position.
        `by` is the number of models from the file to the neighbour, negative towards the start of the list.
        Return None if the file is not in the table.

        If the file is neither a model nor a part of a model, a file of its own kind is chosen. If the list
        has no such neighbour, return the position of the file itself, with the field `end` set. A file that
        does not match the query is treated as if it were before the first row.
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
            return FolderPosition(path, number + 1, len(rows), noun, query=self.query.strip())
        end = "only" if len(rows) < 2 else "first" if by < 0 else "last"
        last = f"the {end} {noun} in the list"
        return FolderPosition(path, max(at, 0) + 1, len(rows), noun, last, self.query.strip())

    def choose(self, path: str) -> None:
        """Select only this file."""
        self.selected, self.cursor, self.anchor = {path}, path, path

    def toggle(self, path: str) -> None:
        """Add a file to the selection, or remove it."""
        self.selected ^= {path}
        self.cursor = self.anchor = path

    def extend(self, path: str, rows: Array) -> None:
        """Select the files of `rows` from the anchor to this file."""
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
        """Select the files of all `rows`."""
        if self.table is not None:
            self.selected = {self.table.path(row) for row in rows.tolist()}

    def selected_paths(self, rows: Array) -> tuple[str, ...]:
        """The selected paths in the order of `rows`."""
        table = self.table
        if table is None or not self.selected:
            return ()
        picked = {table.row(path) for path in self.selected}
        return tuple(table.path(row) for row in rows.tolist() if row in picked)


def ordered(table: FileTable, found: Array | None, sort: str, descending: bool, flat: bool = False) -> Array:
    """Sort `found`, or all rows of the table, by a column and then by path. Return row numbers [R].

    Unknown counts come last. In a `flat` list, names are compared without their folders.
    """
    rows = np.arange(len(table)) if found is None else np.sort(found)
    values = table.by_name if flat and sort == FILE_SORTS[0] else BY_NAME[sort].values(table)
    if values is None:
        return rows[::-1] if descending else rows
    own = values[rows].astype(np.int64)
    if descending:
        own = -own
    own[values[rows] < 0] = np.iinfo(np.int64).max
    return np.asarray(rows[np.argsort(own, kind="stable")])
