"""Saves the thumbnails of listed files: as files in a folder, or as one contact sheet."""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from viewer.errors import ViewerError, counted
from viewer.library.batches import LocalRunner
from viewer.library.contact_sheet import SheetPicture, contact_sheet, plan_sheet
from viewer.library.places import SourceFile
from viewer.library.thumbnail import ThumbnailTask
from viewer.library.thumbnail_batch import draw_thumbnails
from viewer.library.thumbnail_cache import ThumbnailCache
from viewer.storage.png import png_pieces
from viewer.storage.writing import written

SHEET = "contact-sheet"
NICE = 10


class SavedPictures(NamedTuple):
    """What was saved, in words; `failed`: not everything."""

    text: str
    failed: bool


class PictureSaving:
    """Draws in a thread, with `jobs` processes. `progress` says how far it is, `saved` what was written.

    No file is replaced: names that exist get a number.
    """

    def __init__(self, jobs: int, wake: Callable[[], None]) -> None:
        self._jobs, self._wake = max(jobs, 1), wake
        self._stop = threading.Event()
        self._saved: list[SavedPictures] = []
        self.progress = ""

    def begin(self, files: Sequence[SourceFile], task: ThumbnailTask, folder: str, sheet: bool) -> None:
        """Save the pictures of files in a folder."""
        work = threading.Thread(target=self._run, args=(files, task, folder, sheet), daemon=True)
        work.start()

    def saved(self) -> SavedPictures | None:
        """What was saved, told once."""
        return self._saved.pop(0) if self._saved else None

    def close(self) -> None:
        """End the work; what was written whole stays."""
        self._stop.set()

    def _run(self, files: Sequence[SourceFile], task: ThumbnailTask, folder: str, sheet: bool) -> None:
        try:
            if sheet:
                plan_sheet([each.name for each in files], task.size)
            pictures = self._drawn(files, task)
            if self._stop.is_set():
                return
            if sheet:
                target = _unused(folder, SHEET, set())
                _write(target, png_pieces(contact_sheet(pictures, task.size)))
            else:
                target = folder
                self._save(pictures, folder)
            failed = [each for each in pictures if each.error]
            text = f"Saved {counted(len(pictures) - len(failed) * (not sheet), 'picture')} in {target}"
            if failed:
                more = f", and {len(failed) - 1} more" if len(failed) > 1 else ""
                text += f"; {failed[0].name} has none: {failed[0].error}{more}"
            self._saved.append(SavedPictures(text, bool(failed)))
        except (ViewerError, OSError) as error:
            reason = getattr(error, "strerror", None) or error
            self._saved.append(SavedPictures(f"The pictures are not saved in {folder}: {reason}", True))
        finally:
            self.progress = ""
            self._wake()

    def _drawn(self, files: Sequence[SourceFile], task: ThumbnailTask) -> list[SheetPicture]:
        """The pictures in the order of the files."""
        runner = LocalRunner(self._jobs, nice=NICE, stopped=self._stop.is_set)
        found: dict[str, SheetPicture] = {}
        names = {each.path: each.name for each in files}
        for path, value, error, *_ in draw_thumbnails(files, task, runner, ThumbnailCache()):
            found[path] = SheetPicture(names[path], b"" if error else value.png, error)
            self.progress = f"saving {len(found):,} of {len(files):,}"
            self._wake()
        return [found[each.path] for each in files if each.path in found]

    def _save(self, pictures: Iterable[SheetPicture], folder: str) -> None:
        used: set[str] = set()
        for each in pictures:
            if not each.error:
                stem = os.path.splitext(each.name.rpartition("/")[2])[0]
                _write(_unused(folder, stem, used), [each.png])


def _write(path: str, pieces: Iterable[bytes]) -> None:
    with written(path) as file:
        file.writelines(pieces)


def _unused(folder: str, stem: str, used: set[str]) -> str:
    """The path of a PNG file that does not exist, and is not in `used`, to which it is added."""
    for number in itertools.count():
        path = os.path.join(folder, f"{stem}{f'-{number}' if number else ''}.png")
        if path not in used and not os.path.lexists(path):
            used.add(path)
            return path
    raise AssertionError("numbers do not end")
