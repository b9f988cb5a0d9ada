"""The chunks of a stream: alone or several at once, by kind and in order."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from viewer.binary import Chunk, Run, StreamTree, chunk_dtype, stream
from viewer.binary.chunk import StreamPiece

FIRST, SECOND = Chunk(1, "first"), Chunk(2, "second")
ROWS = Run(3, "rows", chunk_dtype(("x", np.dtype("<f4"))))


def several(kind: Chunk, *values: Any) -> Any:
    """A part of several chunks."""
    return SimpleNamespace(kind=kind, number=len(values), pieces=[StreamPiece(kind, each) for each in values])


def test_parts_of_several_chunks_count_as_all_of_them() -> None:
    tree = StreamTree([StreamPiece(FIRST, "a"), several(SECOND, "b", "c"), StreamPiece(FIRST, "d")])
    assert isinstance(tree, Sequence)
    assert [piece.value for piece in tree] == ["a", "b", "c", "d"]
    assert (len(tree), tree.number(SECOND), tree.number(FIRST)) == (4, 2, 2)
    assert (tree[2].value, [piece.value for piece in tree[1:3]]) == ("c", ["b", "c"])
    assert (tree.all(SECOND), tree.first(SECOND)) == (["b", "c"], "b")


def test_a_tree_without_chunks_is_false() -> None:
    assert not StreamTree()
    assert StreamTree([StreamPiece(FIRST, None)])
    assert StreamTree().first(FIRST) is None
    assert StreamTree().rows(ROWS) is None


def test_runs_of_the_first_layout_are_joined() -> None:
    row = np.zeros(2, chunk_dtype(("x", np.dtype("<f4"))))
    other = np.zeros(1, chunk_dtype(("y", np.dtype("<f4"))))
    joined = stream((ROWS, row), (ROWS, other), (ROWS, row)).rows(ROWS)
    assert joined is not None and len(joined) == 4


def test_a_chunk_that_is_to_be_written_lies_nowhere_yet() -> None:
    (piece,) = stream((FIRST, "a"))
    assert (piece.kind, piece.value, piece.start, piece.end) == (FIRST, "a", 0, 0)
