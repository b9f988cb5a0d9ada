"""The kinds of fields in a record: numbers, texts, arrays of equal items, successive records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from viewer.binary.code_pages import encoded
from viewer.binary.cursor import CODES, Cursor, Dtype, NdArray
from viewer.binary.dtypes import item_span, rows_span
from viewer.binary.expression import Described, Expression
from viewer.binary.record import ABSENT, ByteWriter, Field, Record, Struct
from viewer.binary.span import Span
from viewer.errors import FormatError, Topic, counted

FieldCondition = str | Expression
Count = int | str | Dtype | Expression | Described
"""How a layout states the number of items: a constant, an expression such as the name of an earlier field, a
described function of the record, or the dtype of a count, which the file then stores before the items.
"""
Counting = int | Dtype | Expression | Described


class Fixed(Field):
    """A number, or a small record of fixed size given as a numpy dtype."""

    def __init__(self, name: str, dtype: Dtype, note: str = "") -> None:
        self.name, self.dtype, self.note = name, dtype, note
        self.minimum = dtype.itemsize
        self.code = CODES.get(dtype.str[1:], "") if dtype.names is None and not dtype.shape else ""

    def read(self, cursor: Cursor, record: Struct) -> Any:
        """Read one number, or one small record."""
        if self.code:
            return cursor.scalar(self.dtype)
        return cursor.small_array(self.dtype) if self.dtype.shape else cursor.array(self.dtype, 1)[0]

    def write(self, out: ByteWriter, value: Any, record: Struct) -> None:
        """Append the number in the byte order of the writer."""
        out += stored_bytes(value, self.dtype, out)

    def span(self, name: str, value: Any, start: int, end: int) -> Span:
        """The node of the number, with its value as text."""
        span = item_span(name, self.dtype, value, start, self.note)
        span.layout = self
        return span


class Text(Field):
    """A NUL-terminated string."""

    kind = "text up to a zero"
    minimum = 1
    terminator = b"\0"

    def __init__(self, name: str, note: str = "") -> None:
        self.name, self.note = name, note

    def read(self, cursor: Cursor, record: Struct) -> str:
        """Read up to the NUL and decode the bytes."""
        return cursor.text()

    def text_of(self, raw: bytes) -> str:
        """Decode the ASCII bytes of a text, without the NUL."""
        return raw.decode("ascii")

    def write(self, out: ByteWriter, value: str, record: Struct) -> None:
        """Append the stored bytes and a NUL; a text without stored bytes is written as UTF-8."""
        out += encoded(value) + b"\0"

    def span(self, name: str, value: str, start: int, end: int) -> Span:
        """The node of the text, which is shown in quotes."""
        return Span(name, start, end - start, "text", value, self.note, layout=self)


class Magic(Field):
    """The bytes that identify a format. If `optional`, a file may omit these bytes; the value is then
    empty.
    """

    def __init__(self, name: str, ids: Sequence[bytes], note: str = "", optional: bool = False) -> None:
        self.name, self.ids, self.note, self.optional = name, tuple(ids), note, optional
        self.minimum = 0 if optional else min(map(len, ids))

    def read(self, cursor: Cursor, record: Struct) -> str:
        """Read the identifier; FormatError for an unexpected identifier."""
        for magic in self.ids:
            if cursor.data[cursor.offset : min(cursor.offset + len(magic), cursor.end)] == magic:
                cursor.offset += len(magic)
                return magic.decode("latin-1")
        if not self.optional:
            cursor.fail(f"does not begin with {' or '.join(magic.decode('latin-1') for magic in self.ids)}")
        return ""

    def write(self, out: ByteWriter, value: str, record: Struct) -> None:
        """Append the identifier."""
        out += value.encode("latin-1")

    def span(self, name: str, value: str, start: int, end: int) -> Span:
        """The node of the identifier."""
        return Span(name, start, end - start, "magic", value, self.note, layout=self)


class Array(Field):
    """Equal items as one numpy array [count]. `dtype` may be a `Choice` or a `Described` function.

    `count` is a number, an `Expression` over the fields of the record as text, a `Described` function of the
    record, or the dtype of a count that the file stores before the items; `most` limits it. With `tail` a
    file may end early, and only the existing items are read. With `salvage` the existing items of a truncated
    file are kept, and the error states the declared count.
    """

    def __init__(
        self,
        name: str,
        dtype: Dtype | Callable[[Struct], Dtype],
        count: Count,
        note: str = "",
        most: int | None = None,
        tail: bool = False,
        salvage: bool = False,
    ) -> None:
        self.name, self.dtype, self.count, self.note = name, dtype, counting(count), note
        self.most, self.tail, self.salvage = most, tail, salvage
        self.prefix = count.itemsize if isinstance(count, np.dtype) else 0
        self.minimum = self.prefix

    def read(self, cursor: Cursor, record: Struct) -> NdArray:
        """Read `count` items as one array; FormatError if the file is too short."""
        try:
            dtype = self._dtype(record)
        except FormatError as error:
            error.offset = cursor.offset
            raise
        count = read_count(self.count, cursor, record, self.most)
        there = min(cursor.left // dtype.itemsize if dtype.itemsize else count, count)
        if there == count or not self.salvage:
            return cursor.array(dtype, there if self.tail else count)
        cut = FormatError(
            f"{counted(count, 'item')} declared, {there} {'is' if there == 1 else 'are'} there",
            offset=cursor.offset,
            topic=Topic.CUT,
        )
        cut.partial = cursor.array(dtype, there)
        raise cut

    def write(self, out: ByteWriter, value: Any, record: Struct) -> None:
        """Append all items."""
        dtype = self._dtype(record)
        write_count(self.count, out, len(value))
        out += stored_bytes(value, dtype, out)

    def _dtype(self, record: Struct) -> Dtype:
        return self.dtype if isinstance(self.dtype, np.dtype) else self.dtype(record)

    def span(self, name: str, value: NdArray, start: int, end: int) -> Span:
        """The node of the array; its rows are created when they are shown."""
        data = start + self.prefix
        rows = rows_span(name, value, data, self.note, self)
        if not self.prefix:
            return rows
        count = count_span(start, self.prefix, len(value))
        children = lambda: _present([count, rows])  # noqa: E731
        return Span(name, start, end - start, rows.type, None, self.note, children, layout=self)


class Repeat(Field):
    """Successive records of different sizes; `count` as of an `Array`."""

    record: Record
    nests = True

    def __init__(
        self, name: str, record: Record, count: Count, note: str = "", most: int | None = None
    ) -> None:
        self.name, self.record, self.count = name, record, counting(count)
        self.note, self.most = note, most
        self.prefix = count.itemsize if isinstance(count, np.dtype) else 0
        self.minimum = self.prefix

    def read(self, cursor: Cursor, record: Struct) -> list[Struct]:
        """Read `count` records, one after another; FormatError if the file has no room for so many."""
        count = read_count(self.count, cursor, record, self.most)
        if count * self.record.minimum > cursor.end:
            claim = f"{counted(count, 'record')} declared, more than the file has room for"
            cursor.fail(claim, Topic.CUT)
        items: list[Struct] = []
        for index in range(count):
            try:
                items.append(self.record.read(cursor, record))
            except FormatError as error:
                error.partial = items + ([error.partial] if error.partial is not None else [])
                raise self._at(error, index) from None
        return items

    @staticmethod
    def _at(error: FormatError, index: int) -> FormatError:
        """Prepend the index to the path; the enclosing record prepends its field's name."""
        error.path = f"[{index}]/{error.path}" if error.path else f"[{index}]"
        return error

    def write(self, out: ByteWriter, value: Sequence[Struct], record: Struct) -> None:
        """Append every record."""
        write_count(self.count, out, len(value))
        for item in value:
            self.record.write(out, item, record)

    def span(self, name: str, value: list[Struct], start: int, end: int) -> Span:
        """The node of the list, with a child for each record."""

        def children() -> list[Span]:
            head = [count_span(start, self.prefix, len(value))] if self.prefix else []
            items = [self.record.row_span(i, item) for i, item in enumerate(value)]
            return _present(head + items)

        kind = f"{self.record.name}[{len(value)}]"
        return Span(name, start, end - start, kind, None, self.note, children, layout=self)


class When(Field):
    """A field that is present only if a condition on the record is true: an `Expression` as text, such as
    `collision & 1`, or a `Described` function.
    """

    minimum = 0

    def __init__(self, condition: FieldCondition, field: Field) -> None:
        self.condition = Expression(condition) if isinstance(condition, str) else condition
        self.field = field
        self.name, self.note, self.inline, self.nests = field.name, field.note, field.inline, field.nests

    def read(self, cursor: Cursor, record: Struct) -> Any:
        """Read the field if the condition is true, else return ABSENT."""
        return self.field.read(cursor, record) if self.condition(record) else ABSENT

    def write(self, out: ByteWriter, value: Any, record: Struct) -> None:
        """Append the field if it is present."""
        if self.condition(record):
            self.field.write(out, value, record)

    def spans(self, value: Any, start: int, end: int) -> list[Span]:
        """The nodes of the field; none if it is absent."""
        return self.field.spans(value, start, end)


class Optional(Field):
    """A field that a file may leave out by ending before it."""

    minimum = 0

    def __init__(self, field: Field) -> None:
        self.field, self.name, self.note = field, field.name, field.note
        self.inline, self.nests = field.inline, field.nests

    def read(self, cursor: Cursor, record: Struct) -> Any:
        """Read the field unless the data end before it."""
        return self.field.read(cursor, record) if cursor.left else ABSENT

    def write(self, out: ByteWriter, value: Any, record: Struct) -> None:
        """Append the field if it is present."""
        if value is not None:
            self.field.write(out, value, record)

    def spans(self, value: Any, start: int, end: int) -> list[Span]:
        """The nodes of the field; none if it is absent."""
        return self.field.spans(value, start, end)


def _present(spans: list[Span]) -> list[Span]:
    return [span for span in spans if span.size]


def count_span(offset: int, size: int, count: int) -> Span:
    """Make the span of a count of `size` bytes, which precedes the items."""
    return Span("count", offset, size, f"u{8 * size}", count, is_count=True)


def counting(count: Count) -> Counting:
    """Convert a count given as text to an expression. Other counts are returned unchanged."""
    return Expression(count) if isinstance(count, str) else count


def read_count(count: Counting, cursor: Cursor, record: Struct, most: int | None = None) -> int:
    """Read or compute the number of the following items. FormatError if it is negative or exceeds `most`."""
    if isinstance(count, np.dtype):
        number = int(cursor.scalar(count))
    else:
        number = count if isinstance(count, int) else count(record)
        if number is None:
            layout = record.record.name if record.record is not None else "record"
            raise TypeError(f"the layout {layout} has no field for the count {count}")
    if number < 0:
        cursor.fail(f"{number} items declared", Topic.CUT)
    if most is not None and number > most:
        cursor.fail(f"{counted(number, 'item')} declared, at most {most} expected", Topic.CUT)
    return number


def write_count(count: Counting, out: ByteWriter, number: int) -> None:
    """Append the count, if the layout stores a count before the items."""
    if isinstance(count, np.dtype):
        out += stored_bytes(number, count, out)


def stored_bytes(value: Any, dtype: Dtype, out: ByteWriter) -> bytes:
    """The bytes of numbers or records of `dtype` in the file's byte order."""
    return np.asarray(value, (dtype.base if dtype.shape else dtype).newbyteorder(out.order)).tobytes()
