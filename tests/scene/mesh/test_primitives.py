"""Strips and fans as lists, and the removal of primitives whose vertices do not exist."""

from __future__ import annotations

import numpy as np
import pytest

from viewer.scene.mesh.primitives import as_list, drop_stray_indices
from viewer.scene.model import TRIANGULAR, IndexBuffer, Lod, Morph, MorphTarget, Primitive


@pytest.mark.parametrize(
    ("primitive", "listed"),
    [
        (Primitive.TRIANGLES, [[0, 1, 2]]),
        (Primitive.LINES, [[0, 1], [2, 3]]),
        (Primitive.POINTS, [[0], [1], [2], [3], [4]]),
        (Primitive.TRIANGLE_STRIP, [[0, 1, 2], [2, 1, 3], [2, 3, 4]]),
        (Primitive.TRIANGLE_FAN, [[0, 1, 2], [0, 2, 3], [0, 3, 4]]),
        (Primitive.LINE_STRIP, [[0, 1], [1, 2], [2, 3], [3, 4]]),
    ],
)
def test_lists(primitive: Primitive, listed: list[list[int]]) -> None:
    assert as_list(np.arange(5, dtype=np.uint16), primitive)[0].tolist() == listed


@pytest.mark.parametrize("primitive", list(TRIANGULAR))
@pytest.mark.parametrize("count", [3, 6])
def test_triangles_are_counted_from_their_indices(primitive: Primitive, count: int) -> None:
    each, before = TRIANGULAR[primitive]
    assert (count - before) // each == len(as_list(np.arange(count, dtype=np.uint16), primitive)[0])


@pytest.mark.parametrize("primitive", list(Primitive))
@pytest.mark.parametrize("count", [0, 1])
def test_too_few_indices_make_nothing_but_points(primitive: Primitive, count: int) -> None:
    made = as_list(np.zeros(count, np.uint16), primitive)[0]
    assert len(made) == (count if primitive is Primitive.POINTS else 0)


def level(count: int, primitive: Primitive = Primitive.TRIANGLES, start: int = 0) -> Lod:
    return Lod(0, (0,), 0, start, count, primitive)


def test_a_sound_level_stays_as_it_is() -> None:
    buffers = [IndexBuffer(np.array([0, 1, 2], np.uint16))]
    kept, dropped = drop_stray_indices(level(3), buffers, 3)
    assert (kept, dropped, len(buffers)) == (level(3), 0, 1)


def test_only_the_level_s_own_stretch_is_looked_at() -> None:
    buffers = [IndexBuffer(np.array([99, 0, 1, 2], np.uint16))]
    assert drop_stray_indices(level(3, start=1), buffers, 3)[1] == 0


def test_stray_primitives_are_dropped_and_counted() -> None:
    buffers = [IndexBuffer(np.array([0, 1, 2, 0, 1, 3], np.uint16))]
    kept, dropped = drop_stray_indices(level(6), buffers, 3)
    assert dropped == 1
    assert (kept.indices, kept.start, kept.count) == (1, 0, 3)
    assert buffers[1].data.tolist() == [0, 1, 2]


def test_a_morph_moves_the_vertices_of_all_its_targets() -> None:
    targets = tuple(MorphTarget(buffer, np.arange(count)) for buffer, count in enumerate((3, 2)))
    assert (Morph("smile", targets).vertices, Morph("none", ()).vertices) == (5, 0)
