"""Conditions of a query as SQL over the tables of the index."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any as Anything

from viewer.library.conditions import All, Any, Condition, Not, Range, Text
from viewer.library.index_schema import WORDS
from viewer.library.query_terms import AGE

COLUMNS = {
    "bone": "bone_names",
    "clip": "clip_names",
    "material": "material_names",
    "texture": "texture_names",
    "missing": "missing_names",
    "error": "error_texts",
    "warning": "warning_texts",
}
"""The columns of texts that a field searches."""
MISSING_KINDS = ("texture", "material", "model", "skeleton", "animation", ".skin file", ".skel file")
"""Texts that `missing:` compares with the kinds of missing files and not with their names."""
AT = "at"
"""The parameter with the offset, counted from 1, of the names below their place in `facts.folded`."""
SHORTEST = 3
"""Characters of the shortest text that the full-text index finds; line ends before a name count."""
GLOB = re.compile(r"[*?]")


class Statement:
    """The statement `sql` that selects the ids of files, concatenated with commas, and its `parameters` by
    name. `by_place`: it has the parameter AT besides.
    """

    def __init__(self, condition: Condition) -> None:
        self.parameters: dict[str, object] = {}
        self.by_place = False
        if isinstance(condition, Text) and condition.field in COLUMNS:
            self.sql = f"SELECT group_concat(rowid) FROM names WHERE {self._names(condition)}"
        else:
            self.sql = f"SELECT group_concat(id) FROM facts WHERE {self._facts(condition)}"

    def _facts(self, condition: Condition) -> str:
        """An expression over the table `facts`."""
        match condition:
            case All(parts):
                return " AND ".join(f"({self._facts(each)})" for each in parts) or "1"
            case Any(parts):
                return " OR ".join(f"({self._facts(each)})" for each in parts)
            case Not(part):
                return f"NOT ifnull({self._facts(part)}, 0)"
            case Range():
                return self._range(condition)
            case Text(field, text, whole):
                if field in WORDS:
                    return self._word(field, text, whole)
                return self._path(field, text.casefold(), whole)

    def _put(self, value: object) -> str:
        name = f"p{len(self.parameters)}"
        self.parameters[name] = value
        return f":{name}"

    def _range(self, wanted: Range) -> str:
        field, low, high = wanted.field, wanted.low, wanted.high
        if field == AGE:
            now = time.time()
            field = "modified"
            low, high = (None if age is None else (now - age) * 1e9 for age in (high, low))
        equal = "=" if wanted.closed else ""
        sides = [
            f"{field} {sign}{equal} {self._put(value)}"
            for sign, value in ((">", low), ("<", high))
            if value is not None
        ]
        return " AND ".join(sides)

    def _path(self, field: str, text: str, whole: bool) -> str:
        self.by_place = True
        start = f":{AT}" if field == "path" else f"max(title, :{AT})"
        part = f"substr(folded, {start})"
        data = text.encode("utf-8", "surrogateescape")
        ending = data[1:]
        if text[:1] == "*" and ending and not re.search(rb"[*?/]", ending):  # such as *.mdl, in half the time
            return f"substr(folded, -{len(ending)}) = {self._put(ending)}"
        if GLOB.search(text):
            return f"CAST({part} AS TEXT) GLOB CAST({self._put(data.replace(b'[', b'[[]'))} AS TEXT)"
        return f"{part} = {self._put(data)}" if whole else f"instr({part}, {self._put(data)})"

    def _word(self, field: str, text: str, whole: bool) -> str:
        """A condition on a text that holds few characters."""
        folded = text.lower().encode("utf-8", "replace").decode()
        if GLOB.search(text):
            return f"lower({field}) GLOB {self._put(folded.replace('[', '[[]'))}"
        value = self._put(folded)
        return f"lower({field}) = {value}" if whole else f"instr(lower({field}), {value})"

    def _names(self, wanted: Text) -> str:
        """An expression over the table `names`."""
        column, whole = COLUMNS[wanted.field], wanted.whole
        text = " ".join(wanted.text.encode("utf-8", "replace").decode().replace("\0", " ").splitlines())
        if wanted.field == "missing" and text.lower() in MISSING_KINDS:
            column, whole = "missing_kinds", True
        pieces, exact = searched(text, whole)
        conditions = []
        if pieces:
            found = " AND ".join(f'{{{column}}} : "{each}"' for each in pieces)
            conditions.append(f"names MATCH {self._put(found)}")
        if not exact:
            conditions.append(f"has_name({column}, {self._put(text)})")
        return " AND ".join(conditions)


def asks_names(condition: Condition) -> bool:
    """Whether a part of a condition asks for names inside files, which have a table of their own."""
    match condition:
        case All(parts) | Any(parts):
            return any(map(asks_names, parts))
        case Not(part):
            return asks_names(part)
        case Text(field):
            return field in COLUMNS
    return False


def searched(text: str, whole: bool) -> tuple[list[str], bool]:
    """The texts of at least three characters that a column with a matching name contains, with doubled
    quotes, and whether every column that contains them has such a name.

    A text of one or two characters is searched at the beginnings of names.
    """
    literals = GLOB.split(text)
    if len(literals) == 1:
        front = "\n" * max(SHORTEST - len(text), 0)
        ends = f"\n\n{text}\n" if whole else front + text
        return [ends.replace('"', '""')], True
    literals[0] = f"\n\n{literals[0]}" if literals[0] else ""
    literals[-1] = f"{literals[-1]}\n" if literals[-1] else ""
    pieces = [each.replace('"', '""') for each in literals if len(each) >= SHORTEST]
    filled = [each for each in literals if each]
    return pieces, "?" not in text and len(filled) == len(pieces) == 1


@lru_cache(64)
def _pattern(text: str) -> re.Pattern[str]:
    parts = {"*": r"[^\n]*", "?": r"[^\n]"}
    inner = "".join(parts.get(each) or re.escape(each) for each in re.split(r"([*?])", text))
    return re.compile(rf"\n{inner}\n", re.IGNORECASE)


def has_name(column: str | None, text: str) -> bool:
    """Whether one of the names of a column matches a pattern."""
    return column is not None and _pattern(text).search(column) is not None


FUNCTIONS: dict[str, tuple[int, Callable[..., Anything]]] = {"has_name": (2, has_name)}
"""Functions that the expressions call: the number of their arguments, and the function."""
