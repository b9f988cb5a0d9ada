"""Each rule for meshes fires on a mesh made to break it, and on no sound one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from tests.checked import FLAT_NORMALS, findings, square, texts, with_row
from tests.synthetic import QUAD, QUAD_INDICES, model_of, model_record, vertex_buffer
from viewer.check.checking import check_file
from viewer.check.limits import Limits
from viewer.check.meshes import bounds, clip_bounds, levels, mesh, orientation, shading, triangles
from viewer.families.urho3d.model_layout import MODEL
from viewer.scene.finding import Severity
from viewer.scene.items import GeometryItem, VertexItem

PARTS = (mesh, triangles, orientation, shading, levels, bounds, clip_bounds)
F32 = np.float32
SMALLEST = np.finfo(F32).smallest_normal
RULES = [rule.id for part in PARTS for rule in part.RULES]


@pytest.mark.parametrize("rule", RULES)
def test_a_sound_mesh_has_no_findings(rule: str) -> None:
    assert texts(rule, square()) == []


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("components", [2, 4])
def test_positions_and_normals_of_other_sizes_are_no_trouble(rule: str, components: int) -> None:
    wide = np.pad(QUAD, ((0, 0), (0, 1)))[:, :components].copy()
    texts(rule, square(position=wide, normal=wide, uv0=wide, tangent=wide))


def test_numbers_that_are_not_finite_are_told() -> None:
    (found,) = findings("mesh/not-finite", square(position=with_row(QUAD, 2, np.nan, 0, 1)))
    assert found.text == "1 vertex of only with a position that is not finite (first #2: nan, 0, 1)"
    assert found.items == (VertexItem(0, 2), GeometryItem(0))


def test_large_numbers_are_finite() -> None:
    assert texts("mesh/not-finite", square(position=with_row(QUAD, 2, 3e38, 3e38, 3e38))) == []


def test_indices_without_a_vertex_are_told_with_their_geometry_and_level(tmp_path: Path) -> None:
    record = model_record()
    (buffer,) = record.index_buffers
    buffer.indices = buffer.indices.copy()
    buffer.indices[1] = 999
    path = tmp_path / "Stray.mdl"
    path.write_bytes(MODEL.pack(record))
    first, second = check_file(str(path), select=["mesh/stray-index"])
    assert first.text == "model/geometries[0]/lods[0]: 1 primitives use missing vertices: only 20 exist"
    assert "lods[1]" in second.text and first.severity is Severity.ERROR
    assert check_file(str(path), select=["file/damage"]) == ()


def test_more_triangles_than_the_limit_are_told() -> None:
    rule, model = "mesh/too-many-triangles", square()
    assert texts(rule, model) == texts(rule, model, limits=Limits(triangles=2)) == []
    assert texts(rule, model, limits=Limits(triangles=1)) == ["the model has 2 triangles; the limit is 1"]
    (only,) = model.geometries
    half = replace(only.lods[0], count=3)
    model = replace(
        model, geometries=(replace(only, name="", lods=(half,)), replace(only, lods=(*only.lods, half)))
    )
    (found,) = findings(rule, model, limits=Limits(triangles=2))
    assert found.text == "the model has 3 triangles; the limit is 2; only has the most, 2"
    assert found.items == (GeometryItem(1),)


def test_vertices_that_are_not_drawn_are_told() -> None:
    text = "1 of 4 vertices of buffer 0 are not drawn (first #3)"
    assert texts("mesh/unused-vertex", square(indices=QUAD_INDICES[:3])) == [text]


def test_two_streams_of_the_same_vertices_are_told_once() -> None:
    streams = vertex_buffer(position=QUAD), vertex_buffer(normal=FLAT_NORMALS)
    assert len(texts("mesh/unused-vertex", model_of(*streams, indices=QUAD_INDICES[:3]))) == 1


def test_numbers_that_are_too_small_for_all_digits_are_told() -> None:
    rule = "mesh/denormal"
    (found,) = findings(rule, square(position=with_row(QUAD, 2, 1e-41, 0, 1)))
    assert found.text.startswith("1 vertex of only with a position that has a denormal number (first #2")
    assert found.items == (VertexItem(0, 2), GeometryItem(0))
    assert len(texts(rule, square(position=with_row(QUAD, 2, np.nextafter(SMALLEST, F32(0)), 0, 1)))) == 1
    assert texts(rule, square(position=with_row(QUAD, 2, SMALLEST, -SMALLEST, -0.0))) == []
    assert texts(rule, square(position=with_row(QUAD, 2, np.nextafter(F32(2), F32(3)), 0, 1))) == []
    assert texts(rule, square(position=with_row(QUAD, 2, np.inf, np.nan, 3e38))) == []
