"""Reads chunk streams by their grammar.

The declared length of a chunk is used only to skip an unknown chunk, and to continue after a broken chunk. A
stream that skips no chunks ends at the first unknown chunk number; the enclosing stream reads that chunk.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from viewer.binary.chunk import HEADER, HEADERS, Chunk, Kind, Run, StreamPiece, StreamTree, peek
from viewer.binary.chunk_tables import ChunkShape, NamedShape, TableShape, is_row_layout
from viewer.binary.cursor import Cursor
from viewer.binary.expression import Choice
from viewer.binary.fields import Fixed
from viewer.binary.record import ByteWriter, Field, Struct
from viewer.binary.span import UNKNOWN, Span, tile
from viewer.budget import BUDGET
from viewer.errors import FormatError, Topic


class ChunkStream(Field):
    """A field of successive chunks whose numbers belong to `kinds`, which may depend on the record.

    `most` limits the number of chunks. With `skip` an unknown chunk is skipped by its declared length, unless
    its number belongs to an enclosing stream (`outer`).
    """

    minimum = 0
    inline = True
    nests = True
    note = ""

    def __init__(
        self,
        name: str,
        kinds: Sequence[Kind] | Choice,
        most: int | None = None,
        skip: bool = False,
        outer: tuple[int, ...] = (),
    ) -> None:
        self.name, self.kinds, self.most, self.skip, self.outer = name, kinds, most, skip, outer
        options = kinds.options.values() if isinstance(kinds, Choice) else (kinds,)
        self._by_id = {id(option): {kind.id: kind for kind in option} for option in options}
        alike = [] if isinstance(kinds, Choice) or most is not None else kinds
        shapes = {kind.id: _shape(kind) for kind in alike}
        self._shapes = {number: shape for number, shape in shapes.items() if shape is not None}

    def read(self, cursor: Cursor, record: Struct) -> StreamTree:
        """Read chunks up to the first number that does not belong to this stream."""
        kinds = self._by_id[id(self.kinds(record) if isinstance(self.kinds, Choice) else self.kinds)]
        found = record.__dict__[self.name] = StreamTree()  # inner fields read earlier fields
        unpack, shapes = HEADERS[cursor.order].unpack_from, self._shapes
        last = cursor.end - HEADER.itemsize
        while cursor.offset <= last and (self.most is None or len(found) < self.most):
            start = cursor.offset
            number, declared = unpack(cursor.data, start)
            kind = kinds.get(number)
            if kind is None:
                if not self.skip or number in self.outer or not self._pass(cursor, number, declared, found):
                    break
                continue
            known = number in shapes and start >= cursor.one_by_one
            if known and self._read_table(shapes[number], cursor, record, found):
                continue
            try:
                found.append(StreamPiece(kind, kind.read(cursor, record), start, cursor.offset))
            except FormatError as error:
                goal = start + declared
                sound = goal >= max(error.offset, start + HEADER.itemsize) and _follows(cursor, goal, kinds)
                self._salvage(error, kind, cursor, record, start, goal if sound else None)
        return found

    @staticmethod
    def _read_table(shape: ChunkShape, cursor: Cursor, record: Struct, tree: StreamTree) -> bool:
        """Append the following chunks of one shape as a table. Return True.

        Return False if no such chunk follows, or if the chunks are irregular or too many. The caller then
        reads them one by one, which finds the offset of the error.
        """
        table = shape.table(cursor, record)
        if table is None:
            return False
        end, sound = table.end, table.sound() if cursor.records >= table.records else 0
        if sound < table.number:
            cursor.one_by_one = end
            table.keep(sound)
        if not sound:
            return False
        cursor.records -= table.records
        cursor.offset = table.end
        tree.append(table)
        return True

    def _salvage(
        self, error: FormatError, kind: Kind, cursor: Cursor, record: Struct, start: int, goal: int | None
    ) -> None:
        """Append the readable part of a broken chunk and move the cursor to `goal`, where the next chunk may
        begin. If `goal` is None, or after too many errors, raise the error.
        """
        found: StreamTree = record.__dict__[self.name]
        if cursor.records < 0 or len(cursor.errors) >= BUDGET.errors:
            goal = None
        error.inside(f"{kind.name}[{found.number(kind)}]" if kind.many else kind.name)
        if error.partial is not None:
            found.append(StreamPiece(kind, error.partial, start, cursor.offset if goal is None else goal))
        error.partial = found
        if goal is None:
            raise error
        cursor.errors.append(_placed(error, record))
        cursor.offset = goal

    def _pass(self, cursor: Cursor, id: int, declared: int, tree: StreamTree) -> bool:
        if not HEADER.itemsize <= declared <= cursor.left:
            text = f"chunk 0x{id:04X} at 0x{cursor.offset:X} is unknown and has no length"
            cursor.remark(Topic.UNCLAIMED, text, cursor.offset)
            return False
        cursor.spend()
        text = f"chunk 0x{id:04X} at 0x{cursor.offset:X} is unknown and skipped"
        cursor.remark(Topic.UNCLAIMED, text, cursor.offset)
        tree.append(StreamPiece(None, id, cursor.offset, cursor.offset + declared))
        cursor.offset += declared
        return True

    def write(self, out: ByteWriter, value: StreamTree, record: Struct) -> None:
        """Append every chunk. The bytes of an unknown chunk are copied from the source of `out`."""
        for piece in value or ():
            if piece.kind is None:
                out += out.source[piece.start : piece.end]
            else:
                piece.kind.write(out, piece.value, record)

    def spans(self, value: StreamTree, start: int, end: int) -> list[Span]:
        """The nodes of the chunks. Successive chunks of a `many` kind share a node."""
        nodes: list[Span] = []
        for kind, alike in groupby(value, lambda piece: piece.kind):
            if isinstance(kind, Chunk) and kind.many:
                nodes.append(_group(kind, list(alike)))
            else:
                nodes += [_node(piece) for piece in alike]
        return nodes


def _shape(kind: Kind) -> ChunkShape | None:
    """Return the object that finds chunks of this kind by their headers; None if their content is too
    complex.
    """
    if not isinstance(kind, Chunk) or not kind.many:
        return None
    return NamedShape.of(kind) if kind.length is not None else _table_shape(kind)


def _table_shape(kind: Chunk) -> TableShape | None:
    """The shape of chunks with plain fields and a run of rows; None for chunks with other content."""
    *fixed, inner = kind.fields
    plain = [field for field in fixed if isinstance(field, Fixed) and field.code]
    if len(plain) < len(fixed) or not isinstance(inner, ChunkStream) or isinstance(inner.kinds, Choice):
        return None
    run, ids = inner.kinds[0], {each.id for each in inner.kinds}
    if inner.skip or inner.most is not None or kind.id in ids:
        return None
    if not isinstance(run, Run) or not is_row_layout(run.dtype):
        return None
    return TableShape(kind, plain, inner.name, run, ids)


def _follows(cursor: Cursor, goal: int, kinds: dict[int, Kind]) -> bool:
    """Whether the data end at `goal`, or a chunk of one of these kinds begins there."""
    if goal == cursor.end:
        return True
    here = Cursor(cursor.data, goal, cursor.end, cursor.order)
    return here.left >= HEADER.itemsize and peek(here)[0] in kinds


def _placed(error: FormatError, record: Struct) -> FormatError:
    """Prepend the names of all enclosing records to the path of an error that is collected and not raised.
    For a raised error, the enclosing records prepend their names themselves.
    """
    around: Struct | None = record
    while around is not None:
        error.inside(around.record.name if around.record else "record")
        around = around.outer
    return error


def _node(piece: StreamPiece) -> Span:
    size = piece.end - piece.start
    if piece.kind is not None:
        return piece.kind.span(piece.kind.name, piece.value, piece.start, piece.end)
    header = Span("header", piece.start, HEADER.itemsize, "chunk header", note="number and length")
    children = lambda: [header, *tile([], piece.start + HEADER.itemsize, size - HEADER.itemsize)]  # noqa: E731
    return Span(f"chunk 0x{piece.value:04X}", piece.start, size, f"{UNKNOWN} chunk", children=children)


def _group(kind: Chunk, pieces: Sequence[StreamPiece]) -> Span:
    """Make one node for successive chunks of one kind."""
    start, end = pieces[0].start, pieces[-1].end

    def children() -> list[Span]:
        spans = [kind.span(f"[{i}]", piece.value, piece.start, piece.end) for i, piece in enumerate(pieces)]
        for index, span in enumerate(spans):
            span.index = index
        return spans

    named = f"chunk 0x{kind.id:04X}[{len(pieces)}]"
    return Span(kind.name, start, end - start, named, None, kind.note, children, layout=kind)
