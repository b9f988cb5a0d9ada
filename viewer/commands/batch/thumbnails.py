"""Writes the thumbnails of many files, drawn by worker processes: to a folder, a sheet or a gallery."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Protocol

from viewer.commands.batch.batch import Batch, runner_of
from viewer.commands.exit_status import DONE, UNREAD, USAGE
from viewer.commands.options.given_options import Values, is_for_many, pattern_of
from viewer.commands.options.parser import UsageError
from viewer.commands.output import notice, print_lines, replaced_line, written_line
from viewer.errors import ResourceError, counted
from viewer.library.extraction import TargetFolder
from viewer.library.file_sources import SourceFile
from viewer.library.gallery.writer import GalleryWriter
from viewer.library.index.ratings import Ratings
from viewer.library.outcome import Outcome
from viewer.library.output_plan import plan_outputs
from viewer.library.thumbnails.batch import draw_thumbnails
from viewer.library.thumbnails.cache import KeptThumbnail, ThumbnailCache
from viewer.library.thumbnails.contact_sheet import SheetPicture, contact_sheet, plan_sheet
from viewer.library.thumbnails.thumbnail import ThumbnailTask
from viewer.library.workers.pool import SECONDS
from viewer.scene.files import UNMARKED, FileEntry
from viewer.storage.image import PICTURES
from viewer.storage.png import png_pieces
from viewer.storage.reading import read_file
from viewer.storage.writing import replaced

SHEET, GALLERY = (".png",), (".html", ".htm")
UNWRITTEN = (*PICTURES, ".gif", ".tif", ".tiff", ".svg", ".pdf", ".apng", ".mp4", ".webm", ".zip")
"""Suffixes of file formats that cannot be written. An output with one of them is refused. An output with an
unknown suffix, such as `thumbs.v1.2`, is a folder.
"""


class Collection(Protocol):
    """The output that collects the thumbnails of many files."""

    refused: tuple[Outcome, ...]
    """The files that the collection cannot take; the batch skips them."""

    def add(self, file: SourceFile, drawn: KeptThumbnail) -> None:
        """Add a thumbnail. If it has no picture, `drawn.error` is the reason.

        ResourceError if it cannot be written.
        """

    def finish(self) -> str:
        """Write what is not written yet, and return a text about the output."""


class PictureFolder:
    """Writes a PNG for each file, into a folder or to the names of a pattern with `{name}`.

    Without `force`, an existing file is replaced only by the same picture.
    """

    def __init__(self, files: Sequence[SourceFile], output: str, force: bool) -> None:
        plan = plan_outputs(files, pattern_of(output, SHEET))
        self.refused = plan.refused
        self._names = plan.names
        self._root, self._target = plan.root, TargetFolder(plan.root, force)
        self._written = 0

    def add(self, file: SourceFile, drawn: KeptThumbnail) -> None:
        """Write the thumbnail of a file, unless the same picture exists."""
        if not drawn.png:
            return
        name = self._names[file.path]
        if not self._has(name, drawn.png):
            self._target.write(name, iter((drawn.png,)))
        self._written += 1

    def finish(self) -> str:
        """Return the line with the number of pictures."""
        return written_line(self._written, self._written, "picture", self._root)

    def _has(self, name: str, png: bytes) -> bool:
        """Whether the file already exists with the same picture, for example after an interrupted batch."""
        path = os.path.join(self._root, name)
        return os.path.isfile(path) and not os.path.islink(path) and read_file(path) == png


class Sheet:
    """One picture of all thumbnails, in the order of the files."""

    def __init__(self, files: Sequence[SourceFile], output: str, task: ThumbnailTask) -> None:
        plan_sheet([each.name for each in files], task.size)
        self.refused: tuple[Outcome, ...] = ()
        self._files, self._output, self._size = files, output, task.size
        self._drawn: dict[str, KeptThumbnail] = {}

    def add(self, file: SourceFile, drawn: KeptThumbnail) -> None:
        """Keep the thumbnail of a file."""
        self._drawn[file.path] = drawn

    def finish(self) -> str:
        """Write the sheet."""
        drawn = ((each.name, self._drawn[each.path]) for each in self._files)
        pictures = [SheetPicture(name, each.png, each.error) for name, each in drawn]
        with replaced(self._output) as file:
            file.writelines(png_pieces(contact_sheet(pictures, self._size)))
        return f"a sheet with {counted(len(pictures), 'picture')} written to {self._output}"


class Gallery:
    """An HTML page with all thumbnails and the facts of their files."""

    def __init__(self, files: Sequence[SourceFile], output: str) -> None:
        self.refused: tuple[Outcome, ...] = ()
        places = dict.fromkeys(os.path.basename(os.path.abspath(each.root)) for each in files)
        self._writer, self._count = GalleryWriter(output, ", ".join(places)), len(files)
        self._output = output
        self._marks = Ratings(say=notice).follow(files)

    def add(self, file: SourceFile, drawn: KeptThumbnail) -> None:
        """Add the thumbnail, the facts and the mark of a file."""
        mark = self._marks.get(file.path, UNMARKED)
        entry = FileEntry(file.path, file.name, file.size, file.modified, drawn.facts, drawn.error, mark)
        self._writer.add(entry, drawn.png or None)

    def finish(self) -> str:
        """Write the page."""
        self._writer.finish()
        return f"a gallery of {counted(self._count, 'file')} written to {self._output}"


def write_many(files: Sequence[SourceFile], output: str, task: ThumbnailTask, values: Values) -> int:
    """Write the thumbnails of files with the batch options in `values`; return the exit status.

    ResourceError if a sheet would have too many pictures. Errors of `run_batch` pass through.
    """
    seconds = values.get("time_limit", SECONDS)
    runner, force = runner_of(values), values.get("force", False)
    collection = _collection(files, output, task, force)
    refused = {each.path for each in collection.refused}
    chosen = {each.path: each for each in files if each.path not in refused}
    existing = 0
    with Batch(len(files)) as batch:
        for left_out in collection.refused:
            batch.fail(left_out)
        drawn = draw_thumbnails(chosen.values(), task, runner, ThumbnailCache(), seconds)
        for outcome in batch.outcomes(drawn):
            thumbnail = outcome.value
            if outcome.error is not None:
                batch.fail(outcome)
                thumbnail = KeptThumbnail(b"", error=outcome.why)
            try:
                collection.add(chosen[outcome.path], thumbnail)
            except ResourceError as error:
                existing += 1
                batch.say(f"{outcome.path}: not written, {error}")
        existed = os.path.isfile(output)
        written = collection.finish()
    if existed:
        notice(replaced_line(output))
    print_lines((written,))
    return UNREAD if batch.failed else USAGE if existing else DONE


def _collection(files: Sequence[SourceFile], output: str, task: ThumbnailTask, force: bool) -> Collection:
    """Choose a folder, a sheet or a gallery by the name of the output. UsageError for an unknown suffix."""
    suffix = os.path.splitext(output)[1].lower()
    if suffix in GALLERY and not is_for_many(output):
        return Gallery(files, output)
    if suffix in SHEET and not is_for_many(output):
        return Sheet(files, output, task)
    if is_for_many(output) or not (suffix in UNWRITTEN or os.path.isfile(output)):
        return PictureFolder(files, output, force)
    raise UsageError(
        f"-o {output}: the name of a sheet ends with .png, of a page with .html, of a folder with /"
    )
