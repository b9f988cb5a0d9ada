"""Turns a layout into the rows of its specification: the fields in file order, with their meanings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import FunctionType
from typing import Any

import numpy as np
from msgspec import Struct

from viewer.binary.chunk import Chunk
from viewer.binary.chunk_stream import ChunkStream
from viewer.binary.dtypes import VaryingDtype, field_notes, type_name
from viewer.binary.expression import Choice
from viewer.binary.fields import Array, Fixed, Magic, Optional, When
from viewer.binary.record import Field, Record
from viewer.binary.tables import Reference, RowField, RowRecord
from viewer.errors import printable

UNITS = (
    "model units",
    "bytes",
    "seconds",
    "ms",
    "pixels",
    "radians",
    "yards",
    "yards a second",
    "yards / s²",
    "radians a second",
    "particles a second",
    "a second",
    "1 / s",
)
"""The units that a note may end with."""
HEADER_FIELDS = 2
"""The number of fields in a chunk's header."""


class SpecificationRow(Struct, frozen=True):
    """A field of a layout. `level` is the number of enclosing records; `offset` counts bytes from the
    beginning of the innermost record, and is empty if it depends on the fields before; `condition` is empty
    if the field is always present. A heading is a row for a record whose fields follow."""

    level: int
    offset: str
    name: str
    type: str
    condition: str = ""
    note: str = ""
    heading: bool = False

    @property
    def presence(self) -> str:
        """The condition of the field in words: `if mask & 1`, `since v1.41`; empty if the field is always
        present.
        """
        plain = self.condition.startswith(("since ", "before ", "up to "))
        return f"if {self.condition}" if self.condition and not plain else self.condition

    @property
    def meaning(self) -> str:
        """The note without its unit."""
        return self.note.removesuffix(self.unit).rstrip(", ") if self.unit else self.note

    @property
    def unit(self) -> str:
        """The unit at the end of the note; empty if there is none."""
        last = self.note.rpartition(", ")[2]
        return last if last in UNITS else ""


class SpecificationSection(Struct, frozen=True):
    """A titled list of rows; `note` describes the section."""

    title: str
    note: str
    rows: tuple[SpecificationRow, ...]


class _Walk:
    """Makes the rows of a layout. Each record is described once."""

    def __init__(self) -> None:
        self._described: set[int] = set()

    def record(self, record: Record, level: int) -> Iterator[SpecificationRow]:
        """Yield the rows of a record's fields. Fields after a field of varying size have no offset. The
        header of a chunk is omitted, because every chunk has one.
        """
        offset: int | None = 0
        for number, field in enumerate(record.fields):
            if not isinstance(record, Chunk) or number >= HEADER_FIELDS:
                yield from self.field(field, level, "" if offset is None else f"0x{offset:02X}", "")
            size = size_of(field)
            offset = None if offset is None or size is None else offset + size

    def rows(self, record: RowRecord, generations: Sequence[Any]) -> Iterator[SpecificationRow]:
        """Yield the rows of the fields that a fixed-size record has in at least one of the generations."""
        for field in record.fields:
            offset = _row_offsets(record, field.field if isinstance(field, When) else field, generations)
            if offset:
                yield from self.field(field, 0, offset, "")

    def field(
        self, field: Field, level: int, field_offset: str, condition: str
    ) -> Iterator[SpecificationRow]:
        """Yield the rows of a field and of all inner fields."""
        if isinstance(field, When):
            yield from self.field(
                field.field, level, field_offset, all_conditions(condition, described(field.condition))
            )
        elif isinstance(field, Optional):
            yield from self.field(
                field.field, level, field_offset, all_conditions(condition, "more bytes follow")
            )
        elif isinstance(field, ChunkStream):
            yield from self._stream(field, level, condition)
        elif field.record is not None:
            yield self._row(field, level, field_offset, condition)
            yield from self._inside(field.record, level + 1)
        elif isinstance(field, Record):
            yield self._row(field, level, field_offset, condition)
            yield from self._inside(field, level + 1)
        elif isinstance(field, Reference) and field.into is not None:
            yield self._row(field, level, field_offset, condition)
        elif isinstance(field, Fixed | Array | RowField):
            yield self._row(field, level, field_offset, condition)
            yield from dtype_rows(field.dtype, level + 1)
        else:
            yield self._row(field, level, field_offset, condition)

    def _row(self, field: Field, level: int, field_offset: str, condition: str) -> SpecificationRow:
        return SpecificationRow(level, field_offset, field.name, field_type(field), condition, field.note)

    def _inside(self, record: Record, level: int) -> Iterator[SpecificationRow]:
        if id(record) in self._described:
            yield SpecificationRow(level, "", "…", "", "", f"fields of {record.name}, as above")
            return
        self._described.add(id(record))
        yield from self.record(record, level)

    def _stream(self, field: ChunkStream, level: int, condition: str) -> Iterator[SpecificationRow]:
        kinds = field.kinds
        if not isinstance(kinds, Choice):
            cases = [("", kinds)]
        else:
            cases = [(choice_text(kinds, value), each) for value, each in kinds.options.items()]
        for case, each in cases:
            for kind in each:
                presence = all_conditions(condition, case)
                count = "one" if field.most == 1 or not kind.many else "any number"
                yield SpecificationRow(
                    level, "", kind.name, f"chunk 0x{kind.id:04X}, {count}", presence, kind.note, True
                )
                if isinstance(kind, Chunk):
                    yield from self._inside(kind, level + 1)
                else:
                    rows = list(dtype_rows(kind.dtype, level + 1))
                    yield from rows[HEADER_FIELDS:]


def specification(layout: Record, note: str = "") -> SpecificationSection:
    """Make the specification of a layout, with its fields in file order."""
    return SpecificationSection(layout.name, note or layout.note, tuple(_Walk().record(layout, 0)))


def record_specifications(*roots: RowRecord, generations: Sequence[Any]) -> Iterator[SpecificationSection]:
    """Yield a section for each of the fixed-size records `roots`, and for each record that these refer to.
    Each version of the layout has an entry in `generations`: the first generation of this version.
    """
    waiting, seen = list(roots), set(map(id, roots))
    for layout in waiting:
        yield SpecificationSection(layout.name, layout.note, tuple(_Walk().rows(layout, generations)))
        for each in layout.references():
            if each.into is not None and id(each.into) not in seen:
                seen.add(id(each.into))
                waiting.append(each.into)


def _row_offsets(record: RowRecord, field: Field, generations: Sequence[Any]) -> str:
    """The offset of the field, or an offset for each range of versions; empty if no generation has it."""
    offsets: list[tuple[int, int]] = []
    for generation in generations:
        fields = record.dtype(generation).fields
        if fields is not None and field in record.present(generation):
            offsets.append((generation.version, fields[field.name][1]))
    distinct = [
        pair for number, pair in enumerate(offsets) if not number or pair[1] != offsets[number - 1][1]
    ]
    later = "".join(f", 0x{offset:02X} from {version}" for version, offset in distinct[1:])
    return f"0x{distinct[0][1]:02X}{later}" if distinct else ""


def dtype_rows(dtype: Any, level: int) -> Iterator[SpecificationRow]:
    """Yield the rows of a structured dtype's fields; none for plain numbers."""
    if isinstance(dtype, VaryingDtype):
        offset: int | None = 0
        for field in dtype.fields:
            field_offset = "" if offset is None else f"0x{offset:02X}"
            when = str(field.when) if field.when else ""
            yield SpecificationRow(level, field_offset, field.name, dtype_text(field.dtype), when, field.note)
            sized = field.dtype if isinstance(field.dtype, np.dtype) and not when else None
            offset = None if offset is None or sized is None else offset + sized.itemsize
    elif isinstance(dtype, np.dtype) and dtype.fields is not None:
        notes = field_notes(dtype)
        for name, (inner, at, *_) in dtype.fields.items():
            yield SpecificationRow(level, f"0x{at:02X}", name, dtype_text(inner), "", notes.get(name, ""))
            yield from dtype_rows(inner, level + 1)


def size_of(field: Field) -> int | None:
    """The size of a field in bytes; None if it differs between files."""
    if isinstance(field, Fixed):
        return field.dtype.itemsize
    if isinstance(field, Magic) and not field.optional and len(set(map(len, field.ids))) == 1:
        return field.minimum
    if isinstance(field, Array) and isinstance(field.dtype, np.dtype) and isinstance(field.count, int):
        return field.dtype.itemsize * field.count
    return None


def field_type(field: Field) -> str:
    """The type of a field and the number of its items: `u32`, `u32 n, n × bone`."""
    if isinstance(field, Fixed):
        return dtype_text(field.dtype)
    if isinstance(field, Magic):
        ids = " or ".join(f'"{printable(magic.decode("latin-1"))}"' for magic in field.ids)
        return ids + (" or absent" if field.optional else "")
    if isinstance(field, Reference):
        return f"reference to {field.into.name if field.into is not None else dtype_text(field.dtype)}"
    if isinstance(field, RowField):
        return f"{field.word} of {dtype_text(field.dtype)}"
    if isinstance(field, Array):
        return counted_text(field.count, dtype_text(field.dtype))
    if field.record is not None:
        return counted_text(field.count, field.record.name)
    return str(field.kind)


def counted_text(count: Any, item: str) -> str:
    """The type of several items: `u32 n, n × bone`, `vertex_count × vertex`."""
    return (
        f"{type_name(count)} n, n × {item}" if isinstance(count, np.dtype) else f"{described(count)} × {item}"
    )


def dtype_text(dtype: Any) -> str:
    """The type of an item as text; a description in words if the type depends on the record."""
    if isinstance(dtype, np.dtype):
        letters = dtype.kind == "S"
        return (f"char×{dtype.itemsize}" if dtype.itemsize > 1 else "char") if letters else type_name(dtype)
    if isinstance(dtype, VaryingDtype):
        return "record"
    if not isinstance(dtype, Choice):
        return described(dtype)
    return (
        dtype.text
        or " or ".join(map(dtype_text, dtype.options.values())) + f" by {dtype.expression.names[0]}"
    )


def described(value: Any) -> str:
    """The text of a condition, a count or a type; of a plain function its docstring."""
    if not isinstance(value, FunctionType):
        return str(value)
    return " ".join((value.__doc__ or "computed").split()).rstrip(".")


def choice_text(choice: Choice, value: Any) -> str:
    """The condition under which an option is chosen: `index_size = 2`, `before v1.30`."""
    if value is True:
        return str(choice.expression)
    if value is not False:
        return f"{choice.expression} = {value}"
    text = str(choice.expression)
    return text.replace("before ", "since ") if text.startswith("before ") else f"not {text}"


def all_conditions(*conditions: str) -> str:
    """Join all conditions that are not empty into one text."""
    return ", ".join(filter(None, conditions))
