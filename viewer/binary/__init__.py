"""Turns bytes into checked values and a tree of spans. No code here depends on a format."""

from viewer.binary.chunk import Chunk, Run, StreamPart, StreamTree, chunk_dtype, stream, varying_chunk
from viewer.binary.chunk_stream import ChunkStream
from viewer.binary.chunk_tables import Block, ChunkTable, NamedTable
from viewer.binary.cursor import Cursor
from viewer.binary.dtypes import VaryingDtype, item_span, record_dtype, rows_span
from viewer.binary.expression import Choice, Described, Expression
from viewer.binary.fields import Array, Fixed, Magic, Optional, Repeat, Text, When
from viewer.binary.record import ByteWriter, Field, Record, Struct, read_layout
from viewer.binary.span import Rows, Span, VariableRows, tile, unexplained

__all__ = [
    "Array",
    "Block",
    "ByteWriter",
    "Choice",
    "Chunk",
    "ChunkStream",
    "ChunkTable",
    "Cursor",
    "Described",
    "Expression",
    "Field",
    "Fixed",
    "Magic",
    "NamedTable",
    "Optional",
    "Record",
    "Repeat",
    "Rows",
    "Run",
    "Span",
    "StreamPart",
    "StreamTree",
    "Struct",
    "Text",
    "VariableRows",
    "VaryingDtype",
    "When",
    "chunk_dtype",
    "item_span",
    "read_layout",
    "record_dtype",
    "rows_span",
    "stream",
    "tile",
    "unexplained",
    "varying_chunk",
]
