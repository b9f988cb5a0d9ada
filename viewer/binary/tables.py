"""Tables of fixed-size records inside a block of bytes. The records refer to further items in the block.

Each table is one array. The fields of a record depend on `generation`, a hashable object; the conditions of
fields are expressions over its attributes, such as `version`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from msgspec import Struct, field

from viewer.binary.code_pages import decode
from viewer.binary.cursor import Cursor, Dtype, NdArray
from viewer.binary.dtypes import record_dtype
from viewer.binary.fields import Fixed, When
from viewer.binary.record import Field, Record
from viewer.budget import BUDGET
from viewer.errors import FormatError, Report, Topic, counted

U8, U32 = np.dtype("u1"), np.dtype("<u4")
REF = record_dtype(("count", U32, "number of items"), ("offset", U32, "of the first item"))
SHARING = 2
"""The largest total size of a block's tables, as a multiple of the block's size. Tables may share bytes, so
the factor is above 1.
"""

LONGEST_REST = 260
"""How many bytes behind a text that ends without a zero byte are searched for one."""


class ReferenceColumn(NamedTuple):
    """A reference to items elsewhere, inside a field. `name` is the name of the reference in the dtype of the
    field, empty if the reference is the whole field. `dtype` and `note` describe the items. `record` is the
    record of an item, if the items refer to further items.
    """

    name: str
    dtype: Dtype
    note: str
    record: RowRecord | None = None


class RowField(Field):
    """A field of a `RowRecord` that refers to items elsewhere. `dtype` is the dtype of one item."""

    word: ClassVar[str]
    """The word for the field's type in the tree, such as `reference` in `reference of f32×3`."""
    minimum = 0

    def __init__(self, name: str, dtype: Dtype, note: str = "") -> None:
        self.name, self.dtype, self.note = name, dtype, note

    def stored(self, generation: Any) -> Dtype:
        """The dtype of the field in its record, such as a count and an offset."""
        raise NotImplementedError

    def columns(self, generation: Any) -> Sequence[ReferenceColumn]:
        """The references inside the field: none, one, or one each for times and values."""
        raise NotImplementedError

    def summary(self, value: Any, generation: Any) -> str:
        """The text that the tree shows for a value of the field."""
        raise NotImplementedError


class Reference(RowField):
    """A field with the count and offset of items elsewhere. `target` is their dtype or their record."""

    word = "reference"

    def __init__(self, name: str, target: Dtype | RowRecord, note: str = "") -> None:
        self.into = target if isinstance(target, RowRecord) else None
        super().__init__(name, U8 if isinstance(target, RowRecord) else target, note)

    def stored(self, generation: Any) -> Dtype:
        """The dtype of a count and an offset."""
        return REF

    def target(self, generation: Any) -> Dtype:
        """The dtype of an item; if items are records, the dtype of their record in this generation."""
        return self.dtype if self.into is None else self.into.dtype(generation)

    def columns(self, generation: Any) -> Sequence[ReferenceColumn]:
        """The single reference, which has no name, because it is the whole field."""
        note = self.note or (self.into.note if self.into is not None else "")
        return (ReferenceColumn("", self.target(generation), note, self.into),)


class RowRecord(Record):
    """A record of fixed size. Its fields are `Fixed`, `RowField`, or one of these inside a `When`."""

    def __init__(self, name: str, *fields: Field, note: str = "") -> None:
        super().__init__(name, *fields, note=note)
        self._present: dict[Hashable, tuple[Any, ...]] = {}
        self._dtypes: dict[Hashable, Dtype] = {}

    def present(self, generation: Any) -> tuple[Fixed | Any, ...]:
        """The fields of a record of this generation, without the `When` around conditional fields."""
        if generation not in self._present:
            self._present[generation] = tuple(
                each.field if isinstance(each, When) else each
                for each in self.fields
                if not isinstance(each, When) or each.condition.holds(generation)
            )
        return self._present[generation]

    def dtype(self, generation: Any) -> Dtype:
        """The dtype of a record with the fields of this generation, without gaps."""
        if generation not in self._dtypes:
            present = self.present(generation)
            stored = [each.dtype if isinstance(each, Fixed) else each.stored(generation) for each in present]
            names = [each.name for each in present]
            self._dtypes[generation] = np.dtype(list(zip(names, stored, strict=True)))
        return self._dtypes[generation]

    def references(self) -> list[Reference]:
        """All `Reference` fields, including conditional fields."""
        plain = [each.field if isinstance(each, When) else each for each in self.fields]
        return [each for each in plain if isinstance(each, Reference)]


class RecordTables(Struct, eq=False):
    """A block of `size` bytes at offset `base` of `data`. Its `header` is a record of `layout`; all offsets
    count from `base`.

    `tables` are the arrays that the header refers to, by field name. A table outside the block is empty, and
    `references.check` reports it.
    """

    data: bytes
    base: int
    size: int
    report: Report
    generation: Any
    layout: RowRecord
    header: Any
    tables: dict[str, NdArray] = field(default_factory=dict)

    def at(self, count: int, offset: int, dtype: Dtype, where: str) -> NdArray:
        """Read [count] items at `offset` of the block. FormatError with the path `where` if they end outside
        the block.
        """
        if not count:
            return np.empty(0, dtype)
        if offset + count * dtype.itemsize > self.size:
            what = f"{counted(count, 'item')} of {counted(dtype.itemsize, 'byte')}"
            why = f"{what} at 0x{offset:X} {'lies' if count == 1 else 'lie'} outside the file"
            raise FormatError(why, where, self.base + min(offset, self.size), topic=Topic.CUT)
        return Cursor(self.data, self.base + offset, self.base + self.size).array(dtype, count)

    def items(self, reference: Any, dtype: Dtype) -> NdArray:
        """Read the items of a reference; empty if they end outside the block."""
        try:
            return self.at(int(reference["count"]), int(reference["offset"]), dtype, "")
        except FormatError:
            return np.empty(0, dtype)

    def text(self, reference: Any) -> str:
        """Read the text of a reference, without surrounding zeros.

        Some programs store a count that is too small. The text then goes to its zero byte, if only printable
        ASCII lies before it.
        """
        raw = self.items(reference, U8).tobytes()
        if raw and b"\0" not in raw:
            end = self.base + int(reference["offset"]) + len(raw)
            rest, zero, _ = self.data[end : min(end + LONGEST_REST, self.base + self.size)].partition(b"\0")
            raw += rest if zero and rest.isascii() and rest.decode("ascii").isprintable() else b""
        return decode(raw.strip(b"\0").partition(b"\0")[0])

    def reference(self, name: str) -> Reference:
        """Find the reference with this name in the header."""
        return next(each for each in self.layout.references() if each.name == name)

    def offset(self, name: str) -> int:
        """The offset of a table in the file; if the header has no such table, the offset of the block."""
        named = name in (self.header.dtype.names or ())
        return self.base + (int(self.header[name]["offset"]) if named else 0)

    def read(self) -> None:
        """Fill `tables` with the arrays that the header refers to.

        Tables of records may overlap, but their total size may not exceed twice the size of the block. The
        table that exceeds this limit stays empty, and so do the tables after this table.
        """
        left = SHARING * self.size
        for each in self.layout.present(self.generation):
            if not isinstance(each, Reference):
                continue
            found = self.items(self.header[each.name], each.target(self.generation))
            if each.into is not None:
                found = self._limited(each.name, found)
                left -= found.nbytes
                if left < 0:
                    found = found[:0]
                    self._fail(each.name, "the tables overlap: together they are larger than the file allows")
            self.tables[each.name] = found

    def _limited(self, name: str, rows: NdArray) -> NdArray:
        """Limit the number of records, because a record becomes a Python object many times larger than its
        bytes.
        """
        if len(rows) > BUDGET.table_records:
            self._fail(
                name, f"{counted(len(rows), 'record')} declared, at most {BUDGET.table_records} are read"
            )
        return rows[: BUDGET.table_records]

    def _fail(self, name: str, why: str) -> None:
        self.report.fail(FormatError(why, name, self.offset(name)))
