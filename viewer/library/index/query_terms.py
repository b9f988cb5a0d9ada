"""Converts the terms of a query to SQL: the fields of the query language and their values."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from viewer.errors import ViewerError
from viewer.scene import names
from viewer.scene.files import COUNTS

WORDS = ("format", "version", "kind", "called")
"""Fields whose column holds a single text."""
COLUMNS = {
    "bone": "bone_names",
    "clip": "clip_names",
    "material": "material_names",
    "texture": "texture_names",
    "display": "display_ids",
    "missing": "missing_names",
    "error": "error_texts",
    "warning": "warning_texts",
}
"""Columns with names and messages from inside the files, by field."""
MISSING_KINDS = (
    *("texture", "material", "model", "skeleton", "linked skeleton", "animation"),
    *(".skin file", ".skel file", "script", "table"),
)
"""Kinds of missing files. If the value of the query field `missing:` is one of these texts, it is compared
with the kinds of missing files; any other value is compared with their names.
"""
NUMBERED = ("display",)
"""Fields of COLUMNS whose texts are numbers: a value matches a whole number."""
SHORTEST = 3
"""Number of characters of the shortest text that the full-text index finds; newlines before a name are
counted.
"""
GLOB = re.compile(r"[*?]")
LISTED = ("name", "path", "size", "modified")
"""Fields that a list of the files answers."""
TEXTS = ("name", "path", *WORDS, *COLUMNS)
COUNTED = (*COUNTS, "errors", "warnings")
MARKS = {
    name: f"ifnull((SELECT {name} FROM temp.marks WHERE file = id), 0)" for name in ("rating", "favourite")
}
"""The SQL expressions of the user's marks, by field; see `index.put_marks` for the table."""
HAS = {each: each for each in COUNTED} | {
    "particles": "emitters",
    "animations": "clips",
    "skeleton": "bones",
    "missing": "missing",
    "rating": "rating",
}
"""Values of the query field `has:`, each with the column whose count must not be 0."""
ALONE = {
    "error": "errors",
    "errors": "errors",
    "warning": "warnings",
    "warnings": "warnings",
    "missing": "missing",
    "favourite": "favourite",
    "favorite": "favourite",
}
"""Words that are a condition by themselves, without a field. In quotes they are ordinary texts."""
NUMBER = re.compile(r"(\d+(?:\.\d*)?|\.\d+)([a-z]*)", re.IGNORECASE)
DATE = re.compile(r"\d{4}-\d\d?-\d\d?")
DAY = 86400.0
THOUSANDS = {"": 1.0, "k": 1e3, "m": 1e6}
BYTES = {
    "": 1.0,
    "b": 1.0,
    "k": 2.0**10,
    "kb": 2.0**10,
    "m": 2.0**20,
    "mb": 2.0**20,
    "g": 2.0**30,
    "gb": 2.0**30,
}
SECONDS = {"": 1.0, "s": 1.0, "ms": 1e-3, "min": 60.0}
STARS = {"": 1.0}
AGES = {"min": 60.0, "h": 3600.0, "d": DAY, "w": 7 * DAY, "y": 365 * DAY}


class QueryError(ViewerError):
    """An invalid query: `why` describes the error at character `at`, counted from 0."""

    def __init__(self, why: str, at: int) -> None:
        super().__init__(why)
        self.why = why
        self.at = at


class QueryToken(NamedTuple):
    """A bracket, a word, or a field with its value. The token begins at character `at` of the query, and its
    value at `value_at`.
    """

    at: int
    text: str
    field: str = ""
    operator: str = ""
    value: str = ""
    value_at: int = 0
    quoted: bool = False

    @property
    def keyword(self) -> str:
        """`and`, `or`, `not` or a bracket; empty for other tokens."""
        word = self.text.lower()
        return word if word in {"and", "or", "not", "(", ")"} else ""


class Condition(NamedTuple):
    """An SQL expression and its parameters.

    The expression uses the columns of the table `facts`, the table `temp.marks`, and the name `at`. `at` is
    an offset in the column `folded`, counted from 1. The name relative to the listed folder begins at this
    offset. The condition `reads` if it asks for facts that are inside the files.
    """

    sql: str
    parameters: tuple[object, ...] = ()
    reads: bool = True

    def negated(self) -> Condition:
        """Return the negated condition. Unread files meet the negated condition, because a comparison with
        unknown facts counts as false.
        """
        return Condition(f"NOT ifnull({self.sql}, 0)", self.parameters, self.reads)


def combined(word: str, parts: Iterable[Condition]) -> Condition:
    """Join conditions by `AND` or `OR`."""
    every = list(parts)
    if len(every) == 1:
        return every[0]
    sql = f" {word} ".join(f"({each.sql})" for each in every)
    parameters = tuple(value for each in every for value in each.parameters)
    return Condition(sql, parameters, any(each.reads for each in every))


class Value(NamedTuple):
    """A value to compare with a column: a number, or a range such as a day from `low` to `high`.

    With `age`, `low` and `high` are seconds since the file's last change.
    """

    column: str
    low: float
    high: float
    age: bool = False


def term(token: QueryToken) -> Condition:
    """Return the condition of a word, or of a field with its value.

    Raises QueryError for an unknown field or an invalid value.
    """
    if not token.field:
        return _word(token)
    if token.field == "has":
        return _counts(_has(token))
    reads = token.field not in (*LISTED, *MARKS)
    if token.field in TEXTS:
        return _text(token)._replace(reads=reads)
    if token.field in READERS:
        return _range(token)._replace(reads=reads)
    fields = [*TEXTS, *READERS, "has"]
    near = str(names.unknown("field", token.field, fields))
    raise QueryError(f"{near} (text with one of : = < > in it needs quotes)", token.at)


def _word(token: QueryToken) -> Condition:
    if not token.quoted and token.text.lower() in ALONE:
        return _counts(ALONE[token.text.lower()])
    if not token.quoted and token.text[0] in ":<>=":
        raise QueryError("a field, such as bones, is missing before this", token.at)
    pattern = "*" in token.value or "?" in token.value
    field = "name" if pattern and "/" not in token.value else "path"
    return _contains(field, token.value)._replace(reads=False)


def _counts(column: str) -> Condition:
    """Return the condition that a count is not 0."""
    return Condition(f"{MARKS.get(column, column)} >= 1", reads=column not in MARKS)


def _has(token: QueryToken) -> str:
    if token.operator not in (":", "=") or token.value.lower() not in HAS:
        raise QueryError(f"has: takes one of {', '.join(HAS)}", token.value_at)
    return HAS[token.value.lower()]


def _text(token: QueryToken) -> Condition:
    if token.operator not in (":", "=", "!="):
        hint = f"; {token.field}s{token.operator}… counts" if f"{token.field}s" in COUNTED else ""
        raise QueryError(
            f"{token.field} takes a text after : or ={hint}", token.value_at - len(token.operator)
        )
    if not token.value:
        raise QueryError(f"a text is missing after {token.field}{token.operator}", token.value_at)
    whole = token.operator != ":" or token.field in NUMBERED
    found = _contains(token.field, token.value, whole)
    return found.negated() if token.operator == "!=" else found


def _contains(field: str, text: str, whole: bool = False) -> Condition:
    """Return the condition that a field contains a text, ignoring case.

    `*` stands for any characters, `?` for one character; a text with `*` or `?` must match the whole field.
    If `whole` is True, the text must equal the field, or one of the names in the field.
    """
    if field in COLUMNS:
        return _in_names(field, text, whole)
    return _in_word(field, text, whole) if field in WORDS else _in_path(field, text.casefold(), whole)


def _in_path(field: str, text: str, whole: bool) -> Condition:
    part = f"substr(folded, {'at' if field == 'path' else 'max(title, at)'})"
    data = text.encode("utf-8", "surrogateescape")
    ending = data[1:]
    if (
        text[:1] == "*" and ending and not re.search(rb"[*?/]", ending)
    ):  # a suffix such as *.mdl is compared in half the time of GLOB
        return Condition(f"substr(folded, -{len(ending)}) = ?", (ending,))
    if GLOB.search(text):
        return Condition(f"CAST({part} AS TEXT) GLOB CAST(? AS TEXT)", (data.replace(b"[", b"[[]"),))
    return Condition(f"{part} = ?" if whole else f"instr({part}, ?)", (data,))


def _in_word(column: str, text: str, whole: bool) -> Condition:
    folded = text.lower().encode("utf-8", "replace").decode()
    if GLOB.search(text):
        return Condition(f"lower({column}) GLOB ?", (folded.replace("[", "[[]"),))
    return Condition(f"lower({column}) = ?" if whole else f"instr(lower({column}), ?)", (folded,))


def _in_names(field: str, wanted: str, whole: bool) -> Condition:
    """Return a condition on the names inside files, which are in the table `names`."""
    column = COLUMNS[field]
    text = " ".join(wanted.encode("utf-8", "replace").decode().replace("\0", " ").splitlines())
    if field == "missing" and text.lower() in MISSING_KINDS:
        column, whole = "missing_kinds", True
    pieces, exact = searched(text, whole)
    parts = []
    if pieces:
        found = " AND ".join(f'{{{column}}} : "{each}"' for each in pieces)
        parts.append(Condition("names MATCH ?", (found,)))
    if not exact:
        parts.append(Condition(f"has_name({column}, ?)", (text,)))
    where = combined("AND", parts)
    return Condition(f"id IN (SELECT rowid FROM names WHERE {where.sql})", where.parameters)


def _range(token: QueryToken) -> Condition:
    first, dots, last = token.value.partition("..")
    if token.operator == ":" and dots:
        low = _value(token, first) if first else None
        high = _value(token, last) if last else None
        known = [each for each in (low, high) if each is not None]
        if not known:
            raise QueryError("a number is missing beside ..", token.value_at)
        if len({each.age for each in known}) > 1:
            raise QueryError("one end of the range is a date, the other is an age", token.value_at)
        return _between(known[0], None if low is None else low.low, None if high is None else high.high)
    value = _value(token, token.value)
    match token.operator:
        case ">":
            return _between(value, value.high, None, equal="")
        case ">=":
            return _between(value, value.low, None)
        case "<":
            return _between(value, None, value.low, equal="")
        case "<=":
            return _between(value, None, value.high)
    same = _between(value, value.low, value.high)
    return same.negated() if token.operator == "!=" else same


def _between(value: Value, low: float | None, high: float | None, equal: str = "=") -> Condition:
    """Return the condition that a value's column is between `low` and `high`; None means no limit."""
    if value.age:
        now = time.time()
        low, high = (None if age is None else (now - age) * 1e9 for age in (high, low))
    column = MARKS.get(value.column, value.column)
    sides = [
        Condition(f"{column} {sign}{equal} ?", (end,))
        for sign, end in ((">", low), ("<", high))
        if end is not None
    ]
    return combined("AND", sides)


def _value(token: QueryToken, text: str) -> Value:
    """Read the value of a field with numbers. Raises QueryError with an example for an invalid value."""
    read, example = READERS[token.field]
    try:
        return read(token.field, text)
    except (ValueError, OverflowError):
        hint = f"; {token.field[:-1]}:{text} looks for names" if text and token.field[:-1] in TEXTS else ""
        raise QueryError(f"{token.field} takes numbers, such as {example}{hint}", token.value_at) from None


def _scaled(units: dict[str, float]) -> Callable[[str, str], Value]:
    """Return a function that reads a number with one of `units`."""

    def read(field: str, text: str) -> Value:
        """Read a number with a unit. Raises ValueError for other texts."""
        found = NUMBER.fullmatch(text)
        if found is None or found[2].lower() not in units:
            raise ValueError(text)
        number = float(found[1]) * units[found[2].lower()]
        return Value(field, number, number)

    return read


def _time(field: str, text: str) -> Value:
    """Read a date as its first and last nanosecond, or an age as seconds."""
    if not DATE.fullmatch(text):
        return _scaled(AGES)(field, text)._replace(age=True)
    year, month, number = map(int, text.split("-"))
    day = datetime(year, month, number)
    start, end = (each.timestamp() * 1e9 for each in (day, day + timedelta(days=1)))
    return Value(field, start, end - 1e3)  # as a float, the last nanosecond of a day would equal the next day


READERS: dict[str, tuple[Callable[[str, str], Value], str]] = {
    **{each: (_scaled(THOUSANDS), f"{each}>60 or {each}:60..100") for each in COUNTED},
    "size": (_scaled(BYTES), "size>1M"),
    "length": (_scaled(SECONDS), "length>2s"),
    "modified": (_time, "modified<7d or modified:2026-01-31.."),
    "rating": (_scaled(STARS), "rating>3 or rating:4..5"),
}
"""The fields with numbers, with their reader and an example."""


def searched(text: str, whole: bool) -> tuple[list[str], bool]:
    """Split a pattern into texts for a search in the full-text index. Return the texts, and whether this
    search is exact.

    Every column with a matching name contains all of the texts. In an exact search, every column that
    contains the texts also has a matching name. In any other search, the names in the found columns have to
    be compared with the pattern. Each text has at least three characters, and its quotes are doubled. A
    pattern of one or two characters is searched only at the beginnings of names.
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
    """Return whether a name in a column matches a pattern."""
    return column is not None and _pattern(text).search(column) is not None


FUNCTIONS: dict[str, tuple[int, Callable[..., Any]]] = {"has_name": (2, has_name)}
"""Functions that SQL expressions call, with the number of their arguments."""
