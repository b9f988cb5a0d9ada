"""Values of fields as texts, and texts as the bytes of fields."""

from __future__ import annotations

import re
from typing import Any, Literal

import numpy as np

from viewer.binary import Fixed, Rows, Span
from viewer.binary.code_pages import ENCODINGS, PAGES
from viewer.binary.cursor import Dtype
from viewer.binary.dtypes import SHORT, type_name
from viewer.binary.record import Field
from viewer.errors import ViewerError

SEPARATORS = re.compile(r"[\s,;()]+")
CHOICE = re.compile(r"(?:^|[;,] )(0x[0-9A-Fa-f]+|\d+):? ?(?:=|:) ?([^,;]+)")
RAW = "SV"
"""The kinds of dtypes whose values are bytes."""


class EditError(ViewerError):
    """An edit that is refused, with the reason."""


def number_dtype(span: Span) -> Dtype | None:
    """The dtype of a node that holds numbers or a few bytes: a number, a small array, or a short list of
    numbers.
    """
    layout: Any = span.layout.dtype if isinstance(span.layout, Fixed) else span.layout
    if isinstance(layout, np.dtype):
        return layout if layout.names is None and layout.itemsize == span.size else None
    rows = span.passing_children if span.value is not None else ()
    if isinstance(rows, Rows) and rows.items is not None and len(rows) <= SHORT:
        items = rows.items.dtype
        return np.dtype((items, (len(rows),))) if items.names is None else None
    return None


def text_field(span: Span) -> Field | None:
    """The field of a node that holds a text up to a terminator."""
    layout = span.layout
    return layout if isinstance(layout, Field) and layout.terminator and layout.record is None else None


def named_by(span: Span) -> Span | None:
    """The text inside a record whose value is the record's name."""
    if not isinstance(span.value, str):
        return None
    texts = (each for each in span.children if text_field(each) is not None)
    return next((each for each in texts if each.value == span.value), None)


def value_text(value: Any) -> str:
    """A value as `get` prints it and `set` takes it."""
    if isinstance(value, bytes):
        return value.hex(" ")
    if isinstance(value, list | tuple):
        return " ".join(map(value_text, value))
    if isinstance(value, float):
        return repr(value)
    return str(value)


def number_text(dtype: Dtype, raw: bytes, order: Literal["<", ">"]) -> str:
    """The numbers in the bytes of a field, with all their digits."""
    if dtype.base.kind in RAW:
        return _bytes_text(raw) if dtype.base.kind == "S" else raw.hex(" ")
    items = np.frombuffer(raw, dtype.base.newbyteorder(order))
    return " ".join(str(each) for each in items)


def _bytes_text(raw: bytes) -> str:
    return raw.rstrip(b"\0").decode("latin-1")


def number_bytes(dtype: Dtype, text: str, note: str, order: Literal["<", ">"]) -> bytes:
    """The bytes of numbers that a user typed. EditError if they are no numbers of this type."""
    if dtype.base.kind in RAW:
        return _raw_bytes(dtype, text)
    words = [word for word in SEPARATORS.split(text) if word]
    count = int(np.prod(dtype.shape, dtype=int)) if dtype.shape else 1
    if count == 1 and not dtype.shape:
        words = [text.strip()]
    if len(words) != count:
        raise EditError(f"{count} numbers are needed, not {len(words)}: the type is {type_name(dtype)}")
    kinds = dict(choices(note)) if dtype.base.kind in "ui" else {}
    numbers = [_number(dtype.base, word, kinds) for word in words]
    return np.array(numbers, dtype.base.newbyteorder(order)).tobytes()


def _raw_bytes(dtype: Dtype, text: str) -> bytes:
    """The bytes of a field of raw bytes: letters for a text of fixed size, else hexadecimal digits."""
    size = dtype.itemsize
    if dtype.base.kind == "S" and not dtype.shape:
        raw = encoded_text(text, "latin-1")
        if len(raw) > size:
            raise EditError(f"{text!r} has {len(raw)} letters; the field has room for {size}")
        return raw.ljust(size, b"\0")
    try:
        raw = bytes.fromhex(text)
    except ValueError:
        raise EditError(f"{text!r} is no list of bytes, such as 00 ff 1a") from None
    if len(raw) != size:
        raise EditError(f"{size} bytes are needed, not {len(raw)}")
    return raw


def _number(dtype: Dtype, word: str, words: dict[str, int]) -> int | float:
    """One number that a user typed. Words of an enumeration stand for their numbers; `|` joins flags."""
    if dtype.kind == "f":
        return _decimal(dtype, word)
    number = 0
    try:
        for part in word.split("|"):
            number |= words[part.casefold()] if part.casefold() in words else int(part, 0)
    except ValueError:
        listed = f"; or a word: {', '.join(words)}" if words else ""
        raise EditError(f"{word!r} is no whole number{listed}") from None
    limits = np.iinfo(dtype)
    if not limits.min <= number <= limits.max:
        raise EditError(f"{number} is out of range: {type_name(dtype)} holds {limits.min} to {limits.max}")
    return number


def _decimal(dtype: Dtype, word: str) -> float:
    try:
        number = float(word)
    except ValueError:
        raise EditError(f"{word!r} is no number") from None
    if not np.isfinite(number):
        raise EditError(f"{word!r} is not finite: engines cannot use such a number")
    most = float(np.finfo(dtype).max)
    if abs(number) > most:
        raise EditError(f"{word!r} is out of range: {type_name(dtype)} holds at most {most:g}")
    return number


def choices(note: str) -> list[tuple[str, int]]:
    """The words of an enumeration or of flags with their numbers, from the note of a field: `0: average, 1:
    cumulative`. Empty if the note lists fewer than two numbers.
    """
    found = [(word.strip().casefold(), int(number, 0)) for number, word in CHOICE.findall(note)]
    return found if len(found) > 1 else []


def text_bytes(field: Field, text: str, old: bytes, value: str, page: str) -> bytes:
    """The bytes of a text in the encoding of the `old` bytes, which were read as `value`, with its
    terminator. `page` is the code page of the file's other texts, empty if they are UTF-8.

    EditError if the encoding lacks a letter, or the text has the terminator in it.
    """
    end = field.terminator
    for letter, called in (("\0", "a zero byte"), ("\n", "a line feed")):
        if letter in text and (letter == "\0" or end == b"\n"):
            raise EditError(f"a text cannot have {called} in it")
    stem = old.removesuffix(end)
    tail = b"\r" if end == b"\n" and stem.endswith(b"\r") else b""
    return encoded_text(text, encoding_of(stem.removesuffix(tail), value, page)) + tail + end


def encoding_of(raw: bytes, value: str, page: str) -> str:
    """The encoding in which bytes were read as `value`. ASCII is in the `page` of the file's other texts."""
    if raw.isascii():
        return page or "utf-8"
    for each in ENCODINGS:
        try:
            if raw.decode(each) == value:
                return each
        except UnicodeDecodeError:
            continue
    return page or "utf-8"


def encoded_text(text: str, encoding: str) -> bytes:
    """The bytes of a text. EditError if the encoding lacks a letter."""
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        letter = text[error.start]
        called = PAGES[encoding][0] if encoding in PAGES else encoding
        raise EditError(f"{letter!r} cannot be stored: the texts of the file are in {called}") from None
