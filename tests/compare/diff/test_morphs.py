"""Morphs that were added, removed or changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.compared_files import compared, lines
from tests.synthetic import model_bytes, model_record
from viewer.binary import Struct
from viewer.families.urho3d.model_layout import morph_dtype


def morph(
    name: str = "taller", weight: float = 0.25, up: float = 0.5, vertices: Any = (16, 17, 18, 19)
) -> Struct:
    """A morph that moves some vertices up."""
    records = np.zeros(len(vertices), morph_dtype(Struct(mask=3)))
    records["vertex"] = vertices
    records["position"] = (0, up, 0)
    return Struct(name=name, weight=weight, targets=[Struct(vertex_buffer=0, mask=3, records=records)])


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ([morph()], []),
        ([], ["morphs removed taller: 4 vertices"]),
        ([morph(), morph("wider")], ["morphs added wider: 4 vertices"]),
        ([morph(), morph("")], ["morphs added unnamed: 4 vertices"]),
        (
            [morph(up=0.75)],
            ["morphs changed taller: 4 vertices move to another position, at most 0.25 apart"],
        ),
        (
            [morph(vertices=(16, 17, 18))],
            ["morphs changed taller: 1 vertex moves to another position, at most 0.5 apart"],
        ),
        ([morph(vertices=(19, 18, 17, 16))], []),
    ],
)
def test_morphs_are_compared_by_where_they_move_vertices(
    others: list[Struct], expected: list[str], tmp_path: Path
) -> None:
    assert lines(compared(tmp_path, model_bytes(), model_bytes(morphs=others))) == expected


def test_normals_of_a_morph_are_compared(tmp_path: Path) -> None:
    other = morph()
    other.targets[0].records["normal"] = (0, 0, 0.5)
    assert lines(compared(tmp_path, model_bytes(morphs=[morph()]), model_bytes(morphs=[other]))) == [
        "morphs changed taller: normals of 4 vertices change differently, by up to 0.5"
    ]


def test_the_weight_at_first_is_compared(tmp_path: Path) -> None:
    one, other = (model_bytes("UMD3", morphs=[morph(weight=weight)]) for weight in (0.25, 0.5))
    assert lines(compared(tmp_path, one, other)) == ["morphs changed taller: weight 0.25 → 0.5"]


def test_deltas_of_vertices_in_another_order_are_the_same(tmp_path: Path) -> None:
    record = model_record()
    buffer, indices = record.vertex_buffers[0], record.index_buffers[0]
    order = np.random.default_rng(1).permutation(buffer.vertex_count)
    place = np.argsort(order)
    buffer.vertices, indices.indices = buffer.vertices[order], place[indices.indices].astype("<u2")
    buffer.morph_start, buffer.morph_count = 0, len(order)
    other = model_bytes(
        vertex_buffers=[buffer], index_buffers=[indices], morphs=[morph(vertices=place[[16, 17, 18, 19]])]
    )
    assert [each for each in lines(compared(tmp_path, model_bytes(), other)) if "morphs" in each] == []
