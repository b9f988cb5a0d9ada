"""The journal of a batch.

It records the finished files, and the same command skips them after an interruption.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from viewer.budget import BUDGET
from viewer.errors import FormatError
from viewer.storage.listing import list_folder
from viewer.storage.reading import read_file
from viewer.storage.versions import Version
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
        try:
            os.makedirs(folder, exist_ok=True)
            _remove_old(folder)
            self._file = appended(self._path)
            self._file.write(b"\n")  # ends a line that was only partly written
        except OSError as error:
            self._fail(error)

    def result(self, path: str, version: Version) -> Any:
        """The stored result of a file that is finished and unchanged; otherwise None."""
        known = self._done.get(path)
        return known[1] if known is not None and known[0] == version else None

    def has_begun(self, path: str) -> bool:
        """Whether a batch has started to process a file. The file's output may exist, complete or not."""
        return path in self._done

    def begin(self, path: str, version: Version) -> None:
        """Record that a batch starts to process a file."""
        self._add(path, version, None)

    def finish(self, path: str, version: Version, result: Any) -> None:
        """Record that a file is done. `result` is a JSON value other than None."""
        self._add(path, version, result)

    def _add(self, path: str, version: Version, result: Any) -> None:
        self._done[path] = version, result
        if self._file is not None:
            try:
                self._file.write(json.dumps([path, version, result]).encode() + b"\n")
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


def _read(path: Path) -> dict[str, tuple[Version, Any]]:
    """Read the entries of a journal, skipping incomplete lines."""
    try:
        lines = read_file(path, BUDGET.file_bytes).splitlines()
    except FormatError:
        return {}
    done: dict[str, tuple[Version, Any]] = {}
    for line in lines:
        with suppress(ValueError, TypeError):
            name, version, result = json.loads(line)
            done[name] = Version(*version), result
    return done


def _remove_old(folder: Path) -> None:
    """Remove journals that were not used for `KEPT` seconds."""
    before = time.time() - KEPT
    for entry in list_folder(folder):
        with suppress(OSError):
            if entry.name.endswith(SUFFIX) and entry.stat().st_mtime < before:
                os.unlink(entry.path)
