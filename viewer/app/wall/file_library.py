"""The listed folder or package: its files, their thumbnails, and the files that match the user's query."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import islice
from typing import cast

import moderngl
import numpy as np
from msgspec import Struct

from viewer.app.tasks import Task, Tasks
from viewer.app.wall.display_wall import display_table, lists_displays
from viewer.app.wall.file_index import FileIndex, query_error, source_file
from viewer.app.wall.file_thumbnails import CachedThumbnails, FileThumbnails
from viewer.app.wall.wall_task import WallTask, wall_thumbnail
from viewer.app.watch import FolderWatcher
from viewer.arrays import Array
from viewer.errors import ViewerError
from viewer.family.registry import kinds_by_suffix, suffixes
from viewer.library.file_sources import SourceFile, source_files
from viewer.library.index.query import plain_words
from viewer.library.index.ratings import Ratings
from viewer.library.thumbnails.thumbnail import ThumbnailTask
from viewer.scene.files import KINDS, Mark
from viewer.scene.reading_context import ReadingContext
from viewer.scene.text_filter import TextFilter
from viewer.session.file_list import WAITING, QueryResult
from viewer.session.file_table import FileTable
from viewer.session.layouts import FILES
from viewer.session.requests import MarkFiles
from viewer.session.state import State
from viewer.storage.package_path import game_sources, on_disk
from viewer.storage.place import is_game
from viewer.view.view_info import Preview

MARKS = "marks"
"""The lane of the tasks that read and write marks, one after the other."""
AHEAD = 12
"""The pictures of this number of files at the start of the list are drawn before they are visible. The worker
processes then already run when other files are needed.
"""


class FileLibrary:
    """Fills `state.files`. Call `step` once a frame; neither `step` nor `close` waits.

    `jobs` is the number of processes that read files, and the number of further processes that draw
    thumbnails; with 0 none start. Thumbnails become textures of `ctx`.
    """

    def __init__(self, ctx: moderngl.Context, state: State, jobs: int, tasks: Tasks) -> None:
        self._state = state
        self._jobs, self._tasks = jobs, tasks
        self._watcher = FolderWatcher(tasks)
        self._marked, self._marks = 0, dict[str, Mark]()
        self._problems: list[str] = []
        self._thumbnails = FileThumbnails(ctx, jobs, tasks)
        self._index = FileIndex(jobs, tasks) if jobs else None
        self._scanning, self._reported = False, ""
        self._asked: object = None
        self._viewed = ""
        self._first: list[str] = []
        self._thumbnail_task: ThumbnailTask | None = None
        state.files.picture, state.files.turned = self._thumbnails.picture, self._thumbnails.turned
        sources: Callable[[str, ReadingContext], tuple[str, ...]] = lru_cache(1)(game_sources)
        state.files.sources = lambda path: sources(path, state.context)

    def list(self, root: str) -> None:
        """List the files of a folder or package, and watch it."""
        root = os.path.abspath(root)
        if root != self._state.files.root:
            self._state.files.begin(root)
            self._state.interface.bring(FILES)
            self._watcher.follow(
                os.path.dirname(on_disk(root)) if lists_displays(root, self._state.context) else root
            )
            self._scan()

    def step(self) -> None:
        """Store finished results, and request the pictures that the panels show."""
        files = self._state.files
        self._use_resources()
        if self._watcher.changed() and not self._scanning:
            self._scan()
        self._learn()
        self._answer()
        self._follow()
        self._thumbnails.step()
        self._thumbnails.want(files.shown or self._first, files.side)
        if files.turning:
            self._thumbnails.turn(files.turning)
        reading = self._index.progress if self._index is not None else ""
        shown = files.shown or self._first
        drawn = pictures_left(shown, self._thumbnails.picture) if self._thumbnails.drawing else ""
        running = (each.progress[0] for each in files.batches if each.result is None)
        files.progress = ", ".join(filter(None, (reading, drawn, *running)))

    def mark(self, request: MarkFiles) -> None:
        """Show the marks of the request at once, and store them in the background."""
        table = self._state.files.table
        if table is None:
            return
        rating, favourite = request.rating, request.favourite
        marks = {}
        for path in request.paths:
            old = table.mark_of(path)
            marks[path] = Mark(
                old.rating if rating is None else rating, old.favourite if favourite is None else favourite
            )
        table.mark(marks)
        self._marks |= marks
        self._marked += 1
        key, put = ("marks", self._marked), Ratings(say=self._say, context=self._state.context).put
        self._tasks.submit(key, lambda task: put(marks), partial(self._stored, marks), lane=MARKS)

    def _stored(self, marks: dict[str, Mark], task: Task) -> None:
        """Show the stored marks again, because the files may have been listed again meanwhile. After an
        error, show the earlier marks.
        """
        if task.error:
            self._state.say(task.error, "warning")
            self._scan()
        elif self._state.files.table is not None:
            self._state.files.table.mark({path: self._marks[path] for path in marks})

    def _say(self, line: str) -> None:
        """Report a problem of the ratings at the next step; called in a thread."""
        self._problems.append(line)

    def close(self) -> None:
        """Stop watching and drawing, without waiting."""
        self._watcher.close()
        self._thumbnails.close()

    def _follow(self) -> None:
        """Move the cursor to the document that came into view."""
        files, document = self._state.files, self._state.document
        path = os.path.abspath(document.path) if document is not None else ""
        if files.table is not None and path != self._viewed:
            self._viewed = path
            if files.table.row(path) is not None:
                files.cursor = files.anchor = path

    def _use_resources(self) -> None:
        """Read and draw all files again if the context of reading has changed."""
        task = wall_thumbnail(self._state.context)
        if task != self._thumbnail_task:
            self._thumbnail_task = task
            if self._index is not None:
                self._index.use(task.context)
            store = CachedThumbnails(task, self._source_file, self._note)
            self._thumbnails.use(WallTask(task), store)

    def _note(self, path: str, error: str) -> None:
        """Store in the index why a file has no picture; called in a thread."""
        if self._index is not None:
            self._index.note_thumbnail(path, error)

    def _source_file(self, path: str) -> SourceFile | None:
        """The source file of a listed path; None if it is not listed."""
        table = self._state.files.table
        row = None if table is None else table.row(path)
        return None if table is None or row is None else source_file(table, row)

    def _scan(self) -> None:
        """List the files again in the background."""
        root, before, context = self._state.files.root, self._state.files.table, self._state.context
        self._scanning = True
        ratings = Ratings(say=self._say, context=self._state.context)
        self._tasks.submit(
            "scan", lambda task: scan(root, context, before, ratings), self._listed, lane=MARKS
        )

    def _listed(self, task: Task) -> None:
        files, found = self._state.files, cast("Listing | None", task.value)
        self._scanning = False
        if found is None:
            files.problem = task.error
            return
        self._thumbnails.forget(found.changed)
        for line in found.said[:1]:
            more = f", and {len(found.said) - 1} more" if len(found.said) > 1 else ""
            self._state.say(line + more, "warning")
        files.replace(found.table)
        pictured = filter(found.table.is_pictured, range(len(found.table)))
        self._first = [found.table.path(row) for row in islice(pictured, AHEAD)]
        if self._index is not None and not lists_displays(found.table.root, self._state.context):
            self._index.update(found.table)

    def _learn(self) -> None:
        """Store new facts of the index; report new problems of index and ratings."""
        while self._problems:
            self._state.say(self._problems.pop(0), "warning")
        if self._index is None:
            return
        news, table = self._index.news(), self._state.files.table
        if news is not None and news.table is table:
            table.learn(news.facts)
        for problem in {self._index.problem, self._thumbnails.problem} - {"", self._reported}:
            self._reported = problem
            self._state.say(problem, "warning")

    def _answer(self) -> None:
        """Find the files that match the query.

        Until the index has all files, only their names are searched.
        """
        files = self._state.files
        table, query = files.table, files.query.strip()
        indexed = table is not None and self._index is not None and self._index.lists(table)
        asked = query, table, 0 if table is None else table.version, indexed
        if table is None or self._asked == asked:
            return
        error = query_error(query)
        if error is not None:
            files.result = QueryResult(files.query, table, files.result.rows, *error)
        elif not query:
            files.result = QueryResult("", table)
        elif not indexed and (words := plain_words(query)) is not None:
            files.result = QueryResult(query, table, named(words, table))
        elif indexed and self._index is not None:
            find = partial(self._index.find, query, table)
            self._tasks.submit("query", lambda task: find(), partial(self._take_found, query))
        else:
            return
        self._asked = asked

    def _take_found(self, query: str, task: Task) -> None:
        """Store the result if its query is still the latest."""
        files = self._state.files
        if query == files.query.strip():
            files.result = task.value or QueryResult(query, files.table, error=task.error)


def named(words: Sequence[str], table: FileTable) -> Array:
    """The rows [R] of the files whose names contain all words, in any case."""
    return np.array(TextFilter(" ".join(words)).matching(table.names), np.intp)


class Listing(Struct, frozen=True):
    """The readable files of a folder or package.

    `said` has one line for each subfolder or file that cannot be read. `changed` are the paths that are
    missing or changed since the previous table.
    """

    table: FileTable
    said: tuple[str, ...]
    changed: tuple[str, ...] = ()


def scan(
    root: str,
    context: ReadingContext,
    before: FileTable | None = None,
    ratings: Ratings | None = None,
) -> Listing:
    """List the files below a folder or in a package, or the displays of a model. Runs in a thread.

    The table keeps the facts of unchanged files from the table `before`, and gets the marks of files from
    `ratings`, by default from the user's ratings. ViewerError if the folder or package is missing.
    """
    if lists_displays(root, context):
        table = display_table(root, context)
        return Listing(table, (), tuple(changed_paths(before, table)) if before is not None else ())
    if not os.path.exists(root):
        raise ViewerError(f"{root} does not exist")
    said: list[str] = []
    files = list(source_files([root], suffixes(), lambda each: said.append(each.line), context))
    numbers = {suffix: KINDS.index(kind) for suffix, kind in kinds_by_suffix().items()}
    table = FileTable(
        root,
        package=not os.path.isdir(root) or is_game(root),
        names=[file.name for file in files],
        sizes=[file.size for file in files],
        modified=[file.modified for file in files],
        kinds=[numbers.get(os.path.splitext(file.name)[1].lower(), 0) for file in files],
    )
    table.mark((ratings or Ratings(say=said.append)).follow(files))
    if before is None:
        return Listing(table, tuple(said))
    table.remember(before)
    return Listing(table, tuple(said), tuple(changed_paths(before, table)))


def changed_paths(before: FileTable, now: FileTable) -> Iterator[str]:
    """Yield the paths of the table `before` that `now` lacks, or lists with another size or time."""
    for row, (size, modified) in enumerate(zip(before.sizes, before.modified, strict=True)):
        path = before.path(row)
        other = now.row(path)
        if other is None or (size, modified) != (now.sizes[other], now.modified[other]):
            yield path


def pictures_left(shown: Sequence[str], picture: Callable[[str], Preview]) -> str:
    """Say how many of the visible pictures are not drawn yet; empty if all are drawn."""
    left = sum(picture(path) == WAITING for path in shown)
    return f"drawing pictures, {left:,} of {len(shown):,} left" if left else ""
