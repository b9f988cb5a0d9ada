"""Turns bytes into checked values and a tree of spans. This room knows no format."""

from viewer.binary.chunk import Chunk, Run, chunk_dtype
from viewer.binary.chunks import ChunkStream, StreamTree, stream
from viewer.binary.cursor import Cursor
from viewer.binary.fields import Array, Fixed, Magic, Optional, Repeat, Text, When
from viewer.binary.record import ByteWriter, Field, Record, Struct
from viewer.binary.span import Rows, Span, VariableRows, tile, unexplained

__all__ = [
    "Array",
    "ByteWriter",
    "Chunk",
    "ChunkStream",
    "Cursor",
    "Field",
    "Fixed",
    "Magic",
    "Optional",
    "Record",
    "Repeat",
    "Rows",
    "Run",
    "Span",
    "StreamTree",
    "Struct",
    "Text",
    "VariableRows",
    "When",
    "chunk_dtype",
    "stream",
    "tile",
    "unexplained",
]
