"""The journal of a batch.

It records the finished files, and the same command skips them after an interruption.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from viewer.budget import BUDGET
from viewer.errors import FormatError
from viewer.storage.listing import list_folder
from viewer.storage.reading import read_file
from viewer.storage.versions import Dependencies, Version, are_current, path_version
from viewer.storage.writing import appended

SUFFIX = ".journal"
KEPT = 7 * 86400
"""Age in seconds at which an unused journal is removed."""


def journal_key(*parts: Any) -> str:
    """Compute the key of a batch from values that JSON or str() can write.

    Equal batches have the same key.
    """
    text = json.dumps(parts, default=str, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


class Entry(NamedTuple):
    """A file's version, the short result, and the paths and versions that the result depends on. The result
    is None if the file was only started.
    """

    version: Version
    result: Any
    depends: Dependencies


class Journal:
    """The started and finished files of batches with the same `key`, with their versions and short results.

    Each entry is a line of JSON, written at once. `error` is the reason why the journal cannot be written;
    then the batch cannot resume.
    """

    def __init__(self, folder: Path, key: str) -> None:
        self.error = ""
        self._path = folder / f"{key}{SUFFIX}"
        self._done = _read(self._path)
        self._file: BinaryIO | None = None
        self._version = cache(path_version)
        try:
            os.makedirs(folder, exist_ok=True)
            _remove_old(folder)
            self._file = appended(self._path)
            self._file.write(b"\n")  # this newline ends the last line, which may have been interrupted
        except OSError as error:
            self._fail(error)

    def result(self, path: str, version: Version) -> Any:
        """The stored result of a finished file. None if the file has changed, or if a file or folder that the
        result depends on has changed.
        """
        known = self._done.get(path)
        if known is None or known.version != version or not are_current(known.depends, self._version):
            return None
        return known.result

    def has_begun(self, path: str) -> bool:
        """Whether a batch has started to process a file. The file's output may exist, complete or not."""
        return path in self._done

    def begin(self, path: str, version: Version) -> None:
        """Record that a batch starts to process a file."""
        self._add(path, Entry(version, None, {}))

    def finish(self, path: str, version: Version, result: Any, depends: Dependencies) -> None:
        """Record that a file is done. `result` is a JSON value other than None. `depends` are the paths, with
        their versions, that the result depends on.
        """
        self._add(path, Entry(version, result, depends))

    def _add(self, path: str, entry: Entry) -> None:
        self._done[path] = entry
        if self._file is not None:
            try:
                self._file.write(json.dumps([path, *entry]).encode() + b"\n")
            except OSError as error:
                self._fail(error)

    def close(self, *, whole: bool) -> None:
        """Close the journal. If `whole`, the batch is complete and the journal is removed."""
        if self._file is not None:
            self._file.close()
        if whole:
            with suppress(OSError):
                os.unlink(self._path)

    def _fail(self, error: OSError) -> None:
        self.error = f"{error.filename or self._path}: {error.strerror or error}"
        if self._file is not None:
            self._file.close()
            self._file = None


def _read(path: Path) -> dict[str, Entry]:
    """Read the entries of a journal, skipping incomplete lines."""
    try:
        lines = read_file(path, BUDGET.file_bytes).splitlines()
    except FormatError:
        return {}
    done: dict[str, Entry] = {}
    for line in lines:
        with suppress(ValueError, TypeError, AttributeError):
            name, version, result, depends = json.loads(line)
            known = {each: found and Version(*found) for each, found in depends.items()}
            done[name] = Entry(Version(*version), result, known)
    return done


def _remove_old(folder: Path) -> None:
    """Remove journals that were not used for `KEPT` seconds."""
    before = time.time() - KEPT
    for entry in list_folder(folder):
        with suppress(OSError):
            if entry.name.endswith(SUFFIX) and entry.stat().st_mtime < before:
                os.unlink(entry.path)
