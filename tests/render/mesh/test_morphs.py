from __future__ import annotations

import numpy as np

from viewer.render.mesh.morphs import sparse_records
from viewer.scene.model import Morph, MorphTarget


def target(buffer: int, *vertices: int, normals: bool = False) -> MorphTarget:
    deltas = np.arange(3.0 * len(vertices), dtype=np.float32).reshape(-1, 3)
    return MorphTarget(buffer, np.array(vertices, np.uint32), deltas, -deltas if normals else None)


def test_records_are_sorted_by_vertex() -> None:
    records = sparse_records((Morph("a", (target(0, 3, 1),)), Morph("b", (target(0, 1),))), (0,), 4)
    assert records is not None
    assert records.spans.tolist() == [[0, 0], [0, 2], [2, 0], [2, 1]]
    assert records.texels.tolist() == [[3, 4, 5, 0], [0, 1, 2, 1], [0, 1, 2, 0]]
    assert records.each == 1


def test_normals_take_a_texel_of_their_own() -> None:
    records = sparse_records(
        (Morph("a", (target(0, 0),)), Morph("b", (target(0, 1, normals=True),))), (0,), 2
    )
    assert records is not None
    assert records.each == 2 and records.texels.shape == (4, 4)


def test_memory_follows_the_records_not_vertices_times_morphs() -> None:
    morphs = tuple(Morph(str(number), (target(0, number),)) for number in range(60))
    records = sparse_records(morphs, (0,), 1000)
    assert records is not None and len(records.texels) == 60


def test_vertices_that_do_not_exist_are_left_out() -> None:
    records = sparse_records((Morph("a", (target(0, 9, 2),)),), (0,), 3)
    assert records is not None and records.spans.tolist() == [[0, 0], [0, 0], [0, 1]]
    assert sparse_records((Morph("a", (target(0, 9),)),), (0,), 3) is None


def test_other_buffers_are_not_moved() -> None:
    assert sparse_records((Morph("a", (target(1, 0),)),), (0,), 3) is None
    assert sparse_records((), (0,), 3) is None


def test_tangents_make_a_record_three_texels() -> None:
    deltas = np.arange(3.0, dtype=np.float32).reshape(1, 3)
    whole = MorphTarget(0, np.array([0], np.uint32), deltas, 2 * deltas, 3 * deltas)
    records = sparse_records((Morph("a", (whole,)),), (0,), 1)
    assert records is not None and records.each == 3
    assert records.texels[:, :3].tolist() == [[0, 1, 2], [0, 2, 4], [0, 3, 6]]
