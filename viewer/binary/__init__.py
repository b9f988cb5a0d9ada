"""Bytes become checked values and a tree of spans. This room knows no format."""

from viewer.binary.chunk import Chunk, Run, chunk_dtype
from viewer.binary.chunks import Chunks, Stream, stream
from viewer.binary.cursor import Cursor
from viewer.binary.fields import Array, Fixed, Magic, Many, Tail, Text, When
from viewer.binary.record import Field, Output, Record, Struct
from viewer.binary.span import Rows, Span, Uneven, tile, unexplained

__all__ = [
    "Array",
    "Chunk",
    "Chunks",
    "Cursor",
    "Field",
    "Fixed",
    "Magic",
    "Many",
    "Output",
    "Record",
    "Rows",
    "Run",
    "Span",
    "Stream",
    "Struct",
    "Tail",
    "Text",
    "Uneven",
    "When",
    "chunk_dtype",
    "stream",
    "tile",
    "unexplained",
]
