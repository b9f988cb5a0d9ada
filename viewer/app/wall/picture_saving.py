"""Saves the thumbnails of listed files: each in its own file, or all as one contact sheet."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Sequence

from viewer.app.tasks import Task
from viewer.errors import ViewerError, counted
from viewer.library.file_sources import SourceFile
from viewer.library.thumbnails.batch import draw_thumbnails
from viewer.library.thumbnails.cache import ThumbnailCache
from viewer.library.thumbnails.contact_sheet import SheetPicture, contact_sheet, plan_sheet
from viewer.library.thumbnails.thumbnail import ThumbnailTask
from viewer.library.workers.batches import LocalRunner
from viewer.session.file_batches import BatchResult, FileResult
from viewer.storage.png import png_pieces
from viewer.storage.writing import written

SHEET = "contact-sheet"
NICE = 10


def save_pictures(
    files: Sequence[SourceFile], drawing: ThumbnailTask, folder: str, sheet: bool, jobs: int, task: Task
) -> BatchResult:
    """Save the pictures of files in a folder, or as one contact sheet, with `jobs` processes.

    Existing files are not replaced: a new file with the same name gets a number. If the task is cancelled,
    complete files stay.
    """
    try:
        if sheet:
            plan_sheet([each.name for each in files], drawing.size)
        pictures = _drawn(files, drawing, jobs, task)
        if sheet:
            target = _unused(folder, SHEET, set())
            _write(target, png_pieces(contact_sheet(pictures, drawing.size)))
        else:
            target = folder
            _save(pictures, folder)
    except (ViewerError, OSError) as error:
        reason = getattr(error, "strerror", None) or error
        return BatchResult(f"The pictures could not be saved in {folder}: {reason}", True)
    failed = [each for each in pictures if each.error]
    text = f"Saved {counted(len(pictures) - len(failed) * (not sheet), 'picture')} in {target}"
    if failed:
        more = f", and {len(failed) - 1} more" if len(failed) > 1 else ""
        text += f"; {failed[0].name} has no picture: {failed[0].error}{more}"
    paths = {each.name: each.path for each in files}
    bad = tuple(FileResult(paths[each.name], each.error) for each in failed)
    return BatchResult(text, bool(failed), target, bad)


def _drawn(files: Sequence[SourceFile], drawing: ThumbnailTask, jobs: int, task: Task) -> list[SheetPicture]:
    """Draw the pictures; return them in the order of the files."""
    runner = LocalRunner(max(jobs, 1), nice=NICE, stopped=lambda: task.cancelled)
    found: dict[str, SheetPicture] = {}
    names = {each.path: each.name for each in files}
    for outcome in draw_thumbnails(files, drawing, runner, ThumbnailCache()):
        path, why = outcome.path, outcome.why
        found[path] = SheetPicture(names[path], b"" if why else outcome.value.png, why)
        task.report(f"saving {len(found):,} of {len(files):,}", len(found) / len(files))
    return [found[each.path] for each in files if each.path in found]


def _save(pictures: Iterable[SheetPicture], folder: str) -> None:
    used: set[str] = set()
    for each in pictures:
        if not each.error:
            stem = os.path.splitext(each.name.rpartition("/")[2])[0]
            _write(_unused(folder, stem, used), [each.png])


def _write(path: str, pieces: Iterable[bytes]) -> None:
    with written(path) as file:
        file.writelines(pieces)


def _unused(folder: str, stem: str, used: set[str]) -> str:
    """The path of a PNG file that neither exists nor is in `used`; it is added to `used`."""
    for number in itertools.count():
        path = os.path.join(folder, f"{stem}{f'-{number}' if number else ''}.png")
        if path not in used and not os.path.lexists(path):
            used.add(path)
            return path
    raise AssertionError("unreachable: the numbers are unlimited")
