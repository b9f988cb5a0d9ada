"""The cache of thumbnails: one file per thumbnail, in a folder of limited size.

A file consists of a line of JSON and the bytes of the PNG. The line lists the dependencies of the picture;
the thumbnail is outdated when one of them changes. An error is stored in the same way without a picture. A
file that cannot be read or written counts as missing.
"""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from viewer.budget import BUDGET
from viewer.errors import ViewerError
from viewer.export.missing_lines import MissingLines
from viewer.family.registry import plugin_versions
from viewer.library.thumbnails.thumbnail import DRAWING_VERSION, ThumbnailRecord, ThumbnailTask, digest_of
from viewer.scene.files import FileFacts
from viewer.scene.reading_context import ReadingContext
from viewer.session import settings
from viewer.storage.cache_folder import cache_folder
from viewer.storage.kept_files import delete_least_used, used
from viewer.storage.package_path import read_path
from viewer.storage.reading import open_regular
from viewer.storage.versions import Version, are_current, path_version
from viewer.storage.writing import written

FOLDER, LIMIT = "thumbnails", "thumbnail_bytes"
"""Name of the folder in the cache folder, and of the setting that limits its size in bytes."""
CHECKED = 1 / 16
"""The size of the folder is measured again after this share of the limit has been written."""

Versions = Callable[[str], Version | None]


class KeptThumbnail(Struct, frozen=True):
    """A cached thumbnail: the bytes of a PNG, the facts of its file and the lines about `missing` parts, or
    the `error` of drawing it.
    """

    png: bytes
    facts: FileFacts | None = None
    error: str = ""
    missing: MissingLines = MissingLines()


class ThumbnailCache:
    """The thumbnails in `folder`, by default the user's cache folder. Together they have at most `most`
    bytes, by default the number in the settings.
    """

    def __init__(self, folder: Path | None = None, most: int | None = None) -> None:
        self._folder = cache_folder() / FOLDER if folder is None else folder
        self._most: int = settings.read_field(settings.default_path(), LIMIT) if most is None else most
        self._unmeasured = self._most  # measure the folder at the first write

    def find(
        self, path: str, version: Version, task: ThumbnailTask, versions: Versions = path_version
    ) -> KeptThumbnail | None:
        """Return the cached thumbnail of a file for this task; None if it is missing or outdated.

        `version` is the version of the file; `versions` returns the versions of its dependencies.
        """
        stored = self._file(path, task)
        try:
            with open_regular(stored) as file:
                line, _, png = file.read(BUDGET.part_bytes).partition(b"\n")
                last = os.fstat(file.fileno()).st_mtime
            head = json.loads(line)
            same = Version(*head["version"]) == version
            depends = {path: known and Version(*known) for path, known in head["depends"].items()}
            if not (same or _has_digest(path, version, head, task.context)) or not are_current(
                depends, versions
            ):
                return None
            required, other = head["missing"]
            missing = MissingLines(tuple(map(str, required)), str(other))
            found = KeptThumbnail(png, _facts(head["facts"]), str(head["error"]), missing)
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return None
        if not same:
            self._write(stored, {**head, "version": version}, png)
        else:
            used(stored, last)
        return found

    def keep(self, path: str, version: Version, task: ThumbnailTask, made: ThumbnailRecord | str) -> None:
        """Store a thumbnail, or the error of drawing it."""
        head: dict[str, Any] = {"version": version, "digest": "", "error": "", "depends": {}, "facts": None}
        head["missing"] = MissingLines()
        if isinstance(made, str):
            head["error"] = made
        else:
            head["depends"] = {each: at for each, at in made.depends.items() if each != os.path.abspath(path)}
            head |= {"digest": made.digest, "facts": asdict(made.facts), "missing": made.missing}
        self._write(self._file(path, task), head, b"" if isinstance(made, str) else made.png)

    def _file(self, path: str, task: ThumbnailTask) -> Path:
        """Return the path of a thumbnail's file."""
        import hashlib  # imported late, because it takes 3 ms and the window's start does not need it

        prepare = pickle.dumps(task.prepare, protocol=4)
        # The dependencies tell whether a folder is left out; all batches that write beside models are alike.
        context = replace(task.context, left_out=(), outputs=task.context.outputs and ("",))
        drawn = task.size, task.distance, task.files, prepare, context
        made_by = (*drawn, *plugin_versions())
        key = repr((os.path.abspath(path), made_by, DRAWING_VERSION)).encode("utf-8", "surrogateescape")
        name = hashlib.blake2b(key, digest_size=20).hexdigest()
        return self._folder / name[:2] / name[2:]

    def _write(self, path: Path, head: dict[str, Any], png: bytes) -> None:
        data = json.dumps(head).encode() + b"\n" + png
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with written(os.fspath(path), sync=False) as file:
                file.write(data)
        except OSError:
            return
        self._unmeasured += len(data)
        if self._unmeasured > self._most * CHECKED:
            self._unmeasured = 0
            delete_least_used(self._folder, self._most)


def _facts(stored: dict[str, Any] | None) -> FileFacts | None:
    """Read the facts in a line of the cache. Raises TypeError or AttributeError for another version."""
    if stored is None:
        return None
    return FileFacts(**{name: _frozen(value) for name, value in stored.items()})


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _has_digest(path: str, version: Version, head: dict[str, Any], context: ReadingContext) -> bool:
    """Return whether a file with another modification time still has the same bytes."""
    if not head["digest"] or head["version"][1] != version[1]:
        return False
    try:
        return bool(digest_of(read_path(path, context)[1]) == head["digest"])
    except (ViewerError, OSError):
        return False
