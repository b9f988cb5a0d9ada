"""Vertex and index buffers of a model, and the bounds of its indices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tests import m2_files
from viewer.formats.m2.layout import VERTEX
from viewer.formats.m2.load import load_model
from viewer.scene.model import Model


def loaded(**changes: Any) -> Model:
    model = load_model(Path("made.m2"), m2_files.model(**changes)).model
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
