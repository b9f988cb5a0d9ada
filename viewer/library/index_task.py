"""The task of an indexing batch: the facts of a file, the hash of its bytes, and what these depend on."""

from __future__ import annotations

import os
import stat
from hashlib import blake2b, file_digest
from io import BufferedReader
from typing import NamedTuple, cast

from viewer.errors import ViewerError
from viewer.formats import open_document
from viewer.library.facts import document_facts, unread_facts
from viewer.scene.file_entry import FileFacts
from viewer.scene.missing_parts import missing_in
from viewer.storage.dependencies import depends_on
from viewer.storage.package_path import on_disk, split
from viewer.storage.reading import open_regular
from viewer.storage.versions import is_regular, path_status

HASH = 16
"""Bytes of a hash."""


class IndexedFile(NamedTuple):
    """What the index keeps of a file. `hash` is None if the file cannot be read.

    `companions` are the paths of the files that its facts depend on, and of the folders where missing files
    were looked for, with their versions.
    """

    facts: FileFacts
    hash: bytes | None = None
    companions: tuple[tuple[str, str], ...] = ()


def index_file(path: str) -> IndexedFile:
    """Read a file for the index."""
    try:
        document = open_document(path)
    except (ViewerError, OSError) as error:
        return IndexedFile(unread_facts(error))
    searched = {os.path.abspath(on_disk(each)) for part in missing_in(document) for each in part.searched}
    own = os.path.abspath(on_disk(path))
    companions = {watched(each) for each in (depends_on(document) | searched) - {own}}
    versions = tuple((each, version(each)) for each in sorted(companions))
    return IndexedFile(document_facts(document), blake2b(document.data, digest_size=HASH).digest(), versions)


def watched(path: str) -> str:
    """The path itself if there is such a file, else its folder, which changes when the file appears."""
    return path if is_regular(path) else os.path.dirname(path)


def version(path: str) -> str:
    """A text that changes when the file or the folder does; empty if there is neither."""
    status = path_status(path)
    if status is None:
        return ""
    modified, size, mode = status
    return f"{modified} {size}" if stat.S_ISREG(mode) else str(modified)


def hash_file(path: str) -> bytes | None:
    """The hash of a file on the disk; None if it cannot be read, or lies in a package."""
    if split(path) is not None:
        return None
    try:
        with open_regular(path) as file:
            return file_digest(cast(BufferedReader, file), lambda: blake2b(digest_size=HASH)).digest()
    except OSError:
        return None
