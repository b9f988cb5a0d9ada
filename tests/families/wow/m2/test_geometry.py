"""Vertex and index buffers of a model, and the bounds of its indices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tests import m2_files
from tests.opened import opened_file
from viewer.families.wow.m2.layout.records import VERTEX
from viewer.families.wow.m2.load import load_model
from viewer.scene.model import Model


def loaded(**changes: Any) -> Model:
    model = load_model(opened_file(Path("made.m2"), m2_files.model(**changes))).model
    assert model is not None
    return model


def test_the_elements_of_the_vertices_are_the_fields_of_the_record() -> None:
    buffer = loaded().vertex_buffers[0]
    assert VERTEX.fields is not None
    found = {each.semantic: (each.dtype, each.offset) for each in buffer.elements}
    assert found == {name: VERTEX.fields[name][:2] for name in found} and len(found) >= 5
    assert buffer.stride == VERTEX.itemsize


def test_a_view_may_list_more_vertices_than_16_bits_count() -> None:
    many = m2_files.view()
    many["vertices"] = np.zeros(70_000, "<u2")
    model = loaded(vertices=np.zeros(4, VERTEX), views=[many])
    assert model.index_buffers[0].data.max() == 0, "each of them is the first vertex"


def test_the_last_index_of_16_bits_is_that_of_no_vertex() -> None:
    """An index of the view past its vertices becomes the number behind the last vertex of the model."""
    stray = m2_files.view()
    stray["indices"][0] = 60_000
    for count, dtype in ((0xFFFF, "u2"), (0x10000, "u4")):
        indices = loaded(vertices=np.zeros(count, VERTEX), views=[stray]).index_buffers[0].data
        assert indices.dtype == dtype and indices[0] == count


def test_submeshes_of_the_same_vertices_map_the_joints_as_stored() -> None:
    """Both submeshes are of a geometry with 256 bones already, so that their bones come behind these."""
    fine, coarse = m2_files.view(), m2_files.view()
    fine["submeshes"] = [{**fine["submeshes"][0], "bone_start": 0, "bone_count": 256}]
    fine["batches"] = [{"submesh": 0, "color": -1, "texture_count": 1}]
    coarse["submeshes"] = [
        {**coarse["submeshes"][0], "bone_start": start, "bone_count": 2} for start in (256, 258)
    ]
    coarse["batches"] = [{"submesh": number, "color": -1, "texture_count": 1} for number in (0, 1)]
    model = loaded(views=[fine, coarse], bone_combos=list(range(260)))
    (geometry,) = model.geometries
    joints = model.vertex_buffers[geometry.lods[1].streams[1]].column("joints")
    assert joints is not None and geometry.bone_map is not None
    assert geometry.bone_map[joints[3:6, 0]].tolist() == [258] * 3, "the last submesh counts"
