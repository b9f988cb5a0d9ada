"""The journal of a batch.

It records the finished files, and the same batch skips them after an interruption. The journal of a window's
batch also has the request, so that the window can continue the batch after a restart.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from viewer.budget import BUDGET
from viewer.errors import FormatError, ResourceError
from viewer.storage.listing import list_folder
from viewer.storage.reading import open_regular, read_file
from viewer.storage.versions import Dependencies, Version, are_current, path_version
from viewer.storage.writing import appended

if TYPE_CHECKING:
    from filelock import BaseFileLock

SUFFIX, LOCK = ".journal", ".lock"
REQUEST = "request"
KEPT = 7 * 86400
"""Age in seconds at which an unused journal is removed."""
LOCK_TIMEOUT = 10.0
"""Seconds to wait until a cancelled batch of a window has ended."""


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
    then the batch cannot resume. `request` is the JSON value with which a window began the batch. While a
    journal with a request is open, no other window continues its batch: then ResourceError is raised.
    """

    def __init__(self, folder: Path, key: str, request: Any = None) -> None:
        self.error = ""
        self._path = folder / f"{key}{SUFFIX}"
        self._file: BinaryIO | None = None
        self._lock: BaseFileLock | None = None
        self._version = cache(path_version)
        stored, self._done = _read(self._path)
        try:
            os.makedirs(folder, exist_ok=True)
            if request is not None:
                self._lock = _locked(self._path, LOCK_TIMEOUT)
                stored, self._done = _read(self._path)  # an earlier batch may have ended meanwhile
            _remove_old(folder)
            self._file = appended(self._path)
            self._file.write(b"\n")  # this newline ends the last line, which may have been interrupted
            if stored is None and request is not None:
                self._file.write(json.dumps({REQUEST: request}).encode() + b"\n")
        except OSError as error:
            self._fail(error)
        self.request = request if stored is None else stored

    def leave_out(self, folders: tuple[str, ...]) -> None:
        """Leave folders out of the lists of projects on which results depend."""
        self._version = cache(partial(path_version, left_out=folders))

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
        if self._lock is not None:
            self._lock.release()
        if whole:
            _remove(self._path)

    def _fail(self, error: OSError) -> None:
        self.error = f"{error.filename or self._path}: {error.strerror or error}"
        if self._file is not None:
            self._file.close()
            self._file = None


class Interrupted(NamedTuple):
    """A batch of a window that has not ended: its request, and the number of its finished files."""

    request: Any
    done: int


def interrupted(folder: Path) -> list[Interrupted]:
    """List the batches of windows that no window continues at present, the oldest first."""
    found = []
    for path in sorted(folder.glob(f"*{SUFFIX}"), key=_age):
        with suppress(FormatError, OSError, ResourceError):
            with open_regular(path) as file:
                if not file.read(64).lstrip().startswith(f'{{"{REQUEST}"'.encode()):
                    continue  # a batch of the command line
            _locked(path, 0.0).release()
            request, done = _read(path)
            number = sum(each.result is not None for each in done.values())
            found.append(Interrupted(request, number))
    return found


def forget(folder: Path, key: str) -> None:
    """Remove the journal of an interrupted batch."""
    _remove(folder / f"{key}{SUFFIX}")


def _age(path: Path) -> float:
    version = path_version(path)
    return version.modified if version is not None else 0


def _locked(path: Path, seconds: float) -> BaseFileLock:
    """Lock a journal. Wait up to `seconds`; ResourceError if another batch has it, OSError if the lock cannot
    be written.
    """
    from filelock import FileLock, Timeout  # imported late, because the command line does not need it

    lock = FileLock(path.with_suffix(LOCK), timeout=seconds)
    try:
        lock.acquire()
    except Timeout:
        raise ResourceError("this task is running already") from None
    return lock


def _remove(path: Path) -> None:
    """Remove a journal and its lock."""
    for each in (path, path.with_suffix(LOCK)):
        with suppress(OSError):
            os.unlink(each)


def _read(path: Path) -> tuple[Any, dict[str, Entry]]:
    """Read the request (None without one) and the entries of a journal, skipping incomplete lines."""
    request, done = None, dict[str, Entry]()
    try:
        lines = read_file(path, BUDGET.file_bytes).splitlines()
    except FormatError:
        return request, done
    for line in lines:
        with suppress(ValueError, TypeError, AttributeError):
            fields = json.loads(line)
            if isinstance(fields, dict):
                request = fields.get(REQUEST, request)
                continue
            name, version, result, depends = fields
            known = {each: found and Version(*found) for each, found in depends.items()}
            done[name] = Entry(Version(*version), result, known)
    return request, done


def _remove_old(folder: Path) -> None:
    """Remove journals that were not used for `KEPT` seconds."""
    before = time.time() - KEPT
    for entry in list_folder(folder):
        with suppress(OSError):
            if entry.name.endswith((SUFFIX, LOCK)) and entry.stat().st_mtime < before:
                os.unlink(entry.path)
