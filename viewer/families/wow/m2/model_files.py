"""Finds the files that belong to a model: by their names, else by the numbers that a chunked model stores.

Source: wowdev.wiki M2, chunks SFID, AFID, SKID, TXID, GPID, RPID; the lists of names `number;name` of the
community; the manifests of wow.export (`NAME.manifest.json`).
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from functools import cached_property
from mmap import mmap
from pathlib import PurePath
from typing import Any

import numpy as np
from msgspec import Struct, field

from viewer.binary import Cursor
from viewer.budget import BUDGET
from viewer.errors import FormatError, Report, ResourceError, Topic
from viewer.families.wow.m2.layout.fields import U32
from viewer.families.wow.m2.layout.tables import M2Chunk
from viewer.scene.names import file_name
from viewer.scene.reading_context import ReadingContext
from viewer.storage.package_path import folder_of
from viewer.storage.reading import read_file
from viewer.storage.search import FoundResource, Missing, SearchPath, find_part
from viewer.storage.source import Source
from viewer.storage.versions import KeptAnswers

VIEWS, KEYS, SKELETON = "SFID", "AFID", "SKID"
KEY_FILE = np.dtype([("id", "<u2"), ("variation", "<u2"), ("file", "<u4")])
MANIFEST = ".manifest.json"
LONGEST_NAME = 1024
"""How many bytes of a line of a list of names are read."""
DEEPEST = 8
"""How deep a manifest may be nested."""
_LISTS: KeptAnswers[str, bytes | mmap] = KeptAnswers(256 << 20)
"""The lists of names that the user gives, by their paths."""


class FileNumbers(Struct, frozen=True):
    """The numbers of files in the chunks of a model: its views in order, its skeleton, and the keys of
    sequences by id and variation. A missing number is 0.
    """

    views: Sequence[int] = ()
    skeleton: int = 0
    keys: dict[tuple[int, int], int] = field(default_factory=dict)


NO_NUMBERS = FileNumbers()


def file_numbers(data: bytes, chunks: Sequence[M2Chunk]) -> FileNumbers:
    """Read the numbers of the files that belong to a model or skeleton."""
    views: list[int] = []
    keys: dict[tuple[int, int], int] = {}
    skeleton = 0
    for chunk in chunks:
        if chunk.tag == VIEWS:
            views = Cursor(data, chunk.offset).array(U32, chunk.size // U32.itemsize).tolist()
        elif chunk.tag == SKELETON and chunk.size >= U32.itemsize:
            skeleton = int(Cursor(data, chunk.offset).scalar(U32))
        elif chunk.tag == KEYS:
            rows = Cursor(data, chunk.offset).array(KEY_FILE, chunk.size // KEY_FILE.itemsize)
            ids = zip(rows["id"].tolist(), rows["variation"].tolist(), strict=True)
            keys = dict(zip(ids, rows["file"].tolist(), strict=True))
    return FileNumbers(views, skeleton, keys)


class ModelFiles:
    """The files around the model at `path`. `numbers` are the numbers in its chunks. A manifest or a list
    that cannot be read becomes a warning of the `report`.
    """

    def __init__(
        self, path: PurePath, context: ReadingContext, report: Report, numbers: FileNumbers = NO_NUMBERS
    ) -> None:
        self.path, self.context, self.report, self.numbers = path, context, report, numbers

    @cached_property
    def folder(self) -> Source:
        """The folder of the model."""
        return folder_of(self.path, self.context)

    @cached_property
    def search(self) -> SearchPath:
        """The search path of the model."""
        return SearchPath.around(self.path, self.context, self.report)

    def part(self, name: str, number: int = 0) -> FoundResource | Missing:
        """Find a part file of the model by its name, else by its number (0: it has none)."""
        found = find_part(self.folder, name, self.search.given)
        if isinstance(found, FoundResource) or not number:
            return found
        searched = list(found.searched)
        for each in self.names_of(number, PurePath(name).suffix):
            for spelled in dict.fromkeys((each, file_name(each))):
                numbered = find_part(self.folder, spelled, self.search.given)
                if isinstance(numbered, FoundResource):
                    return numbered
                searched += numbered.searched
        return Missing(name, tuple(dict.fromkeys(searched)))

    def names_of(self, number: int, suffix: str) -> tuple[str, ...]:
        """The names that a file with this number may have: those in the manifest beside the model and in the
        user's lists, then the number itself.
        """
        known = (self._manifest.get(number, ""), *self._listed(number))
        return tuple(dict.fromkeys((*filter(None, known), f"{number}{suffix}")))

    @cached_property
    def _manifest(self) -> dict[int, str]:
        """The names by number in the manifest that wow.export writes beside a model."""
        name = self.folder.find(f"{self.path.stem}{MANIFEST}")
        if name is None:
            return {}
        try:
            return dict(_named_files(json.loads(self.folder.read(name, BUDGET.text_bytes)), DEEPEST))
        except (FormatError, ResourceError) as error:
            why = error.why if isinstance(error, FormatError) else str(error)
        except (ValueError, RecursionError):
            why = "it is no JSON"
        self.report.warn(f"{name} gives no names of files: {why}", topic=Topic.UNUSED)
        return {}

    def _listed(self, number: int) -> Iterator[str]:
        """Yield the names of a number in the user's lists, whose lines are `number;name`."""
        for path in self.context.listfiles:
            try:
                name = _name_in(path, number)
            except FormatError as error:
                self.report.warn(f"{path} gives no names of files: {error.why}", topic=Topic.UNUSED)
            else:
                yield name


def _named_files(value: Any, deep: int) -> Iterator[tuple[int, str]]:
    """Yield the number and the name of each file in a value of a manifest."""
    if isinstance(value, dict):
        number, name = value.get("fileDataID"), value.get("file")
        if isinstance(number, int) and isinstance(name, str):
            yield number, name
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inner if deep else ():
        yield from _named_files(each, deep - 1)


def _name_in(path: str, number: int) -> str:
    """The name of a number in a list; empty if the list has none. FormatError if it cannot be read."""

    def read() -> bytes | mmap:
        return read_file(path, BUDGET.listfile_bytes, mapped=lambda head: True)

    lines = _LISTS.get(path, read, lambda data: len(data) if isinstance(data, bytes) else 1)
    wanted = f"{number};".encode()
    at = len(BOM_UTF8) if lines[: len(BOM_UTF8)] == BOM_UTF8 else 0
    if lines[at : at + len(wanted)] != wanted:
        at = lines.find(b"\n" + wanted) + 1
        if not at:
            return ""
    line = lines[at + len(wanted) : at + LONGEST_NAME].partition(b"\n")[0]
    return line.partition(b";")[0].strip().decode("utf-8", "surrogateescape")
