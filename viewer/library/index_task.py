"""The task of an indexing batch: the facts of a file, the hash of its bytes, and what these depend on."""

from __future__ import annotations

import os
import time
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
from viewer.storage.versions import Dependencies, is_regular, versions_of

HASH = 16
"""Bytes of a hash."""


class IndexedFile(NamedTuple):
    """What the index keeps of a file. `hash` is None if the file cannot be read.

    `companions` are the files that its facts depend on, and the folders where missing files were looked for.
    """

    facts: FileFacts
    hash: bytes | None = None
    companions: Dependencies | None = None


def index_file(path: str) -> IndexedFile:
    """Read a file for the index."""
    begun = time.time_ns()
    try:
        document = open_document(path)
    except (ViewerError, OSError) as error:
        return IndexedFile(unread_facts(error))
    searched = {os.path.abspath(on_disk(each)) for part in missing_in(document) for each in part.searched}
    own = os.path.abspath(on_disk(path))
    companions = {watched(each) for each in (depends_on(document) | searched) - {own}}
    digest = blake2b(document.data, digest_size=HASH).digest()
    return IndexedFile(document_facts(document), digest, versions_of(companions, begun))


def watched(path: str) -> str:
    """The path itself if there is such a file, else its folder, which changes when the file appears."""
    return path if is_regular(path) else os.path.dirname(path)


def hash_file(path: str) -> bytes | None:
    """The hash of a file on the disk; None if it cannot be read, or lies in a package."""
    if split(path) is not None:
        return None
    try:
        with open_regular(path) as file:
            return file_digest(cast(BufferedReader, file), lambda: blake2b(digest_size=HASH)).digest()
    except OSError:
        return None
