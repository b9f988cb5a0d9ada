"""The fields of the query language, and the values that they take."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

from viewer.library.conditions import Condition, Not, QueryError, Range, Text, Token
from viewer.scene import names
from viewer.scene.file_entry import COUNTS

AGE = "age"
"""The field of a `Range` for `modified<7d`: the seconds since the last change."""
TEXTS = (
    "name",
    "path",
    "format",
    "version",
    "kind",
    "bone",
    "clip",
    "material",
    "texture",
    "missing",
    "error",
    "warning",
)
COUNTED = (*COUNTS, "errors", "warnings")
HAS = {each: each for each in COUNTED} | {
    "particles": "emitters",
    "animations": "clips",
    "skeleton": "bones",
    "missing": "missing",
}
"""What `has:` finds, and the count that is then not 0."""
ALONE = {
    "error": "errors",
    "errors": "errors",
    "warning": "warnings",
    "warnings": "warnings",
    "missing": "missing",
}
"""Words that are conditions by themselves; in quotes they are words like others."""
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
AGES = {"min": 60.0, "h": 3600.0, "d": DAY, "w": 7 * DAY, "y": 365 * DAY}


class Value(NamedTuple):
    """A value of a field: a number, or the first and the last number that it stands for, such as a day's."""

    field: str
    low: float
    high: float


def term(token: Token) -> Condition:
    """The condition of a word, or of a field with its value. QueryError if there is none."""
    if not token.field:
        return _word(token)
    if token.field == "has":
        return Range(_has(token), low=1)
    if token.field in TEXTS:
        return _text(token)
    if token.field in READERS:
        return _range(token)
    fields = [*TEXTS, *READERS, "has"]
    near = str(names.unknown("field", token.field, fields))
    raise QueryError(f"{near} (text with one of : = < > in it needs quotes)", token.at)


def _word(token: Token) -> Condition:
    if not token.quoted and token.text.lower() in ALONE:
        return Range(ALONE[token.text.lower()], low=1)
    if not token.quoted and token.text[0] in ":<>=":
        raise QueryError("a field, such as bones, is missing before this", token.at)
    pattern = "*" in token.value or "?" in token.value
    return Text("name" if pattern and "/" not in token.value else "path", token.value)


def _has(token: Token) -> str:
    if token.operator not in (":", "=") or token.value.lower() not in HAS:
        raise QueryError(f"has: takes one of {', '.join(HAS)}", token.value_at)
    return HAS[token.value.lower()]


def _text(token: Token) -> Condition:
    if token.operator not in (":", "=", "!="):
        hint = f"; {token.field}s{token.operator}… counts" if f"{token.field}s" in COUNTED else ""
        raise QueryError(
            f"{token.field} takes a text after : or ={hint}", token.value_at - len(token.operator)
        )
    if not token.value:
        raise QueryError(f"a text is missing after {token.field}{token.operator}", token.value_at)
    found = Text(token.field, token.value, token.operator != ":")
    return Not(found) if token.operator == "!=" else found


def _range(token: Token) -> Condition:
    first, dots, last = token.value.partition("..")
    if token.operator == ":" and dots:
        low = _value(token, first) if first else None
        high = _value(token, last) if last else None
        if low is None and high is None:
            raise QueryError("a number is missing beside ..", token.value_at)
        fields = {each.field for each in (low, high) if each is not None}
        if len(fields) > 1:
            raise QueryError("two dates or two ages, not one of each", token.value_at)
        return Range(fields.pop(), None if low is None else low.low, None if high is None else high.high)
    value = _value(token, token.value)
    match token.operator:
        case ">":
            return Range(value.field, low=value.high, closed=False)
        case ">=":
            return Range(value.field, low=value.low)
        case "<":
            return Range(value.field, high=value.low, closed=False)
        case "<=":
            return Range(value.field, high=value.high)
    same = Range(value.field, value.low, value.high)
    return Not(same) if token.operator == "!=" else same


def _value(token: Token, text: str) -> Value:
    """The value of a field that takes numbers; QueryError that gives an example if it is none."""
    read, example = READERS[token.field]
    try:
        return read(token.field, text)
    except (ValueError, OverflowError):
        hint = f"; {token.field[:-1]}:{text} looks for names" if text and token.field[:-1] in TEXTS else ""
        raise QueryError(f"{token.field} takes numbers, such as {example}{hint}", token.value_at) from None


def _scaled(units: dict[str, float]) -> Callable[[str, str], Value]:
    """Reads numbers with one of these units."""

    def read(field: str, text: str) -> Value:
        found = NUMBER.fullmatch(text)
        if found is None or found[2].lower() not in units:
            raise ValueError(text)
        number = float(found[1]) * units[found[2].lower()]
        return Value(field, number, number)

    return read


def _time(field: str, text: str) -> Value:
    """A day, from its first to its last nanosecond, or the age in seconds."""
    if not DATE.fullmatch(text):
        return _scaled(AGES)(AGE, text)
    year, month, number = map(int, text.split("-"))
    day = datetime(year, month, number)
    start, end = (each.timestamp() * 1e9 for each in (day, day + timedelta(days=1)))
    return Value(field, start, end - 1e3)  # so that it stays less as a float


READERS: dict[str, tuple[Callable[[str, str], Value], str]] = {
    **{each: (_scaled(THOUSANDS), f"{each}>60 or {each}:60..100") for each in COUNTED},
    "size": (_scaled(BYTES), "size>1M"),
    "length": (_scaled(SECONDS), "length>2s"),
    "modified": (_time, "modified<7d or modified:2026-01-31.."),
}
"""The fields that take numbers: how these are read, and an example."""
