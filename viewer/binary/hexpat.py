"""A layout as a pattern for the hex editor ImHex.

Source: ImHex pattern language, https://docs.werwolv.net/pattern-language.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from viewer.binary.chunk import HEADER, Chunk, Run
from viewer.binary.chunks import ChunkStream
from viewer.binary.dtypes import VaryingDtype, VaryingField
from viewer.binary.expression import DECLARED_END, Choice, Described, EachElement, Expression
from viewer.binary.fields import Array, Fixed, Magic, Optional, Text, When
from viewer.binary.hexpat_language import (
    CHUNKS,
    LINE,
    PRELUDE,
    StructScope,
    UntranslatableError,
    identifier,
    plain_type,
    reference,
    translated,
)
from viewer.binary.record import Field, Record


class _Writer:
    """The structs of a pattern, inner ones first."""

    def __init__(self) -> None:
        self.structs: list[str] = []
        self._names: set[str] = set()
        self.chunked = False

    def record(self, record: Record, outer: StructScope | None) -> str:
        """The name of a new struct for a record inside of another."""
        scope = StructScope(outer, {each.name: reference(each) for each in record.fields})
        for field in record.fields:
            self.field(field, scope)
        return self.struct(record.name, scope)

    def struct(self, name: str, scope: StructScope) -> str:
        """Close a struct; its name."""
        base = "".join(word[:1].upper() + word[1:] for word in identifier(name).split("_"))
        number = 2
        made = base
        while made in self._names:
            made, number = f"{base}{number}", number + 1
        self._names.add(made)
        self.structs.append("\n".join([f"struct {made} {{", *scope.lines, "};"]))
        return made

    def field(self, field: Field, scope: StructScope) -> None:
        """Append the lines of a field."""
        name = identifier(field.name)
        if isinstance(field, When):
            self._if(translated(field.condition, scope), field.field, scope)
        elif isinstance(field, Optional):
            self._if("$ < std::mem::size()", field.field, scope)
        elif isinstance(field, Magic):
            self._magic(field, name, scope)
        elif isinstance(field, Text):
            scope.add(f"char {name}[];", field.note)
        elif isinstance(field, Fixed):
            self.value(field.dtype, name, "", scope, field.note)
        elif isinstance(field, Array):
            self._array(field, name, scope)
        elif isinstance(field, ChunkStream):
            self._stream(field, name, scope)
        elif field.record is not None:
            count = self._count(field.count, name, scope)
            scope.add(f"{self.record(field.record, scope)} {name}[{count}];", field.note)
        elif field.kind == LINE:
            scope.add(f"Line {name};", field.note)
        else:
            raise UntranslatableError(f"{field.name} is {field.kind}")

    def _if(self, condition: str, field: Field, scope: StructScope) -> None:
        scope.add(f"if ({condition}) {{")
        scope.indent += "    "
        self.field(field, scope)
        scope.indent = scope.indent[4:]
        scope.add("}")

    def _magic(self, field: Magic, name: str, scope: StructScope) -> None:
        size = len(field.ids[0])
        if not field.optional:
            scope.add(f"char {name}[{size}];", field.note)
            return
        scope.add(f"str {name} = std::mem::read_string($, {size});")
        known = " || ".join(f'{name} == "{each.decode("latin-1")}"' for each in field.ids)
        scope.add(f"if ({known}) {{")
        scope.add(f"    char {name}_bytes[{size}];", field.note)
        scope.add("}")

    def _count(self, count: Any, name: str, scope: StructScope) -> str:
        if isinstance(count, np.dtype):
            scope.add(f"{plain_type(count)} {name}_count;")
            return f"{name}_count"
        if isinstance(count, Described):
            if count.pattern == DECLARED_END:
                return "while($ < addressof(this) + declared)"
            if count.pattern is None:
                raise UntranslatableError(f"{name} has {count} items")
            count = count.pattern
        return str(count) if isinstance(count, int) else translated(count, scope)

    def _array(self, field: Array, name: str, scope: StructScope) -> None:
        count = self._count(field.count, name, scope)
        if field.tail and isinstance(field.dtype, np.dtype):
            left = f"(std::mem::size() - $) / {field.dtype.itemsize}"
            count = f"std::math::min({count}, {left})"
        self.value(field.dtype, name, count, scope, field.note)

    def value(self, dtype: Any, name: str, count: str, scope: StructScope, note: str = "") -> None:
        """Append a value, or an array of `count` values."""
        dtype = dtype.pattern if isinstance(dtype, Described) else dtype
        if isinstance(dtype, Choice):
            for number, (option, inner) in enumerate(dtype.options.items()):
                test = translated(dtype.expression, scope)
                test = (
                    {True: test, False: f"!({test})"}[option]
                    if isinstance(option, bool)
                    else f"{test} == {option}"
                )
                scope.add(f"{'else ' if number else ''}if ({test}) {{")
                scope.indent += "    "
                self.value(inner, name, count, scope, note if not number else "")
                scope.indent = scope.indent[4:]
                scope.add("}")
            return
        plain = isinstance(dtype, np.dtype) and dtype.fields is None
        if plain and not (dtype.shape and count):
            size = int(np.prod(dtype.shape)) if dtype.shape else 0
            items = count or (str(size) if dtype.shape else "")
            scope.add(f"{plain_type(dtype.base)} {name}{f'[{items}]' if items else ''};", note)
            return
        scope.add(f"{self._row(dtype, name, scope)} {name}{f'[{count}]' if count else ''};", note)

    def _row(self, dtype: Any, name: str, outer: StructScope) -> str:
        """The name of a new struct for a row of an array."""
        if isinstance(dtype, VaryingDtype):
            scope = StructScope(outer, {each.name: identifier(each.name) for each in dtype.fields})
            for field in dtype.fields:
                self._varying(field, scope)
            return self.struct(name, scope)
        scope = StructScope(outer, {})
        if isinstance(dtype, Expression):
            scope.add(f"u8 bytes[{translated(dtype, scope)}];")
        elif isinstance(dtype, EachElement):
            scope.add(f"{self._element(dtype, scope)} values[{scope.path(dtype.items)}_count];")
        elif dtype.fields is None:
            self.value(dtype, "value", "", scope)
        else:
            for part, (inner_dtype, *_) in dtype.fields.items():
                self.value(inner_dtype, identifier(part), "", scope)
        return self.struct(name, scope)

    def _element(self, each: EachElement, outer: StructScope) -> str:
        scope = StructScope(outer, {})
        item = f"{scope.path(each.items)}[std::core::array_index()].{each.key}"
        for number, (option, dtype) in enumerate(each.options.items()):
            scope.add(f"{'else ' if number else ''}if ({item} == {option}) {{")
            scope.indent += "    "
            self.value(dtype, "value", "", scope)
            scope.indent = scope.indent[4:]
            scope.add("}")
        return self.struct("element value", scope)

    def _varying(self, field: VaryingField, scope: StructScope) -> None:
        name = identifier(field.name)
        if field.when is None:
            self.value(field.dtype, name, "", scope, field.note)
            return
        scope.add(f"if ({translated(field.when, scope)}) {{")
        scope.indent += "    "
        self.value(field.dtype, name, "", scope, field.note)
        scope.indent = scope.indent[4:]
        scope.add("}")

    def _stream(self, field: ChunkStream, name: str, scope: StructScope) -> None:
        self.chunked = True
        if isinstance(field.kinds, Choice):
            cases = [(translated(field.kinds.expression, scope), field.kinds.options[True])]
            cases.append((f"!({cases[0][0]})", field.kinds.options[False]))
        else:
            cases = [("", field.kinds)]
        for condition, kinds in cases:
            if condition:
                scope.add(f"if ({condition}) {{")
                scope.indent += "    "
            known = " || ".join(f"chunk_id() == 0x{kind.id:04X}" for kind in kinds)
            if field.skip:
                known = " && ".join(f"chunk_id() != 0x{id:04X}" for id in field.outer) or "true"
            going = f"$ + {HEADER.itemsize} <= std::mem::size() && ({known})"
            item = self._kinds(name, kinds, field.skip, scope)
            if field.most == 1:
                scope.add(f"if ({going}) {{")
                scope.add(f"    {item} {name};")
                scope.add("}")
            else:
                scope.add(f"{item} {name}[while({going})];")
            if condition:
                scope.indent = scope.indent[4:]
                scope.add("}")

    def _kinds(self, name: str, kinds: Any, skip: bool, outer: StructScope) -> str:
        """The name of a new struct that holds any chunk of a stream."""
        scope = StructScope(outer, {})
        for number, kind in enumerate(kinds):
            inner = self._kind(kind, scope)
            scope.add(f"{'else ' if number else ''}if (chunk_id() == 0x{kind.id:04X}) {{")
            scope.add(f"    {inner} {identifier(kind.name)};", kind.note)
            scope.add("}")
        if skip:
            scope.add("else {")
            scope.add("    UnknownChunk unknown;")
            scope.add("}")
        return self.struct(name, scope)

    def _kind(self, kind: Chunk | Run, scope: StructScope) -> str:
        return (
            self.record(kind, scope) if isinstance(kind, Chunk) else self._row(kind.dtype, kind.name, scope)
        )


def pattern(layout: Record, source: str) -> Iterator[str]:
    """The lines of the pattern of files read from front to back. UntranslatableError if a field has no
    pattern.
    """
    writer = _Writer()
    root = writer.record(layout, None)
    yield f"// {layout.name}. Source: {source}"
    yield PRELUDE.format(order="little") + (CHUNKS if writer.chunked else "")
    for struct in writer.structs:
        yield struct + "\n"
    yield f"{root} {identifier(layout.name)} @ 0x00;"
