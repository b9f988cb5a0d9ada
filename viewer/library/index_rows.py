"""The rows of the index: facts of a file as values of its columns, and back."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Sequence
from typing import Any

from viewer.library.index_schema import LISTS, NUMBERS, WORDS
from viewer.scene.file_entry import COUNTS, FileEntry, FileFacts
from viewer.scene.names import JOINT
from viewer.storage.listing import natural_parts

ENTRY = ", ".join(
    [
        "files.id",
        "files.path",
        "thumbnail_error",
        "bounds",
        *(f"facts.{each}" for each in (*NUMBERS, *WORDS)),
        *(f"names.{each}" for each in LISTS),
    ]
)
ENTRIES = f"SELECT {ENTRY} FROM files JOIN facts USING (id) LEFT JOIN names ON names.rowid = files.id"
"""Selects the rows that `entry` reads."""
COUNTED = (*COUNTS, "length")
"""The numbers that are fields of `FileFacts`."""


def stored(text: str) -> bytes:
    """A path as it is stored: `CAST(? AS TEXT)` takes names that are not UTF-8."""
    return os.fsencode(text)


def folded(path: str) -> bytes:
    """A path without differences of case, with `/`, by which words are searched."""
    return stored(path.replace(os.sep, "/").replace(JOINT, "/").casefold())


def title_offset(folded_path: bytes) -> int:
    """The offset of the name without folders in a folded path, counted from 1."""
    return folded_path.rfind(b"/") + 2


def sorting(path: str) -> tuple[bytes, int]:
    """The sort key of a path, and the offset in it, counted from 1, of the key of the name alone."""
    front, own = map(stored, natural_parts(path.replace(os.sep, "/").replace(JOINT, "/")))
    return front + own, len(front) + 1


def joined(texts: Iterable[str]) -> str:
    """Texts as one column: two line ends stand before each text and one behind it, so that the beginning and
    the end of a text can be searched.
    """
    return "".join(f"\n\n{' '.join(each.splitlines())}\n" for each in texts)


def separated(column: str | None) -> tuple[str, ...]:
    """The texts of a column."""
    return tuple(filter(None, (column or "").split("\n")))


def numbers_row(size: int, modified: int, facts: FileFacts | None) -> list[Any]:
    """The values of NUMBERS and WORDS."""
    if facts is None:
        return [size, modified, *[None] * (len(NUMBERS) + len(WORDS) - 2)]
    found = len(facts.missing), len(facts.warnings), len(facts.errors)
    counts = [getattr(facts, each) for each in COUNTED]
    return [size, modified, *counts, *found, *(getattr(facts, each) for each in WORDS)]


def lists_row(facts: FileFacts) -> list[str]:
    """The values of LISTS."""
    kinds, names = ([pair[end] or "?" for pair in facts.missing] for end in (0, 1))
    columns = (
        facts.clip_names,
        facts.material_names,
        facts.texture_names,
        kinds,
        names,
        facts.warnings,
        facts.errors,
        facts.bone_names,
    )
    return list(map(joined, columns))


def bounds_row(facts: FileFacts) -> bytes | None:
    """The bounds as bytes."""
    return None if facts.bounds is None else struct.pack("<6d", *facts.bounds)


def entry(row: Sequence[Any], name: str) -> FileEntry:
    """The entry of a row of `ENTRIES`; `name` is relative to the place through which it is listed."""
    _, path, thumbnail_error, bounds, *rest = row
    numbers = dict(zip(NUMBERS, rest, strict=False))
    facts = None
    if numbers["errors"] is not None:
        words = dict(zip(WORDS, rest[len(NUMBERS) :], strict=False))
        lists = dict(zip(LISTS, map(separated, rest[len(NUMBERS) + len(WORDS) :]), strict=True))
        facts = FileFacts(
            **words,
            **{each: numbers[each] for each in COUNTED},
            bounds=None if bounds is None else struct.unpack("<6d", bounds),
            bone_names=lists["bone_names"],
            clip_names=lists["clip_names"],
            material_names=lists["material_names"],
            texture_names=lists["texture_names"],
            missing=tuple(zip(lists["missing_kinds"], lists["missing_names"], strict=False)),
            warnings=lists["warning_texts"],
            errors=lists["error_texts"],
        )
    return FileEntry(path, name, numbers["size"], numbers["modified"], facts, thumbnail_error)
