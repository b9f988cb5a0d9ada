"""Pictures as models."""

from __future__ import annotations

import numpy as np

from viewer.binary import Span
from viewer.errors import Report
from viewer.scene.document import Document
from viewer.scene.material import Image
from viewer.scene.mesh.image_quad import quad_model

IMAGE = Image((np.arange(32, dtype=np.uint8).reshape(2, 4, 4), np.zeros((1, 2, 4), np.uint8)), "raw")


def test_a_card_has_the_shape_of_its_picture_and_faces_the_viewer() -> None:
    model = quad_model(IMAGE)
    positions = model.vertex_buffers[0].column("position")
    assert positions is not None and model.bounds is not None
    width, height, depth = np.ptp(positions, axis=0)
    assert (width / height, depth) == (2.0, 0.0)
    a, b, c = positions[model.index_buffers[0].data[:3]]
    assert np.cross(b - a, c - a)[2] > 0


def test_the_first_row_is_at_the_top() -> None:
    buffer = quad_model(IMAGE).vertex_buffers[0]
    positions, uv = buffer.column("position"), buffer.column("uv0")
    assert positions is not None and uv is not None
    assert (uv[positions[:, 1] > 0, 1] == 0).all()
    assert (uv[positions[:, 0] > 0, 0] == 1).all()


def test_the_only_texture_of_a_card_has_all_levels_of_its_picture() -> None:
    model = quad_model(IMAGE)
    (texture,), (geometry,) = model.textures, model.geometries
    assert geometry.shown and texture.decode is not None
    assert texture.decode() is IMAGE


def test_a_document_gives_the_same_card_each_time() -> None:
    document = Document("x.blp", "picture", "", b"", Span("x", 0, 0), IMAGE, Report())
    assert document.model is document.model is not None


def test_two_triangles_share_the_diagonal_of_a_card() -> None:
    triangles = quad_model(IMAGE).index_buffers[0].data.reshape(2, 3)
    edges = [
        tuple(sorted((int(a), int(b))))
        for each in triangles
        for a, b in zip(each, np.roll(each, 1), strict=True)
    ]
    once = {each for each in edges if edges.count(each) == 1}
    assert once == {(0, 1), (1, 2), (2, 3), (0, 3)} and len(edges) == 6


def test_the_bounds_of_a_card_are_its_corners() -> None:
    model = quad_model(IMAGE)
    positions = model.vertex_buffers[0].column("position")
    assert positions is not None and model.bounds is not None
    assert model.bounds.tolist() == [positions.min(axis=0).tolist(), positions.max(axis=0).tolist()]
