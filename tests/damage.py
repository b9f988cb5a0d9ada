"""Damage to good files, and what has to hold whatever is done to them; every family's tests begin here."""

from __future__ import annotations

import json
import struct
import tempfile
import tracemalloc
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from tests.references import assert_references
from viewer.binary import Rows, Span, unexplained
from viewer.commands.info.fact_table import json_pieces
from viewer.commands.info.info import facts
from viewer.commands.tree import nested
from viewer.errors import FormatError
from viewer.scene.document import Document
from viewer.storage.documents import open_document

EXTREMES = (0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x00010000, 0x7FC00000, 0x7F800000, 0x7F800001)
SCALE = 16
"""Hostile files are a sixteenth of the size that the limits are made for, and so are the limits: the
proportion is the same, and tracing a million small objects takes seconds."""
BESIDE_A_LARGE_FILE = 64 << 20
BESIDE_THE_FILE = BESIDE_A_LARGE_FILE // SCALE
TIMES_THE_FILE = 8
PRINTED = 100_000
"""Bytes of the largest file whose JSON is made: a package of 2 MB has 200,000 entries, which take 25 s."""
NOTHING: Mapping[str, bytes] = {}


@st.composite
def damaged(draw: st.DrawFn, seeds: Mapping[str, bytes], header: int | None = None) -> tuple[str, bytes]:
    """The name of a seed and its bytes cut, with bits flipped, numbers inflated, or pieces moved.

    `header`: how many bytes at the beginning are worth half of the damage.
    """
    name = draw(st.sampled_from(sorted(seeds)))
    data = bytearray(seeds[name])
    for _ in range(draw(st.integers(1, 4))):
        most = len(data) if header is None else draw(st.sampled_from((header, len(data))))
        at = draw(st.integers(0, max(min(most, len(data)) - 4, 0)))
        match draw(st.sampled_from(("cut", "flip", "inflate", "splice"))):
            case "cut":
                del data[at:]
            case "flip" if data:
                data[at] ^= 1 << draw(st.integers(0, 7))
            case "inflate" if len(data) >= 4:
                struct.pack_into("<I", data, at, draw(st.sampled_from(EXTREMES)))
            case "splice":
                size = draw(st.integers(0, 64))
                data[at:at] = data[at : at + size]
    return name, bytes(data)


def open_bytes(name: str, data: bytes, others: Mapping[str, bytes] = NOTHING) -> Document | None:
    """The document of a file with these bytes, with the files `others` beside it; None if it is a
    FormatError.
    """
    with tempfile.TemporaryDirectory() as folder:
        for other, content in others.items():
            (Path(folder) / other).write_bytes(content)
        path = Path(folder) / name
        path.write_bytes(data)
        try:
            return open_document(path)
        except FormatError as error:
            assert error.file == str(path)
            return None


def check(document: Document, size: int, others: Mapping[str, bytes] = NOTHING) -> None:
    """The tree covers the `size` bytes once, every error has its file, field path and offset, numbers name
    parts that exist, and all can be printed as JSON, which takes too long of files larger than `PRINTED`.
    """
    walk(document.root)
    assert_references(document)
    if size <= PRINTED:
        json.loads("".join(json_pieces(facts(document))))
        json.loads("".join(nested(document.root)))
    assert (document.root.offset, document.root.size) == (0, size)
    assert 0 <= unexplained(document.root) <= size
    for error in document.report.errors:
        assert error.file and error.path and error.offset >= 0
        if Path(error.file).parent == Path(document.path).parent:  # scripts further away have other sizes
            assert error.offset <= max(size, *map(len, others.values()), 0)


def walk(span: Span, budget: int = 5000, rows: int | None = None) -> int:
    """Look at the tree, rows included, but not at more than `budget` spans; children must tile.

    With `rows`, of longer tables of equal rows only so many are looked at.
    """
    children = span.children
    if rows is not None and len(children) > rows and type(children) is Rows:
        assert children.offset == span.offset and children.total * children.stride == span.size
        for number in range(0, len(children), len(children) // rows):
            assert children[number].offset == span.offset + number * children.stride
            budget = walk(children[number], budget - 1, rows)
        return budget
    at = span.offset
    for child in children:
        assert child.offset == at
        at = child.end
        budget = walk(child, budget - 1, rows)
        if budget <= 0:
            return 0
    assert not len(children) or at == span.end
    return budget


def peak(work: Callable[[], Any]) -> int:
    """Bytes of memory that the work holds at most, with the modules that its first run imports."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def allowed(data: bytes, others: int = BESIDE_THE_FILE) -> int:
    """Bytes of memory that opening such a file may take while `small_limits` hold."""
    return others + TIMES_THE_FILE * len(data)
