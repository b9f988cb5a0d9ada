"""Finds the files that belong to a model: by their names, else by the numbers that a chunked model stores.

Source: wowdev.wiki M2, chunks SFID, AFID, SKID, BFID, TXID, GPID, RPID; the lists of names `number;name` of
the community; the manifests of wow.export (`NAME.manifest.json`).
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

from viewer.arrays import Array
from viewer.binary import Cursor
from viewer.budget import BUDGET
from viewer.errors import FormatError, Report, ResourceError, Topic
from viewer.families.wow.m2.layout.fields import U32
from viewer.families.wow.m2.layout.tables import M2Chunk
from viewer.families.wow.m2.probe import SUFFIXES
from viewer.scene.names import file_name
from viewer.scene.reading_context import ReadingContext
from viewer.storage.package_path import folder_of
from viewer.storage.reading import read_file
from viewer.storage.search import FoundResource, Missing, SearchPath, find_part, offered_files
from viewer.storage.source import Source
from viewer.storage.versions import KeptAnswers

VIEWS, KEYS, SKELETON, FACES = "SFID", "AFID", "SKID", "BFID"
KEY_FILE = np.dtype([("id", "<u2"), ("variation", "<u2"), ("file", "<u4")])
MANIFEST = ".manifest.json"
FACE, MOST_FACES = ".bone", 256
"""The suffix of the files of faces, and how many of them are searched."""
LONGEST_NAME = 1024
"""How many bytes of a line of a list of names are read."""
DEEPEST = 8
"""How deep a manifest may be nested."""
DIGITS = 10
"""How many digits a number in a list of names has at most."""
BLOCK = 1 << 22
"""How many bytes of a list of names are searched for lines together."""


class FileNumbers(Struct, frozen=True):
    """The numbers of files in the chunks of a model: its views in order, its skeleton, the keys of sequences
    by id and variation, and the `.bone` files of its faces in order. A missing number is 0.
    """

    views: Sequence[int] = ()
    skeleton: int = 0
    keys: dict[tuple[int, int], int] = field(default_factory=dict)
    faces: Sequence[int] = ()


NO_NUMBERS = FileNumbers()


def file_numbers(data: bytes, chunks: Sequence[M2Chunk]) -> FileNumbers:
    """Read the numbers of the files that belong to a model or skeleton."""
    views: list[int] = []
    faces: list[int] = []
    keys: dict[tuple[int, int], int] = {}
    skeleton = 0
    for chunk in chunks:
        if chunk.tag in (VIEWS, FACES):
            numbers = Cursor(data, chunk.offset).array(U32, chunk.size // U32.itemsize).tolist()
            views, faces = (numbers, faces) if chunk.tag == VIEWS else (views, numbers)
        elif chunk.tag == SKELETON and chunk.size >= U32.itemsize:
            skeleton = int(Cursor(data, chunk.offset).scalar(U32))
        elif chunk.tag == KEYS:
            rows = Cursor(data, chunk.offset).array(KEY_FILE, chunk.size // KEY_FILE.itemsize)
            ids = zip(rows["id"].tolist(), rows["variation"].tolist(), strict=True)
            keys = dict(zip(ids, rows["file"].tolist(), strict=True))
    return FileNumbers(views, skeleton, keys, faces)


class ModelFiles:
    """The files around the model at `path`. `numbers` are the numbers in its chunks. A manifest or a list
    that cannot be read becomes a warning of the `report`.
    """

    def __init__(
        self, path: PurePath, context: ReadingContext, report: Report, numbers: FileNumbers = NO_NUMBERS
    ) -> None:
        self.path, self.context, self.report, self.numbers = path, context, report, numbers
        self._parts: set[str] = set()

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
        found = self._part(name, number)
        if isinstance(found, FoundResource):
            self._parts.add(found.stored.casefold())
        return found

    def _part(self, name: str, number: int) -> FoundResource | Missing:
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

    def offered(self, name: str, ending: str) -> tuple[str, ...]:
        """The only file beside the model that may be meant by a missing part file; see `offered_files`. Files
        that were found as other parts are not meant.
        """
        names = {fold: each for fold, each in self._beside.items() if fold not in self._parts}
        return offered_files(names, name, ending, SUFFIXES)

    @cached_property
    def _beside(self) -> dict[str, str]:
        """The names of the files beside the model, by `casefold`."""
        return {each.casefold(): each for each in self.folder.names()}

    def faces(self) -> Iterator[str]:
        """Yield the names of the `.bone` files beside the model, which move the bones of its faces."""
        for number, file in enumerate(self.numbers.faces[:MOST_FACES]):
            named = (f"{self.path.stem}_{number:02}{FACE}", *self.names_of(file, FACE))
            stored = next(filter(None, (self.folder.find(file_name(each)) for each in named)), None)
            if stored is not None:
                yield stored

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


class NameList:
    """A list of names by number. Its lines `number;name` may have any order: their numbers are read once, and
    take 12 bytes of memory a line.
    """

    def __init__(self, data: bytes | mmap) -> None:
        self._data = data
        begin = len(BOM_UTF8) if data[: len(BOM_UTF8)] == BOM_UTF8 else 0
        blocks = [_numbered_lines(data, at, begin) for at in range(0, len(data), BLOCK)]
        numbers, places = (np.concatenate(each) for each in zip(*blocks, strict=True)) if blocks else EMPTY
        order = np.argsort(numbers, kind="stable")
        self._numbers, self._places = numbers[order], places[order]
        own = len(data) if isinstance(data, bytes) else 1
        self.bytes = own + self._numbers.nbytes + self._places.nbytes

    def name(self, number: int) -> str:
        """The name of a number: the first line counts. Empty if the list has none."""
        at = int(np.searchsorted(self._numbers, np.uint32(number)))
        if at == len(self._numbers) or self._numbers[at] != number:
            return ""
        place = int(self._places[at])
        line = self._data[place : place + LONGEST_NAME].partition(b"\n")[0]
        return line.partition(b";")[0].strip().decode("utf-8", "surrogateescape")


def _numbered_lines(data: bytes | mmap, at: int, begin: int) -> tuple[Array, Array]:
    """The numbers u32 and the offsets i64 of the names of the lines that begin in a block of a list. `begin`
    is the offset of the list's first line.
    """
    letters = np.frombuffer(data[max(at - 1, 0) : at + begin + BLOCK + DIGITS + 1], np.uint8)
    shift = max(at - 1, 0)
    starts = np.flatnonzero(letters[: at + BLOCK - 1 - shift] == ord("\n")) + 1
    if not at:
        starts = np.concatenate(([begin], starts))
    letters = np.concatenate((letters, np.zeros(DIGITS + 1, np.uint8)))
    numbers, ends, open_lines = np.zeros(len(starts), np.int64), starts.copy(), np.ones(len(starts), bool)
    for _ in range(DIGITS):
        digits = letters[ends].astype(np.int64) - ord("0")
        open_lines &= (digits >= 0) & (digits <= 9)
        numbers = np.where(open_lines, numbers * 10 + digits, numbers)
        ends += open_lines
    whole = (letters[ends] == ord(";")) & (ends > starts) & (numbers < 1 << 32)
    return numbers[whole].astype(np.uint32), ends[whole] + shift + 1


EMPTY = np.empty(0, np.uint32), np.empty(0, np.int64)
_LISTS: KeptAnswers[str, NameList] = KeptAnswers(256 << 20)
"""The lists of names that the user gives, by their paths."""


def _name_in(path: str, number: int) -> str:
    """The name of a number in a list; empty if the list has none. FormatError if it cannot be read."""

    def read() -> NameList:
        return NameList(read_file(path, BUDGET.listfile_bytes, mapped=lambda head: True))

    return _LISTS.get(path, read, lambda names: names.bytes).name(number)
