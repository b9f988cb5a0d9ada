"""Writes the thumbnails of many files, drawn by worker processes: to a folder, a sheet or a gallery."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Protocol

from viewer.errors import ResourceError, counted
from viewer.export.picture.saving import save
from viewer.library.batch.batch import DONE, EXISTING, FAILED, Batch, Ended, Told
from viewer.library.batch.journal import Journal
from viewer.library.batch.output_names import OutputPlan, written_line
from viewer.library.extraction import TargetFolder
from viewer.library.file_sources import SourceFile
from viewer.library.gallery.writer import GalleryWriter
from viewer.library.index.ratings import Ratings
from viewer.library.outcome import Outcome
from viewer.library.thumbnails.batch import draw_thumbnails
from viewer.library.thumbnails.cache import KeptThumbnail, ThumbnailCache
from viewer.library.thumbnails.contact_sheet import SheetPicture, contact_sheet, plan_sheet
from viewer.library.thumbnails.thumbnail import ThumbnailTask
from viewer.library.workers.batches import Runner
from viewer.library.workers.pool import SECONDS
from viewer.scene.files import UNMARKED, FileEntry
from viewer.scene.reading_context import ReadingContext
from viewer.storage.reading import read_file
from viewer.storage.writing import target_of


class Collection(Protocol):
    """The output that collects the thumbnails of many files: the folder or file `output`."""

    output: str
    refused: tuple[Outcome, ...]
    """The files that the collection cannot take; the batch skips them."""

    def add(self, file: SourceFile, drawn: KeptThumbnail) -> None:
        """Add a thumbnail. If it has no picture, `drawn.error` is the reason.

        ResourceError if it cannot be written.
        """

    def finish(self) -> str:
        """Write what is not written yet, and return a text about the output."""


class PictureFolder:
    """Writes a PNG for each file, to the names of a plan.

    Without `force`, an existing file is replaced only if it is the same picture, or if the file has `begun`:
    an interrupted batch has written it.
    """

    def __init__(
        self, plan: OutputPlan, force: bool = False, begun: Callable[[str], bool] = lambda path: False
    ) -> None:
        self.output, self.refused = plan.root, plan.refused
        self._names, self._force, self._begun = plan.names, force, begun
        self._targets = {replaces: TargetFolder(plan.root, replaces) for replaces in (False, True)}
        self._written = 0

    def add(self, file: SourceFile, drawn: KeptThumbnail) -> None:
        """Write the thumbnail of a file, unless the same picture exists."""
        if not drawn.png:
            return
        name = self._names[file.path]
        if not self._has(name, drawn.png):
            replaces = self._force or self._begun(file.path)
            self._targets[replaces].write(name, iter((drawn.png,)))
        self._written += 1

    def finish(self) -> str:
        """Return the line with the number of pictures."""
        return written_line(self._written, self._written, "picture", self.output)

    def _has(self, name: str, png: bytes) -> bool:
        """Whether the file already exists with the same picture, for example after an interrupted batch."""
        path = os.path.join(self.output, name)
        return os.path.isfile(path) and not os.path.islink(path) and read_file(path) == png


class Sheet:
    """One picture of all thumbnails, in the order of the files. ResourceError for too many pictures."""

    def __init__(self, files: Sequence[SourceFile], output: str, task: ThumbnailTask) -> None:
        target_of(output)
        plan_sheet([each.name for each in files], task.size)
        self.output, self.refused = output, tuple[Outcome, ...]()
        self._files, self._size = files, task.size
        self._drawn: dict[str, KeptThumbnail] = {}

    def add(self, file: SourceFile, drawn: KeptThumbnail) -> None:
        """Keep the thumbnail of a file."""
        self._drawn[file.path] = drawn

    def finish(self) -> str:
        """Write the sheet."""
        drawn = ((each.name, self._drawn[each.path]) for each in self._files)
        pictures = [SheetPicture(name, each.png, each.error) for name, each in drawn]
        save(contact_sheet(pictures, self._size), self.output, view=True)
        return f"a sheet with {counted(len(pictures), 'picture')} written to {self.output}"


class Gallery:
    """An HTML page with all thumbnails and the facts of their files, which are read in a `context`. `notice`
    gets problems of the marks.
    """

    def __init__(
        self,
        files: Sequence[SourceFile],
        output: str,
        notice: Callable[[str], None],
        context: ReadingContext,
    ) -> None:
        self.output, self.refused = output, tuple[Outcome, ...]()
        places = dict.fromkeys(os.path.basename(os.path.abspath(each.root)) for each in files)
        self._writer, self._count = GalleryWriter(output, ", ".join(places)), len(files)
        self._marks = Ratings(say=notice, context=context).follow(files)

    def add(self, file: SourceFile, drawn: KeptThumbnail) -> None:
        """Add the thumbnail, the facts and the mark of a file."""
        mark = self._marks.get(file.path, UNMARKED)
        entry = FileEntry(file.path, file.name, file.size, file.modified, drawn.facts, drawn.error, mark)
        self._writer.add(entry, drawn.png or None)

    def finish(self) -> str:
        """Write the page."""
        self._writer.finish()
        return f"a gallery of {counted(self._count, 'file')} written to {self.output}"


def write_pictures(
    files: Sequence[SourceFile],
    collection: Collection,
    task: ThumbnailTask,
    runner: Runner,
    told: Told,
    *,
    seconds: float = SECONDS,
    journal: Journal | None = None,
    strict: bool | None = None,
) -> Ended:
    """Write the thumbnails of files to a collection. `seconds` limits a file. The journal records the drawn
    files. See `MissingLines.fails` for `strict`.

    Drawn thumbnails are in the cache, so that the same batch goes on after an interruption. Errors of
    `run_batch` pass through.
    """
    refused = {each.path for each in collection.refused}
    chosen = {each.path: each for each in files if each.path not in refused}
    existing = incomplete = 0
    with Batch(told, len(files)) as batch:
        for left_out in collection.refused:
            batch.fail(left_out)
        drawn = draw_thumbnails(chosen.values(), task, runner, ThumbnailCache(), seconds)
        for outcome in batch.outcomes(drawn):
            file, thumbnail = chosen[outcome.path], outcome.value
            try:
                collection.add(file, thumbnail or KeptThumbnail(b"", error=outcome.why))
            except ResourceError as error:
                existing += 1
                told.fail(Outcome(file.path, error=ResourceError(f"not written, {error}")))
                continue
            if thumbnail is not None:
                incomplete += thumbnail.missing.fails(strict)
                for line in thumbnail.missing.all:
                    told.remark(file.path, line)
            if journal is not None and outcome.error is None:
                journal.finish(file.path, file.version, DONE, {})
        existed = os.path.isfile(collection.output)
        line = collection.finish()
    status = FAILED if batch.failed or incomplete else EXISTING if existing else DONE
    return Ended(line, batch.notices(incomplete), status, collection.output, existed)
