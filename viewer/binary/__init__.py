"""Turns bytes into checked values and a tree of spans. This room knows no format."""

from viewer.binary.chunk import Chunk, Run, chunk_dtype, varying_chunk
from viewer.binary.chunk_table import ChunkTable
from viewer.binary.chunks import ChunkStream
from viewer.binary.cursor import Cursor
from viewer.binary.dtypes import VaryingDtype, record_dtype
from viewer.binary.expression import Choice, Described, Expression
from viewer.binary.fields import Array, Fixed, Magic, Optional, Repeat, Text, When
from viewer.binary.named_chunks import NamedTable
from viewer.binary.reading import read_layout
from viewer.binary.record import ByteWriter, Field, Record, Struct
from viewer.binary.span import Rows, Span, VariableRows, tile, unexplained
from viewer.binary.stream_tree import StreamPart, StreamTree, stream

__all__ = [
    "Array",
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
    "read_layout",
    "record_dtype",
    "stream",
    "tile",
    "unexplained",
    "varying_chunk",
]
