"""The data of a gallery page: the facts of the files as a script that stores each name once, and a
description of the query language.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from viewer.library.index.query_terms import (
    AGES,
    ALONE,
    BYTES,
    COUNTED,
    HAS,
    MISSING_KINDS,
    READERS,
    SECONDS,
    STARS,
    TEXTS,
    THOUSANDS,
)
from viewer.scene.files import FileEntry, FileFacts, Mark

NAMED = (
    "bone_names",
    "clip_names",
    "material_names",
    "texture_names",
    "display_ids",
    "warnings",
    "errors",
)
"""Fields that are lists of names."""
FACTS = FileFacts.__struct_fields__
FIELDS = ("path", "name", "size", "modified", "picture", "thumbnail_error", *Mark._fields, *FACTS)
NANOSECONDS = 1_000_000
"""Nanoseconds per millisecond, the unit of JavaScript's Date."""
UNITS = {
    **dict.fromkeys(COUNTED, THOUSANDS),
    "size": BYTES,
    "length": SECONDS,
    "modified": AGES,
    "rating": STARS,
}
"""Factors of the units of each field with numbers."""


class NameNumbers:
    """Numbers names from 0 in the order of their first use."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {}

    def number(self, name: str) -> int:
        """Return the number of a name."""
        return self.names.setdefault(name, len(self.names))


def row(entry: FileEntry, picture: str, names: NameNumbers) -> list[Any]:
    """Return the values of `FIELDS` for a file. `picture` is the file name of its picture without suffix;
    empty if there is none.
    """
    unread = (entry.thumbnail_error,) if entry.thumbnail_error else ()
    facts = entry.facts or FileFacts(errors=unread)
    values: dict[str, Any] = {name: getattr(facts, name) for name in FACTS}
    values |= {name: [names.number(each) for each in values[name]] for name in NAMED}
    values["missing"] = [[names.number(kind), names.number(name)] for kind, name in facts.missing]
    values |= {"path": entry.path, "name": entry.name, "size": entry.size, "picture": picture}
    values |= {"modified": entry.modified / NANOSECONDS, "thumbnail_error": entry.thumbnail_error}
    values |= entry.mark._asdict()
    return [values[name] for name in FIELDS]


def script(rows: Iterable[list[Any]], names: NameNumbers, more: Mapping[str, Any]) -> str:
    """Return the script with the entries of the page and the values of `more`."""
    head = {"fields": FIELDS, "named": NAMED, "names": list(names.names), **more}
    lines = ",\n".join(_json(each) for each in rows)
    return f'window.rigscopeGallery = {_json(head)[:-1]}, "entries": [\n{lines}\n]}};\n'


def _json(value: Any) -> str:
    """Encode a value as ASCII JSON, which keeps names that are not UTF-8. Numbers that are not finite become
    null.
    """
    return json.dumps(_finite(value), separators=(",", ":"))


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return value


def language() -> dict[str, Any]:
    """Return the query language for the page.

    It lists the text fields, the number fields with their units and an example each, the values of `has:`,
    the words that are conditions by themselves, and the kinds of missing files.
    """
    numbers = {field: {"units": UNITS[field], "example": example} for field, (_, example) in READERS.items()}
    return {"texts": TEXTS, "numbers": numbers, "has": HAS, "alone": ALONE, "missing": MISSING_KINDS}
