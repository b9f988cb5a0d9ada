"""Layouts as data: a format is a list of fields in file order, used to read, to write and to explain.

Reading a `Record` gives a `Struct`, which has the values as attributes and the offset of each field.
`Struct.span()` makes the tree from these offsets on demand. When a read fails, `FormatError.partial` has the
fields before the error, and each enclosing record prepends its name to the field path.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from itertools import accumulate, groupby
from typing import Any, Literal

from viewer.binary.cursor import Cursor
from viewer.binary.span import Span, tile
from viewer.errors import FormatError


class ByteWriter(bytearray):
    """The buffer to which fields append their bytes. `order` is "<" or ">": the byte order of the file.

    `source` is the file that is written again; empty for a new file.
    """

    order: Literal["<", ">"] = "<"
    source: bytes = b""


ABSENT: Any = object()
"""The value of a field that the record does not have."""


class Struct:
    """The values of one record. `outer` is the enclosing record. `marks` has the offset at which the
    record begins, then the offset at which each field ends.
    """

    __slots__ = ("__dict__", "error", "marks", "outer", "record")

    def __init__(self, record: Record | None = None, outer: Struct | None = None, **values: Any) -> None:
        self.record = record
        self.outer = outer
        self.marks: list[int] = []
        self.error: FormatError | None = None
        if values:
            self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{self.record.name if self.record else 'record'} has no field {name!r}")

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a field, or `default` if the record lacks the field or the field could not be read."""
        return self.__dict__.get(name, default)

    def detach(self) -> None:
        """Drop the references to enclosing records in this record and in all inner records. Only reading
        needs these references. Their cycles would keep the bytes of a closed file in memory until the garbage
        collector runs.
        """
        self.outer = None
        for name in self.record.nesting if self.record is not None else ():
            value = self.__dict__.get(name)
            for each in value if isinstance(value, list) else (value,):
                if each is not None:
                    each.detach()

    def span(self, name: str = "") -> Span:
        """Make the tree of this record, as far as it was read."""
        assert self.record is not None, "only a record that was read has an offset"
        return self.record.span(name or self.record.name, self, self.marks[0], self.marks[-1])


class Field:
    """A field of a record. `note` is its meaning and its unit, `kind` the name of its type.

    For a field of successive records, `record` is their layout and `count` their number. `minimum` is the
    smallest size in bytes.
    """

    name: str
    note: str
    minimum: int
    kind = ""
    code = ""
    """The type code of a plain number in the `struct` module; empty for other fields. Successive plain
    numbers are read together.
    """
    record: Record | None = None
    count: Any = None
    terminator = b""
    """The byte that ends a text; empty for other fields."""
    nests = False
    """Whether the value of the field contains records."""
    inline = False
    """Whether the tree shows the parts of the field as children of the record itself."""

    def read(self, cursor: Cursor, record: Struct) -> Any:
        """Read the value at the cursor, or return ABSENT. `record` has the fields before it."""
        raise NotImplementedError

    def write(self, out: ByteWriter, value: Any, record: Struct) -> None:
        """Append the value's bytes."""
        raise NotImplementedError

    def span(self, name: str, value: Any, start: int, end: int) -> Span:
        """The node of the value's bytes."""
        raise NotImplementedError

    def text_of(self, raw: bytes) -> str:
        """Decode the ASCII bytes of a text, without its `terminator`."""
        raise NotImplementedError

    def spans(self, value: Any, start: int, end: int) -> list[Span]:
        """Return the nodes that the value adds to the children of the enclosing record. An `inline` field
        adds a node for each part; any other field adds one node.
        """
        return [self.span(self.name, value, start, end)]


class PlainRun:
    """Successive plain numbers of a record, which are read together. Any other field has a run that contains
    only this field, with `size` 0.
    """

    def __init__(self, fields: list[Field]) -> None:
        self.fields = fields
        self.names = [field.name for field in fields]
        self.ends = list(accumulate(field.minimum for field in fields))
        codes = "".join(field.code for field in fields)
        self.readers = {order: struct.Struct(order + codes).unpack_from for order in "<>"}
        self.size = struct.calcsize(f"<{codes}")


class Record(Field):
    """A record with its fields in file order. `title` makes the text that the tree shows for an instance."""

    nests = True
    declares = False
    """Whether the record has the field `declared`, its length in bytes."""

    def __init__(
        self, name: str, *fields: Field, note: str = "", title: Callable[[Struct], str] | None = None
    ) -> None:
        self.name, self.fields, self.note, self.title = name, fields, note, title
        self.minimum = sum(field.minimum for field in fields)
        self.nesting = [field.name for field in fields if field.nests]
        self._runs = [
            PlainRun(run)
            for plain, alike in groupby(fields, lambda field: bool(field.code))
            for run in ([list(alike)] if plain else ([field] for field in alike))
        ]

    def read(self, cursor: Cursor, record: Struct | None = None) -> Struct:
        """Read the fields in order. A FormatError has the fields before the error in its `partial`."""
        cursor.spend()
        read, start, order, end = Struct(self, record), cursor.offset, cursor.order, cursor.end
        values, marks = read.__dict__, read.marks
        marks.append(start)
        for run in self._runs:
            if 0 < run.size <= end - start:
                values.update(zip(run.names, run.readers[order](cursor.data, start), strict=False))
                marks += [start + each for each in run.ends]
                cursor.offset = start = marks[-1]
                continue
            for field in run.fields:
                try:
                    value = field.read(cursor, read)
                except FormatError as error:
                    raise self._broken(error, read, field, cursor) from None
                if value is not ABSENT:
                    values[field.name] = value
                start = cursor.offset
                marks.append(start)
        if self.declares and values["declared"] != start - marks[0]:
            self.compare_length(read, cursor)
        return read

    def compare_length(self, read: Struct, cursor: Cursor) -> None:
        """Add a remark if the declared length of a chunk differs from its length."""

    def _broken(self, error: FormatError, struct: Struct, field: Field, cursor: Cursor) -> FormatError:
        """Add the field to the path of an error, and the fields before it to `partial`."""
        if error.partial is not None:
            struct.__dict__[field.name] = error.partial
        struct.marks.append(cursor.offset)
        struct.error = error
        error.partial = struct
        if field.inline:
            return error
        error.path = field.name + error.path if error.path.startswith("[") else error.inside(field.name).path
        return error

    def write(self, out: ByteWriter, value: Struct, record: Struct | None = None) -> None:
        """Append the fields in order."""
        value.outer = record
        for field in self.fields:
            field.write(out, value.get(field.name), value)

    def pack(self, value: Struct, order: Literal["<", ">"] = "<") -> bytes:
        """Write a record in byte order `order`, and return its bytes."""
        out = ByteWriter()
        out.order = order
        self.write(out, value)
        return bytes(out)

    def span(self, name: str, value: Struct, start: int, end: int) -> Span:
        """The node of the record, with a child for each field."""

        def children() -> list[Span]:
            spans = [
                span
                for field, begin, stop in zip(self.fields, value.marks, value.marks[1:], strict=False)
                if stop > begin and field.name in value.__dict__
                for span in field.spans(value.get(field.name), begin, stop)
            ]
            return tile(spans, start, end - start)

        title = self.title(value) if self.title else None
        error = str(value.error.why) if value.error else ""
        return Span(name, start, end - start, self.name, title, self.note, children, error, layout=self)

    def row_span(self, index: int, value: Struct) -> Span:
        """The node of row `index` of a list of records, as far as the record was read."""
        span = self.span(f"[{index}]", value, value.marks[0], value.marks[-1])
        span.index = index
        return span


def read_layout(layout: Record, data: bytes, order: Literal["<", ">"] = "<") -> tuple[Struct, Cursor]:
    """Read the record of a file as far as possible. Return the record and the cursor, which has all errors
    and remarks.
    """
    cursor = Cursor(data, order=order)
    try:
        record: Any = layout.read(cursor)
    except FormatError as last:
        cursor.errors.append(last.inside(layout.name))
        record = last.partial
    return record, cursor
